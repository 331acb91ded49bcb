#!/bin/sh
# A Haskell program is watched while it runs: its result is the same whatever becomes of the reader, and
# the reader finds what passed.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
tree=$sources/../..
reader=$top_builddir/tests/ghc-live/read-socket
unset PROFLOG_GHC
use_runtime_dir

# compile WAY SOURCE NAME: as docs state it.
compile ()
{
  ghc -v0 $1 -O0 -eventlog -no-hs-main "-I$tree/include" -outputdir "$3.o" -o "$3" "$2" \
    "$work/proflog-main.c" "-L$top_builddir/.libs" "-optl-Wl,-rpath,$top_builddir/.libs" \
    -lproflog-ghc >out 2>err || fail "$2 does not compile"
}

# messages LOG: how many there are of the program's.
messages ()
{
  "$proflog" dump "$1" >dumped 2>dump.err || fail "$1 cannot be read"
  grep -c ' user-msg ' dumped
}

# whole LOG: nothing is damaged.
whole ()
{
  "$proflog" check "$1" >checked 2>err || { cat checked >&2; fail "$1 is not whole"; }
  checks=$((checks + 1))
}

# ctl PID VERB...: the reply is in out.
ctl ()
{
  run 0 ctl "$@"
}

# status_of PID TEXT: the status has the text.
status_of ()
{
  "$proflog" ctl "$1" status -v >out 2>err && grep -q "$2" out
}

# until_status PID TEXT
until_status ()
{
  wait_for status_of "$@"
  checks=$((checks + 1))
}

# ended PID FILE: the program ended well and printed what it prints alone.
ended ()
{
  wait "$1" || fail "the program ended with $?"
  same alone "$2"
}

cp "$tree/haskell/proflog-main.c" .
compile -threaded "$tree/examples/watched.hs" watched
compile '' "$tree/examples/watched.hs" watched-one
compile -threaded "$tree/tests/ghc-live/Flood.hs" flood
./watched 150 >alone 2>err || fail "the program does not run alone"
quiet err

# To a file, with and without threads of the system; the buffers are given now and then.
for program in watched watched-one; do
  PROFLOG_GHC=output=$program.eventlog,flush=20 ./$program 150 >printed 2>err || fail "$program: $?"
  quiet err
  same alone printed
  whole $program.eventlog
  test "$(messages $program.eventlog)" = 450 || fail "$program: not all messages are there"
  blocks=$(grep -c 'block-marker' dumped)
  test "$blocks" -gt 10 || fail "$program: only $blocks blocks"
done

# A socket, with a reader from the start, and one who comes later and finds what lives.
PROFLOG_GHC=output=unix-listen:socket,flush=20 ./watched 150 >printed 2>err &
program=$!
"$reader" socket >first &
first=$!
until_status $program 'readers: 1'
until_status $program 'events remembered: [2-9][0-9]'
"$reader" socket >second || fail "the second reader: $?"
wait $first || fail "the first reader: $?"
ended $program printed
whole first
test "$(messages first)" = 450 || fail "the first reader has not all messages"
whole second
n=$(messages second)
test "$n" -gt 0 && test "$n" -lt 450 || fail "the second reader has $n messages"
# What it received first: the program, its capabilities, the workers and their names.
sed '/ user-msg /q' dumped >dumped-first
for what in 'capset-create ' 'program-args ' 'wall-clock-time ' 'capset-assign-cap ' \
  'label="worker 1"' 'label="worker 2"' 'label="worker 3"'; do
  says dumped-first "$what"
done
for worker in $(sed -n 's/.*thread-label thread=\([0-9]*\) label="worker.*/\1/p' dumped-first); do
  says dumped-first "create-thread thread=$worker"
done

# A reader that is killed, and one that comes then: its log states the number of events that are missing.
PROFLOG_GHC=output=unix-listen:socket,flush=20 ./watched 150 >printed 2>err &
program=$!
"$reader" socket >first &
first=$!
until_status $program 'readers: 1'
until_status $program 'events remembered: [2-9][0-9]'
kill -9 $first
wait $first 2>/dev/null
until_status $program 'readers: 0'
until_status $program 'lost events no reader: [1-9]'
"$reader" socket >second || fail "the second reader: $?"
ended $program printed
"$proflog" check second >checked 2>err && fail "a log that lacks events is good"
test "$(grep -c ' error ' checked)" = 1 && grep -q ' error .*[1-9][0-9]* events are missing here$' checked \
  || { cat checked >&2; fail "the second reader's log is damaged otherwise"; }
"$proflog" dump second >dumped
grep -q 'log-msg message="proflog: [1-9][0-9]* events are missing here"' dumped \
  || fail "the log of the second reader does not state its loss"

# Recording and classes are switched while it runs, and follow and top watch.
PROFLOG_GHC=output=unix-listen:socket,flush=20,paused ./watched 150 >printed 2>err &
program=$!
"$reader" socket >first &
first=$!
until_status $program 'readers: 1'
"$proflog" follow unix:socket >followed 2>follow.err &
follow=$!
"$proflog" top --format jsonl unix:socket >topped 2>top.err &
top=$!
until_status $program 'readers: 3'
until_status $program 'recording: no'
ctl $program disable user
ctl $program start
says out 'recording: yes'
ctl $program flush
ctl $program enable user
ctl $program flush
ctl $program stop
says out 'recording: no'
run 2 ctl $program enable nonsense
ctl $program start
ctl $program sync
wait $first || fail "the reader: $?"
wait $follow || fail "follow: $?"
wait $top || fail "top: $?"
ended $program printed
whole first
n=$(messages first)
test "$(grep -c ' user-msg ' followed)" = "$n" || fail "follow has other messages"
says topped '"format":"ghc"'
test "$n" -gt 0 && test "$n" -lt 450 || fail "with stops between there are $n messages"
test "$(grep -c ' header ' dumped)" -ge 4 || fail "not every start has a header"
# Before the class was switched on there was no message, but a thread ran.
awk '/ header / { n++ } n == 1' dumped >before
says before 'run-thread'
test "$(grep -c user-msg before)" = 0 || fail "a class that is off was recorded"

# The log goes from a file to a FIFO, a command, a descriptor, sockets and back: each part is whole, and all
# messages are in one of them.
./watched 600 >alone 2>err || fail "the program does not run alone"
PROFLOG_GHC=output=part.1,flush=20 ./watched 600 >printed 2>err 5>part.4 &
program=$!
until_status $program 'events remembered: [2-9][0-9]'
mkfifo pipe
timeout 60 cat pipe >part.2 &
cat=$!
wait_for "$proflog" ctl $program output pipe >out 2>&1
ctl $program output "|sh -c 'cat  >part.3'"
ctl $program set flush=30ms
ctl $program set flush=20
run 2 ctl $program set flush=2h
says err 'flush=2h: not a time from 0ms to 1h'
wait $cat || fail "the reader of the FIFO: $?"
ctl $program output '#5'
ctl $program output unix-listen:own
"$reader" own >part.5 &
first=$!
until_status $program 'readers: 1'
timeout 60 "$top_builddir/tests/host/log-peer" listen theirs >part.6 &
peer=$!
wait_for "$proflog" ctl $program output unix:theirs >out 2>&1
wait $first || fail "the reader of the socket: $?"
test ! -e own || fail "the socket is left"
run 3 ctl $program output part.1
says err 'there is '
run 3 ctl $program output pipe
says err 'is a FIFO without a reader'
run 3 ctl $program output '|no-such-command'
ctl $program output part.7
wait $peer || fail "the reader at the other socket: $?"
ended $program printed
quiet err
n=0
for part in part.[1-7]; do
  whole $part
  n=$((n + $(messages $part)))
  grep -q 'heap-size' dumped || fail "$part does not state the size of the heap"
  # By ghc-events: at which time of day, in ns, the log has its zero.
  ! has ghc-events || ghc-events show $part \
    | sed -n 's/^\([0-9]*\): .*wall clock time \([0-9]*\)s \([0-9]*\)ns .*/\1 \2 \3/p' | head -n 1 \
    | { read -r at seconds ns && echo $((seconds * 1000000000 + ns - at)); } >>zeros
done
! has ghc-events || test "$(sort zeros | uniq -c | awk '{ print $1 }')" = 7 \
  || { cat zeros >&2; fail "the parts have other clocks"; }
test "$n" = 1800 || fail "the parts have $n messages of 1800"
# Together they are one log of one process, in whatever order they are named.
run 0 info part.[3-7] part.[12]
for line in 'Name  *part[.][*]' 'Headers  *7' 'Processes  *1'; do
  grep -q "^  $line$" out || fail "the parts are not one log: no $line"
done
n=$("$proflog" dump part.[1-7] 2>err | grep -c ' user-msg ')
test "$n" = 1800 || fail "the log of all parts has $n messages of 1800"
quiet err
"$proflog" dump part.[1-7] | awk '$4 == "user-msg" { print $2 }' | sort -n -c || fail "the parts are in another order"

# Readers that stop, and that never come; and a FIFO whose reader goes.
echo >line
./flood 60000 <line >alone 2>err || fail "the flood does not run alone"
mkfifo begin
PROFLOG_GHC=output=unix-listen:socket,memory=4m,flush=20 ./flood 60000 <begin >printed 2>err &
program=$!
exec 3>begin
"$reader" socket >first &
first=$!
until_status $program 'readers: 1'
kill -STOP $first
echo >&3
ended $program printed
kill -CONT $first
wait $first
n=$("$proflog" dump first 2>err | grep -c ' user-msg ')
test "$n" -lt 60000 || fail "a reader that stood still has everything"
PROFLOG_GHC=output=unix-listen:socket,memory=4m,nocontrol ./flood 60000 <line >printed 2>err &
ended $! printed
mkfifo fifo
PROFLOG_GHC=output=fifo,memory=4m,flush=20 ./flood 60000 <begin >printed 2>err &
program=$!
head -c 1000 fifo >first
echo >&3
ended $program printed
exec 3>&-
test "$(wc -c <first)" = 1000 || fail "the FIFO gave too little"

# The log is not the child's.
compile -threaded "$tree/tests/ghc-live/Fork.hs" fork
PROFLOG_GHC=output=fork.eventlog,flush=20 ./fork >printed 2>err || fail "with a child: $?"
quiet err
test "$(cat printed)" = "child
parent" || fail "a child makes a difference"
whole fork.eventlog
test "$(messages fork.eventlog)" = 2 || fail "the log is not the parent's"

# Mistakes have a message, and the program runs.
PROFLOG_GHC=output=none/none ./flood 60000 <line >printed 2>err || fail "without output: $?"
same alone printed
says err 'proflog: PROFLOG_GHC: none/none: No such file or directory; the program runs without'
PROFLOG_GHC="output=|sh -c 'cat >piped.eventlog && exit 3'" ./flood 60000 <line >printed 2>err || fail "with a command: $?"
same alone printed
same_lines err "proflog: the command 'sh -c 'cat >piped.eventlog && exit 3'' ended with status 3"
PROFLOG_GHC=nonsense ./flood 60000 <line >printed 2>err || fail "with a wrong option: $?"
same alone printed
says err "option 'nonsense' makes no sense"
# One that waits to be recorded is attached to and detached from, by number and by name.
PROFLOG_GHC=output=/dev/null,paused ./watched 400 >printed 2>err &
program=$!
until_status $program 'recording: no'
run 2 attach $program --heapshot=1s
says err '--heapshot is for Mono'
run 0 attach $program -o first.eventlog --duration 300ms
whole first.eventlog
test "$(messages first.eventlog)" -gt 0 || fail 'nothing is recorded'
run 0 attach watched -o second.eventlog
says err "recording process $program to $work/second.eventlog until"
run 3 attach $program -o third.eventlog
says err 'has a log already'
sleep 0.3
run 0 detach watched
whole second.eventlog
test "$(messages second.eventlog)" -gt 0 || fail 'nothing is recorded the second time'
wait $program || fail "the program ended with $?"
./watched 400 >alone 2>err
same alone printed

# One whose runtime writes the log.
./watched-one 400 +RTS -l -olown.eventlog >printed 2>err &
program=$!
wait_for test -s own.eventlog
run 3 attach $program
says err "'proflog top $program' reads"
wait $program || fail "the program ended with $?"
done_checks
