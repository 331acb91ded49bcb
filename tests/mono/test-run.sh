#!/bin/sh
# proflog run, in all its forms.
. "${srcdir:-.}/tests/mono/lib.sh"

for program in hello alloc calls heapshot ends environment; do
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

# One line says where the log is.  Sets log.
expect_log ()
{
  test "$(grep -c '^proflog run: the log is ' "$work/err")" = 1 \
    || { cat "$work/err"; fail "$1: not one log is told"; }
  log=$(sed -n 's/^proflog run: the log is \(.*\) ([0-9]* bytes); read it with: .*/\1/p' "$work/err")
  check_log "$log"
  bytes=$(sed -n 's/.* (\([0-9]*\) bytes); read .*/\1/p' "$work/err")
  test "$bytes" = "$(wc -c <"$log")" || fail "$1: $bytes bytes are told of $(wc -c <"$log")"
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

# Each option asks for what it says.
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
for heapshot in --heapshot --heapshot=1gc --heapshot=1ms; do
  run $heapshot --force -olog.mlpd mono "$programs/heapshot.exe"
  expect_log $heapshot
  read_figures "$log"
  grep -q '^heapshots\[' "$figures" || fail "$heapshot: no heap shot"
done

# The program's options are its own.
run --force -o log.mlpd mono --debug "$programs/environment.exe" 0 --calls -o x
expect_status 0 "options behind the command"
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

# An empty file is overwritten, an old log if that is asked for; what is there and was not written is
# not told.
: >empty.mlpd
run -o empty.mlpd mono "$programs/hello.exe"
expect_log "an empty file"
refused 3 -o empty.mlpd mono "$programs/hello.exe"
grep -q -e --force err || fail "--force is not told"
run --force -o empty.mlpd mono "$programs/hello.exe"
expect_log "an old log"
cp empty.mlpd old.mlpd
run --force -o old.mlpd true
expect_status 3 "an old log and no new one"
grep -q 'no log came' err || fail "an old log passes for a new one"

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
grep -q '^proflog run: it did not end normally: .*/log.mlpd.spool' err || fail "the spool is not told"
run --force -o log.mlpd false
expect_status 1 'false'
grep -q 'no log came' err || fail "false: the missing log is not told"

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
refused 2 --calls=3 mono "$programs/hello.exe"
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
grep -q "$work" err || fail "it is not told where the module was looked for"
# A module that does not load: Mono is silent, run is not.
echo "no module" >libmono-profiler-proflog.so
run -o never.mlpd mono "$programs/hello.exe"
expect_status 3 "a broken module"
test "$(cat out)" = hello || fail "a broken module: the program does not run"
grep -q 'no log came' err || fail "a broken module: nothing is said"
run -o never.mlpd mono "$programs/ends.exe" exit
expect_status 7 "a broken module and a failing program"
PROFLOG_MODULE_DIR=$module_dir
run --force -o log.mlpd mono "$programs/hello.exe"
expect_status 0 PROFLOG_MODULE_DIR
expect_log PROFLOG_MODULE_DIR
unset PROFLOG_MODULE_DIR

# Help.
run --help
expect_status 0 --help
for word in Usage --heapshot --calls --allocs callspec maxframes Examples; do
  grep -q -e "$word" out || fail "--help does not tell of $word"
done
test ! -s err || fail "--help prints on standard error"
echo "$count_checked figures agree"
