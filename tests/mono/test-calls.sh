#!/bin/sh
# Every call of every method is counted, however it ends.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 calls calls
expect_truth
expect_names

# What was entered was left, by an exception where nothing else is possible.
"$proflog" dump "$log" >"$work/dump" || fail "proflog dump ended with $?"
grep '^calls:' "$truth" | sed 's/^calls://; s/ [0-9]*$//' >"$work/methods"
while read -r method; do
  case $method in
    *:Thrower* | *:Through*) by=exc_left other=left ;;
    *) by=left other=exc_left ;;
  esac
  method=$method awk '
    index ($0, " \"" ENVIRON["method"] "\"") == 0 { next }
    $4 == "method-enter" { entered++ }
    $4 == "method-leave" { left++ }
    $4 == "method-exc-leave" { exc_left++ }
    END { printf "entered\t%d\nleft\t%d\nexc_left\t%d\n", entered, left, exc_left }
  ' "$work/dump" >"$work/ways"
  entered=$(figure entered "$work/ways")
  test "$entered" = "$(printed "calls:$method")" && test "$(figure $by "$work/ways")" = "$entered" \
    && test "$(figure $other "$work/ways")" = 0 || { cat "$work/ways"; fail "how $method is left"; }
done <"$work/methods"

# Slow () sleeps for all of its time and is not recursive.  The runtime's sleep may end a moment
# early: a tenth is allowed for that.
slept=$(($(printed sleep_ms) * 900000))
total=$(figure 'calls.methods[Probe.Calls:Slow ()].total_ns')
test "$total" -ge "$slept" || fail "Slow () took $total ns, less than $slept, nine tenths of its sleep"
main=$(figure 'calls.methods[Probe.Calls:Main ()].total_ns')
test "$main" -ge "$total" || fail "Main () took $main ns, less than Slow () in it"

# Recursion is counted once: Fib cannot take longer than Main, which called it.
fib=$(figure 'calls.methods[Probe.Calls:Fib (int)].total_ns')
test "$fib" -le "$main" || fail "Fib took $fib ns, more than the $main of its caller"

# The sleep is waiting, and no work; all of the time is one of both.
sleep_method='System.Threading.Thread:SleepInternal (int) [native]'
expect cpu.source calls
expect "cpu.methods[$sleep_method].self_ns" 0
waited=$(figure "cpu.methods[$sleep_method].wait_ns")
test "$waited" -ge "$slept" || fail "SleepInternal waited $waited ns, less than $slept"
test "$(figure cpu.wait_ns)" -ge "$waited" || fail "all waited less than one method"
awk -F '\t' '
  $1 ~ /^calls\.methods\[.*\]\.self_ns$/ { all += $2 }
  $1 ~ /^cpu\.methods\[.*\]\.self_ns$/ { work += $2 }
  $1 ~ /^cpu\.methods\[.*\]\.wait_ns$/ { wait += $2 }
  $1 == "cpu.total_ns" { total = $2 }
  $1 == "cpu.wait_ns" { waits = $2 }
  END { exit all == 0 || work + wait != all || work != total || wait != waits }' "$figures" \
  || fail "work and waiting are not the time of the calls"
fib_self=$(figure 'calls.methods[Probe.Calls:Fib (int)].self_ns')
expect 'cpu.methods[Probe.Calls:Fib (int)].self_ns' "$fib_self"

# `top` has methods that work, the sleep on request.
"$proflog" top --once --timeout 1s "$log" >"$work/top" || fail "top"
grep -q 'Probe.Calls:Main ()' "$work/top" || fail "top has no calls"
! grep SleepInternal "$work/top" || fail "top has a method that waits among those that work"
if has tmux; then
  . "$tests/tmux-lib.sh"
  trap 'close_terminal; rm -rf "$work"' EXIT
  open_terminal 120 30 "'$proflog' top '$log'"
  shows 'Probe.Calls:Main ()'
  press w
  shows 'SleepInternal (int) [native] [waits: sleep]'
  press q
fi

# Only the methods that are requested.
record 0 'calls,callspec=M:Probe.Calls:Leaf' calls
expect 'calls.methods[Probe.Calls:Leaf (int)].calls' "$(printed 'calls:Probe.Calls:Leaf (int)')"
expect calls.total "$(printed 'calls:Probe.Calls:Leaf (int)')"

# Not deeper than requested: of Through (9 and less), called from Main and Catcher, two levels.
record 0 'calls,callspec=T:Probe.Calls,calldepth=3' calls
expect 'calls.methods[Probe.Calls:Slow ()].calls' "$(printed 'calls:Probe.Calls:Slow ()')"
deep=$(figure 'calls.methods[Probe.Calls:Fib (int)].calls')
test "$deep" -lt "$(printed 'calls:Probe.Calls:Fib (int)')" || fail "calldepth has no effect"
echo "$checks figures agree"
