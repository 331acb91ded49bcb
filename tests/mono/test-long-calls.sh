#!/bin/sh
# calls=TIME: for each thread, the calls that are recorded and those that are counted are those of a
# recording of all calls.
. "${srcdir:-.}/tests/mono/lib.sh"

# count_calls: the recorded calls of each thread and those that its events count as not recorded, in all.
count_calls ()
{
  list_calls | awk '{ print $2 }' | sort -n
}

# list_calls: the same with the threads.
list_calls ()
{
  "$proflog" dump "$log" | awk '
    $4 == "method-enter" { calls[$3]++ }
    $4 == "sample-counters" && match ($0, /index=900000 type=ulong value=[0-9]+/) {
      calls[$3] += substr ($0, RSTART + 30, RLENGTH - 30)
    }
    END { for (thread in calls) print thread, calls[thread] }' | sort
}

# The program counts its calls: those of Main and of its thread.
for options in callspec=program callspec=program,calldepth=5 callspec=program,noexception; do
  record 0 "calls,format=17,$options" calls
  count_calls >"$work/all"
  test "$(wc -l <"$work/all")" -ge 2 || fail "no calls of two threads"
  for mode in 1ns+exact 10us 10us+exact 1ms 3600s; do
    record 0 "calls=$mode,$options" calls
    count_calls >"$work/found"
    same "$work/all" "$work/found"
    sum=$(awk '{ sum += $1 } END { print sum }' "$work/found")
    test "$(($(figure calls.total) + $(figure calls.skipped)))" = "$sum" \
      || fail "calls=$mode: $(figure calls.total) and $(figure calls.skipped) calls are not $sum"
  done
done

# Slow () sleeps for 20 ms; Main calls it, and nothing else is as long.
record 0 calls=10ms,callspec=program calls
expect 'calls.methods[Probe.Calls:Slow ()].calls' "$(printed 'calls:Probe.Calls:Slow ()')"
expect 'calls.methods[Probe.Calls:Main ()].calls' 1
expect calls.threshold_ns 10000000
expect_names

# What is not recorded is self time of the callers.
total=$(figure 'calls.methods[Probe.Calls:Main ()].total_ns')
self=$(awk -F '\t' '$1 ~ /self_ns$/ { sum += $2 } END { printf "%.0f\n", sum }' "$figures")
test "$self" -ge "$total" || fail "self times are $self ns in all, less than the $total ns of Main"

# Exceptions that are not recorded leave frames that are not.
record 0 calls=3600s,noexception calls
expect 'calls.methods[Probe.Calls:Through (int)].calls' 0
test "$(figure calls.total)" -lt 10 || fail "$(figure calls.total) calls took an hour, or had other events"

# Methods that would be inlined are left out, and counted once each.
of_inlined='callspec=T:Probe.Thing\,T:Probe.Inlined'
record 0 "calls=auto,$of_inlined" inlined
expect_truth
expect calls.methods_left_out "$(grep -c ' 0$' "$truth")"
all=$(figure calls.total)
for mode in auto+10us 1ms+auto+exact; do
  record 0 "calls=$mode,$of_inlined" inlined
  expect calls.methods_left_out "$(grep -c ' 0$' "$truth")"
  expect calls.skipped $((all - $(figure calls.total)))
done
"$proflog" report --reports=calls "$log" >"$work/report" || fail "no report"
says "$work/report" "Methods left out"

# Leaf (int) is short, and called often enough that not all calls are timed; so is nothing else here.
record 0 'calls=3600s,callspec=M:Probe.Calls:Leaf' calls 20000
expect calls.skipped "$(printed 'calls:Probe.Calls:Leaf (int)')"
test "$(figure 'calls.untimed_methods[Probe.Calls:Leaf (int)].untimed')" -gt 9000 \
  || fail "all calls of Leaf (int) were timed"
missed=$(figure 'calls.untimed_methods[Probe.Calls:Leaf (int)].missed_at_most')
test "$missed" -gt 0 && test "$missed" -lt 2000 || fail "$missed of them may be missed"

# The whole runtime: other threads of it depend on time, the main one hardly does.
record 0 calls=1us calls
test "$(figure calls.skipped)" -gt 0 || fail "all calls are recorded"
# A module beside ours counts the calls of each thread, of all methods, while the log is recorded.
if has cc pkg-config; then
  # shellcheck disable=SC2046
  cc -shared -fPIC -o "$work/libmono-profiler-count_calls.so" "$sources/count-calls.c" \
    $(pkg-config --cflags mono-2) || fail "count-calls.c does not compile"
  compiler=$(find /usr/lib/mono /usr/local/lib/mono -name mcs.exe 2>/dev/null | head -n 1)
  # beside OPTIONS PROGRAM [ARGUMENT...]
  beside ()
  {
    beside_options=$1
    shift
    echo "$beside_options: $*"
    rm -f "$log"
    CALLS_COUNTED=$work/counted LD_LIBRARY_PATH=$module_dir:$work \
      mono --profile=count_calls "--profile=proflog:output=$log,calldepth=65536,$beside_options" "$@" \
      >"$work/out" 2>"$work/err" || fail "$* ended with $?"
    list_calls >"$work/found"
    # Ids of threads that ended are used again.
    awk '{ calls[$1] += $2 } END { for (thread in calls) print thread, calls[thread] }' "$work/counted" \
      | sort >"$work/all"
    same "$work/all" "$work/found"
  }
  compile threads
  compile throw
  compile stacks
  for mode in 10us 1us+exact 1ms,alloc=64k 20us,alloc; do
    beside calls=$mode -O=-aot "$programs/calls.exe"
    beside calls=$mode "$programs/threads.exe" 50 20
    beside calls=$mode "$programs/throw.exe"
    beside calls=$mode "$programs/stacks.exe"
  done
  beside calls=10us,noexception -O=-aot "$compiler" -nologo -out:"$work/names.exe" "$sources/programs/names.cs"
fi
echo "$checks checks"
