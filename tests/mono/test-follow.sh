#!/bin/sh
# A C# program is watched by follow and top while what is recorded is switched off and on; who comes
# late, is killed, stopped or flooded, changes nothing for it.
. "${srcdir:-.}/tests/mono/lib.sh"

mkdir -m 700 "$work/runtime"
XDG_RUNTIME_DIR=$work/runtime
export XDG_RUNTIME_DIR
mkfifo "$work/input"
compile control
steps=0 pid= followers=
trap 'kill -9 $pid $followers 2>/dev/null; rm -rf "$work"' EXIT

# begin OPTIONS: starts the program, which is controlled by file descriptor 7.
begin ()
{
  echo "case: $1"
  rm -f "$log" "$log.spool"
  steps=0
  : >"$work/out"
  LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    mono "--profile=proflog:$1" "$programs/control.exe" <"$work/input" >"$work/out" \
    2>"$work/stderr" &
  pid=$!
  exec 7>"$work/input"
}

step ()
{
  echo "$1" >&7
  steps=$((steps + 1))
  wait_until "the program at '$1'" eval 'test "$(grep -c "^done" "$work/out")" -ge "$steps"'
}

# wait_until WHAT COMMAND...: a minute is enough on any machine.
wait_until ()
{
  what=$1 tries=0
  shift
  until "$@"; do
    tries=$((tries + 1))
    test "$tries" -lt 3000 || { tail -n 3 "$work"/*.err; fail "waited in vain for $what"; }
    sleep 0.02
  done
}

ctl ()
{
  "$proflog" ctl "$pid" "$@" >"$work/reply" 2>&1 || fail "ctl $*: $(cat "$work/reply")"
}

# finish: the program ends well, and has counted so many objects.
finish ()
{
  exec 7>&-
  wait "$pid"
  status=$?
  pid=
  test "$status" = 0 || { cat "$work/stderr"; fail "the program ended with $status"; }
  test "$(grep '^objects:' "$work/out" | tail -n 1)" = "objects:Probe.Item $1" \
    || fail "the program told something else: $(tail -n 4 "$work/out")"
}

throws ()
{
  grep -c '"kind":"exception-throw"' "$work/$1"
}

has_throws ()
{
  test "$(throws "$1")" -ge "$2"
}

begin "format=17,alloc,calls,exception,flush=100ms,output=$log"
step "count 10"
ctl flush
"$proflog" follow --format jsonl "$pid" >"$work/first" 2>"$work/first.err" </dev/null 7>&- &
first=$!
"$proflog" top --format jsonl --interval 200ms "$pid" >"$work/top" 2>"$work/top.err" </dev/null 7>&- &
top=$!
followers="$first $top"
wait_until "the living threads" grep -q '"item":"state"' "$work/first"
grep -q "passed before" "$work/first.err" || fail "it is not told what passed"
step "count 100"
wait_until "100 throws" has_throws first 100
ctl disable exception
step "count 50"
ctl enable exception
step "count 30"
wait_until "30 throws more" has_throws first 130
ctl stop
step "count 5"
ctl start
step "count 7"
wait_until "7 throws more" has_throws first 137
sleep 0.3
test "$(throws first)" = 137 || fail "$(throws first) throws instead of 137"
grep '"kind":"exception-throw"' "$work/first" | grep -v '"time_ns":[0-9]*,.*"held_ns":[0-9]' \
  && fail "a line without its time"
count_checked=4

# Who comes late sees every living thread: the main one, those of the program, and the runtime's.
"$proflog" follow --give-up 500ms --flush 0 "$pid" >"$work/late" 2>"$work/late.err" </dev/null 7>&- &
late=$!
wait_until "the living threads" eval 'test "$(grep -c "^living thread" "$work/late")" -ge 5'
grep -q '^living thread 0x[0-9a-f]* "Main"' "$work/late" || fail "the main thread is not told"
wait "$late" || fail "the late one ended badly"

# One that is killed loses only what passes until the next comes, which tells how much that is.
kill -9 "$first"
wait "$first" 2>/dev/null
step "count 20"
ctl flush
"$proflog" follow --format jsonl "$pid" >"$work/second" 2>"$work/second.err" </dev/null 7>&- &
second=$!
followers="$second $top"
wait_until "the second reader" grep -q "events, up to .* passed before" "$work/second.err"
step "count 40"
wait_until "40 throws" has_throws second 40

# One that stands still, and has more to read than it can hold, neither.
kill -STOP "$second" "$top"
step "skip 8000"
kill -CONT "$second" "$top"
finish 262
wait "$second" || fail "the second reader ended badly"
wait "$top" || fail "top ended badly"
followers=
# At the end the runtime aborts the three threads.
test "$(throws second)" = 8043 || fail "$(throws second) throws instead of 8043"
read_figures
tail -n 1 "$work/top" | grep -q "\"exceptions_all\":$(figure exceptions.throws)," \
  || fail "top told something else: $(tail -n 1 "$work/top")"
tail -n 1 "$work/top" | grep -q "\"alloc_objects_all\":$(figure allocations.objects)," \
  || fail "top told something else: $(tail -n 1 "$work/top")"
count_checked=$((count_checked + 6))

# Through a socket, with a reader that is stopped, flooded and then killed.
socket=$work/socket
begin "format=17,alloc,calls,exception,flush=100ms,memory=1M,output=unix-listen:$socket"
wait_until "the socket" test -S "$socket"
"$proflog" follow --reconnect "unix:$socket" >"$work/third" 2>"$work/third.err" </dev/null 7>&- &
third=$!
followers=$third
step "count 10"
wait_until "a throw" grep -q exception-throw "$work/third"
kill -STOP "$third"
step "count 10000"
kill -9 "$third"
wait "$third" 2>/dev/null
followers=
step "count 10"
finish 10020
count_checked=$((count_checked + 2))
# Of a program that is killed, what it had not written comes from its spool.
begin "format=17,exception,output=$log"
wait_until "the log" test -s "$log"
"$proflog" follow --format jsonl "$log" >"$work/killed" 2>"$work/killed.err" </dev/null 7>&- &
follower=$!
followers=$follower
step "count 25"
test "$(throws killed)" = 0 || fail "something was written before the program was killed"
kill -9 "$pid"
wait "$pid" 2>/dev/null
pid=
wait "$follower" || fail "the reader of a killed program's log ended badly"
followers=
exec 7>&-
test "$(throws killed)" = 25 || fail "$(throws killed) throws of a killed program instead of 25"
count_checked=$((count_checked + 2))

# From an event in a quiet program to its line: the flush interval and a little more.  Here that is
# bounded loosely, for any machine; `make bench-live` sets tighter bounds for three intervals.
for flush in ${PROFLOG_FLUSHES:-100}; do
  rm -f "$work/delays"
  begin "format=17,exception,flush=${flush}ms,output=$log"
  step "skip 1"
  { "$proflog" follow -q --format jsonl --flush 0 "$pid" </dev/null 7>&- \
      | "$top_builddir/tests/mono/line-delays" exception-throw 7>&- >"$work/delays"; } &
  follower=$!
  sleep 0.5
  for i in 1 2 3 4 5 6 7 8; do
    step "count 1"
    sleep 0.0$i
  done
  sleep 0.3
  finish 8
  wait "$follower"
  read -r lines longest <"$work/delays" || fail "no delays"
  test "$lines" -ge 8 || fail "$lines lines instead of 8"
  test "$longest" -le $((flush + ${PROFLOG_DELAY_MS:-5000})) \
    || fail "the longest delay is $longest ms with a flush each $flush ms"
  echo "flush=${flush}ms: from an event to its line $longest ms at most"
  count_checked=$((count_checked + 2))
done
echo "$count_checked figures checked"
