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

# The part on all logs: intervals, processes, pauses and marks at their offsets from the time 0 that JSON
# states.
gzip -dc "$logs/stock-heapshot.mlpd.gz" >one.mlpd || fail "cannot unpack"
gzip -dc "$logs/ghc-blocks.eventlog.gz" >two.eventlog || fail "cannot unpack"
cp one.mlpd copy.mlpd
# joint_times PATTERN: times of day of the places in JSON, sorted.
joint_times ()
{
  awk -F '\t' -v pattern="$1" '
    function clock (ns, ms) {
      ms = int (ns / 1e6)
      return sprintf ("%02d:%02d:%02d.%03d", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000)
    }
    $1 == "joint.start_ns" { zero = $2 % 86400e9 }
    $1 ~ pattern { print clock (zero + $2) }' figures | sort
}
run 2 report --reports=gc --interval 50ms one.mlpd
says err '--interval applies to --reports=series,timeline'
run 0 report --clock --reports=series,timeline --interval 50ms --format json one.mlpd copy.mlpd
awk '/^}/ { print; exit } { print }' out >joint.json
mv joint.json out
read_json
joint_times '^joint[.]series[.]intervals.*[.]time_ns$' >expected
run 0 report --clock --reports=series,timeline --interval 50ms one.mlpd copy.mlpd
sed '/^Log/,$d' out >part
awk '$NF ~ /mlpd$/ && $1 ~ /^[0-9:.]+$/ { print $1 }' part | sort >got
test "$(wc -l <got)" -ge 20 || fail "few intervals"
same got expected
test "$(sed -n 's/^ *Begins at *//p' part)" = "$(head -n 1 expected)" \
  || fail "the timeline begins at another time"
run 0 report --format json --limit 0 one.mlpd two.eventlog
awk '/^}/ { print; exit } { print }' out >joint.json
mv joint.json out
read_json
{
  joint_times '^joint[.]processes.*[.]start_ns$'
  joint_times '^joint[.](pauses|marks).*[.]at_ns$'
} | sort >expected
run 0 report --clock --limit 0 one.mlpd two.eventlog
sed '/^Log/,$d' out >part
awk '$1 ~ /^[0-9][0-9]:[0-9:.]+$/ { print $1 }' part | sort >got
test "$(wc -l <got)" -ge 20 || fail "few pauses"
same got expected
grep -q "^ *Start  *Time, ms" part || fail "the heads have units"

# Where times of day do not count, there are offsets, and a note.
run 0 report --align start one.mlpd two.eventlog
sed '/^Log/,$d' out >expected
run 0 report --clock --align start one.mlpd two.eventlog
sed '/^Log/,$d' out >got
same got expected
says got "times of day do not count"
# An offset moves them.
run 0 report --clock --offset one.mlpd=1h one.mlpd two.eventlog
sed '/^Log/,$d' out >part
awk '$NF == "one.mlpd" { print $1; exit }' part >got
"$proflog" dump --order time --offset one.mlpd=1h one.mlpd | head -n 1 | cut -c 12-23 >expected
same got expected
done_checks
