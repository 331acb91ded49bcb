#!/bin/sh
# What commands refuse, before they read a log: the status, and one line that states the reason.
. "${srcdir:-.}/tests/cli/lib.sh"
use_runtime_dir

# refused STATUS TEXT ARGUMENT...: with this text in the one line, and no output.
refused ()
{
  text=$2
  refused_status=$1
  shift 2
  run "$refused_status" "$@" </dev/null
  quiet out
  test "$(wc -l <err)" = 1 || { cat err; fail "proflog $*: not one line"; }
  says err "$text"
}

# begin_sleep: $! is a program.  A shell that has not become one ends by a signal as this test does, and removes its files.
begin_sleep ()
{
  sleep 60 &
  wait_for grep -qx sleep "/proc/$!/comm"
}

nobody=4194303 # no process has this number

# ---- heap ----
refused 3 'one heap snapshot; a diff needs two' heap diff "$small"
refused 2 '--shot: diff is not of one heap snapshot' heap diff "$small" --shot 1
refused 2 'diff: the numbers of two heap snapshots are needed' heap diff "$small" 1
refused 2 '--fail-above x: a number of bytes is needed, as 64K, or percents as 5%' heap leaks "$small" --fail-above x
refused 2 'there is a number of a heap snapshot already' heap histogram "$small" 1 --shot 2
refused 2 '--dot and --format cannot be together' heap paths "$small" 0x1000 --dot -f json

# ---- which snapshot ----
in_vain ()
{
  run 3 "$@"
  quiet out
  says err "$expected"
}
expected='no heap snapshot is of the selected threads' in_vain heap histogram 1 --thread 77 "$small"
expected='heap snapshot 1 is outside of the time range' in_vain heap histogram 1 --time-range 100s~200s "$small"
expected='there is no heap snapshot 99: the log has 1' in_vain heap histogram 99 "$small"

expected='heap snapshot 1 is not of the selected threads and times' in_vain heap histogram 1 --thread 77 "$logs/all-v17.mlpd"
refused 2 'heap: diff 1 1: the earlier heap snapshot comes first' heap diff "$small" 1 1
refused 2 '--max-ratio x: a number is needed, 0 for no limit' report --max-ratio x "$small"

# ---- inputs of live commands, and those of eventlogs ----
mkdir folder
printf abc >tiny
printf abcdefgh >other
refused 3 'folder: Is a directory' follow folder
refused 3 'unix:none: No such file or directory' follow unix:none
refused 3 'unix-listen:tiny: Address already in use' follow unix-listen:tiny
refused 3 'the path of a socket has 1 to 107 bytes' follow "unix:$(head -c 200 /dev/zero | tr '\0' x)"
if has python3; then
  python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
  refused 3 'socket: is a socket: unix:PATH connects to it' follow socket
  refused 3 'unix:socket: Connection refused' follow unix:socket
fi
refused 3 'not a GHC eventlog: it has 3 bytes' cut --event gc-start tiny -o written
refused 3 'not a GHC eventlog: it begins with the bytes 61 62 63 64, an eventlog with 68 64 72 62' simulate threads other
refused 3 'is a log of Mono: it has no capabilities' show caps "$small"
# A program that is stopped answers nothing, and has no log.
begin_sleep
kill -STOP $!
wait_for grep -q '^State:.T' /proc/$!/status
for command in follow 'top --once'; do
  # shellcheck disable=SC2086 # words
  run 3 $command $!
  quiet out
  same_lines err \
    "proflog ${command%% *}: process $! does not answer: it is stopped; unwritten events follow when it continues" \
    "proflog ${command%% *}: process $!: cannot find its log"
done
{ kill -KILL $!; wait $!; } 2>/dev/null

# ---- control of programs ----
refused 2 'arguments must not contain blanks' ctl $nobody set 'flush 5'
refused 2 'arguments must not contain blanks' ctl $nobody mark 'one
two'
long=$(head -c 70000 /dev/zero | tr '\0' x)
refused 2 'the request has 70006 bytes; the limit is ' ctl $nobody mark "$long"
refused 2 "no verb for process $nobody" ctl $nobody
refused 2 "'app.exe': list takes no arguments" ctl list app.exe
refused 2 'one process is needed, by its id or name' detach
refused 2 'one process is needed, by its id or name' attach
refused 3 "no running Mono or GHC program is called 'no such name'" attach 'no such name'
refused 3 "there is no process $nobody" detach $nobody
begin_sleep
refused 3 "process $! " detach $!
PROFLOG_MODULE_DIR=$work/none && export PROFLOG_MODULE_DIR
refused 3 "cannot find the module libmono-profiler-proflog.so in $work/none" attach $!
unset PROFLOG_MODULE_DIR
kill $!

# ---- reports ----
for budget in gc.collections=x:'a number is needed' gc.pause_max_ns=5:'a time is needed' \
  log.bytes=x:'a size is needed' gc.collections:'KEY=LIMIT is needed' gc.nothing=1:'no report has the figure'; do
  refused 2 "budget '${budget%%:*}': ${budget#*:}" report --fail-above "${budget%%:*}" "$small"
done
refused 2 '--by-thread reads a log twice' flame --by-thread -
refused 2 '--by-thread applies to the costs' flame --by-thread --cost exception "$small"

refused 3 'its time profile does not name threads' flame --by-thread "$logs/ghc-ticks.eventlog.gz"

# ---- a command whose program is not there ----
mkdir alone
cp "$proflog" alone/proflog
touch alone/proflog-query
alone/proflog query "$small" 'SELECT 1' >out 2>err
status=$?
test "$status" = 3 || fail "status $status"
quiet out
says err 'alone/proflog-query: Permission denied'

# Options of sections that are not shown.
refused 2 '--inverted, --callers and --callees are for one tree each' report --inverted --callers Main "$small"
refused 2 '--inverted, --callers and --callees are for one tree each' report --callees Main --callers Main "$small"
refused 2 '--reports joint: several logs have this part;' report --reports joint "$small"
refused 2 "--reports joint: several logs have this part of 'proflog report';" info --reports joint "$small" "$small"
refused 2 '--interval applies to --reports=series,timeline and to --by time only' report --interval 1s --reports gc "$small"
refused 2 '--interval applies to --reports=series,timeline and to --by time only' report --interval 1s "$small"
refused 2 '--live, --peak and --temporary are for one table each' report --live --peak "$small"
refused 2 '--live, --peak and --temporary apply to the section allocations only' report --live --reports gc "$small"
refused 2 '--by log has sums of logs only, so --find and --track have no place' report --by log --find S:1 "$small"
refused 2 '--by host has sums of logs only, so --fail-above and --budgets have no place' \
  report --by host --fail-above gc.collections=5 "$small"
for options in '--reports series' '--reports timeline' '--by time --reports allocations' '-f html' "$logs/all-v17.mlpd"; do
  # shellcheck disable=SC2086
  run 0 report -q --interval 1s $options "$small"
  test -s out || fail "$options: no report"
done

# ---- queries ----
if test -x "$top_builddir/proflog-query"; then
  refused 2 'no log given' query
  refused 2 '--parquet: a folder is needed' query --parquet= "$small"
  refused 2 'no statement is needed' query --parquet lake "$small" 'SELECT 1'
  refused 2 'no statement is needed' query --parquet lake --file script "$small"
  refused 2 'the statement has to be an argument' query -
  refused 2 '--file and a statement exclude each other' query --file script "$small" 'SELECT 1'
  for memory in 1023K x; do
    refused 2 "--max-memory $memory: a size of at least 1M is needed;" query --max-memory $memory "$small" 'SELECT 1'
  done
  refused 3 'proflog query: script: No such file or directory' query --file script "$small"
  touch lake
  refused 3 'lake/' query --parquet lake "$small"
  run 0 query -q --parquet tables "$small"
  table=$(find tables -name '*.parquet' | sort | head -n 1)
  rm "$table" && mkdir "$table"
  refused 3 "proflog query: $table: Is a directory" query -q --parquet tables "$small"
fi

# ---- recording ----
printf '#!/bin/sh\n' >program && chmod +x program
refused 2 "--heap: './program' is no GHC program" run --heap ./program
refused 2 'an option is longer than ' run --with "output=$long" ./program
refused 2 'a closing quote is missing' run --with 'output="x' ./program
refused 2 'command not found' run ./nothing
refused 2 'no command to run' run
refused 2 "cannot run '100': command not found; did you mean --sample=100?" run --sample 100 ./program
refused 3 "'%x': % must be followed by p (process id), t (time) or %" run -o '%x' ./program
refused 3 "'folder/' is not the name of a file" run -o folder/ ./program
PROFLOG_MODULE_DIR=$work/none && export PROFLOG_MODULE_DIR
refused 3 "cannot find the module libmono-profiler-proflog.so in $work/none" run ./program
mkdir a:b && touch a:b/libmono-profiler-proflog.so
PROFLOG_MODULE_DIR=$work/a:b
refused 3 "Mono cannot load a module from '$work/a:b'" run ./program
unset PROFLOG_MODULE_DIR

for option in --allocs=0 --allocs=x --allocs=2000G --calls= --calls=x --sample= --sample=0 --sample=x --sample=5x \
  --sample=1000000 --wall= --wall=0 --wall=x --wall=1000000 --data-version= --data-version=2 --data-version=18 --data-version=x --zip= --zip=bzip2 --rotate=x \
  --rotate=1 --rotate=1ms --flush=x --duration=0s --duration=x --max-size=1 --max-size=x --heapshot= --heapshot=x; do
  refused 2 "$option: " run "$option" ./program
done
refused 2 '--with output=x: write -o LOG' run --with output=x ./program
refused 2 '--with format=1: write --data-version=1 or 17' run --with alloc,format=1 ./program
refused 2 "--with help: write 'proflog help run'" run --with ,,help ./program
refused 2 '--with outputs: ' run --with outputs ./program
refused 2 '--lines: data version 1 has no samples' run --data-version=1 --lines ./program
refused 2 '--sample: data version 1 has no samples' run --data-version=1 --sample ./program
refused 2 '--wall: data version 1 has no samples' run --data-version=1 --wall ./program
refused 2 '--sample-real is an option of the module; did you mean --wall?' run --sample-real=50 ./program
refused 2 '--sample-real is an option of the module; did you mean --wall?' attach --sample-real 1
refused 2 '--allocs=1M: data version 1 has no sampled allocations' run --data-version=1 --allocs=1M ./program
refused 2 '--calls=auto: data version 1 has only all calls' run --data-version=1 --calls=auto ./program
for output in x.mlpd x.%t.mlpd 'x.%%p.mlpd' %%%%p x%; do
  refused 2 "--children: each process needs a log of its own; put %p into '$output'" run --children -o "$output" ./program
done
PROFLOG_OPTIONS="--sample '" && export PROFLOG_OPTIONS
refused 2 'PROFLOG_OPTIONS: ' run ./program
PROFLOG_OPTIONS=--nothing
refused 2 'PROFLOG_OPTIONS: ' run ./program
PROFLOG_OPTIONS='--sample ./program'
refused 2 "PROFLOG_OPTIONS: './program' is no option" run ./program
PROFLOG_OPTIONS=' '
refused 2 'no command to run' run
unset PROFLOG_OPTIONS

# What looks like a program of GHC with libproflog-ghc.
cp "$(command -v sleep)" haskell
printf '[+RTS <rtsopts> | -RTS <args>] -l[flags]  Log events PROFLOG_GHC' >>haskell
refused 2 "'$work/a,b.eventlog': a program with libproflog-ghc accepts no path with commas" run -o a,b.eventlog ./haskell 0
refused 3 "proflog run: --heap: './haskell' has a main function of its own; start it with GHCRTS=-hT" run --heap ./haskell 0

printf '#!/bin/sh\necho garbage >written.mlpd\n' >program
run 3 run -o written.mlpd ./program
says err "'$work/written.mlpd' was written but is not a log"

# ---- temporary files ----
TMPDIR=$work/none && export TMPDIR

# no_temporary TEXT ARGUMENT...: with the log $log on standard input; the line has the text before the reason.
no_temporary ()
{
  text=$1
  shift
  cat "$log" | run 3 "$@" || exit 1
  quiet out
  grep -q "^$text: Failed to create file .*$work/none/proflog-[A-Za-z0-9]\{6\}.*: No such file or directory$" err ||
    fail "proflog $*: $(cat err)"
  test "$(wc -l <err)" = 1 || fail "proflog $*: not one line"
}
log=$logs/small.eventlog
no_temporary 'proflog convert' convert -q --to mono - -o written
no_temporary "proflog merge: $small" merge -q "$log" "$small" -o merged.eventlog
no_temporary "proflog: standard input" show --order time -
if test -x "$top_builddir/proflog-query"; then
  run 3 query - 'SELECT 1' <"$small"
  says err "$work/none/"
fi
unset TMPDIR

# limited STATUS TEXT ARGUMENT...: no file can have more than 512 bytes.
limited ()
{
  text=$2
  limited_status=$1
  shift 2
  (
    trap '' XFSZ
    ulimit -f 1
    run "$limited_status" "$@" <"$logs/all-v17.mlpd"
  ) || exit 1
  says err "$text"
}
limited 3 'File too large' convert -q "$logs/all-v17.mlpd" -o converted.eventlog
limited 3 'File too large' convert -q "$logs/all-v17.mlpd" --data-version 1 -o converted.mlpd
limited 3 'File too large' export -f chrome "$logs/all-v17.mlpd" -o exported
limited 3 'File too large' export -f hprof "$logs/all-v17.mlpd" -o exported
limited 3 'File too large' export -f firefox "$logs/all-v17.mlpd" -o exported
limited 3 'File too large' repair "$logs/all-v17.mlpd" -o repaired
limited 3 'File too large' cut --time-range '0~50%' "$logs/all-v17.mlpd" -o part
limited 3 'File too large' flame "$logs/all-v17.mlpd" -o page.html
# Where gcov counts, its own messages are longer than the file of the messages may be.
if test -x "$top_builddir/proflog-query" && test "${SANITIZER:-no}" = no; then
  limited 3 'standard input cannot be copied to a temporary file: File too large' query - 'SELECT 1'
  limited 3 'File too large' query --parquet parquet "$logs/all-v17.mlpd"
fi

limited 3 'proflog merge: cannot write a temporary file: File too large' merge -q "$logs/ghc-blocks.eventlog.gz" "$logs/all-v17.mlpd" -o merged.eventlog
limited 3 'File too large' cut -q --event gc-start "$logs/ghc-collect-N2.eventlog.gz" -o part
limited 3 'File too large' anonymize -q "$logs/ghc-blocks.eventlog.gz" -o anonymous
for left in merged.eventlog part anonymous; do test ! -e $left || fail "$left is left"; done

# Commands that write, with an output that is full or in no folder, and a log that is not there.
eventlog=$logs/ghc-blocks.eventlog.gz
mono=$logs/all-v17.mlpd
while read -r log words; do
  case $log in mono) log=$mono ;; *) log=$eventlog ;; esac
  # shellcheck disable=SC2086
  refused 3 'cannot write none/x: No such file or directory' $words "$log" -o none/x
  # shellcheck disable=SC2086
  refused 3 'none.mlpd: No such file or directory' $words none.mlpd
  test -c /dev/full || continue
  # shellcheck disable=SC2086
  "$proflog" $words "$log" >/dev/full 2>err </dev/null
  status=$?
  test "$status" = 3 || fail "$words >/dev/full: status $status"
  says err 'cannot write to standard output: No space left on device'
done <<END
mono check
mono validate
mono show
mono dump
mono stats
mono heap histogram
mono flame
mono export -f chrome
mono export -f hprof
mono diff $mono
mono anonymize -q
ghc show
ghc show caps
ghc simulate threads
ghc validate threads
ghc diff $eventlog
ghc anonymize -q
ghc cut -q --time-range 0~90%
ghc dump --order time
END
refused 2 "does not apply: 'proflog export' does not show names" export -f firefox --filter X:y "$eventlog"

# ---- folders ----
# A folder whose path is longer than the system permits.
(
  mkdir logs && cp "$small" logs/small.mlpd && cd logs || exit 1
  name=$(head -c 200 /dev/zero | tr '\0' f)
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
    mkdir "$name" && cd -P "$name" || exit 1
  done
) || fail 'the folders cannot be made'
run 0 report logs
says err 'File name too long; it is left out'

# A folder that may not be read, and one whose files may not be reached.
chmod 755 "$work"
as_user=
if test "$(id -u)" = 0; then
  # With gcov, its counts cannot be written where those of root are.
  mkdir -m 777 counts
  as_user="setpriv --reuid 65534 --regid 65534 --clear-groups env GCOV_PREFIX=$work/counts"
fi
if test "$(id -u)" != 0 || { has setpriv && $as_user test -r "$work" -a -x "$proflog"; }; then
  mkdir -p closed/inner listed
  cp "$small" closed/log.mlpd
  cp "$small" listed/log.mlpd
  chmod 000 closed/inner
  chmod 444 listed
  $as_user "$proflog" info closed >out 2>err || fail "closed: status $?"
  same_lines err 'proflog: closed/inner: this folder cannot be read; it is left out'
  $as_user "$proflog" info listed >out 2>err && fail 'a folder whose files cannot be reached has logs'
  test "$(head -n 1 err)" = 'proflog: listed/log.mlpd: Permission denied; it is left out' || fail "$(cat err)"
  says err 'proflog: listed: no log in this folder (files seen: 0)'
  chmod 755 closed/inner listed
fi

done_checks
