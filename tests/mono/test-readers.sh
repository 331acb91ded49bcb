#!/bin/sh
# A C# program has a socket at which readers come and go, are killed, stand still and are flooded: the next
# one gets the number of events that passed, and the program prints the same and ends as it does alone.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"
socket=$work/socket
thrown='"kind":"exception-throw"'

# alone LINE...: what the program prints when no one watches, with these steps.
alone ()
{
  printf '%s\n' "$@" | mono "$programs/control.exe" >"$work/alone" 2>"$work/alone.stderr" \
    || fail "alone the program ended with $?"
}

# finish: it ended well, and printed what it prints alone.
finish ()
{
  end_steps
  cmp -s "$work/alone" "$work/out" || { diff "$work/alone" "$work/out"; fail "the program reported something else"; }
  checks=$((checks + 1))
}

# status TEXT: the status of the program has this line.
status ()
{
  "$proflog" ctl "$pid" status -v >"$work/status" 2>&1 && grep -q -x "$1" "$work/status"
}

# ---- one reader after the other ----

alone "count 10" "count 20" "count 40" "count 5" "count 7"
begin "format=17,exception,flush=50ms,output=unix-listen:$socket"
wait_for test -S "$socket"
reader first follow --format jsonl "unix:$socket"
step "count 10"
wait_for has_lines "$thrown" first 10
kill_readers "$reader"
wait_for status "problem: nobody reads it"
step "count 20"
ctl 0 flush
status "problem: nobody reads it" || fail "somebody reads"
lost=$(sed -n 's/^lost events not written: //p' "$work/status")
test "$lost" -ge 20 || fail "only $lost events are lost"
reader second follow --format jsonl "$pid"
wait_for grep -q "follow: $lost events are missing before these: " "$work/second.err"
step "count 40"
wait_for has_lines "$thrown" second 40
kill_readers "$reader"
wait_for status "problem: nobody reads it"
step "count 5"
ctl 0 flush
status "problem: nobody reads it" || fail "somebody reads"
later=$(sed -n 's/^lost events not written: //p' "$work/status")
reader top top --format jsonl --interval 200ms "unix:$socket"
wait_for has_lines "\"lost_events_all\":$((later - lost))," top 1
step "count 7"
finish
reader_ended "$reader" "top"
test "$(count_lines "$thrown" first)" = 10 || fail "the first reader has not 10 throws"
test "$(count_lines "$thrown" second)" = 40 || fail "the second reader has not 40 throws"
checks=$((checks + 5))

# ---- readers that are stopped, flooded and killed ----

mkfifo "$work/blocked"
exec 8<>"$work/blocked"
head -c 65536 /dev/zero >&8 # as much as a pipe holds
alone "count 10" "count 20000" "count 20" "count 20000"
for command in follow top; do
  begin "format=17,alloc,calls,exception,flush=50ms,memory=1M,output=unix-listen:$socket"
  wait_for test -S "$socket"
  reader stopped "$command" --format jsonl "unix:$socket"
  step "count 10"
  wait_for test -s "$work/stopped"
  kill -STOP "$reader"
  step "count 20000"
  wait_for status "lost events slow output: [1-9][0-9]*"
  kill_readers "$reader"
  "$proflog" "$command" "unix:$socket" >&8 2>"$work/blocked.err" </dev/null 7>&- &
  blocked=$!
  followers=$blocked
  step "count 20"
  wait_for status "problem: "
  step "count 20000"
  finish
  kill_readers "$blocked"
done
exec 8>&-
echo "$checks figures checked"
