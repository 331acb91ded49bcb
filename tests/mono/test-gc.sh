#!/bin/sh
# Every collection of each generation is counted.
. "${srcdir:-.}/tests/mono/lib.sh"

# Mono itself collects the old generation once more when the program has ended.
expect_collections ()
{
  expect 'gc.generations[0].collections' "$(told collections:0)"
  expect 'gc.generations[1].collections' $(($(told collections:1) + 1))
}

record 0 gc gc
expect_collections
test "$(figure gc.moves)" -gt 0 || fail "nothing was moved"
test "$(figure gc.max_heap_bytes)" -ge $((20000 * 48)) || fail "the heap is smaller than what it holds"
for generation in 0 1; do
  total=$(figure "gc.generations[$generation].total_ns")
  max=$(figure "gc.generations[$generation].max_ns")
  test "$max" -gt 0 && test "$max" -le "$total" || fail "generation $generation: max $max of $total ns"
done
# The collector works otherwise, the events are the same.
for parameters in major=marksweep major=marksweep-conc nursery-size=1m; do
  MONO_GC_PARAMS=$parameters
  export MONO_GC_PARAMS
  record 0 gc gc
  expect_collections
done
unset MONO_GC_PARAMS
record 0 nogcmove gc
expect gc.moves 0
expect_collections
record 0 nogc,nogcmove gc
expect 'gc.generations[0].collections' 0
echo "$checks figures agree"
