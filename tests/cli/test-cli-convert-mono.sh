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
  run 0 convert -q converted.mlpd -o again.eventlog
  "$proflog" dump again.eventlog | sed -n 's/.* heap-size .*bytes=//p' | sort -n >seen
  cmp wanted seen || fail "$name: other sizes of the heap in an eventlog again"
  rm converted.mlpd again.eventlog
done

# The process and its marks.
run 0 convert -q "$logs/ghc-collect-N2.eventlog.gz" --to mono
mv out marked.mlpd
"$proflog" stats "$logs/ghc-collect-N2.eventlog.gz" | sed -n '1s/.*process \([0-9]*\).*/\1/p' >wanted
run 0 report --reports log,marks --format json marked.mlpd
grep -q "\"pid\": $(cat wanted)," out || fail 'another process'
grep -q '"name": "collect"' out || fail 'no mark'

if command -v mprof-report >peer; then
  mprof-report marked.mlpd >peer 2>&1 || fail 'mprof-report does not read the log'
  grep -q 'Gen0 collections: 12,' peer && grep -q 'Gen1 collections: 4,' peer || fail 'mprof-report counts otherwise'
fi
