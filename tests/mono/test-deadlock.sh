#!/bin/sh
# Threads that wait for each other's locks for ever are named as a deadlock, with the locks and their owners as the
# program arranged them; others never are.  PROFLOG_DEADLOCKS: the number of programs of each kind (3).
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
compile deadlock
mkfifo "$work/in"
programs_of_kind=${PROFLOG_DEADLOCKS:-3}

# begin WORD COMMAND...: the program runs with the word, and its threads are where they stay; $pid.
begin ()
{
  word=$1
  shift
  rm -f "$work/ready"
  "$@" "$runtime" "$exe" "$word" <"$work/in" >"$work/ready" 2>"$work/program-err" &
  shell_pid=$!
  exec 7>"$work/in"
  wait_for grep -qs ready "$work/ready"
  pid=$(sed -n 's/^ready //p' "$work/ready")
}

end ()
{
  exec 7>&-
  wait "$shell_pid" || fail "the program ended with $?"
}

# The lines of deadlocks, without numbers, one a line: "two0 LockB two1", in the order of the words.
list_deadlocks ()
{
  "$proflog" stacks "$pid" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail 'stacks'; }
  sed -n 's/^    \([^ ]*\) (0x[0-9a-f]*, tid [0-9]*) waits for the lock 0x[0-9a-f]* (Probe\.\([^)]*\)), owned by \([^ ]*\) (.*/\1 \2 \3/p' \
    "$work/out" | sort >"$work/waits"
  grep '^Deadlock' "$work/out" | sort >>"$work/waits"
}

cat >"$work/expected" <<'END'
three0 LockB three1
three1 LockC three2
three2 LockA three0
two0 LockB two1
two1 LockA two0
Deadlock of 2 threads:
Deadlock of 3 threads:
END

# expect_deadlocks COMMAND...: of a program that is started by this.
expect_deadlocks ()
{
  begin all "$@"
  for time in 1 2; do
    list_deadlocks
    cmp -s "$work/expected" "$work/waits" || { cat "$work/out"; fail "$* $runtime: deadlocks that were planted"; }
    checks=$((checks + 1))
  done
  end
}

# Eight busy processes compete with the program for the processors.
expect_none ()
{
  begin none "$@"
  busy=
  for process in 1 2 3 4 5 6 7 8; do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
  done
  for time in 1 2 3 4 5; do
    list_deadlocks
    ! grep '^Deadlock' "$work/out" || { cat "$work/out"; fail "$* $runtime: a deadlock that there is not"; }
    checks=$((checks + 1))
  done
  # shellcheck disable=SC2086 # several
  kill $busy
  end
}

runtimes=mono
! command -v mono-boehm >/dev/null || runtimes="mono mono-boehm"
for runtime in $runtimes; do
  program=0
  while test $program -lt "$programs_of_kind"; do
    program=$((program + 1))
    expect_deadlocks "$proflog" run --wall --force -o "$log"
    expect_deadlocks "$proflog" run --force -o "$log"
    expect_deadlocks env
    expect_none "$proflog" run --wall --force -o "$log"
    expect_none env
  done
done

# Twice, as JSON.
runtime=mono
begin all env
"$proflog" stacks --format json --every 10ms --count 2 "$pid" >"$work/page" 2>"$work/err" || fail 'stacks --every'
quiet
test "$(grep -c '"deadlock":2' "$work/page")" = 2 || fail 'not two lines with two deadlocks'
# It is left as after 'proflog detach'.
"$proflog" ctl "$pid" status >"$work/out" 2>"$work/err" || fail 'ctl'
grep -q '^recording: no' "$work/out" && grep -q '^log: /dev/null' "$work/out" || fail 'the program is still recorded'

# A program that is stopped answers nobody, and the command does not wait for it.
kill -STOP "$pid"
began=$(date +%s)
"$proflog" stacks "$pid" >"$work/out" 2>"$work/err" && fail 'a stopped program has stacks'
test $(($(date +%s) - began)) -le 5 || fail 'a stopped program was waited for'
grep -q "process $pid is stopped; 'kill -CONT $pid' lets it go on" "$work/err" || fail 'the reason'
kill -CONT "$pid"
end
