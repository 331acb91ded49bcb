#!/bin/sh
# Each allocation and each call of the system that may fail (the sets of fail-calls.c) fails in turn, once or from
# then on, in the module in a program of the real Mono.  The program's output and status stay the same, and one
# line at most is about the log.  The log has all that the program counted, under its name, or states a loss.
# PROFLOG_FAILURES is the number of calls of one kind that fail, 6 without it; `all` fails every one.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/torture/lib.sh"
failures=${PROFLOG_FAILURES-6}
stated=0
compile ends
cd "$work" || exit 1
mono "$programs/ends.exe" return >plain
objects=$(sed -n 's/^objects:Probe.Last //p' plain)

# program_with_failure N OPTIONS: a program, in whose module the Nth call of $kind fails (0: none).
program_with_failure ()
{
  rm -rf "$work/logs" counts
  mkdir logs
  env LD_LIBRARY_PATH="$module_dir" LD_PRELOAD="$library" PROFLOG_FAIL_CALLS="$kind" PROFLOG_FAIL_AT="$1" \
    PROFLOG_FAIL_MODE="$mode" PROFLOG_FAIL_FROM=libmono-profiler-proflog PROFLOG_FAIL_PROGRAM=mono \
    PROFLOG_FAIL_FUNCTION="${fails_only-}" \
    PROFLOG_FAIL_COUNTS="$PWD/counts" \
    timeout 60 mono "--profile=proflog:$2,output=$log" "$programs/ends.exe" return >out 2>stderr </dev/null
  status=$?
  failed="$kind $1 $mode $2"
  test "$status" = 5 || fail "$failed: it ended with $status"
  cmp -s plain out || fail "$failed: another output"
  # The log has one line, and control, without which it works, another; saving has one at the start and one at its
  # first failure.
  most_lines=1
  test "$mode" = once || most_lines=2
  case $log in
  *save-on*) most_lines=$((most_lines + 2)) ;;
  esac
  test "$(wc -l <stderr)" -le $most_lines && ! grep -qv '^proflog: ' stderr || { cat stderr; fail "$failed: not $most_lines lines of ours"; }
  runs=$((runs + 1))
}

# judge: of the log.
judge ()
{
  ! grep -q '; the program runs unprofiled$' stderr || return 0
  if test ! -s "$log"; then
    # Where all writes fail, so does that of the line; and where fcntl says that standard error is not open.
    test -s stderr || test "$kind $mode" = 'write on' || test "$kind $mode" = 'sigaction on' || fail "$failed: no log, and no line"
    return
  fi
  "$proflog" report --format json "$log" >report.json 2>report.err
  # All that came of it is the beginning of a compressed file.
  test "$kind" != write || ! grep -q 'it has 0 bytes' report.err || return 0
  "$json_paths" <report.json >"$figures" || { cat report.err; fail "$failed: the log cannot be read"; }
  "$proflog" check "$log" >checked 2>&1
  is_good=$?
  seen=$(figure 'allocations.types[Probe.Last].objects')
  lost=$(figure damage.lost_events)
  if test "$seen" = "$objects" && ! grep -q '\[unresolved' "$figures"; then
    return
  fi
  test "$is_good" != 0 && { test "$lost" -gt 0 || test "$(figure damage.truncated)" = true; } || { cat checked; fail "$failed: $seen objects, $lost events lost"; }
  stated=$((stated + 1))
}

# try N OPTIONS JUDGE
try ()
{
  program_with_failure "$1" "$2"
  "$3"
}

# torture OPTIONS JUDGE
torture ()
{
  mode=once
  for kind in $kinds; do
    program_with_failure 0 "$1"
    counted=$(calls_counted)
    each_failure "$failures" "$counted" try "$@"
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
# Outputs that are no files: `log` is what the module is to write to.
log="ring:8M,save-on=heap:1K,save-every=1ms,save-to=$work/logs/saved.mlpd"
torture alloc,gc,spool=none :
log="|dd of=$work/logs/piped.mlpd status=none"
torture alloc,zip :
if has python3; then
  # Takes all that comes, of one program after the other.
  python3 -c '
import socket, sys
s = socket.socket (socket.AF_UNIX)
s.bind (sys.argv[1])
s.listen (1)
while True:
    reader = s.accept ()[0]
    while reader.recv (65536):
        pass' reader &
  watched=$!
  log=unix:$work/reader
  torture alloc,gc :
  kill "$watched"
  watched=
fi
# Where a thread gets no timer, the number of those is stated at the end.
log=$work/logs/log.mlpd kind=sigaction fails_only=timer_create
mode=on program_with_failure 0 sample=100
threads=$(calls_counted)
for n in 1 "$threads"; do
  mode=on program_with_failure "$n" sample=100
  lost=$((threads - n + 1)) noun='threads were'
  test $lost != 1 || noun='thread was'
  grep -qx "proflog: $lost $noun not sampled for want of a timer: Invalid argument" stderr ||
    fail "timer $n of $threads fails: $(cat stderr)"
done
fails_only=
# Where not all parts of the memory can be added, the next reading adds them, each once.
compile memory -unsafe
kind=malloc fails_only=strdup
for n in 1 3 8; do
  rm -f "$log"
  timeout 60 env LD_LIBRARY_PATH="$module_dir" LD_PRELOAD="$library" PROFLOG_FAIL_CALLS=malloc PROFLOG_FAIL_AT=$n \
    PROFLOG_FAIL_MODE=once PROFLOG_FAIL_FROM=libmono-profiler-proflog PROFLOG_FAIL_FUNCTION=strdup \
    mono "--profile=proflog:sample=100,nogc,output=$log" "$programs/memory.exe" 0 0 0 >out 2>stderr || fail "memory.exe: $?"
  "$proflog" dump "$log" >dumped || fail "strdup $n: the log cannot be read"
  test "$(grep -o 'name="*Memory: [a-z JIT]*' dumped | sort | uniq -c | awk '$1 == 1' | wc -l)" = 8 || fail "strdup $n: $(grep -o 'Memory: [a-z JIT]*' dumped)"
done
test "$stated" -gt 10 || fail "only $stated of $runs logs lack something: the failures do not reach the module"
echo "$runs runs, $stated logs state a loss"
