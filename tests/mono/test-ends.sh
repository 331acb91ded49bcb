#!/bin/sh
# However a program ends, and whatever runs then, its log is whole and its exit status its own: also with what
# `proflog run` records.
. "${srcdir:-.}/tests/mono/lib.sh"

as_run=$(run_options --native --with alloc) || exit 1
for options in alloc "$as_run"; do
  # Threads that are alive at the end.
  for run in 1 2 3 4 5; do
    record 0 "$options" alive
    expect_truth
  done
  record 5 "$options" ends return
  expect_truth
  record 7 "$options" ends exit
  expect_truth
  record 8 "$options" ends exit-thread
  expect_truth
  record 1 "$options" ends unhandled
  expect_truth
  expect 'exceptions.types[Probe.Fatal].throws' 1
  # Other programs that it starts.
  record 0 "$options" child
  expect_truth
  test "$(printed children)" = 5 || fail "not all children ran"
done

# A killed program's log cannot be whole, but what is there is read.
compile ends
profiled "$as_run,output=$work/killed.mlpd" ends kill 9 >"$truth" 2>"$work/stderr"
test $? = 137 || fail "a killed program's status is not that of the signal"
check_log "$work/killed.mlpd"
"$proflog" report "$work/killed.mlpd" >"$work/report" 2>"$work/report.err" \
  || fail "the log of a killed program cannot be read"
# SIGTERM ends Mono programs at once.
profiled "$as_run,output=$work/killed.mlpd" ends kill 15 >"$truth" 2>"$work/stderr"
test $? = 143 || fail "the status of a program that SIGTERM ended is not that of the signal"
"$proflog" report "$work/killed.mlpd" >"$work/report" 2>"$work/report.err" \
  || fail "the log of a program that SIGTERM ended cannot be read"
echo "$checks figures agree"
