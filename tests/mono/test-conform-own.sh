#!/bin/sh
# Our module's logs of the stock profiler's data version: all classes of events that it can record, as
# both stock readers and ours report them.
. "${srcdir:-.}/tests/mono/conform.sh"

recorder=proflog
# We announce a method again when it is compiled again.  mprof-report believes the first time.
without_methods='s/|jit\\.(methods|code_bytes|/|jit\\.(/'
mprof_figures=$(echo "$mprof_figures" | sed "$without_methods")
common_figures=$(echo "$common_figures" | sed "$without_methods")
# conform_own OPTIONS PROGRAM [ARGUMENT...]
conform_own ()
{
  options=format=17,$1
  shift
  conform "$options" "$@"
  test "$(figure log.data_version "$figures")" = 17 || fail "not of data version 17"
}

conform_own alloc alloc 2 2000
expect_truth
holds count:alloc backtraces:alloc count:gc-resize count:metadata-vtable
conform_own alloc,maxframes=0,zip names
expect_truth
conform_own jit,alloc,maxframes=3 conf-dynamic
holds count:runtime-jit-helper sum:runtime-jit-helper.name count:gc-move
# Mono.Profiler.Log refuses failed loads, so data version 1 alone has them.
conform_own alloc conf-failures
"$proflog" dump "$log" >"$work/out"
! grep -q ' action=load-error ' "$work/out" || fail "a failed load"
profiled "alloc,output=$work/one.mlpd" conf-failures >"$truth" || fail "conf-failures ended with $?"
"$proflog" dump "$work/one.mlpd" >"$work/out"
test "$(grep -c ' metadata-\(class\|image\) action=load-error ' "$work/out")" = 2 || fail "not two failed loads"
conform_own calls calls
expect_truth
holds count:method-enter count:method-leave count:method-exc-leave
# Sync points of a stop of the world and of its start, of the first stop and of those 50 ms later than the one
# before, at most; and of the log's beginning and end.
conform_own gc,gcmove gc
holds count:meta-sync-point
points=$(figure count:meta-sync-point "$work/ours")
stops=$("$proflog" dump "$log" | grep -c ' gc-event event=post-stop-world')
test "$points" -ge 4 && test $((points % 2)) = 0 && test "$points" -le $((2 * stops + 2)) ||
  fail "$points sync points of $stops stops"
duration=$("$proflog" info --format json "$log" | sed -n 's/.*"duration_ns": *\([0-9]*\).*/\1/p' | head -n 1)
test $((points / 2 - 2)) -le $((duration / 50000000)) || fail "$points sync points in $duration ns"
"$proflog" dump "$log" | awk '$4 == "buffer" { next }
  latest != "" && $2 < latest { print "after the sync point at " latest ": " $0; late = 1 }
  $4 == "meta-sync-point" && (latest == "" || $2 > latest) { latest = $2 }
  END { exit late }' || fail "what happened before a sync point stands after it"
conform_own exception,clauses throw
holds count:exception-throw count:exception-clause backtraces:exception-throw sum:exception-clause.object
conform_own heapshot=1gc,gcroot conf-roots
holds count:heap-object count:heap-root count:heap-root-register count:heap-root-unregister count:heap-end
conform_own heapshot heapshot
conform_own gchandle conf-handles
holds count:gc-handle-created count:gc-handle-destroyed backtraces:gc-handle-created
conform_own finalization conf-finalizers
holds count:gc-finalize-start count:gc-finalize-end count:gc-finalize-object-start count:gc-finalize-object-end
conform_own alloc conf-threads 2000
holds count:metadata-thread.name count:metadata-thread.unload
conform_own monitor locks
expect_truth
holds count:monitor backtraces:monitor
conform_own sample=1000 conf-samples 500
holds count:sample-hit count:sample-symbol items:sample-hit.frames
test "$(figure 'samples.methods[Probe.Samples:Sines (int)].hits' "$figures")" -gt 0 || fail "no sample in Sines"
# Of samples by the wall clock our methods have the hits of threads that ran.
with_hits=$mprof_figures
mprof_figures=$(echo "$mprof_figures" | sed 's/|samples\\\.methods[^|]*hits//')
test "$mprof_figures" != "$with_hits" || fail "hits of methods are not compared anyway"
conform_own nodefaults,sample-real=500 conf-samples 300
mprof_figures=$with_hits
holds count:sample-hit
# The counters are not those of programs, which the stock profiler has besides.
conform_own counter conf-counters 1500
holds count:sample-counters count:sample-counters-desc
