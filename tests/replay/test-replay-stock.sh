#!/bin/sh
# Logs of the stock profiler, of each of its modes: a callback for each event that two other readers
# found in them (tests/logs/*.counts), and one that a module can request.
. "${srcdir:-.}/tests/logs/stock-logs.sh"
need_built LIBFFI proflog-replay

module=$module_dir/libmono-profiler-callbacks.so
checked=0
without=0

# read_by_others KEY: how often other readers found that; 0 if never.
read_by_others ()
{
  key=count:$1 awk -F '\t' '$1 == ENVIRON["key"] { n = $2 } END { print n + 0 }' "$work/expected"
}

# fired COLUMN CALLBACK...: how often they were, together.
fired ()
{
  column=$1 sum=0
  shift
  for callback; do
    number=$(path="callbacks[$callback].$column" awk -F '\t' '
      $1 == ENVIRON["path"] { n = $2 } END { print n + 0 }' "$work/figures")
    sum=$((sum + number))
  done
  echo $sum
}

# one_for_each KEY CALLBACK...: but for the number in `without`.
one_for_each ()
{
  key=$1 number=$(($(read_by_others "$1") - without))
  without=0
  shift
  for column in fired asked_for; do
    test "$(fired $column "$@")" = "$number" \
      || fail "$recorded: $* $column $(fired $column "$@") times, not $number as $key"
  done
  test "$number" = 0 || checked=$((checked + 1))
}

check_replay ()
{
  "$proflog" replay "$log" --into "$module:$work/callbacks" --format json >"$work/report" \
    || fail "$recorded: the replay ended with $?"
  "$json_paths" <"$work/report" >"$work/figures" || fail "$recorded: the report is not JSON"
  one_for_each alloc gc_allocation
  one_for_each exception-throw exception_throw
  one_for_each exception-clause exception_clause
  one_for_each gc-event gc_event
  one_for_each gc-move gc_moves
  one_for_each gc-resize gc_resize
  one_for_each gc-handle-created gc_handle_created
  one_for_each gc-handle-destroyed gc_handle_deleted
  one_for_each gc-finalize-start gc_finalizing
  one_for_each gc-finalize-end gc_finalized
  one_for_each gc-finalize-object-start gc_finalizing_object
  one_for_each gc-finalize-object-end gc_finalized_object
  one_for_each heap-root gc_roots
  one_for_each heap-root-register gc_root_register
  one_for_each heap-root-unregister gc_root_unregister
  one_for_each metadata-assembly.load assembly_loaded
  one_for_each metadata-assembly.unload assembly_unloading
  one_for_each metadata-assembly.unload assembly_unloaded
  one_for_each metadata-class.load class_loaded
  one_for_each metadata-context.load context_loaded
  one_for_each metadata-context.unload context_unloaded
  one_for_each metadata-domain.load domain_loaded
  one_for_each metadata-domain.name domain_name
  one_for_each metadata-domain.unload domain_unloading
  one_for_each metadata-image.load image_loaded
  one_for_each metadata-image.unload image_unloading
  one_for_each metadata-thread.load thread_started
  one_for_each metadata-thread.name thread_name
  one_for_each metadata-thread.unload thread_exited
  one_for_each metadata-vtable.load vtable_loaded
  one_for_each method-enter method_enter
  one_for_each method-leave method_leave
  one_for_each method-exc-leave method_exception_leave
  # Methods that have no code are not compiled.
  without=$("$proflog" dump "$log" | grep -c ' method-jit .* code=0x0 .*size=0 ')
  one_for_each method-jit jit_done
  one_for_each monitor monitor_contention monitor_acquired monitor_failed
  one_for_each runtime-jit-helper jit_code_buffer
  # All of a heap snapshot, and nothing else, was seen: an object may come in several pieces.
  test "$(grep -c '^object ' "$work/callbacks")" = "$(read_by_others heap-object)" \
    || fail "$recorded: other objects in heap shots"
}

for_each_log check_replay
test $checked -ge 150 || fail "only $checked counts"
echo "$checked counts"
