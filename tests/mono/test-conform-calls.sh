#!/bin/sh
# Calls and exceptions of the stock profiler.
. "${srcdir:-.}/tests/mono/conform.sh"

conform calls,calldepth=65536 calls
expect_truth
holds count:method-enter count:method-leave count:method-exc-leave
# Deeper calls are not recorded.
conform nodefaults,calls,calldepth=3 calls
conform exception throw
holds count:exception-throw count:exception-clause backtraces:exception-throw
conform alloc throw
expect_truth
conform calls,exception throw
