#!/bin/sh
# Every contention on a lock is counted, and how it ended, and how long it took.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 monitor locks
expect_truth
waited=$(figure monitors.wait_total_ns)
least=$(($(told wait_ms) * 900000)) # sleeps may end a moment early
test "$waited" -ge "$least" || fail "waited $waited ns, less than the $least that were certain"
objects=$(grep -c '^monitors.objects\[.*\]\.contentions	' "$figures")
test "$objects" = "$(told contended_locks)" || fail "$objects locks were contended"

record 0 nomonitor locks
expect monitors.contentions 0
echo "$checks figures agree"
