#!/bin/sh
# With a runtime that flushes its eventlog when it is asked, as GHC's does from 9.2 on, what is recorded comes
# to a reader at each interval, and at once when it is requested.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/steps-lib.sh"
program=$top_builddir/tests/ghc-live/newer-runtime
unset PROFLOG_GHC

# begin OPTIONS: starts the program, and a reader of it.
begin ()
{
  begin_steps env "PROFLOG_GHC=output=unix-listen:$work/socket,$1" "$program"
  wait_for status "format: eventlog"
  reader lines follow --reorder-delay 0 "unix:$work/socket"
  wait_for status "readers: 1"
}

status ()
{
  "$proflog" ctl "$pid" status -v >"$work/status" 2>&1 && grep -q -x "$1" "$work/status"
}

# flushes: how often the program says that it was asked to.
flushes ()
{
  sed -n 's/^flushes //p' out
}

# Without being asked, as it is otherwise.
printf 'count 3\n' | "$program" >out 2>err || fail "alone: $?"
quiet err
test "$(cat out)" = "done
flushes 0" || fail "alone it is flushed"

# At intervals.
begin flush=20
step "count 5"
wait_for has_lines " user-msg " lines 5
step "count 2"
wait_for has_lines 'message="message 7"' lines 1
step quit
end_steps 250
reader_ended "$reader" "the reader"
says stderr "main thread exited (uncaught exception)"
test "$(flushes)" -ge 2 || fail "only $(flushes) flushes"

# When it is requested, and around what is switched, but at no other time.
begin flush=0
step "count 5"
ctl 0 flush
wait_for has_lines " user-msg " lines 5
step "count 2"
ctl 0 disable user
wait_for has_lines 'message="message 7"' lines 1
step "count 3"
ctl 0 enable user
step "count 1"
sleep 0.1
test "$(count_lines " user-msg " lines)" = 7 || fail "something came by itself"
end_steps
reader_ended "$reader" "the reader"
test "$(count_lines " user-msg " lines)" = 8 || fail "not 8 messages at the end"
test "$(flushes)" = 3 || fail "$(flushes) flushes instead of 3"

# A runtime with one thread is flushed after collections, when it is time.
ONE_THREAD=1
export ONE_THREAD
begin flush=20
step "count 5"
sleep 0.1
test "$(count_lines " user-msg " lines)" = 0 || fail "it is flushed without a collection"
step collect
wait_for has_lines " user-msg " lines 5
step "count 3"
end_steps
reader_ended "$reader" "the reader"
test "$(count_lines " user-msg " lines)" = 8 || fail "not 8 messages of one thread"
test "$(flushes)" = 1 || fail "$(flushes) flushes instead of 1"
checks=$((checks + 7))
done_checks
