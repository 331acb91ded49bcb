#!/bin/sh
# Each allocation and each call of the system that may fail (the sets of fail-calls.c) fails in turn, once or from
# then on, in the commands that start programs of the real Mono, and that reach those that run.  A command ends
# within its time, with a status of ours and lines of ours.  A program keeps running; its output and status are its own, or
# it was not started.  PROFLOG_FAILURES is the number of calls of one kind that fail for a command, 3 without it; `all`
# fails every one.
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
compile ends
. "$tests/mono/service.sh"
. "$tests/torture/lib.sh"
failures=${PROFLOG_FAILURES-3}
# Neither in the program nor in those that a command starts.
fails_in=${proflog##*/}
mkdir "$work/here" && cd "$work/here" || exit 1
mono "$programs/ends.exe" return >plain

# is_right ARGUMENT...: as far as the command's own part goes.
is_right ()
{
  test "$status" -le 5 && ! grep -qv '^proflog\|^  \|^GLib \|^$' err
}

# try N ARGUMENT...
try ()
{
  with_failure "$@"
  is_right || { cat err; fail "$kind $1 of $counted fails ($mode), proflog $*: status $status"; }
}

# try_run N ARGUMENT...: of `proflog run`, whose program prints lines and ends with 5.
try_run ()
{
  try "$@"
  if test -s out; then
    cmp -s plain out && test "$status" = 5 \
      || { cat out err; fail "$kind $1 of $counted fails ($mode), proflog $*: status $status, another output"; }
  else
    test "$status" != 5 && test -s err || fail "$kind $1 of $counted fails ($mode): no output, status $status, no line"
    not_started=$((not_started + 1))
  fi
}

# torture FUNCTION ARGUMENT...
torture ()
{
  tried=$1
  shift
  mode=once
  for kind in $kinds; do
    "$tried" 0 "$@"
    counted=$(calls_counted)
    each_failure "$failures" "$counted" "$tried" "$@"
  done
}

not_started=0
kind=open mode=once counted=0
try_run 0 run --force -o run.mlpd mono "$programs/ends.exe" return
test "$not_started" = 0 || fail "without a failure it is not started: $(cat err)"
torture try_run run --force -o run.mlpd mono "$programs/ends.exe" return
torture try_run run --force -o run.mlpd --heapshot=1gc --zip mono "$programs/ends.exe" return
test "$not_started" -gt 10 || fail "the program was not started $not_started times"

recorded_with=exception,heapshot=ondemand,output=$log
begins lock
torture try ctl
torture try ctl "$pid" status
torture try ctl "$pid" heapshot
torture try ctl "$pid" save saved.mlpd
torture try top --once "$pid"
torture try detach "$pid"
ends
recorded_with=
begins lock
torture try attach --force -o "$log" "$pid"
ends
torture try doctor
mkdir left
torture try clean left
torture try clean --delete left

echo "$runs runs, $not_started programs not started"
