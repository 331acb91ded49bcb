#!/bin/sh
# Allocations of the stock profiler, with backtraces and without, and code that is made at run time.
. "${srcdir:-.}/tests/mono/conform.sh"

conform alloc alloc 2 2000
expect_truth
holds count:alloc backtraces:alloc count:gc-resize
conform alloc,maxframes=0,zip names
expect_truth
without_code_sizes
conform alloc,maxframes=3 conf-dynamic
conform nodefaults,alloc,jit conf-dynamic
holds count:runtime-jit-helper sum:runtime-jit-helper.name count:gc-move
