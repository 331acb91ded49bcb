# host-lib.sh -- what the tests of the fake host share.  They run in the top build directory.
. "${srcdir:-.}/tests/lib.sh"
set -e
need_built LIBFFI tests/host/proflog-host
host=$top_builddir/tests/host/proflog-host
# What is tested is the module, and the host that loads it.
check_log=$readers/tests/host/check-log
proflog=$readers/proflog
scenarios=$tests/host/scenarios

# A race is searched for while the program runs, not for a second more at each exit.
TSAN_OPTIONS=${TSAN_OPTIONS:-}:atexit_sleep_ms=0
export TSAN_OPTIONS

# Eight threads, as fast as they can; with sanitizers a fifth of the events.
parallel=$scenarios/parallel.scn all=800000
if [ "${SANITIZER:-no}" != no ]; then
  all=160000 parallel=$work/parallel.scn
  sed -e 's/repeat i 25000/repeat i 5000/' "$scenarios/parallel.scn" >"$parallel"
fi

# The methods of world.scn.
Main="Program.Node:Main (string[])"
Work="Program.Node:Work (int)"
Step="Program.Node/Leaf:Step ()"
Concat="string:Concat (string,string)"
Format="string:Format (string,object)"

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

# write_flood EACH: $work/flood.scn has 8 threads, each with so many allocations with 3 frames.
write_flood () {
  cat >"$work/flood.scn" <<END
parallel t 8
  stack Step Work Main
  repeat i $1
    fire gc_allocation strings[\$t]
  end
end
END
}

# one_line PATTERN: stderr holds exactly one line, which matches.
one_line () {
  [ "$(wc -l <"$work/err")" = 1 ] || fail "not one line on stderr"
  grep -q -- "$1" "$work/err" || fail "stderr does not say: $1"
}

# incomplete LOG REASON: stderr has one line of ours, about a log that could not be written.  $lost is the
# number of lost events.
incomplete () {
  [ "$(grep -c '^proflog' "$work/err")" = 1 ] || fail "not one line on stderr"
  lost=$(sed -n "s#^proflog: log $1 is incomplete: $2 after [0-9]* bytes; \([0-9]*\) events are lost.*#\1#p" "$work/err")
  [ -n "$lost" ] || fail "stderr does not say: log $1 is incomplete: $2"
}
