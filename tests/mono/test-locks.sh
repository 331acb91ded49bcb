#!/bin/sh
# Every contention on a lock is counted, and how it ended, and how long it took.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 monitor locks
expect_truth
waited=$(figure monitors.wait_total_ns)
least=$(($(printed wait_ms) * 900000)) # sleeps may end a moment early
test "$waited" -ge "$least" || fail "waited $waited ns, less than the $least that were certain"
objects=$(grep -c '^monitors.objects\[.*\]\.contentions	' "$figures")
test "$objects" = "$(printed contended_locks)" || fail "$objects locks were contended"

# All locks are of one class; their waits end in the methods of the program.
rows_by ()
{
  "$proflog" report --reports=locks --by "$1" --fields "$2" -f csv "$log" >"$work/rows" \
    || fail "no rows by $1"
  awk 'NR > 1 && /^table,|^$/ { exit } NR > 1 { print }' "$work/rows" | sed 's/^monitors\.[a-z]*,//'
}
expected=$(figure monitors.contentions),$(figure monitors.acquired),$(figure monitors.failed),Probe.Lock
got=$(rows_by type contentions,acquired,failed,type)
test "$got" = "$expected" || fail "by type: $got, not $expected"
test "$(rows_by method waits,name | grep -c 'Probe\.Locks')" = 2 || fail "not the two methods that wait"
record 0 nomonitor locks
expect monitors.contentions 0
echo "$checks figures agree"
