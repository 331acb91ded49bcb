#!/bin/sh
# `proflog stacks LOG` of programs that were killed, by their crash buffers: of each thread what it did last, the locks
# that it waited for and their owners as the program arranged them, and circles; none is named where there is none.
# PROFLOG_DEADLOCKS: the number of programs of each kind (2).
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
need python3
compile deadlock
mkfifo "$work/in"
programs_of_kind=${PROFLOG_DEADLOCKS:-2}

# kill_program WORD OPTION...: the program runs with the word under `proflog run`, and is killed where its threads stay.
kill_program ()
{
  word=$1
  shift
  rm -f "$work/ready" "$log" "$log.spool"
  "$proflog" run "$@" --force -o "$log" "$runtime" "$exe" "$word" <"$work/in" >"$work/ready" 2>"$work/program-err" &
  shell_pid=$!
  exec 7>"$work/in"
  wait_for grep -qs ready "$work/ready"
  sleep "${rest:-0}"
  kill -9 "$(sed -n 's/^ready //p' "$work/ready")"
  exec 7>&-
  wait "$shell_pid"
  test -f "$log.spool" || fail 'there is no crash buffer'
}

# list_threads: "NAME STATE [CLASS OWNER-NAME] [circle]" of each thread, and its frames below that.
list_threads ()
{
  "$proflog" stacks --format json "$log" >"$work/stacks.json" 2>"$work/err" || { cat "$work/err"; fail 'stacks --format json'; }
  python3 - "$work/stacks.json" <<'PYTHON'
import json, sys
threads = json.load(open(sys.argv[1]))['threads']
names = {t['thread']: t['name'] for t in threads}
for t in threads:
    words = [t['name'] or '-', t['state']]
    if t['lock'] is not None:
        words += [t['lock_class'], names.get(t['owner'], '-')]
    print(*words, *(['circle'] if t['circle'] else []))
    for frame in t['frames']:
        print('   ', frame)
PYTHON
}

cat >"$work/expected" <<'END1'
three0 lock Probe.LockB three1 circle
three1 lock Probe.LockC three2 circle
three2 lock Probe.LockA three0 circle
two0 lock Probe.LockB two1 circle
two1 lock Probe.LockA two0 circle
END1

expect_deadlocks ()
{
  kill_program all "$@"
  list_threads >"$work/threads" || exit 1
  sed -n '/^t[wh]/p' "$work/threads" | sort | diff "$work/expected" - || fail "$* $runtime: other waits than were planted"
  # Each of the five has the method that waits, and its thread's beginning.
  test "$(grep -A 2 ' circle$' "$work/threads" | grep -c '^ .*Probe\.Deadlock:Hold ')" = 5 \
    && test "$(grep -c 'ThreadHelper:ThreadStart ()' "$work/threads")" -ge 5 \
    || { cat "$work/threads"; fail "$* $runtime: stacks"; }
  grep -A 1 '^spinner ran$' "$work/threads" | grep -q 'Probe\.Deadlock:<Main>' || { cat "$work/threads"; fail "$* $runtime: the spinner"; }
  "$proflog" stacks "$log" >"$work/out" 2>"$work/err" || fail "$*: stacks as text"
  grep -q '^ *lambda.* in Probe\.Deadlock:Main ' "$work/out" || { cat "$work/out"; fail "$*: no name in words"; }
  test "$(grep -c '^ *Possible deadlock of 2 threads: two[01] (0x[0-9a-f]*) waits for two[01] (0x[0-9a-f]*) waits for two[01] (0x[0-9a-f]*)$' "$work/out")" = 1 \
    && test "$(grep -c '^ *Possible deadlock of 3 threads: ' "$work/out")" = 1 || { cat "$work/out"; fail "$*: the circles as text"; }
  grep -q 'the program did not end normally' "$work/err" || fail 'nothing states that the program was killed'
  checks=$((checks + 8))
}

expect_none ()
{
  kill_program none "$@"
  list_threads >"$work/threads" || exit 1
  ! grep ' circle$' "$work/threads" || { cat "$work/threads"; fail "$* $runtime: a deadlock that there is not"; }
  grep -q '^trying0 ' "$work/threads" && grep -q '^ordered3 ' "$work/threads" || { cat "$work/threads"; fail "$* $runtime: threads"; }
  checks=$((checks + 2))
}

runtimes=mono
! command -v mono-boehm >/dev/null || runtimes="mono mono-boehm"
for runtime in $runtimes; do
  program=0
  while test $program -lt "$programs_of_kind"; do
    program=$((program + 1))
    expect_deadlocks --wall
    expect_deadlocks
    expect_none --wall
    expect_none
  done
done

# With the samples of the wall clock, one a second, it is known what a thread does that waits: the first one reads its
# input.
runtime=mono
rest=2
kill_program all --wall
list_threads >"$work/threads" || exit 1
grep -A 1 '^Main io$' "$work/threads" | grep -q 'System.IO.MonoIO:Read .* \[native\]$' || { cat "$work/threads"; fail 'the first thread reads'; }
checks=$((checks + 1))

# Of a log without the crash buffer no wait is stated, as its end may be missing.
rm "$log.spool"
list_threads >"$work/threads" || exit 1
! grep ' lock ' "$work/threads" || fail 'waits of a log that lacks its end'

# A file that is no log, several logs, and options of programs that run.
refused ()
{
  "$proflog" stacks "$@" >"$work/out" 2>"$work/err"
  test $? = "$refused_status" || fail "stacks $*: another status than $refused_status"
}
refused_status=2
refused --every 1s "$log"
grep -q -e '--every is for programs that run' "$work/err" || fail 'the reason for --every'
refused "$log" "$work/other.mlpd"
refused_status=3
printf 'no log' >"$work/other.mlpd"
refused "$work/other.mlpd"
refused "$work/missing.mlpd"
echo "$checks figures agree"
