#!/bin/sh
# The types of exceptions and locks in logs of the stock profiler, which states allocations and moves
# instead, in buffers of threads that come in any order.
. "${srcdir:-.}/tests/mono/conform.sh"

# What the report has of exceptions and locks, of the log or of standard input.
report ()
{
  timeout 60 "$proflog" report --format json --reports=exceptions,monitors --limit 0 "$@" \
    >"$work/report.json" || fail "proflog report fails"
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
}

nothing_unknown ()
{
  expect 'exceptions.types[(type not in the log)].throws' 0
  expect 'exceptions.types[System.Byte[]].throws' 0
}

record alloc,exception,monitor,gc,gcmove conf-types
report "$log"
expect_truth
nothing_unknown
grep -q '^monitors\.objects\[.*\]\.type	Probe\.Gate$' "$figures" || fail "the contended lock has no type"
cp "$figures" "$work/whole"
cat "$log" | (report -) || exit 1
cmp "$work/whole" "$figures" || fail "from a pipe it is another report"

# Allocations before the times that are requested name what is thrown in them.
sum=0
for range in 0%-40% 40%-100%; do
  report --time-range $range "$log"
  nothing_unknown
  sum=$((sum + $(figure 'exceptions.types[Probe.Blue].throws')))
done
test "$sum" = "$(printed throws:Probe.Blue)" || fail "$sum throws of Probe.Blue in both times"

# Without moves no type is wrong.
record alloc,exception,gc,nodefaults conf-types
report "$log"
for type in Red Green Blue; do
  found=$(figure "exceptions.types[Probe.$type].throws")
  test "$found" -le "$(printed throws:Probe.$type)" || fail "$found are too many throws of $type"
done
expect 'exceptions.types[System.Byte[]].throws' 0
echo "$checks figures agree"
