#!/bin/sh
# A log that a process is still writing is not damaged: one line names the process.  After the process's end
# the same log is truncated.
. "${srcdir:-.}/tests/cli/lib.sh"
test -d /proc/self/fd || { leave_out /proc is not here; exit 77; }
writer=
trap 'kill $writer 2>/dev/null; rm -rf "$work"' EXIT

# written FILE: a process has it open for writing.
written ()
{
  sleep 60 9>>"$1" &
  writer=$!
  wait_for test -e "/proc/$writer/fd/9"
}

# ended: that process ends.
ended ()
{
  kill "$writer"
  wait "$writer" 2>/dev/null
}

# reads STATUS PATTERN ARGUMENT...: the command ends with the status; what it prints on standard error is one
# line, which matches.
reads ()
{
  expected_status=$1 pattern=$2
  shift 2
  "$proflog" "$@" >out 2>err
  status=$?
  test "$status" = "$expected_status" || fail "proflog $*: status $status, not $expected_status"
  test "$(wc -l <err)" = 1 && grep -q -e "$pattern" err || fail "proflog $*: not one line, of '$pattern'"
  checks=$((checks + 1))
}

head -c 1500 "$logs/all-v17.mlpd" >mono.mlpd
gunzip -c "$logs/ghc-collect-N2.eventlog.gz" | head -c 13000 >ghc.eventlog
gzip -c "$logs/all-v17.mlpd" | head -c 900 >packed.mlpd
gzip -c ghc.eventlog | head -c -200 >packed.eventlog

for log in mono.mlpd packed.mlpd ghc.eventlog packed.eventlog; do
  written $log
  is_written="$log: process $writer is still writing it"
  for command in report info dump "dump --order=time"; do
    # shellcheck disable=SC2086
    reads 0 "$is_written" $command --strict $log
    ! grep -i 'damage\|truncated' out || fail "$command of $log: damage"
  done
  run 0 info -q $log
  quiet err
  grep -q 'Complete  *\(no\|unknown\)$' out || fail "it is complete"
  # What is missing at the end may leave things open.
  "$proflog" check -q --strict $log >out 2>err
  test $? -le 1 || fail "check"
  ! grep ' error ' out || fail "an error"
  ended
  run 4 report --strict $log
  grep -q 'warning: ' err && ! grep 'still writing' err || fail "not as after the end"
  grep -q '^Damage' out || fail "no damage of $log"
  run 4 check --strict $log
done
run 0 report -q --reports=log --format json "$small"
! grep '"writer"' out || fail "a complete log has a writer"
# Damage that is not at the end stays.
{ head -c 900 "$logs/all-v17.mlpd"; printf 'xxxxxxxx'; tail -c +909 "$logs/all-v17.mlpd" | head -c 600; } >bad.mlpd
written bad.mlpd
run 4 report --strict bad.mlpd
grep -q '^Damage' out || fail "no damage"
ended
done_checks
