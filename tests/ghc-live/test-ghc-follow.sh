#!/bin/sh
# A Haskell program is watched by follow and top: a late reader gets the living threads and the number of events that
# passed.  Whatever becomes of readers, the program prints the same and ends with the same status.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$tests/steps-lib.sh"
tree=$sources/../..
unset PROFLOG_GHC
# All classes but that of messages.
others=program+scheduler+tasks+gc+nonmoving+sparks+profiles+ticky+eden+mercury+perf

cp "$tree/haskell/proflog-main.c" .
ghc -v0 -threaded -O0 -eventlog -no-hs-main "-I$tree/include" -outputdir steps.o -o steps \
  "$tree/tests/ghc-live/Steps.hs" proflog-main.c "-L$top_builddir/.libs" \
  "-optl-Wl,-rpath,$top_builddir/.libs" -lproflog-ghc >ghc.out 2>ghc.err || fail "Steps.hs does not compile"

# status TEXT: the status of the program has this line.
status ()
{
  "$proflog" ctl "$pid" status -v >"$work/status" 2>&1 && grep -q -x "$1" "$work/status"
}

# begin OPTIONS: starts the program with a socket.
begin ()
{
  echo "case: $1"
  begin_steps env "PROFLOG_GHC=output=unix-listen:$work/socket,$1" ./steps
  wait_for status "format: eventlog"
}

# finish: it printed what it prints alone.
finish ()
{
  end_steps 3
  same alone.out "$work/out"
  quiet "$work/stderr"
}

# alone LINE...: what the program prints when no one watches, with these steps.
alone ()
{
  printf '%s\n' "$@" | ./steps >alone.out 2>alone.stderr
  status=$?
  test "$status" = 3 || fail "alone the program ended with $status"
}

# says_last NAME MEMBER VALUE: in the last object that top printed.
says_last ()
{
  tail -n 1 "$1" | grep -q "\"$2\":$3[,}]" || fail "$1: $2 is not $3: $(tail -n 1 "$1")"
  checks=$((checks + 1))
}

# ---- switched, with readers that go and come ----

alone "count 100" "count 50" "count 30" "count 9" "count 20" "count 40"
begin "flush=20,off=$others"
reader first follow --format jsonl "unix:$work/socket"
first=$reader
reader top top --format jsonl --interval 200ms "$pid"
top=$reader
wait_for status "readers: 2"
step "count 100"
wait_for has_lines '"kind":"user-msg"' first 100
ctl 0 disable user
step "count 50"
ctl 0 enable user
step "count 30"
wait_for has_lines '"message":"message 180"' first 1
ctl 0 stop
step "count 9"
ctl 0 start
ctl 0 enable scheduler

# A late reader gets each living thread: the main one, and the three.
reader late follow --timeout 1s "$pid"
wait_for eval 'test "$(grep -c "thread-label .*worker [123]" late 2>/dev/null)" = 3'
for worker in $(sed -n 's/.*thread-label .*thread=\([0-9]*\) label="worker.*/\1/p' late); do
  says late "create-thread thread=$worker"
done
test "$(grep -c ' create-thread ' late)" -ge 4 || fail "not all living threads are reported"
ctl 0 disable scheduler
wait_for status "readers: 2"

# A reader that is killed loses what passes until the next one comes, which gets the number of these events.
kill_readers "$first" "$top"
wait_for status "readers: 0"
step "count 20"
ctl 0 flush
reader second follow --format jsonl "unix:$work/socket"
second=$reader
reader top top --format jsonl --interval 200ms "$pid"
top=$reader
wait_for status "readers: 2"
step "count 40"
finish
reader_ended "$second" "the second reader"
reader_ended "$top" "top"

test "$(count_lines '"kind":"user-msg"' first)" = 130 || fail "the first reader has not 130 messages"
test "$(count_lines '"kind":"user-msg"' second)" = 40 || fail "the second reader has not 40 messages"
says second.err "20 events are missing, up to"
says_last top lost_events_all 20

# ---- readers that are stopped, flooded and killed ----

# A reader stands still while the program says much more than is retained for it, another one is killed, and
# the output of the third takes nothing.
alone "flood 15000" "count 10" "count 10" "flood 15000"
begin "flush=20,memory=4m,off=$others"
mkfifo blocked
exec 8<>blocked
head -c 65536 /dev/zero >&8 # as much as a pipe holds
for command in follow top; do
  reader "stopped-$command" "$command" --format jsonl "unix:$work/socket"
  stopped="${stopped-} $reader"
  reader "killed-$command" "$command" --format jsonl "$pid"
  killed="${killed-} $reader"
  "$proflog" "$command" "unix:$work/socket" >&8 2>blocked.err </dev/null 7>&- &
  blocked="${blocked-} $!"
done
followers="$followers $blocked"
wait_for status "readers: 6"
kill -STOP $stopped
step "flood 15000"
kill_readers $killed
step "count 10"
wait_for status "readers: 4"
kill -CONT $stopped
step "count 10"
ctl 0 flush
# They get what was retained, and the number of events that were not.
wait_for has_lines '"message":"message 20"' stopped-follow 1
wait_for grep -q '"lost_events_all":[1-9]' stopped-top
seen=$(count_lines '"kind":"user-msg"' stopped-follow)
missing=$(awk '/ events are missing, up to / { n += $3 } END { print n + 0 }' stopped-follow.err)
test "$missing" -gt 0 || fail "nothing is missing"
test $((seen + missing)) = 15020 || fail "$seen messages came and $missing are missing, of 15020"
checks=$((checks + 2))
kill -STOP $stopped
step "flood 15000"
finish
kill -CONT $stopped
for reader in $stopped; do
  reader_ended "$reader" "a reader that stood still"
done
kill_readers $blocked
exec 8>&-

# ---- how late lines are ----

# As in tests/mono/test-follow.sh.
for flush in ${PROFLOG_FLUSHES:-20}; do
  begin "flush=$flush"
  { "$proflog" follow -q --format jsonl "unix:$work/socket" </dev/null 7>&- \
      | "$top_builddir/tests/mono/line-delays" user-msg 7>&- >delays; } &
  follower=$!
  wait_for status "readers: 1"
  for i in 1 2 3 4 5 6 7 8; do
    step "count 1"
    sleep 0.0$i
  done
  end_steps 3
  wait "$follower"
  read -r lines longest <delays || fail "no delays"
  test "$lines" = 8 || fail "$lines lines instead of 8"
  test "$longest" -le $((flush + ${PROFLOG_DELAY_MS:-5000})) \
    || fail "the longest delay is $longest ms with a flush each $flush ms"
  checks=$((checks + 2))
  echo "GHC, flush=$flush: from an event to its line $longest ms at most"
done
done_checks
