#!/bin/sh
# Each range of intervals of the section series has what the report of that range of time has: calls, bytes,
# exceptions, contentions.  The states of lanes are the waits and pauses of the whole report.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 calls,alloc busy 30
"$proflog" report --reports=series --format csv "$log" >"$work/series.csv" || fail "no series"
"$proflog" report --reports=series --format json "$log" | "$json_paths" >"$work/series" || fail "no series"
width=$(figure series.interval_ns "$work/series")
rows=$(($(wc -l <"$work/series.csv") - 1))
echo "$rows intervals of $width ns"
test "$rows" -gt 20 || fail "there are only $rows intervals"

# column NAME FROM TO: the sum of a column over intervals from <= i < to.
column ()
{
  awk -F , -v name="$1" -v from="$2" -v to="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
    NR > 1 && NR - 2 >= from && NR - 2 < to { sum += $at }
    END { printf "%.0f\n", sum }' "$work/series.csv"
}

# compare FROM TO: these intervals against the report of their time.
compare ()
{
  "$proflog" report -q --format json --reports=calls,alloc,exceptions,monitors,gc \
    --time-range "$(($1 * width))ns~$(($2 * width))ns" "$log" | "$json_paths" >"$work/part" || fail "no report"
  for pair in calls:calls.total allocated_bytes:allocations.bytes exceptions:exceptions.throws \
    contentions:monitors.contentions 'collections:gc.generations[0].collections'; do
    found=$(column "${pair%%:*}" "$1" "$2") expected=$(figure "${pair#*:}" "$work/part")
    test "${pair%%:*}" != collections \
      || expected=$(awk -F '\t' '/^gc\.generations.*\.collections\t/ { sum += $2 } END { print sum + 0 }' "$work/part")
    echo "$1~$2: ${pair%%:*} $found, $expected in the report"
    test "$found" = "$expected" || fail "${pair%%:*} differ"
    checks=$((checks + 1))
  done
}

compare 0 "$rows"
compare 0 1
compare $((rows / 3)) $((rows / 3 + 1))
compare $((rows / 4)) $((rows / 2))
compare $((rows / 2)) "$rows"

for class in calls.total:calls allocations.bytes:allocated_bytes exceptions.throws:exceptions \
  monitors.contentions:contentions; do
  test "$(figure "${class%%:*}")" -gt 0 || fail "the program has no ${class%%:*}"
done

"$proflog" report --reports=timeline --format json "$log" | "$json_paths" >"$work/timeline" || fail "no timeline"
sum () { awk -F '\t' -v end="$1" '/^timeline\.lanes/ && $1 ~ end "$" { sum += $2 } END { printf "%.0f\n", sum }' "$work/timeline"; }
test "$(sum lock_wait_ns)" = "$(figure monitors.wait_total_ns)" || fail "the waits of lanes are not those of monitors"
pauses=$(awk -F '\t' '/^gc\.generations.*pause_total_ns\t/ { sum += $2 } END { printf "%.0f\n", sum }' "$figures")
test "$(sum gc_ns)" = "$pauses" || fail "the pauses of lanes are not $pauses ns"
test "$pauses" -gt 0 || fail "there were no pauses"
test "$(sum events)" -gt "$(figure calls.total)" || fail "there are fewer events than calls"

# In 80 columns each thread has its line: those of the workers wait.
COLUMNS=80 "$proflog" report --reports=timeline "$log" >"$work/text" || fail "no text"
test "$(grep -c '^  Thread 0x[0-9a-f]* .*L' "$work/text")" = 3 || { cat "$work/text"; fail "the workers have no lanes"; }
"$proflog" report --reports=series --interval 100ms --format json "$log" | "$json_paths" >"$work/wide" || fail "no series"
test "$(figure series.interval_ns "$work/wide")" = 100000000 || fail "--interval is not observed"

# A pipe is read once.
"$proflog" report --reports=timeline - <"$log" >"$work/pipe" 2>&1 || fail "standard input is refused"
grep -q 'Nothing in the log of: Timeline' "$work/pipe" || fail "nothing states that there is no timeline"
