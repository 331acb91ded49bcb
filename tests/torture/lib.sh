# lib.sh -- calls of the system that fail in a command, for the tests here.  Sourced after the library of commands or
# of Mono.

library=$top_builddir/.libs/libfail-calls.so
test -f "$library" || fail "$library is not built"
# The sets of fail-calls.c.
kinds='malloc mmap open read write ftruncate posix_fallocate pthread_create stat rename lseek fork socket sigaction
  syscall ptrace'
runs=0
ulimit -c 0

# with_failure N ARGUMENT...: proflog, of whose calls of $kind the Nth fails (0: none).  Sets $status.
with_failure ()
{
  number=$1
  shift
  rm -f made counts
  status=0
  timeout 20 env LD_PRELOAD="$library" PROFLOG_FAIL_CALLS="$kind" PROFLOG_FAIL_AT="$number" PROFLOG_FAIL_MODE="$mode" \
    PROFLOG_FAIL_COUNTS="$PWD/counts" PROFLOG_FAIL_PROGRAM="${fails_in-}" "$proflog" "$@" >out 2>err || status=$?
  runs=$((runs + 1))
}

# calls_counted: how many calls there were.
calls_counted ()
{
  od -An -t u8 counts | awk '{ print $1 }'
}

# each_failure FAILURES COUNTED FUNCTION ARGUMENT...: FUNCTION N ARGUMENT... for at most so many N from 1 to COUNTED
# (`all`: for every one), in both modes.
each_failure ()
{
  step=1
  test "$1" = all || step=$(($2 / $1 + 1))
  most_calls=$2
  called=$3
  shift 3
  for mode in once on; do
    # Other calls with each command.
    n=$((1 + (runs / 7) % step))
    while test "$n" -le "$most_calls"; do
      "$called" "$n" "$@"
      n=$((n + step))
    done
  done
  mode=once
}
