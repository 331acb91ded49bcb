#!/bin/sh
# A program that was started without the module is attached to and detached from: it keeps running as without, and its
# logs are whole.  PROFLOG_ATTACHMENTS is how many, of fresh processes and of one.
. "${srcdir:-.}/tests/mono/lib.sh"
attachments=${PROFLOG_ATTACHMENTS:-6}
export PROFLOG_MODULE_DIR="$module_dir"
. "$tests/mono/service.sh"

attach ()
{
  "$proflog" attach "$pid" -o "$log" --force "$@" 2>"$work/err" || fail "attach: $(cat "$work/err")"
}

# ---- what is recorded ----

begins throw keep lock lock alloc
least=$(thrown)
attach --heapshot=300ms
first=$(thrown)
sleep 2
last=$(thrown)
"$proflog" ctl "$pid" heapshot >"$work/ctl" 2>&1 || fail "ctl heapshot: $(cat "$work/ctl")"
"$proflog" detach "$pid" 2>"$work/err" || fail "detach: $(cat "$work/err")"
most=$(thrown)
whole
read_figures
throws=$(figure exceptions.throws)
test "$throws" -ge $((last - first)) && test "$throws" -le $((most - least)) \
  || fail "$throws exceptions are recorded, not $((last - first)) to $((most - least))"
test "$(figure gc.collections)" -gt 0 || fail 'no collection is recorded'
test "$(figure monitors.contentions)" -gt 0 || fail 'no contention is recorded'
"$proflog" heap leaks "$log" >"$work/leaks" 2>&1
grep -q 'objects of Kept accumulate' "$work/leaks" || { cat "$work/leaks"; fail 'the leak is not named'; }
"$proflog" ctl "$pid" status >"$work/status" && grep -q '^recording: no$' "$work/status" || fail 'it is not idle'
"$proflog" ctl >"$work/out" 2>"$work/err"
grep -A 1 "^ *$pid  detached " "$work/out" | grep -q "^ *proflog attach $pid$" || fail 'ctl does not list it as detached'
"$proflog" --complete attach '' | grep -q "^$pid	" || fail 'attach is not completed'
"$proflog" top --once "$pid" >"$work/out" 2>"$work/err" && fail 'top shows a program that is not recorded'
grep -q "is no longer being recorded; to restart: proflog attach $pid" "$work/err" || fail "top: $(cat "$work/err")"

# A second time, and refused while it lasts.  What the module takes at its start only is refused, too.
"$proflog" attach "$pid" -o "$log" --force --zip 2>"$work/err" && fail 'zip was accepted'
grep -q -e '--zip cannot be changed: the module in it was loaded with' "$work/err" || fail "zip: $(cat "$work/err")"
attach --heapshot=100ms
"$proflog" attach "$pid" -o "$work/other.mlpd" 2>"$work/err" && fail 'attached twice'
grep -q 'has a log already' "$work/err" || fail "refused by: $(cat "$work/err")"
sleep 1
"$proflog" detach "$pid"
whole
read_figures
test "$(figure exceptions.throws)" -gt 0 || fail 'the second time nothing is recorded'
test "$("$proflog" heap -q --format csv "$log" | wc -l)" -gt 2 || fail 'the second time there are no heap snapshots'
attach
sleep 0.3
"$proflog" detach "$pid"
"$proflog" heap -q "$log" | grep -q 'Nothing in the log of: Heap snapshots' || fail 'the third time there are heap snapshots'
ends

# Processor time: the shares of two methods are those of their threads' clocks, within five points.
begins spin hash
truth_now >"$work/from"
attach
# Some 300 samples, also where other programs take most of the processor.
has_worked () { truth_now | cat "$work/from" - | awk '{ at[NR] = $4 + $5 } END { exit !(at[2] - at[1] > 3e9) }'; }
wait_for has_worked
"$proflog" detach "$pid"
truth_now >"$work/to"
ends
whole
read_figures
awk 'NR == FNR { spun = $4; hashed = $5; next } { spun = $4 - spun; hashed = $5 - hashed }
  END { print 100 * spun / (spun + hashed) }' "$work/from" "$work/to" >"$work/truth-share"
awk -F '\t' '$1 == "cpu.methods[Attached:Spin ()].self_ns" { spun = $2 } $1 == "cpu.methods[Attached:Hash ()].self_ns" { hashed = $2 }
  END { print 100 * spun / (spun + hashed); exit !(spun > 0 && hashed > 0) }' "$figures" >"$work/share" || fail 'no samples of both'
paste "$work/truth-share" "$work/share" | tee "$work/shares" | awk '{ exit !($1 - $2 < 5 && $2 - $1 < 5) }' \
  || fail "shares of the clocks and of samples: $(cat "$work/shares")"
whole_stacks=$(figure cpu.whole_stacks) hits=$(figure cpu.hits)
test "$whole_stacks" -ge $((hits * 8 / 10)) || fail "$whole_stacks of $hits samples have a whole stack"
echo "share of Spin by the clocks and by samples: $(cat "$work/shares"); $whole_stacks of $hits samples have a whole stack"

awk -F '\t' '/^cpu\.threads.*\.name\t/ { print $2 }' "$figures" >"$work/names"
grep -qx spin "$work/names" && grep -qx hash "$work/names" || fail "threads have other names: $(cat "$work/names")"

# ---- whatever the program does ----

begins alloc throw start keep
for i in $(seq "$attachments"); do
  attach
  "$proflog" detach "$pid" || fail "detach $i"
  whole
done
ends
for modes in 'alloc throw start keep' spin native '' 'alloc alloc alloc' 'start start start'; do
  for i in $(seq $(((attachments + 5) / 6))); do
    begins $modes
    attach --heapshot=50ms --duration 200ms
    whole
    ends
  done
done

# Methods that were compiled ahead of time and that the runtime has not looked up yet are on most stacks: a walk in the
# handler of samples must not look them up.
for i in $(seq "$attachments"); do
  begins vary vary alloc alloc
  attach --sample=1000 --duration 1s
  whole
  ends
done
read_figures
# The clock of each thread goes on after its first sample: some 1000 a second of both processors.
test "$(figure cpu.hits)" -ge 100 || fail "$(figure cpu.hits) samples in a second"
test "$(figure cpu.whole_stacks)" -gt 0 || fail 'no sample has a whole stack'

# A main thread that only sleeps is none that waits for work.
echo 'class Sleeper { static void Main () { System.Threading.Thread.Sleep (20000); } }' >"$work/sleeper.cs"
mcs -nologo -out:"$work/sleeper.exe" "$work/sleeper.cs" || fail 'sleeper.cs'
for way in '' --wall; do
  mono "$work/sleeper.exe" &
  pid=$! watched=$!
  sleep 1
  attach $way --duration 1s
  whole
  kill "$pid"
  wait "$pid" 2>/dev/null || :
  # The log begins when the program is attached to, and lasts as long, though nothing went on.
  read_figures
  duration=$(figure log.duration_ns)
  test "$duration" -ge 900000000 && test "$duration" -le 2000000000 || fail "the log of a second has $duration ns ($way)"
  ! grep 'threads.*\.start_ns	-' "$figures" || fail 'events are from before the log'
done
"$proflog" report --reports=waits --format csv --limit 0 "$log" >"$work/rows" || fail 'no waits'
grep -q '^waits,.*,Main,' "$work/rows" || { cat "$work/rows"; fail 'the main thread waits nowhere'; }
grep -q '^idle_threads,.*,Finalizer$' "$work/rows" || fail 'the finalizer is not idle'

# It ends while it is attached to: the log is whole, too.
begins alloc throw
attach
sleep 0.2
ends
whole

# ---- refusals: a line each, and the program keeps running ----

begins keep
refused ()
{
  expected=$1
  shift
  "$proflog" attach "$@" 2>"$work/err" && fail "attach $* was not refused"
  grep -q -e "$expected" "$work/err" || fail "attach $*: $(cat "$work/err")"
  test "$(wc -l <"$work/err")" = 1 || fail "attach $*: several lines"
  checks=$((checks + 1))
}
refused "--calls needs the module at the program's start" "$pid" --calls
refused "--allocs needs the module at the program's start" "$pid" --allocs
refused 'alloc cannot be recorded of a running program' "$pid" --with alloc -o "$work/x.mlpd"
refused 'one process is needed'
refused "no running Mono or GHC program is called" "none$$.exe"
sleep 100 &
refused 'it is not a program of Mono' $! -o "$work/x.mlpd"
kill $!
refused 'there is no such process' 4194303 -o "$work/x.mlpd"
refused 'cannot write the log' "$pid" -o "$work/nowhere/x.mlpd"
kill -STOP "$pid"
wait_for grep -q '^State:.*T (stopped)' "/proc/$pid/status"
refused "it is stopped; 'kill -CONT $pid' lets it go on" "$pid" -o "$work/x.mlpd"
kill -CONT "$pid"
if test "$(id -u)" = 0 && has setpriv; then
  chmod 755 "$work"
  mkdir -m 777 "$work/nobody"
  proflog_of_root=$proflog proflog=as_nobody
  # With gcov, its counts cannot be written where those of root are.
  as_nobody ()
  {
    setpriv --reuid=65534 --clear-groups env PROFLOG_MODULE_DIR="$module_dir" GCOV_PREFIX="$work/nobody" "$proflog_of_root" "$@"
  }
  refused 'permission denied to trace it' "$pid" -o "$work/nobody/x.mlpd"
  proflog=$proflog_of_root
fi
attach # after refusals it works, and snapshots that are requested have roots
"$proflog" ctl "$pid" heapshot >"$work/ctl" 2>&1 || fail "ctl heapshot: $(cat "$work/ctl")"
"$proflog" detach "$pid"
whole
"$proflog" heap -q --format json "$log" | "$json_paths" >"$work/shots"
awk -F '\t' '$1 ~ /\.roots$/ && $2 > 0 { found++ } END { exit !found }' "$work/shots" || fail 'the heap snapshot has no roots'
ends

# The first log is the user's once the program is detached from, also if its files were rotated, and a later save has
# nothing of it.  One who waits for the end of a recording does not end the next one.
begins throw some
attach --with rotate=1s,keep=1
wait_for test -e "$work/log.0003.mlpd"
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach'
grep -q "the log is $work/log.*mlpd; read it with" "$work/err" || fail "detach: $(cat "$work/err")"
ls "$work"/log.0*.mlpd >"$work/before"
"$proflog" attach "$pid" -o "$work/next.mlpd" --duration 60s 2>"$work/waits" 7>&- &
attached=$!
wait_for grep -qs 'recording process' "$work/waits"
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach'
"$proflog" attach "$pid" --with keep=1,rotate=1s -o "$work/last.mlpd" 2>"$work/err" || fail "attach: $(cat "$work/err")"
wait "$attached" || fail "the waiting command ended with $?"
says "$work/waits" 'another command has ended this recording'
"$proflog" ctl "$pid" status >"$work/status" && grep -q '^recording: yes$' "$work/status" || fail 'the next recording was ended'
wait_for test -e "$work/last.0002.mlpd"
ls "$work"/log.0*.mlpd >"$work/after"
same "$work/before" "$work/after"
ls "$work"/next.0*.mlpd >"$work/out-files" || fail 'the second log is gone'
"$proflog" ctl "$pid" save "$work/saved.mlpd" >"$work/status" 2>&1 || fail "save: $(cat "$work/status")"
"$proflog" detach "$pid" 2>"$work/err"
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach twice'
says "$work/err" "process $pid is not being recorded"
whole "$work/saved.mlpd"
ends
rm -f "$work"/*.mlpd

# A signal that saved the log ends the program again.
begins throw
attach --with save-on=signal
"$proflog" detach "$pid" 2>"$work/err"
kill -USR2 "$pid"
wait "$shell_pid"
test $? = 140 || fail 'SIGUSR2 has no effect after detach'
"$proflog" check "$log" >"$work/out" 2>"$work/err" || fail 'the log is damaged'
quiet "$work/err" # the spool of the killed program has nothing of this log
watched=
exec 7>&-
rm -f "$work"/*.mlpd

# No signal is left for samples.
begins signals throw
sleep 0.3
"$proflog" attach "$pid" -o "$log" --force >"$work/ctl" 2>"$work/err" || fail "attach: $(cat "$work/err")"
says "$work/err" "process $pid: no samples are recorded: the program handles or ignores all real-time signals"
"$proflog" detach "$pid"
whole
ends

# By its name, and the program ends before the time is over.
cp "$exe" "$work/named$$.exe"
exe=$work/named$$.exe
begins keep
rm -f "$work/err"
"$proflog" attach "named$$" -o "$log" --force --duration 60s 2>"$work/err" 7>&- &
attached=$!
wait_for grep -qs 'recording process' "$work/err"
ends
wait "$attached" || fail "attach ended with $?: $(cat "$work/err")"
whole
echo "$checks checks"
