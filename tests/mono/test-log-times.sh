#!/bin/sh
# A log begins when the recording begins and ends when it ends, however quiet the program is: all commands state that
# time, and no event is before it.  Truth: the program's own clock, the limits that were requested, and the clock
# around the commands.
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
compile quiet

now () { date +%s%N; }

# starts MS: the program runs, as $pid.
starts ()
{
  mono "$programs/quiet.exe" "$1" >"$work/out" 2>&1 &
  pid=$!
  wait_for grep -q up "$work/out"
}

# starts_profiled OPTIONS MS: under the module.
starts_profiled ()
{
  LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:$1" "$programs/quiet.exe" "$2" >"$work/out" 2>&1 &
  pid=$!
  wait_for grep -q up "$work/out"
}

# lasts LEAST MOST LOG...: the log lasts that long, by each command, and no time is negative.  The module's clock is
# measured for a moment at its start: where other programs run at that time, it may be some percent too fast or slow.
lasts ()
{
  least=$(($1 - $1 / 10)) most=$(($2 + $2 / 10))
  shift 2
  "$proflog" report --format json "$@" >"$work/report.json" 2>"$work/err" || fail "report: $(cat "$work/err")"
  "$json_paths" <"$work/report.json" >"$figures"
  duration=$(figure log.duration_ns)
  test "$duration" -ge "$least" && test "$duration" -le "$most" \
    || fail "$*: the log lasts $duration ns, not $least to $most"
  for command in info check; do
    "$proflog" "$command" --format json "$@" 2>/dev/null | "$json_paths" >"$work/other"
    test "$(figure log.duration_ns "$work/other")" = "$duration" || fail "$command has another duration: $(cat "$work/other")"
  done
  grep -q '^threads.*_ns	-' "$figures" && fail "$*: an event is before the log"
  "$proflog" show "$@" >"$work/shown" 2>/dev/null
  grep -q '^-' "$work/shown" && fail "$*: an event is shown before the log: $(grep '^-' "$work/shown" | head -n 1)"
  "$proflog" dump "$@" >"$work/dumped" 2>/dev/null
  awk '$2 ~ /^-/ && $4 != "buffer"' "$work/dumped" | grep . && fail "$*: an event is dumped before the log"
  checks=$((checks + 4))
}

# ---- a running program ----

starts 60000
before=$(now)
"$proflog" attach "$pid" --duration 2s -o "$log" 2>"$work/err" || fail "attach: $(cat "$work/err")"
lasts 2000000000 $(($(now) - before)) "$log"
before=$(now)
"$proflog" attach "$pid" -o "$log" --force 2>"$work/err" || fail "attach: $(cat "$work/err")"
begun=$(now)
sleep 1
ends=$(now)
"$proflog" detach "$pid" 2>"$work/err" || fail "detach: $(cat "$work/err")"
lasts $((ends - begun)) $(($(now) - before)) "$log"
kill "$pid"

# It ends while it is recorded.
starts 3000
"$proflog" attach "$pid" -o "$log" --force 2>"$work/err" || fail "attach: $(cat "$work/err")"
begun=$(now)
sleep 1
ends=$(now)
wait "$pid"
lasts $((ends - begun)) $(($(now) - begun + 5000000000)) "$log"

# ---- from its start ----

for options in output="$log" counter,output="$log" paused,sample,output="$log"; do
  before=$(now)
  profiled "$options" quiet 1500 >"$truth" || fail "$options: the program failed"
  lasts "$(printed slept_ns)" $(($(now) - before)) "$log"
done
before=$(now)
"$proflog" run -o "$log" --force mono "$programs/quiet.exe" 1500 >"$truth" 2>"$work/err" || fail "run: $(cat "$work/err")"
lasts "$(printed slept_ns)" $(($(now) - before)) "$log"
before=$(now)
"$proflog" run -o "$log" --force --duration 1s mono "$programs/quiet.exe" 1500 >"$truth" 2>"$work/err" \
  || fail "run: $(cat "$work/err")"
lasts 1000000000 "$(($(now) - before))" "$log"

# An eventlog has its own end.
before=$(now)
profiled format=eventlog,output="$work/log.eventlog" quiet 1500 >"$truth" || fail 'eventlog: the program failed'
"$proflog" info --format json "$work/log.eventlog" | "$json_paths" >"$figures"
test "$(figure log.duration_ns)" -ge "$(printed slept_ns)" || fail "the eventlog lasts $(figure log.duration_ns) ns"

# ---- in parts ----

# Each file begins where the one before ends, which is the time of its last event.
rm -f "$work"/*.mlpd
starts_profiled "sample,output=$work/first.mlpd" 3000
begun=$(now)
sleep 1
ends=$(now)
switched=$ends
"$proflog" ctl "$pid" output "$work/second.mlpd" >"$work/err" 2>&1 || fail "output: $(cat "$work/err")"
lasts $((ends - begun)) $(($(now) - begun + 5000000000)) "$work/first.mlpd"
first=$duration
begun=$(now)
sleep 1
ends=$(now)
wait "$pid"
lasts $((ends - begun)) $(($(now) - switched)) "$work/second.mlpd"
"$proflog" merge -q "$work/first.mlpd" "$work/second.mlpd" -o "$log" 2>"$work/err" || fail "merge: $(cat "$work/err")"
lasts $((first + duration)) $((first + duration)) "$log"

# A copy of what a ring has ends when it was made.
starts_profiled sample,output=ring:8M 3000
begun=$(now)
sleep 1
ends=$(now)
"$proflog" ctl "$pid" save "$work/saved.mlpd" >"$work/err" 2>&1 || fail "save: $(cat "$work/err")"
lasts $((ends - begun)) $(($(now) - begun + 5000000000)) "$work/saved.mlpd"
wait "$pid"

echo "$checks checks"
