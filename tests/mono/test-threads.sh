#!/bin/sh
# A thousand short threads lose nothing.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 alloc threads 1000 37
expect_truth
expect_names
record 0 alloc,calls threads 1000 3
expect_truth
expect 'calls.methods[Probe.Threads:Work ()].calls' 1000
# Threads that make nothing.
record 0 calls,alloc threads 300 0
expect 'calls.methods[Probe.Threads:Work ()].calls' 300
echo "$count_checked figures agree"
