#!/bin/sh
# --clock: times of day in text, which are those of `dump --order time` and of the start in JSON.
. "${srcdir:-.}/tests/cli/lib.sh"

# The first and last events of threads: the time of day of offset 0 by an event of the dump, and the exact offset.
for log in module-calls.mlpd.gz stock-threads.mlpd.gz all-v05.mlpd ghc-blocks.eventlog.gz; do
  run 0 dump --order time "$logs/$log"
  awk 'NR == 1 {
      split (substr ($1, 12), part, /[:Z]/)
      printf "%.0f\n", ((part[1] * 60 + part[2]) * 60 + part[3]) * 1e9 - $3 * 1e9
    }' out >zero
  run 0 info --format csv --reports=threads "$logs/$log"
  awk -F , -v zero="$(cat zero)" '
    function clock (ns, ms) {
      ms = int ((zero + ns) / 1e6)
      return sprintf ("%02d:%02d:%02d.%03d", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000)
    }
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { print clock ($column["start_ns"]), clock ($column["end_ns"]) }' out >expected
  run 0 info --clock --reports=threads --limit 0 "$logs/$log"
  grep -q 'First event  *Last event  *Events' out || fail "$log: the heads have units"
  awk '$2 ~ /:/ { print $2, $3 }' out >reported
  test "$(wc -l <reported)" -ge 3 || fail "$log: few threads"
  same reported expected
done

# JSON is as ever; Markdown has times of day, too.
run 0 report --format json --reports=heapshots,log "$logs/stock-heapshot.mlpd.gz"
cp out usual
run 0 report --clock --format json --reports=heapshots,log "$logs/stock-heapshot.mlpd.gz"
same out usual
run 0 heap list --clock --format markdown "$logs/stock-heapshot.mlpd.gz"
grep -q '^| 4 | 10:36:21\.[0-9]* |' out || fail "no time of day in Markdown"

# A log that states no time has offsets.
{ head -c 8 "$small"; printf '\0\0\0\0\0\0\0\0'; tail -c +17 "$small"; } >timeless.mlpd
run 0 report --clock --reports=threads timeless.mlpd
cp out clock
run 0 report --reports=threads timeless.mlpd
same out clock
done_checks
