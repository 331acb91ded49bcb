# host-lib.sh -- what the tests of the fake host share.  They run in the top build directory.
set -eu
host=$PWD/tests/host/proflog-host
check_log=$PWD/tests/host/check-log
module=$PWD/.libs/libmono-profiler-proflog.so
scenarios=$(cd "${srcdir:-.}/tests/host/scenarios" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-host.XXXXXX")
trap 'rm -rf "$work"' EXIT
log=$work/log.mlpd
truth=$work/truth
case=

# A race is looked for while the program runs, not for a second more at each exit.
TSAN_OPTIONS=${TSAN_OPTIONS:-}:atexit_sleep_ms=0
export TSAN_OPTIONS

fail () {
  echo "FAIL: $case: $*"
  for f in "$work/out" "$work/err"; do
    [ ! -s "$f" ] || { echo "--- ${f##*/}"; head -c 4000 "$f"; }
  done
  exit 1
}

# wait_for COMMAND...: until it succeeds; a minute is enough on any machine.
wait_for () {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 3000 ] || fail "waited in vain: $*"
    sleep 0.02
  done
}

# begin NAME: what follows belongs to this case.
begin () {
  case=$1
  echo "case: $case"
  rm -rf "$log" "$truth"
}

# host_run STATUS PROFILE SCENARIO...: runs the host as it is; wants this exit status.
host_run () {
  wanted=$1 profile=$2
  shift 2
  status=0
  "$host" --module "$module" --profile="$profile" --truth "$truth" "$@" \
    >"$work/out" 2>"$work/err" || status=$?
  ! grep -q Sanitizer "$work/err" || fail "a sanitizer complains"
  [ "$status" = "$wanted" ] || fail "exit status $status instead of $wanted"
}

# The module that was loaded is the one that was built.
module_was_loaded () {
  grep -qxF "module $(realpath "$module")" "$truth" || fail "the module was not loaded"
}

quiet () {
  [ ! -s "$work/err" ] || fail "something on stderr"
}

# record OPTIONS SCENARIO...: a whole run without trouble; log and truth are there.
record () {
  options=$1
  shift
  host_run 0 "proflog:output=$log${options:+,}$options" "$scenarios/world.scn" "$@"
  module_was_loaded
  quiet
  [ -f "$log" ] || fail "no log"
}

# check EXPECTATION...: holds the log against the truth.
check () {
  "$check_log" "$log" truth="$truth" "$@" || fail "the log is wrong"
}

# one_line PATTERN: stderr holds exactly one line, which matches.
one_line () {
  [ "$(wc -l <"$work/err")" = 1 ] || fail "not one line on stderr"
  grep -q -- "$1" "$work/err" || fail "stderr does not say: $1"
}
