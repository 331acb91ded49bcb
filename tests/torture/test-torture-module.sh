#!/bin/sh
# Each malloc, mmap, open, read, write, ftruncate, posix_fallocate and pthread_create of the module fails in turn,
# once or from then on, in a program of the real Mono.  The program's output and status stay the same, and one
# line at most is about it.  The log has all that the program counted, under its name, or states a loss.
# PROFLOG_FAILURES is the number of calls of one kind that fail, 6 without it; `all` fails every one.
. "${srcdir:-.}/tests/mono/lib.sh"

library=$top_builddir/.libs/libfail-calls.so
test -f "$library" || fail "$library is not built"
failures=${PROFLOG_FAILURES-6}
runs=0 stated=0
compile ends
cd "$work" || exit 1
ulimit -c 0
mono "$programs/ends.exe" return >plain
objects=$(sed -n 's/^objects:Probe.Last //p' plain)

# with_failure KIND N MODE OPTIONS
with_failure ()
{
  rm -rf "$work/logs" counts
  mkdir logs
  env LD_LIBRARY_PATH="$module_dir" LD_PRELOAD="$library" PROFLOG_FAIL_CALLS="$1" PROFLOG_FAIL_AT="$2" \
    PROFLOG_FAIL_MODE="$3" PROFLOG_FAIL_FROM=libmono-profiler-proflog PROFLOG_FAIL_PROGRAM=mono \
    PROFLOG_FAIL_COUNTS="$work/counts" \
    timeout 60 mono "--profile=proflog:$4,output=$log" "$programs/ends.exe" return >out 2>stderr </dev/null
  status=$?
  test "$status" = 5 || fail "$*: it ended with $status"
  cmp -s plain out || fail "$*: another output"
  test "$(wc -l <stderr)" -le 1 && ! grep -qv '^proflog: ' stderr || { cat stderr; fail "$*: not one line of ours"; }
  runs=$((runs + 1))
}

# judge KIND N MODE OPTIONS: of the log.
judge ()
{
  ! grep -q '; the program runs unprofiled$' stderr || return 0
  if test ! -s "$log"; then
    # Where all writes fail, so does that of the line.
    test -s stderr || test "$1 $3" = 'write on' || fail "$*: no log, and no line"
    return
  fi
  "$proflog" report --format json "$log" >report.json 2>report.err
  # All that came of it is the beginning of a compressed file.
  test "$1" != write || ! grep -q 'it has 0 bytes' report.err || return 0
  "$json_paths" <report.json >"$figures" || { cat report.err; fail "$*: the log cannot be read"; }
  "$proflog" check "$log" >checked 2>&1
  is_good=$?
  seen=$(figure 'allocations.types[Probe.Last].objects')
  lost=$(figure damage.lost_events)
  if test "$seen" = "$objects" && ! grep -q '\[unresolved' "$figures"; then
    return
  fi
  test "$is_good" != 0 && { test "$lost" -gt 0 || test "$(figure damage.truncated)" = true; } || { cat checked; fail "$*: $seen objects, $lost events lost"; }
  stated=$((stated + 1))
}

# torture OPTIONS JUDGE
torture ()
{
  options=$1
  for kind in malloc mmap open read write ftruncate posix_fallocate pthread_create; do
    with_failure "$kind" 0 once "$options"
    counted=$(od -An -t u8 counts | awk '{ print $1 }')
    step=1
    test "$failures" = all || step=$(((counted + failures - 1) / failures))
    number=1
    while test "$number" -le "$counted"; do
      for mode in once on; do
        with_failure "$kind" "$number" "$mode" "$options"
        "$2" "$kind" "$number" "$mode" "$options"
      done
      number=$((number + step))
    done
  done
}

mkdir logs
log=$work/logs/log.mlpd
torture alloc,exception judge
torture alloc,calls,heapshot-on-shutdown,format=17,zip judge
test "$failures" = all || failures=$(((failures + 2) / 3))
torture sample=1000,counters,heapshot=ondemand,rotate=64K,alloc,calls,format=17 :
torture keep=10s,alloc,exception :
torture heapshot-fork,heapshot-on-shutdown,zstd :
log=$work/logs/log.eventlog
torture format=eventlog,alloc,sample,gc :
test "$stated" -gt 10 || fail "only $stated of $runs logs lack something: the failures do not reach the module"
echo "$runs runs, $stated logs state a loss"
