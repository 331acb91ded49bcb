#!/bin/sh
# Thousands of threads, and locks that they contend for, of the stock profiler.
. "${srcdir:-.}/tests/mono/conform.sh"

conform alloc conf-threads 2000
holds count:metadata-thread.name count:metadata-thread.unload count:meta-sync-point
conform nodefaults conf-threads 3000
conform alloc threads 1000 5
expect_truth
conform monitor locks
expect_truth
holds count:monitor backtraces:monitor
