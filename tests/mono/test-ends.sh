#!/bin/sh
# However a program ends, and whatever runs then, its log is whole and its exit status its own.
. "${srcdir:-.}/tests/mono/lib.sh"

# Threads that are alive at the end.
for run in 1 2 3 4 5; do
  record 0 alloc alive
  expect_truth
done
record 5 alloc ends return
expect_truth
record 7 alloc ends exit
expect_truth
record 8 alloc ends exit-thread
expect_truth
record 1 alloc ends unhandled
expect_truth
expect 'exceptions.types[Probe.Fatal].throws' 1
# Other programs that it starts.
record 0 alloc child
expect_truth
test "$(printed children)" = 5 || fail "not all children ran"

# A killed program's log cannot be whole, but what is there is read.
compile ends
profiled "alloc,output=$work/killed.mlpd" ends kill 9 >"$truth" 2>"$work/stderr"
test $? = 137 || fail "a killed program's status is not that of the signal"
check_log "$work/killed.mlpd"
"$proflog" report "$work/killed.mlpd" >"$work/report" 2>"$work/report.err" \
  || fail "the log of a killed program cannot be read"
# SIGTERM ends Mono programs at once.
profiled "alloc,output=$work/killed.mlpd" ends kill 15 >"$truth" 2>"$work/stderr"
test $? = 143 || fail "the status of a program that SIGTERM ended is not that of the signal"
"$proflog" report "$work/killed.mlpd" >"$work/report" 2>"$work/report.err" \
  || fail "the log of a program that SIGTERM ended cannot be read"
echo "$checks figures agree"
