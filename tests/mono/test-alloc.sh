#!/bin/sh
# Every allocation of every thread is counted, by type, with its size.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 alloc alloc
expect_truth
expect_names
# No backtraces, other numbers of threads and objects, compressed.
record 0 alloc,maxframes=0 alloc 1 20001
expect_truth
record 0 alloc,maxframes=32,zip alloc 7 3000
expect_truth
expect_names
# Only what is requested.
record 0 gc alloc 2 1000
expect allocations.objects 0
record 0 nodefaults,alloc alloc 2 1000
expect_truth
expect gc.moves 0
expect exceptions.throws 0
echo "$checks figures agree"
