#!/bin/sh
# proflog run, in all its forms.
. "${srcdir:-.}/tests/mono/lib.sh"

for program in hello alloc calls heapshot ends environment control; do
  compile "$program"
done
cd "$work" || exit 1

# run ARGUMENT...: sets status; output and messages go to out and err.
run ()
{
  "$proflog" run "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

expect_status ()
{
  test "$status" = "$1" || { cat "$work/err"; fail "$2: status $status, not $1"; }
}

# One line names the log.  Sets log.
expect_log ()
{
  test "$(grep -c '^proflog run: the log is ' "$work/err")" = 1 \
    || { cat "$work/err"; fail "$1: not one log is named"; }
  log=$(sed -n 's/^proflog run: the log is \(.*\) ([0-9.]* [a-zA-Z]*): [0-9.]* s.*/\1/p' "$work/err")
  check_log "$log"
  size=$(wc -c <"$log" | awk '$1 < 1000 { print $1 " bytes"; next }
                              { printf $1 < 999950 ? "%.1f kB" : "%.1f MB", $1 / ($1 < 999950 ? 1e3 : 1e6) }')
  says "$work/err" " ($size): "
  says "$work/err" 'proflog run: read it with: proflog report '
  test "$(grep -c '^proflog run: .* proflog ' "$work/err")" -le 3 || fail "$1: more than three commands"
}

# What is in the directory, but for what this script writes.
contents ()
{
  for entry in * .[!.]*; do
    case $entry in
      out | err | report.json | report.err) ;;
      *) stat -c '%n %i %s %Y' "$entry" 2>/dev/null ;;
    esac
  done
}

# refused STATUS ARGUMENT...: one line, nothing runs, nothing is written.
refused ()
{
  refused_status=$1
  shift
  before=$(contents)
  run "$@"
  expect_status "$refused_status" "$*"
  test ! -s "$work/out" || fail "$*: something ran"
  test "$(wc -l <"$work/err")" = 1 || { cat "$work/err"; fail "$*: not one line"; }
  grep -q '^proflog run: ' "$work/err" || { cat "$work/err"; fail "$*: whose line is it?"; }
  test "$before" = "$(contents)" || fail "$*: something was written"
}

# The default log is named for the program and its process.
run mono "$programs/hello.exe"
expect_status 0 default
test "$(cat out)" = hello || fail "hello does not print"
expect_log default
case $log in
  "$work"/hello.[0-9]*.mlpd) ;;
  *) fail "the log's name is $log" ;;
esac
read_figures "$log"
pid=${log#"$work/hello."}
expect log.pid "${pid%.mlpd}"
expect allocations.objects 0
expect calls.total 0
expect log.data_version 17
test "$(figure cpu.interval_ns "$figures")" -ge 4000000 || fail "no samples by default"
run --data-version=1 -o log.mlpd mono "$programs/hello.exe"
expect_log --data-version
read_figures "$log"
expect log.data_version 1
rm log.mlpd
refused 2 --data-version=2 mono "$programs/hello.exe"
refused 2 --data-version=1 --sample mono "$programs/hello.exe"
refused 2 --data-version=1 --allocs=512k mono "$programs/hello.exe"
run --data-version=1 --allocs --heapshot -o log.mlpd mono "$programs/heapshot.exe"
expect_log "--data-version --heapshot"
read_figures "$log"
expect log.data_version 1
grep -q '^heapshots\[' "$figures" || fail "no heap snapshots in data version 1"
rm log.mlpd

# Each option has its effect.
run --allocs -o log.mlpd mono "$programs/alloc.exe" 2 3000
expect_status 0 --allocs
expect_log --allocs
test "$log" = "$work/log.mlpd" || fail "the log is $log"
cp out "$truth"
read_figures "$log"
expect_truth
run --calls --force --output=log.mlpd -- mono "$programs/calls.exe"
expect_log --calls
cp out "$truth"
read_figures "$log"
grep '^calls:' out >"$truth"
expect_truth
run --calls=10ms --force --output=log.mlpd -- mono "$programs/calls.exe"
expect_log --calls=10ms
read_figures "$log"
expect calls.threshold_ns 10000000
expect 'calls.methods[Probe.Calls:Slow ()].calls' 3
test "$(figure calls.skipped)" -gt 1000 || fail "--calls=10ms: $(figure calls.skipped) calls are not recorded"
for heapshot in --heapshot --heapshot=1gc --heapshot=1ms; do
  run $heapshot --force -olog.mlpd mono "$programs/heapshot.exe"
  expect_log $heapshot
  read_figures "$log"
  grep -q '^heapshots\[' "$figures" || fail "$heapshot: no heap shot"
done

# Commands that are reported are of what is in the log, and run.
run --allocs --heapshot=1ms --force -o log.mlpd mono "$programs/heapshot.exe"
expect_log "what to read"
says err 'proflog run:               proflog heap leaks '
says err 'proflog run:               proflog report --reports=alloc --traces '
read_figures "$log"
says err ", $(figure allocations.objects) allocations, "
says err " $(grep -c '^heapshots\[[0-9]*\].time_ns' "$figures") heap snapshots"
grep '^proflog run: .* proflog ' err | sed 's/.* proflog /"$proflog" /' >commands
while read -r command; do
  eval "$command" >out 2>commands.err || test $? = 1 || fail "$command ends with an error"
  quiet commands.err
done <commands
run --force -o log.mlpd mono "$programs/hello.exe"
expect_log "nothing but samples"
! grep -q -e 'heap leaks' -e alloc err || fail "a log of hello: more than a report is proposed"

# The module's options by name, or by --with.
run --zip --flush 100ms --with "gchandle,'counters'" --with nogc --force -o log.mlpd mono "$programs/hello.exe"
expect_log --with
test "$(od -An -N2 -tx1 log.mlpd)" = " 1f 8b" || fail "--zip: not compressed"
read_figures "$log"
says "$figures" "zip,flush=100ms,"
says "$figures" ",gchandle,'counters',nogc,output="
grep -q '^counters' "$figures" || fail "--with counters: there are none"
expect gc.generations "$(figure none)"
"$proflog" info --format json log.mlpd | "$json_paths" >"$figures"
grep -q gc-handle "$figures" || fail "--with gchandle: no handle"
for with in alocs report port=5 output=x format=1 help "'gc" "gc,alocs"; do
  refused 2 --with "$with" mono "$programs/hello.exe"
done
refused 2 --with alocs mono "$programs/hello.exe"
says err "did you mean 'alloc'?"
for option in --zip=lz --rotate=5 --rotate=5x --flush=x --duration=0s --max-size=5k --max-size=x; do
  refused 2 "$option" mono "$programs/hello.exe"
done

# Paused, there is nothing, and no snapshot.
run --paused --heapshot --force -o log.mlpd mono "$programs/heapshot.exe"
expect_log --paused
read_figures "$log"
expect gc.generations "$(figure none)"
! grep -q '^heapshots\[' "$figures" || fail "--paused: a heap shot"

# Several files are one log.
run --rotate 1M --allocs -o 'r.%p.mlpd' mono "$programs/alloc.exe" 4 40000
expect_status 0 --rotate
cp out "$truth"
grep -q '^proflog run: the log is .*/r\.[0-9]*\.0001\.mlpd and [1-9][0-9]* more (' err || fail "--rotate: which log?"
says err "$(ls r.*.0001.mlpd | sed 's/0001/*/')"
eval "\"\$proflog\" $(sed -n 's/.*read it with: proflog report/report --format json/p' err)" >report.out 2>report.err \
  || fail "several files: report fails"
quiet report.err
test "$(grep -c '"data_version"' report.out)" = 1 || fail "--rotate: the files are not read as one log"
"$json_paths" <report.out >"$figures"
expect_truth
# Also where a name waits to be written while two files begin: one run in thirteen.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  run --rotate 1M --allocs --force -o 's.%p.mlpd' mono "$programs/alloc.exe" 4 40000
  expect_status 0 --rotate
  "$proflog" report --format json s.*.mlpd >report.out 2>report.err || fail "several files: report fails"
  test "$(grep -c '"data_version"' report.out)" = 1 || fail "--rotate, run $i: the files are not read as one log"
  rm s.*.mlpd
done
# Files of before are in the way, others are not.
echo text >n.0002.mlpd
cp log.mlpd n.1.mlpd
refused 3 --rotate 1M --force -o n.mlpd mono "$programs/hello.exe"
says err n.0002.mlpd
cp log.mlpd n.0002.mlpd
refused 3 --rotate 1M -o n.mlpd mono "$programs/hello.exe"
run --rotate 1M --force -o n.mlpd mono "$programs/hello.exe"
expect_status 0 "--rotate --force"
says err "/n.0001.mlpd ("
run --with rotate=1M -o w.mlpd mono "$programs/hello.exe"
expect_status 0 "--with rotate"
grep -q '^proflog run: the log is .*/w\.0001\.mlpd ' err || fail "--with rotate: which log?"

# Recording ends before the program does: the log is whole, and the program does what it does without.
# (-o: the file is not above 10 MiB.)
run --allocs --max-size 10M -o full.mlpd mono "$programs/alloc.exe" 8 100000
expect_status 0 --max-size
cp out full.out
mono "$programs/alloc.exe" 8 100000 >plain.out
same full.out plain.out
test "$(grep -c '^proflog: the log .*/full.mlpd is complete: with more events it might exceed max-size' err)" = 1 \
  || fail "--max-size: not one line"
test "$(wc -c <full.mlpd)" -le 10485760 || fail "--max-size: $(wc -c <full.mlpd) bytes"
test "$(wc -c <full.mlpd)" -ge 5242880 || fail "--max-size: only $(wc -c <full.mlpd) bytes"
test ! -e full.mlpd.spool || fail "--max-size: a spool is left"
"$proflog" info --format json full.mlpd | "$json_paths" >"$figures"
expect content.complete true
expect log.limit max-size
expect damage.truncated false
expect damage.skipped_bytes 0
# The limit is of all files together.
run --allocs --max-size 10M --rotate 1M -o parts.mlpd mono "$programs/alloc.exe" 8 100000
expect_status 0 "--max-size --rotate"
test "$(cat parts.*.mlpd | wc -c)" -le 10485760 || fail "--max-size --rotate: $(cat parts.*.mlpd | wc -c) bytes"
test "$(ls parts.*.mlpd | wc -l)" -ge 2 || fail "--max-size --rotate: one file"
for part in parts.*.mlpd; do
  "$proflog" info --format json "$part" | "$json_paths" >"$figures"
  expect content.complete true
done
# After the time the log is whole while the program keeps running.
mkfifo requests
"$proflog" run --duration 300ms -o time.mlpd mono "$programs/control.exe" >out 2>err <requests &
run_pid=$!
exec 4>requests
time_is_whole ()
{
  test -s time.mlpd && "$proflog" info --format json time.mlpd 2>report.err | "$json_paths" >"$figures" \
    && test "$(figure content.complete)" = true
}
wait_for time_is_whole
kill -0 $run_pid || fail "--duration: the program has ended"
test ! -e time.mlpd.spool || fail "--duration: a spool is left"
quiet report.err
duration=$(figure log.duration_ns)
program_pid=$(figure log.pid)
echo count 1000 >&4
wait_for grep -q '^done' out
for request in flush status; do
  "$proflog" ctl "$program_pid" $request >ctl.out 2>&1 || { cat ctl.out; fail "$request after the end"; }
done
for request in start heapshot "output other.mlpd"; do
  ! "$proflog" ctl "$program_pid" $request >ctl.out 2>&1 || fail "$request after the end"
  says ctl.out "duration or max-size was reached"
done
exec 4>&-
wait $run_pid
status=$?
expect_status 0 --duration
expect_log --duration
read_figures "$log"
expect log.duration_ns "$duration"
expect log.limit duration
expect exceptions.throws 0
# Objects that the program counts after the end are not there, and its exceptions neither.
says out 'throws:'

# Logs that are made of it state that, too; an eventlog has a message of it.
"$proflog" convert -q -o limit.eventlog "$log" || fail "the log is not converted"
"$proflog" convert -q -o limit.mlpd limit.eventlog || fail "the eventlog is not converted"
"$proflog" anonymize -q -o hidden.mlpd "$log" || fail "the log is not anonymized"
"$proflog" anonymize -q -o hidden.eventlog limit.eventlog || fail "the eventlog is not anonymized"
# is_limited LOG VALUE: what it states.
is_limited ()
{
  "$proflog" info --format json "$1" | "$json_paths" >"$figures" || fail "$1: no figures"
  expect log.limit "$2"
}
for made in limit.eventlog limit.mlpd hidden.mlpd hidden.eventlog; do
  is_limited "$made" duration
done
test "$("$proflog" show limit.eventlog | grep -c ': proflog: recording ended: duration$')" = 1 || fail "no message"
profiled format=eventlog,duration=300ms,output=limit.eventlog hello >limit.out 2>&1 || fail "an eventlog of a short program"
is_limited limit.eventlog 0
{ sleep 1; echo count 10; } | profiled format=eventlog,duration=300ms,output=limit.eventlog control >limit.out 2>&1 \
  || fail "an eventlog with a limit"
is_limited limit.eventlog duration

# Options from the environment, which those of the command line replace.
PROFLOG_OPTIONS="--allocs --force -o 'of environment.mlpd'"
export PROFLOG_OPTIONS
run mono "$programs/alloc.exe" 1 1000
expect_log PROFLOG_OPTIONS
test "$log" = "$work/of environment.mlpd" || fail "PROFLOG_OPTIONS: the log is $log"
cp out "$truth"
read_figures "$log"
expect_truth
run -o log.mlpd mono "$programs/environment.exe" 0
expect_log "PROFLOG_OPTIONS and -o"
test "$log" = "$work/log.mlpd" || fail "PROFLOG_OPTIONS and -o: the log is $log"
for options in "--nonsense" "mono" "--allocs mono" "'"; do
  PROFLOG_OPTIONS=$options
  refused 2 mono "$programs/hello.exe"
  says err PROFLOG_OPTIONS
done
unset PROFLOG_OPTIONS

# A line when the log is large: this one is, and has nothing on the disk.
cat >large.sh <<'END'
#!/bin/sh
printf '\001\132\120\115' >large.mlpd
truncate -s 1100M large.mlpd
sleep 3
END
chmod +x large.sh
run --allocs -o large.mlpd ./large.sh
test "$(grep -c '^proflog run: the log has 1\.2 GB .*; --allocs=512k or --zip would make it smaller; --max-size=SIZE limits it$' err)" = 1 \
  || { cat err; fail "a large log: not one line"; }
rm large.mlpd
# One that grows fast: by 400 MB in each second.
cat >fast.sh <<'END'
#!/bin/sh
printf '\001\132\120\115' >fast.mlpd
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  truncate -s +20M fast.mlpd
  sleep 0.1
done
END
chmod +x fast.sh
run --zip --calls -o fast.mlpd ./fast.sh
test "$(grep -c '^proflog run: the log has .* and grows by .* in a second; --calls=10us would make it smaller; ' err)" = 1 \
  || { cat err; fail "a log that grows: not one line"; }
rm fast.mlpd

# The rate of samples that is not to be had is reported, and no other.
run --sample=5000 --force -o log.mlpd mono "$programs/hello.exe"
expect_log --sample=5000
read_figures "$log"
rate_is_reported ()
{
  interval=$(figure cpu.interval_ns "$figures")
  test "$interval" -gt 200000 || { ! grep -q '^proflog: sample=' err || fail "--sample=5000: a line without need"; return; }
  says err "proflog: sample=5000: only $((1000000000 / interval)) samples are taken in a second of processor time"
}
rate_is_reported
if has prlimit; then
  # With few signals that may wait the module does not use perf_event_open.
  prlimit --sigpending=500 "$proflog" run --sample=5000 --force -o log.mlpd mono "$programs/hello.exe" >out 2>err </dev/null
  expect_log "--sample=5000 by the tick"
  read_figures "$log"
  test "$(figure cpu.interval_ns "$figures")" -ge 1000000 || fail "perf_event_open is used nevertheless"
  rate_is_reported
fi

# The program's options are its own.
run --force -o log.mlpd mono --debug "$programs/environment.exe" 0 --calls -o x
expect_status 0 "options after the command"
grep -q '^arguments: 0|--calls|-o|x$' out || fail "the program's arguments are not its own"

# Paths that need care.
for name in 'a b' 'a,b' "a'b" 'a"b' 'a\b' 'a%%b' '+a' '#9' 'a=b' 'a;b' 'ä'; do
  mkdir -p "$work/sub $name"
  run -o "sub $name/$name.mlpd" mono "$programs/hello.exe"
  expect_status 0 "-o $name"
  expect_log "-o $name"
  base=$(printf "%s" "$name" | sed 's/%%/%/')
  test "$log" = "$work/sub $name/$base.mlpd" || fail "-o $name wrote $log"
  read_figures "$log"
done
run -o 'x.%p.%t.mlpd' mono "$programs/hello.exe"
expect_log '%p.%t'
case $log in
  "$work"/x.[0-9]*.20[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9].mlpd) ;;
  *) fail "%p.%t became $log" ;;
esac
run -o "$work/absolute.mlpd" mono "$programs/hello.exe"
expect_log "absolute"

# An empty file is overwritten, an old log if that is requested; what is there and was not written is
# not reported.
: >empty.mlpd
run -o empty.mlpd mono "$programs/hello.exe"
expect_log "an empty file"
refused 3 -o empty.mlpd mono "$programs/hello.exe"
grep -q -e --force err || fail "--force is not reported"
run --force -o empty.mlpd mono "$programs/hello.exe"
expect_log "an old log"
cp empty.mlpd old.mlpd
run --force -o old.mlpd true
expect_status 3 "an old log and no new one"
grep -q 'no log was written' err || fail "an old log passes for a new one"

# Exit statuses are the program's.
run --force -o log.mlpd mono "$programs/ends.exe" exit
expect_status 7 exit
expect_log exit
run --force -o log.mlpd mono "$programs/ends.exe" unhandled
expect_status 1 unhandled
expect_log unhandled
run --force -o log.mlpd mono "$programs/ends.exe" kill 9
expect_status 137 'kill 9'
expect_log 'kill 9'
grep -q '^proflog run: the program did not end normally: .*/log.mlpd.spool' err || fail "the spool is not reported"
grep -q '^proflog run: what each thread did last: proflog stacks .*/log.mlpd$' err || fail "proflog stacks is not offered"
# The module has reported this one.
limit=$(ulimit -S -f)
ulimit -S -f 1024
run --force --allocs -o log.mlpd mono "$programs/alloc.exe"
ulimit -S -f "$limit"
expect_status 0 'a log that may not get larger'
test "$(grep -c '^proflog: log .* is incomplete: File too large .*; the rest is in .*/log.mlpd.spool$' err)" = 1 \
  || fail "it is not reported that the log ends early"
! grep -q 'did not end normally' err || fail "a program that ended normally is reported"
ulimit -S -f 100
run --force --allocs --with crash-buffer=none -o log.mlpd mono "$programs/alloc.exe"
ulimit -S -f "$limit"
expect_status 0 'a log that loses events'
lost=$(sed -n 's/^proflog: log .* is incomplete: File too large .*; \([0-9]*\) events are lost$/\1/p' err)
test "$(grep -c "^proflog run: the log is .*; incomplete: $lost events are lost$" err)" = 1 || fail "$lost events are lost"
run --force -o log.mlpd false
expect_status 1 'false'
grep -q 'no log was written' err || fail "false: the missing log is not reported"

# Scripts that start Mono: by the environment, one log for each.
cat >start-it.sh <<END
#!/bin/sh
mono "$programs/hello.exe" && mono "$programs/ends.exe" return
END
chmod +x start-it.sh
cp start-it.sh mono-script
export MONO_ENV_OPTIONS=--debug
for script in start-it.sh mono-script; do
  run --allocs -o "$script of %p'.mlpd" "./$script"
  expect_status 5 $script
  test "$(cat out)" = "hello
objects:Probe.Last 1234" || fail "$script: prints otherwise"
  test "$(grep -c '^proflog run: the log is ' err)" = 2 || { cat err; fail "$script: not two logs"; }
  found=0
  for each in "$script of "[0-9]*"'.mlpd"; do
    read_figures "$work/$each"
    objects=$(figure 'allocations.types[Probe.Last].objects')
    test "$objects" = 0 || test "$objects" = 1234 || fail "$script: $objects objects"
    found=$((found + objects))
  done
  test "$found" = 1234 || fail "$script: no log has the objects"
done
unset MONO_ENV_OPTIONS

# Signals: SIGTERM is passed on; SIGINT is the program's.
cat >sleeper.sh <<'END'
#!/bin/sh
trap 'echo terminated; exit 11' TERM
trap 'echo interrupted; exit 12' INT
echo ready
while :; do sleep 0.05; done
END
chmod +x sleeper.sh
"$proflog" run --force -o log.mlpd ./sleeper.sh >out 2>err &
run_pid=$!
for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  grep -q ready out && break
  sleep 0.1
done
kill -TERM $run_pid
wait $run_pid
status=$?
expect_status 11 SIGTERM
grep -q terminated out || fail "SIGTERM was not passed on"

# Refused before anything runs.
refused 2
refused 2 --
refused 2 --calls
refused 2 --nonsense mono "$programs/hello.exe"
refused 2 -x mono "$programs/hello.exe"
refused 2 -o
for calls in '' 3 10 exact 10us+x; do
  refused 2 "--calls=$calls" mono "$programs/hello.exe"
done
refused 2 --data-version=1 --calls=10us mono "$programs/hello.exe"
for heapshot in '' 5xs 5 ms 0gc -1gc 99999999999ms 5gcx ' 5gc'; do
  refused 2 "--heapshot=$heapshot" mono "$programs/hello.exe"
done
refused 2 no-such-command-anywhere
refused 2 ./none/mono "$programs/hello.exe"
refused 2 "$programs/hello.exe"
grep -q 'proflog run mono' err || fail "no advice for a program that is given without mono"
echo text >text
ln -s text link
mkfifo fifo
for output in none/log.mlpd . / '' sub/ text link fifo /dev/null 'a%z' 'a%'; do
  refused 3 -o "$output" mono "$programs/hello.exe"
done
for output in text link; do
  refused 3 --force -o "$output" mono "$programs/hello.exe"
done
test "$(cat text)" = text || fail "a file that is no log was overwritten"
if test "$(id -u)" != 0; then
  mkdir locked
  chmod a-w locked
  refused 3 -o locked/log.mlpd mono "$programs/hello.exe"
fi
PROFLOG_MODULE_DIR=$work
export PROFLOG_MODULE_DIR
refused 3 mono "$programs/hello.exe"
grep -q "$work" err || fail "the folder that was searched for the module is not named"
# A module that does not load: Mono is silent, run is not.
echo "no module" >libmono-profiler-proflog.so
run -o never.mlpd mono "$programs/hello.exe"
expect_status 3 "a broken module"
test "$(cat out)" = hello || fail "a broken module: the program does not run"
grep -q 'no log was written' err || fail "a broken module: no message"
run -o never.mlpd mono "$programs/ends.exe" exit
expect_status 7 "a broken module and a failing program"
PROFLOG_MODULE_DIR=$module_dir
run --force -o log.mlpd mono "$programs/hello.exe"
expect_status 0 PROFLOG_MODULE_DIR
expect_log PROFLOG_MODULE_DIR
unset PROFLOG_MODULE_DIR

# Two programs of one run: the second does not overwrite the log of the first.
run --force -o log.mlpd sh -c "mono $programs/hello.exe; mono $programs/calls.exe"
expect_status 0 "two programs"
test "$(grep -c "another program of this 'proflog run' has written it; with %p in its name each has a log of its own; the program runs unprofiled" err)" = 1 \
  || { cat err; fail "two programs: the loss of a log is not stated"; }
"$proflog" info log.mlpd >info || fail "two programs: no log"
! "$proflog" dump log.mlpd | grep -q 'calls.exe' || fail "two programs: it is the log of the second"
# A log that was there before is older, whatever its time is.
touch -d '1 hour' log.mlpd
run --force -o log.mlpd mono "$programs/calls.exe"
expect_status 0 "a log of the future"
"$proflog" dump log.mlpd | grep -q 'calls.exe' || fail "a log of the future: it was not replaced"
run -o 'two.%p.mlpd' sh -c "mono $programs/hello.exe; mono $programs/hello.exe"
expect_status 0 "two logs"
test "$(ls two.*.mlpd | wc -l)" = 2 || fail "two programs with %p: not two logs"
rm two.*.mlpd info

# Help.
run --help
expect_status 0 --help
for word in Usage --heapshot --calls --allocs Examples; do
  grep -q -e "$word" out || fail "--help does not have $word"
done
test ! -s err || fail "--help prints on standard error"
test "$(wc -l <out)" -le 60 || fail "--help has $(wc -l <out) lines"
"$proflog" help run >out 2>err || fail 'help run'
for word in perf_event_open callspec maxframes MONO_ENV_OPTIONS; do
  grep -q -e "$word" out || fail "help run does not have $word"
done
"$proflog" >out 2>err && fail 'proflog alone succeeds'
test ! -s out && test "$(wc -l <err)" -le 22 && grep -q 'proflog run mono' err || fail 'proflog alone'
echo "$checks figures agree"
