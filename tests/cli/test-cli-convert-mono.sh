#!/bin/sh
# Eventlogs as logs of Mono: collections, allocated bytes, threads and marks are those of the log.
. "${srcdir:-.}/tests/cli/lib.sh"

# collections LOG: their numbers and times by generation.
collections ()
{
  "$proflog" stats "$1" 2>/dev/null | awk '$1 == "Gen" && $4 == "colls" || $4 == "colls," {
    time = $5 == "par" || $6 == "par" ? $7 : $5
    if (!($3 == 0)) print $2, $3, time }'
}

# haskell LOG: what a log of Mono has of an eventlog: the threads, and what was allocated and lived.
haskell ()
{
  "$proflog" dump "$1" | awk '
    / create-thread / || / thread-label / || / stop-thread .*finished/ {
      sub (/.* (create-thread|thread-label|stop-thread) /, $4 " "); sub (/ info=.*/, ""); print }
    / heap-live / { print $4, $NF }
    / heap-allocated / { sub (/.*=/, "", $NF); sum[$3] = $NF }
    END { for (cap in sum) print "allocated", sum[cap] }' | sort
}

for name in collect collect-N2 collect-G3 blocks blocks-N2 heap-hT sparks; do
  log=$logs/ghc-$name.eventlog.gz
  run 0 convert "$log" -o converted.mlpd
  says err 'not in a log of Mono: '
  run 0 check converted.mlpd
  collections "$log" >wanted
  collections converted.mlpd >seen
  test -s wanted || fail "$name has no collections"
  cmp wanted seen || fail "$name: other collections"
  # Of each capability, its last sum; in the log of Mono, the sums of its changes.
  "$proflog" dump "$log" | awk '/ heap-allocated / { sum[$3] = $NF }
    END { for (cap in sum) { sub (/.*=/, "", sum[cap]); total += sum[cap] } print total }' >wanted
  run 0 report --format csv --reports counters converted.mlpd --verbose
  awk -F , '$1 == "counters" && /Allocated by capability/ { total += $5 } END { print total + 0 }' out >seen
  cmp wanted seen || fail "$name: other bytes: $(cat wanted seen)"
  # The sizes of the heap.
  "$proflog" dump "$log" | sed -n 's/.* heap-size .*bytes=//p' | sort -n >wanted
  "$proflog" dump converted.mlpd | sed -n 's/.* gc-resize size=//p' | sort -n >seen
  test -s wanted || fail "$name has no sizes of the heap"
  cmp wanted seen || fail "$name: other sizes of the heap"
  # As an eventlog again, each size is there.
  run 0 convert converted.mlpd -o again.eventlog
  quiet err
  for each in again.eventlog "$log"; do
    mv -f seen again.seen
    "$proflog" dump --order time "$each" | sed -n 's/.* [0-9]* heap-size .*bytes=/size /p; s/.* gc-stats-ghc .*/collection/p' >seen
  done
  grep -q '^size ' seen && grep -q '^collection' seen || fail "$name has no sizes and collections"
  cmp again.seen seen || fail "$name: other sizes of the heap in an eventlog again"
  haskell "$log" >wanted
  haskell again.eventlog >seen
  grep -q create-thread wanted && grep -q allocated wanted || fail "$name has no threads"
  cmp wanted seen || fail "$name: other threads in an eventlog again"
  rm converted.mlpd again.eventlog
done

# An old log, of GHC 6.12 or 7.0: two collections of two capabilities, which state no generation and no
# statistics.  The capability that requested a collection leads it.
type ()
{
  printf 'etb\0\0\'"$1"'\0\'"$2"'\0\0\0\0\0\0\0\0ete\0'
}
# event TYPE TIME, numbers of one byte and in octal as all of these.
event ()
{
  printf '\0\'"$1"'\0\0\0\0\0\0\0\'"$2"
}
# block CAP: the marker of one with five events.
block ()
{
  event 22 1
  printf '\0\0\0\112\0\0\0\0\0\0\0\377\0\'"$1"
}
{
  printf 'hdrbhetb'
  type 11 0; type 12 0; type 13 0; type 14 0; type 21 2; type 22 16
  printf 'hetehdredatb'
  event 21 1; printf '\0\002'
  block 0; event 14 2; event 11 3; event 12 20; event 11 103; event 12 117
  block 1; event 11 4; event 12 17; event 13 101; event 11 102; event 12 120
  printf '\377\377'
} >old.eventlog
run 0 dump old.eventlog
test "$(grep -c ' gc-start' out)" = 4 || fail "the old log has not four parts of collections"
run 0 convert old.eventlog -o old.mlpd
says err 'not in a log of Mono: 2 generations of collections'
says err 'not in a log of Mono: 2 parts of capabilities in collections that others lead'
run 0 dump old.mlpd
awk '/ event=start / { start = $2 } / event=end / { printf "%s %.0f\n", $3, ($2 - start) * 1e9 }' out >seen
same_lines seen '0x100000000 13' '0x100000001 14'

# Collections of which the log does not have all are listed.
{
  head -c -76 old.eventlog
  block 1; event 12 2; event 14 3; event 11 4; event 12 20; event 11 30
  printf '\377\377'
} >part.eventlog
run 0 convert part.eventlog -o part.mlpd
says err 'not in a log of Mono: 1 starts of collections without an end'
says err 'not in a log of Mono: 1 ends of collections that did not begin'

# The process and its marks.
run 0 convert -q "$logs/ghc-collect-N2.eventlog.gz" --to mono
mv out marked.mlpd
"$proflog" stats "$logs/ghc-collect-N2.eventlog.gz" | sed -n '1s/.*process \([0-9]*\).*/\1/p' >wanted
run 0 report --reports log,marks --format json marked.mlpd
grep -q "\"pid\": $(cat wanted)," out || fail 'another process'
grep -q '"name": "collect"' out || fail 'no mark'

if has mprof-report; then
  mprof-report marked.mlpd >peer 2>&1 || fail 'mprof-report does not read the log'
  grep -q 'Gen0 collections: 12,' peer && grep -q 'Gen1 collections: 4,' peer || fail 'mprof-report counts otherwise'
fi
