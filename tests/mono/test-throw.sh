#!/bin/sh
# Every exception is counted, and with `clauses` every clause of each kind.
. "${srcdir:-.}/tests/mono/lib.sh"

# The types of exceptions are known where their allocations are.
record 0 alloc,clauses throw
expect_truth
for kind in catch filter fault; do
  expect "exceptions.clauses[$kind].count" "$(printed clauses:$kind)"
done
# The class library runs finally clauses too.
finallies=$(figure 'exceptions.clauses[finally].count')
test "$finallies" -ge "$(printed clauses:finally)" || fail "$finallies finally clauses are too few"
sum=$(awk '/^throws:/ { sum += $NF } END { print sum }' "$truth")
expect exceptions.throws "$sum"

# Without allocations the totals are the same.
record 0 monitor,clauses throw
expect exceptions.throws "$sum"
for kind in catch filter fault; do
  expect "exceptions.clauses[$kind].count" "$(printed clauses:$kind)"
done

# With calls, which turns backtraces off, too; and the methods left by exceptions are right.
record 0 calls throw
expect exceptions.throws "$sum"
expect 'calls.methods[Probe.Throw:Filter (int)].calls' 10

record 0 noexception,clauses throw
expect exceptions.throws 0
expect 'exceptions.clauses[finally].count' 0

# Clauses are recorded on request only: code that throws nothing may run millions of them.
for options in monitor alloc; do
  record 0 $options throw
  expect exceptions.throws "$sum"
  for kind in catch filter fault finally; do
    expect "exceptions.clauses[$kind].count" 0
  done
done
echo "$checks figures agree"
