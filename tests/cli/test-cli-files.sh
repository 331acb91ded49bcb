#!/bin/sh
# The files of one log are read as one: figures and events are those of the whole log, which was split at
# borders of buffers.  Copies and logs of other processes stay logs by themselves.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# split LOG N: into part.0001.mlpd and so on.
split ()
{
  rm -f part.*
  python3 "$tests/cli/split-log.py" "$1" part "$2" || fail "cannot split $1"
}

# of_whole COMMAND...: it prints the same of the parts as of the whole log, but for the name of the log, its
# bytes, and offsets.
of_whole ()
{
  run 0 "$@" whole.mlpd
  quiet err
  mv out expected
  run 0 "$@" part.*.mlpd
  quiet err
  for file in expected out; do
    sed 's/part\.\*\.mlpd/whole.mlpd/g; /^    "\(bytes\|blocks\)": [0-9]*,$/d; s/"offset":[0-9]*,//' $file >$file.figures
  done
  same out.figures expected.figures
}

for stock in calls heapshot alloc monitors counters; do
  gzip -dc "$logs/stock-$stock.mlpd.gz" >whole.mlpd || fail "cannot unpack"
  split whole.mlpd 4
  of_whole report --format json
  of_whole report --format json --time-range 0%~60%
  of_whole export --format chrome
  test "$stock" != calls || of_whole flame --cost calls -f folded
done
gzip -dc "$logs/stock-heapshot.mlpd.gz" >whole.mlpd
split whole.mlpd 5
of_whole heap list
of_whole heap growth
of_whole heap histogram
of_whole report --reports=objects --find T:Held --format json
of_whole dump --order time --format json --filter Held

# In any order, also where another log stands between them.
run 0 report --format json whole.mlpd "$small"
mv out expected
run 0 report --format json part.0004.mlpd part.0002.mlpd "$small" part.0001.mlpd part.0005.mlpd part.0003.mlpd
for file in expected out; do
  sed 's/part\.\*\.mlpd/whole.mlpd/g; /^    "\(bytes\|blocks\)": [0-9]*,$/d' $file >$file.figures
done
same out.figures expected.figures

# A program that was killed as it began a file: that one is left out.  An empty file with another name is an error.
: >part.0006.mlpd
run 0 check part.*.mlpd
says err 'part.0006.mlpd: is empty, as the program ended when it began this file; it is left out'
: >other.mlpd
run 3 check part.0001.mlpd part.0002.mlpd other.mlpd
rm part.0006.mlpd other.mlpd

# A copy is another log; so is a file that was named twice.
cp part.0002.mlpd copy.mlpd
run 0 report part.0001.mlpd part.0002.mlpd copy.mlpd part.0002.mlpd
test "$(grep -c '^Log .*Process' out)" = 3 || fail "not three logs"
grep -q 'Name part\.\*\.mlpd;' out || fail "the two files are no log"

# Files that are missing, in the middle and at the beginning.
run 4 report --strict part.0001.mlpd part.0002.mlpd part.0005.mlpd
same_lines err 'proflog: part.*.mlpd: warning: part.0003.mlpd to part.0004.mlpd are missing'
run 0 report --strict part.0002.mlpd part.0003.mlpd
same_lines err 'proflog: part.*.mlpd: the log begins before part.0002.mlpd, its first file here'

# Whatever the names, a file that begins later than the end mark before it is not the next one, and one that
# does not is: numbers in names that are none of rotation state nothing.
mv part.0001.mlpd app-8.0.mlpd
mv part.0002.mlpd app-8.4.mlpd
mv part.0003.mlpd other.mlpd
cp part.0004.mlpd part.0008.mlpd
run 0 report --strict app-8.0.mlpd app-8.4.mlpd other.mlpd part.0008.mlpd part.0005.mlpd
quiet err
python3 - >wanted <<'END_OF_SCRIPT'
import struct
end, = struct.unpack('<Q', open('app-8.0.mlpd', 'rb').read()[-40:-32])
log = open('other.mlpd', 'rb').read()
begin, = struct.unpack_from('<Q', log, log.index(b'\x01LPM') + 8)
print('%.3f ms are missing between app-8.0.mlpd and other.mlpd: the log went on elsewhere' % ((begin - end) / 1e6))
END_OF_SCRIPT
run 4 report --strict app-8.0.mlpd other.mlpd
says err "$(cat wanted)"
mv app-8.0.mlpd part.0001.mlpd
mv app-8.4.mlpd part.0002.mlpd
mv other.mlpd part.0003.mlpd

# A file that is cut within a buffer, or its header, takes nothing from the next one.
size=$(wc -c <part.0002.mlpd)
for cut in 49 60 100; do # the end mark has 48 bytes
  head -c $((size - cut)) part.0002.mlpd >cut.mlpd
  run 0 dump part.0001.mlpd cut.mlpd part.0003.mlpd part.0004.mlpd part.0005.mlpd
  grep -q 'warning: cut.mlpd is cut: its last buffer has [0-9]* of [0-9]* bytes' err || fail "$cut: $(cat err)"
  for file in 3 4 5; do
    run_into events 0 dump part.000$file.mlpd
    # A file by itself lacks names, and its times begin with it.
    awk '$4 != "buffer" && $2 != "file-header" { print $3, $4, $5 }' events >wanted
    awk '{ print $3, $4, $5 }' out >there
    lacking=$(grep -vxFc -f there wanted)
    test "$lacking" = 0 || fail "$cut: $lacking events of file $file are lost"
  done
done
head -c $((size - 20)) part.0002.mlpd >cut.mlpd
run 0 info part.0001.mlpd cut.mlpd part.0003.mlpd part.0004.mlpd part.0005.mlpd
grep -q 'warning: cut.mlpd is cut: the header of its last buffer has 28 of 48 bytes' err || fail "header: $(cat err)"

# Groups of logs that are compared consist of whole logs; two files are two logs.
run 0 diff whole.mlpd -- part.*.mlpd
run 0 diff part.0001.mlpd part.0002.mlpd
done_checks
