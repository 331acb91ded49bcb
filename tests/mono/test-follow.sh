#!/bin/sh
# A C# program is watched by follow and top while classes are switched off and on; a reader that comes late, is
# killed or stopped changes nothing for it.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"

# finish: the program ends well, and has counted this many objects.
finish ()
{
  end_steps
  test "$(grep '^objects:' "$work/out" | tail -n 1)" = "objects:Probe.Item $1" \
    || fail "the program printed something else: $(tail -n 4 "$work/out")"
}

thrown='"kind":"exception-throw"'
throws ()
{
  count_lines "$thrown" "$1"
}

begin "format=17,alloc,calls,exception,flush=100ms,output=$log"
step "count 10"
ctl 0 flush
reader first follow --format jsonl "$pid"
first=$reader
reader top top --format jsonl --interval 200ms "$pid"
top=$reader
wait_for grep -q '"item":"state"' "$work/first"
grep -q "are not printed" "$work/first.err" || fail "the number of events that passed is not reported"
step "count 100"
wait_for has_lines "$thrown" first 100
ctl 0 disable exception
step "count 50"
ctl 0 enable exception
step "count 30"
wait_for has_lines "$thrown" first 130
ctl 0 stop
step "count 5"
ctl 0 start
step "count 7"
wait_for has_lines "$thrown" first 137
sleep 0.3
test "$(throws first)" = 137 || fail "$(throws first) throws instead of 137"
grep '"kind":"exception-throw"' "$work/first" | grep -v '"time_ns":[0-9]*,.*"held_ns":[0-9]' \
  && fail "a line without its time"
checks=4

# A late reader gets every living thread: the main one, those of the program, and the runtime's.
reader late follow --timeout 500ms --flush 0 "$pid"
wait_for has_lines "living thread " late 5
grep -q '^living thread 0x[0-9a-f]* "Main"' "$work/late" || fail "the main thread is not reported"
reader_ended "$reader" "the late one"

# One that is killed loses only what passes until the next comes, which states how much that is.
kill_readers "$first"
step "count 20"
ctl 0 flush
reader second follow --format jsonl "$pid"
second=$reader
wait_for grep -q "events, up to .* are not printed" "$work/second.err"
step "count 40"
wait_for has_lines "$thrown" second 40

# One that stands still, and has more to read than it can hold, neither.
kill -STOP "$second" "$top"
step "skip 8000"
kill -CONT "$second" "$top"
finish 262
reader_ended "$second" "the second reader"
reader_ended "$top" "top"
# At the end the runtime aborts the three threads.
test "$(throws second)" = 8043 || fail "$(throws second) throws instead of 8043"
read_figures
tail -n 1 "$work/top" | grep -q "\"exceptions_all\":$(figure exceptions.throws)," \
  || fail "top printed something else: $(tail -n 1 "$work/top")"
tail -n 1 "$work/top" | grep -q "\"alloc_objects_all\":$(figure allocations.objects)," \
  || fail "top printed something else: $(tail -n 1 "$work/top")"
checks=$((checks + 6))

# Of a program that is killed, what it had not written comes from its spool.
begin "format=17,exception,output=$log"
wait_for test -s "$log"
reader killed follow --format jsonl "$log"
step "count 25"
test "$(throws killed)" = 0 || fail "something was written before the program was killed"
kill_program
reader_ended "$reader" "the reader of a killed program's log"
test "$(throws killed)" = 25 || fail "$(throws killed) throws of a killed program instead of 25"
checks=$((checks + 2))

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
  echo "Mono, flush=$flush: from an event to its line $longest ms at most"
  checks=$((checks + 2))
done
echo "$checks figures checked"
