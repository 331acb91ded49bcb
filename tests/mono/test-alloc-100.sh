#!/bin/sh
# Four threads of 50,000 objects each, again and again: every object is counted in every run, and
# every class has its name.  PROFLOG_RUNS is how often (5).
. "${srcdir:-.}/tests/mono/lib.sh"

runs=${PROFLOG_RUNS:-5}
run=0
while test "$run" -lt "$runs"; do
  run=$((run + 1))
  record 0 alloc alloc 4 50000
  test "$(printed objects)" = 200000 || fail "the program counts $(printed objects) objects"
  expect_truth
  expect_names
done
echo "$run runs, $checks figures agree"
