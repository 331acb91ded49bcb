#!/bin/sh
# A thousand short threads lose nothing.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 alloc threads 1000 37
expect_truth
expect_names
record 0 alloc,calls threads 1000 3
expect_truth
expect 'calls.methods[Probe.Threads:Work ()].calls' 1000
# Many more: memory does not grow with their number, but for the runtime's own.  20 live at once.
many=${PROFLOG_THREADS:-2000}
record 0 alloc threads "$many" 3
expect_truth
peak=$(printed peak)
mono "$programs/threads.exe" "$many" 3 >"$work/alone" || fail "threads failed"
alone=$(sed -n 's/^peak //p' "$work/alone")
test "$peak" -le $((alone + 16 * 1024)) || fail "$peak KiB with $many threads, $alone without the module"
echo "$many threads: $peak KiB, $alone without the module"
# Threads that make nothing.
record 0 calls,alloc threads 300 0
expect 'calls.methods[Probe.Threads:Work ()].calls' 300
echo "$checks figures agree"
