#!/bin/sh
# proflog repair: eventlogs that are cut, of programs that were killed, damaged in the middle, copied
# as texts of Windows.  What is expected is worked out from what make-eventlog.c writes: a header,
# blocks of 267, 90 and 133 bytes, the end mark.
. "${srcdir:-.}/tests/cli/lib.sh"
eventlog=$logs/small.eventlog
header=$(($(wc -c <"$eventlog") - 267 - 90 - 133 - 2))
gzip -dc "$logs/ghc-blocks-N2.eventlog.gz" >real.eventlog || fail "no real eventlog"

# repair STATUS ARGUMENT...: the result is in whole.
repair ()
{
  expected_status=$1
  shift
  run_into whole "$expected_status" repair "$@"
}

# is_whole FILE: no damage in it.
is_whole ()
{
  "$proflog" dump --strict "$1" >dumped 2>err2 || fail "$1 is not whole: $(cat err2)"
  test ! -s err2 || fail "$1: $(cat err2)"
  checks=$((checks + 1))
}

# What is whole stays as it is.
for log in "$eventlog" real.eventlog "$logs"/ghc-*.eventlog.gz; do
  case $log in *.gz) gzip -dc "$log" >plain ;; *) cp "$log" plain ;; esac
  repair 0 --strict "$log"
  same whole plain
  says err "nothing to repair"
done
repair 0 "$eventlog"
says err "nothing to repair: 20 events in 3 blocks"
gzip -c "$eventlog" | "$proflog" repair -q - >whole 2>err || fail "status $?"
same whole "$eventlog"
quiet err

# Of a compressed eventlog that is cut what could be unpacked is repaired.
gzip -c real.eventlog >cut.gz
half=$(($(wc -c <cut.gz) / 2))
truncate -s $half cut.gz
repair 0 cut.gz
says err "proflog repair: cut.gz: the compressed log is cut: its file ends at offset $half inside compressed data"
is_whole whole
repair 0 -q cut.gz
quiet err

# A program that was killed: the blocks that were written, nothing of those that were not.
head -c $((header + 267 + 90)) "$eventlog" >killed
{ cat killed; printf '\377\377'; } >expected
repair 0 killed
same whole expected
is_whole whole
says err "the log has no end mark at offset $((header + 357))"
says err "kept 16 events in 2 blocks"
repair 4 --strict -q killed
same whole expected
quiet err

# Cut in an event: 24 bytes of the marker, 14 of run-thread, 7 of user-msg are there.
head -c $((header + 267 + 45)) "$eventlog" >cut
repair 0 cut
says err "bytes $((header + 305)) to $((header + 311)) (7) are lost: the log ends at offset $((header + 312)) inside an event: 45 bytes are missing there"
says err "kept 13 events in 2 blocks; lost 7 bytes in 1 place"
is_whole whole
grep -A 9 'cap=1$' dumped | sed 's/^ *[0-9]* //' >got
cat >expected <<'END'
0.000900000 - block-marker block_size=38 end_time=3100000 cap=1
0.001400000 1 run-thread thread=2
end
END
same got expected

# 4 KiB of zeros in the middle, from an event's beginning on: all events but those in there are retained.
"$proflog" dump --format csv real.eventlog >real.csv
start=$(awk -F , 'NR > 900 { print $1; exit }' real.csv)
end=$((start + 4096))
{ head -c "$start" real.eventlog; head -c 4096 /dev/zero; tail -c +$((end + 1)) real.eventlog; } >zeroed
# kept FILE: its events without the markers of blocks, whose sizes are others, and without offsets.
kept ()
{
  grep -v -e ,block-marker, -e ,header, -e ,end, "$1" | cut -d , -f 3-
}
awk -F , -v start="$start" -v end="$end" 'NR == 1 || $1 + $2 <= start || $1 >= end' real.csv \
  >expected.csv
kept expected.csv >expected
test $(($(wc -l <real.csv) - $(wc -l <expected.csv))) -gt 100 || fail "nothing is in the zeros"
repair 0 zeroed -o zeroed.whole
is_whole zeroed.whole
"$proflog" dump --format csv zeroed.whole >repaired.csv
lacks='0 events are known to be lost; the log was made of a damaged one, whose damaged bytes it lacks'
kept repaired.csv | grep -v "$lacks" >got
same got expected
next=$(awk -F , -v end="$end" 'NR > 1 && $1 >= end { print $1; exit }' real.csv)
says err "bytes $start to $((next - 1)) ($((next - start))) are lost"
says err "lost $((next - start)) bytes in 1 place"

# The result states that it lacks bytes, once, also if another log is made of it; so does each other log
# that is made of a damaged one.
for command in repair cut anonymize merge 'convert --to mono'; do
  for log in zeroed zeroed.whole; do
    run 0 $command -q --force -o made $log
    run 1 check made
    test "$(grep -cE "$lacks|damaged one, whose damaged" out)" = 1 || fail "$command $log: $(cat out)"
    run 0 info --format json made
    says out '"completeness": "no"'
  done
done
run 0 cut -q --force --time-range 0~1us -o made zeroed.whole
run 0 dump made
test "$(grep -c "$lacks" out)" = 1 || fail "not in a part: $(cat out)"

# Ends of lines: 0d 0a for 0a, in all of the log, by any way.
sed 's/$/\r/' real.eventlog >text.sed
# A last line that has no end has none in a copy either.
size=$(wc -c <text.sed)
test "$(tail -c 1 real.eventlog | od -An -tx1 | tr -d ' ')" = 0a || size=$((size - 1))
head -c "$size" text.sed >text
test "$(wc -c <text)" -gt "$(wc -c <real.eventlog)" || fail "the copy has no other ends of lines"
repair 0 text
same whole real.eventlog
says err "it was copied in text mode: $(($(wc -c <text) - $(wc -c <real.eventlog))) bytes 0d before 0a are removed"
says err "nothing was lost"
gzip -c text | "$proflog" repair -q - >whole 2>err || fail "status $?"
same whole real.eventlog
{ head -c 501 text; sleep 0.1; tail -c +502 text; } | "$proflog" repair -q - >whole || fail "status $?"
same whole real.eventlog

# What cannot be repaired, and what is no use.
repair 2 "$eventlog" killed
says err "one log at a time, but 2 are given"
repair 2 --format json killed
says err "--format is refused: the output is a log"
repair 2 killed -o killed
says err "is an input"
echo no log >no-log
repair 3 no-log -o result
says err "not a profiler log: it begins with the bytes 6e 6f 20 6c"
printf h >no-log
repair 3 no-log -o result
head -c 1000 "$eventlog" >headless
repair 3 headless -o result
says err "the log ends at offset 1000 inside a header"
{ head -c 500 "$eventlog"; head -c 50 /dev/zero; tail -c +551 "$eventlog"; } >headless
repair 3 headless -o result
says err "the header of the eventlog is damaged"
# Bits of the header that are flipped.  The first type of events begins at 8: its
# id, 2 bytes of tag and 2 of size, 4 of the description's length.
# flipped OFFSET BYTE MESSAGE: with this byte there, in octal, nothing can be read, and why.
flipped ()
{
  cp "$eventlog" flipped && chmod u+w flipped || fail "cannot copy"
  overwrite flipped "$1" "$2"
  repair 3 flipped -o result
  says err "flipped: $3"
}
flipped 4 x "the header of the eventlog is damaged: at offset 4 there is 78 65 74 62 instead of 68 65 74 62"
flipped 9 d "the header of the eventlog is damaged: at offset 8 no type of events begins (bytes 65646200)"
flipped 16 '\020' "the header of the eventlog is damaged: at offset 8 the description of events 0 has 2684354"
# Of tag and size nothing in the header states that they are wrong: what is read then is retained.
cp "$eventlog" flipped
overwrite flipped 12 '\01'
repair 0 flipped -o renamed
says err "the header does not declare a type 0"
run 0 dump --strict renamed
says out 'stop-thread thread=1 status=finished'
grep -q create-thread out && fail "an event that is not declared"
repair 3 nothing-there -o result
test ! -e result || fail "something was written"
repair 0 killed -o result
quiet whole
repair 3 killed -o result
says err "File exists (--force replaces it)"
repair 0 killed -o result --force

# The reference tool reads the same of it.
if has ghc-events; then
  for log in killed cut; do
    repair 0 $log
    ghc-events show $log >expected 2>err || fail "ghc-events does not read $log"
    ghc-events show whole >got 2>err || fail "ghc-events does not read what $log became"
    same got expected
  done
  LC_ALL=C.UTF-8 ghc-events inc real.eventlog >all.inc || fail "ghc-events does not read the log"
  sort all.inc >all
  LC_ALL=C.UTF-8 ghc-events inc zeroed.whole >got.inc || fail "ghc-events does not read what was repaired"
  sort got.inc >got
  sed -i "/$lacks/d" got
  test "$(comm -13 all got | wc -l)" = 0 || fail "ghc-events finds other events"
  test "$(grep -c '^[0-9]*: ' all)" -gt "$(grep -c '^[0-9]*: ' got)" || fail "nothing was lost"
  lost=$(comm -23 all got | wc -l)
  test "$lost" = $(($(wc -l <real.csv) - $(wc -l <expected.csv))) || fail "$lost lines were lost"
fi
done_checks
