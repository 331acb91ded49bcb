#!/bin/sh
# The order of a replay, and what things are at the time: tests/replay/make-turns.c writes the log, in
# which nothing of that follows from where it stands.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built LIBFFI proflog-replay

"$top_builddir/tests/replay/make-turns" >turns.mlpd || fail "no log"
# By time; what happens at once in the order of the log, where thread 3 (that names the second class)
# comes first.  It is used before that.  Nobody runs while the world is stopped, but before it is announced
# that it has been started.  Moved objects keep their types, as do those whose class was replaced.
cat >expected <<'X'
thread 1 runtime_initialized
thread 2 image_loaded turns.exe
thread 2 class_loaded Turns.First
thread 2 gc_allocation 0x30000 Turns.First 24 in
thread 2 gc_allocation 0x30040 Turns.Second 32 in
thread 3 class_loaded Turns.Second
thread 3 gc_resize 1
thread 2 gc_resize 3
thread 2 gc_event 6 1 1
thread 2 gc_event 10 1 1
thread 2 gc_event 7 1 1
thread 2 gc_event 0 1 0
thread 2 gc_moves 0x30000 0x30040 0x30040 0x30080
thread 2 gc_event 5 1 0
thread 2 gc_event 8 1 1
thread 3 gc_resize 2
thread 3 thread_stopping thread 3
thread 3 thread_stopped thread 3
thread 3 thread_exited thread 3
thread 2 gc_event 9 1 1
thread 2 gc_event 11 1 1
thread 2 monitor_contention 0x30040 Turns.First in
thread 2 monitor_acquired 0x30040 Turns.First
thread 2 monitor_contention 0x30080 Turns.Second in
thread 2 monitor_acquired 0x30080 Turns.Second
thread 2 class_loaded Turns.Third
thread 2 gc_allocation 0x30000 Turns.Third 16 in
thread 2 monitor_contention 0x30040 Turns.First in
thread 2 monitor_acquired 0x30040 Turns.First
thread 4 thread_started thread 4
thread 4 gc_resize 4
thread 4 class_loading Turns.Fourth
thread 4 class_failed Turns.Fourth
thread 4 exception_throw 0x30000 Turns.Third in
thread 4 thread_stopping thread 4
thread 4 thread_stopped thread 4
thread 4 thread_exited thread 4
thread 1 runtime_shutdown_begin
thread 1 runtime_shutdown_end
cleanup
X
for round in 1 2 3; do
  run 0 replay turns.mlpd --into "$top_builddir/.libs/libmono-profiler-callbacks.so:$work/callbacks" --format json
  same expected callbacks
done
read_json
expect replay.threads 3
expect made_up.gc_events 0
expect made_up.object_types 0
expect heap.empty_walks 1
done_checks
