#!/bin/sh
# Every call of every method is counted, however it ends.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 calls calls
expect_truth
expect_names

# Slow () sleeps for all of its time and is not recursive.
slept=$(($(told sleep_ms) * 1000000))
total=$(figure 'calls.methods[Probe.Calls:Slow ()].total_ns')
test "$total" -ge "$slept" || fail "Slow () took $total ns, less than the $slept that it slept"
main=$(figure 'calls.methods[Probe.Calls:Main ()].total_ns')
test "$main" -ge "$total" || fail "Main () took $main ns, less than Slow () in it"

# Recursion is counted once: Fib cannot take longer than Main, which called it.
fib=$(figure 'calls.methods[Probe.Calls:Fib (int)].total_ns')
test "$fib" -le "$main" || fail "Fib took $fib ns, more than the $main of its caller"

# Only the methods that are asked for.
record 0 'calls,callspec=M:Probe.Calls:Leaf' calls
expect 'calls.methods[Probe.Calls:Leaf (int)].calls' "$(told 'calls:Probe.Calls:Leaf (int)')"
expect calls.total "$(told 'calls:Probe.Calls:Leaf (int)')"

# Not deeper than asked for: of Through (9 and less), called from Main and Catcher, two levels.
record 0 'calls,callspec=T:Probe.Calls,calldepth=3' calls
expect 'calls.methods[Probe.Calls:Slow ()].calls' "$(told 'calls:Probe.Calls:Slow ()')"
deep=$(figure 'calls.methods[Probe.Calls:Fib (int)].calls')
test "$deep" -lt "$(told 'calls:Probe.Calls:Fib (int)')" || fail "calldepth has no effect"
echo "$count_checked figures agree"
