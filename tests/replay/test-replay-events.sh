#!/bin/sh
# A log of which a module receives every event: tests/logs/all-v17.mlpd, which tests/logs/make-all.c writes;
# all-v17.events lists the calls that a runtime would make.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built LIBFFI proflog-replay

module=$top_builddir/.libs/libmono-profiler-callbacks.so
expected=$logs/../replay/all-v17.events
test -f "$module" || fail "$module is not built"

run 0 replay "$logs/all-v17.mlpd" --into "$module:$work/callbacks"
quiet err
same "$expected" callbacks
rm callbacks
run 0 replay "$logs/all-v17.mlpd.gz" --into="$module:$work/callbacks"
same "$expected" callbacks
rm callbacks
run 0 replay - --into="$module:$work/callbacks" <"$logs/all-v17.mlpd"
same "$expected" callbacks

# What was fired is counted, and what was not.
run 0 replay "$logs/all-v17.mlpd" --into "$module:$work/callbacks" -o figures.json --format json
quiet out
cp figures.json out
read_json
expect replay.events 157
expect replay.threads 3
expect 'callbacks[class_loaded].fired' 5
expect 'callbacks[class_loaded].asked_for' 5
expect 'callbacks[gc_handle_deleted].fired' 2
expect 'callbacks[image_unloaded].fired' 1
expect 'not_fired[sample-hit].events' 4
expect 'not_fired[sample-counters].events' 3
expect 'not_fired[meta-sync-point].events' 9
expect heap.shots 2
expect heap.shots_asked_for 2
expect heap.objects 13
expect heap.objects_asked_for 13
expect made_up.gc_events 0
# Of the lock nothing is known but that it is one: twice each for waiting, three times what came of
# it, and each contention once.
expect made_up.object_types 6

# Older versions state less: not where roots are, nor when the collector's lock is taken.
run 0 replay "$logs/all-v12.mlpd" --into "$module:$work/callbacks" --format json
read_json
expect 'not_fired[heap-root].events' 2
expect 'not_fired[coverage-class].events' 1
expect 'not_fired[coverage-statement].events' 2
expect made_up.gc_events 8
grep -q '^thread 2 gc_event 10 1 1$' callbacks || fail "no lock is taken"
checks=$((checks + 1))

# Types of exceptions and locks that only a mark states, which is no class that is loaded; a module
# that does not want them.
gunzip -c "$logs/module-alloc.mlpd.gz" >alloc.mlpd || fail "no log of the module"
run 0 replay alloc.mlpd --into "$module:$work/callbacks"
! grep 'exception_throw.*unknown' callbacks || fail "the type of an exception is not known"
checks=$((checks + 1))
"$proflog" dump alloc.mlpd >dump || fail "no dump"
typed=$(grep -c ' exception-throw \| monitor .*event=contention' dump)
loaded=$(grep -c ' metadata-class ' dump)
test "$typed" -ge 2 || fail "$typed marks of types"
test "$(grep -c 'class_loaded' callbacks)" = $((loaded - typed)) \
  || fail "$(grep -c 'class_loaded' callbacks) classes loaded, not $loaded without $typed"
checks=$((checks + 1))
run 0 replay "$logs/all-v17.mlpd" --format json \
  --into "$top_builddir/.libs/libmono-profiler-proflog.so:nodefaults,output=$work/again.mlpd"
read_json
expect 'callbacks[gc_allocation].fired' 6
expect 'callbacks[gc_allocation].asked_for' 0
expect heap.shots 2
expect heap.shots_asked_for 0
expect heap.objects 13
expect heap.objects_asked_for 0

# Heap snapshots that a module requests where the log has none.
run 0 replay "$small" --format json \
  --into "$top_builddir/.libs/libmono-profiler-proflog.so:heapshot-on-shutdown,output=$work/again.mlpd"
read_json
expect made_up.collections 1
expect heap.empty_walks 1
done_checks
