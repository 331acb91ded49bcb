# lib.sh -- calls of the system that fail in a command, for the tests here.  Sourced after the library of commands or
# of Mono.

library=$top_builddir/.libs/libfail-calls.so
test -f "$library" || fail "$library is not built"
# The sets of fail-calls.c.
kinds='malloc mmap open read write ftruncate posix_fallocate pthread_create stat rename lseek fork socket sigaction
  syscall ptrace'
runs=0
ulimit -c 0

# with_failure N ARGUMENT...: proflog, of whose calls of $kind the Nth fails (0: none).  Only calls of $fails_only, and
# from the file $fails_from, count if these are set.  Sets $status.
with_failure ()
{
  number=$1
  shift
  rm -f made counts
  status=0
  timeout 20 env LD_PRELOAD="$library" PROFLOG_FAIL_CALLS="$kind" PROFLOG_FAIL_AT="$number" PROFLOG_FAIL_MODE="$mode" \
    PROFLOG_FAIL_COUNTS="$PWD/counts" PROFLOG_FAIL_PROGRAM="${fails_in-}" PROFLOG_FAIL_FUNCTION="${fails_only-}" \
    PROFLOG_FAIL_FROM="${fails_from-}" "$proflog" "$@" >out 2>err </dev/null || status=$?
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

# is_message STATUS LINE: the last command ended with this status, and printed this line alone; ? and * in it are any.
is_message ()
{
  # shellcheck disable=SC2254 # a pattern
  case $status:$(cat err) in "$1":$2) return 0 ;; esac
  return 1
}

# says_at N STATUS LINE ARGUMENT...: with the Nth call failing, proflog ends with the status and prints this line alone.
says_at ()
{
  number=$1 wanted=$2 line=$3
  shift 3
  with_failure "$number" "$@"
  is_message "$wanted" "$line" || fail "$kind ${fails_only-} $number fails, proflog $*: status $status, no '$line'"
  checks=$((checks + 1))
}

# says_once STATUS LINE ARGUMENT...: so it does where one of its calls fails, whichever that is.
says_once ()
{
  wanted=$1 line=$2
  shift 2
  with_failure 0 "$@"
  counted=$(calls_counted) n=0
  until is_message "$wanted" "$line"; do
    n=$((n + 1))
    test "$n" -le "$counted" || fail "no $kind ${fails_only-} of $counted that fails has proflog $* say '$line'"
    with_failure "$n" "$@"
  done
  checks=$((checks + 1))
}
