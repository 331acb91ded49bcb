#!/bin/sh
# proflog replay of logs of real programs: what the module writes then states again what the programs
# counted, event by event.
. "${srcdir:-.}/tests/mono/lib.sh"
need_built LIBFFI proflog-replay

log_events=$top_builddir/tests/replay/log-events
again=$work/again.mlpd

# replayed OPTIONS: the log's replay is what the figures are of, and has the log's events.
replayed ()
{
  rm -f "$again"
  "$proflog" replay "$log" --into "$module_dir/libmono-profiler-proflog.so:$1,output=$again" \
    >"$work/replay.out" 2>&1 || { cat "$work/replay.out"; fail "the log cannot be replayed"; }
  read_figures "$again"
  "$log_events" "$log" >"$work/events" && "$log_events" "$again" >"$work/events.again" \
    || fail "the events cannot be read"
  # Methods that nothing but the walk of a stack met, and wrappers, have no callback of their own.
  for events in events events.again; do
    grep -v '^method-jit code=0 size=0' "$work/$events" >"$work/$events.printed"
  done
  test "$(wc -l <"$work/events.printed")" -gt 100 || fail "hardly any events"
  cmp "$work/events.printed" "$work/events.again.printed" \
    || { diff "$work/events.printed" "$work/events.again.printed" | head -20; fail "other events"; }
}

record 0 alloc alloc
expect_truth
replayed alloc
expect_truth

record 0 calls calls
expect_truth
replayed calls
expect_truth

record 0 alloc,calls threads 100 37
replayed alloc,calls
expect_truth

record 0 alloc throw
replayed alloc
expect_truth

record 0 monitor locks
replayed monitor
expect_truth

record 0 heapshot heapshot
grep '^heapshots\[.*objects' "$figures" >"$work/shots"
test -s "$work/shots" || fail "no heap snapshots"
replayed heapshot
grep '^heapshots\[.*objects' "$figures" >"$work/shots.again"
cmp "$work/shots" "$work/shots.again" || fail "other heap snapshots"
expect_names

# Data version 17, with all that the runtime calls a module for.
all=alloc,gcroot,gchandle,finalization,jit,heapshot,format=17
for program in conf-domains conf-finalizers conf-handles conf-threads throw; do
  record 0 $all $program
  replayed $all
  grep -q '^thread ' "$work/events.printed" || fail "no events"
done
record 0 alloc,calls,format=17 threads 100 37
replayed alloc,calls,format=17
expect_truth
echo "$checks figures agree"
