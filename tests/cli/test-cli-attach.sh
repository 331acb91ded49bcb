#!/bin/sh
# `proflog attach` to programs that have the module, or are of GHC, and record nothing: what it requests of them, and
# what it refuses.  The program is a stand-in that gives one reply to all requests.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

use_runtime_dir
: >requests
: >reply
watched= ghc=
trap 'kill $watched $ghc; rm -rf "$work"' EXIT

# start_stub FILE [NAME]: its number is in the file.
start_stub ()
{
  stub_file=$1
  shift
  python3 "$tests/cli/control-stub.py" "$XDG_RUNTIME_DIR" reply requests "$@" >"$stub_file" &
  wait_for test -s "$stub_file"
}
start_stub pid
watched=$!
start_stub ghc-pid ghc_ticker
ghc=$!
pid=$(cat pid)

# idle [LINE...]: the module in it records nothing.
idle ()
{
  printf '%s\n' ok 'recording: no' 'log: /dev/null' "$@" >reply
  : >requests
}

# attach STATUS TEXT OPTION...: with this text in the one line.
attach ()
{
  attach_status=$1 text=$2
  shift 2
  rm -f log.mlpd
  run "$attach_status" attach "$pid" -o log.mlpd "$@"
  test "$(wc -l <err)" = 1 || { cat err; fail "attach $*: not one line"; }
  says err "$text"
}

# requested LINE...: the requests but for those of the status.
requested ()
{
  grep -v '^status$' requests >got
  same_lines got "$@"
}

# ---- what the module does ----

path=$(pwd -P)/log.mlpd
idle
attach 0 "recording process $pid to $path until 'proflog detach $pid'"
requested 'set heapshot=ondemand' "output $path" start
idle
attach 0 "recording process $pid to $path" --heapshot=5gc --flush 2s
requested 'set heapshot=5gc' 'set flush=2s' "output $path" start
idle
: >"$path"
attach 0 "recording process $pid to $path" --force
test ! -e "$path" || fail 'the file that is replaced is still there'
printf 'ok\nrecording: yes\nlog: /dev/null\n' >reply
attach 3 "process $pid has a log already"

# ---- what it was loaded with ----

idle 'options: proflog:sample=50,gcroot,heapshot=1s,output=/x,max-size=7M'
attach 0 "recording process $pid" --sample=50
while read -r name option; do
  attach 2 "process $pid: $name cannot be changed: the module in it was loaded with 'proflog:sample=50," "$option"
  requested 'set heapshot=ondemand' "output $path" start
done <<END
--sample --sample=60
--wall --wall
--wall --wall=50
--zip --zip
--rotate --rotate=2M
--rotate --rotate=2s
--data-version --data-version=1
--with --with=alloc
--max-size --max-size=7M
END
idle 'options: proflog:sample-real=20,gcroot,output=/x,max-size=7M'
attach 0 "recording process $pid" --wall=20
# The interval of heap snapshots can be changed, also from none.
idle 'options: proflog:sample=50,gcroot,output=/x,max-size=7M'
attach 0 "recording process $pid" --sample=50 --heapshot=1s
# A copy of the program for heap snapshots is no interval of them.
idle 'options: proflog:sample=50,gcroot,heapshot-fork'
attach 2 'cannot be changed' --sample=50
idle 'options: sample=50'
attach 2 "was loaded with 'sample=50'" --sample=50
idle
attach 2 "was loaded with ''" --sample=50
! grep -v '^status$' requests || fail 'a refused option changes the recording'

# ---- for some time ----

# timed STATUS TEXT OPTION...: with this text in the second of two lines.
timed ()
{
  timed_status=$1 text=$2
  shift 2
  rm -f log.mlpd
  run "$timed_status" attach "$pid" -o log.mlpd --duration 100ms "$@"
  test "$(wc -l <err)" = 2 || { cat err; fail "attach $*: not two lines"; }
  says err "recording process $pid to $path for 100ms; Ctrl-C ends it"
  says err "$text"
}
idle
timed 0 "another command has ended this recording; its log is $path"
printf '%s\n' ok 'recording: no' "log: $path" 'log: /dev/null' >reply
: >requests
timed 0 "the log is $path; read it with: proflog report $path"
requested 'set heapshot=ondemand' "output $path" start stop 'output /dev/null'
printf '%s\n' ok 'recording: no' "log: $path" 'log: /dev/null' 'problem: the disk is full' >reply
timed 3 "the log $path is incomplete: the disk is full"
printf '%s\n' ok 'recording: no' "log: ${path%.mlpd}.0007.mlpd" 'log: /dev/null' 'problem: ' >reply
timed 0 "the log is $path"
printf '%s\n' ok 'recording: no' 'log: none' 'log: /dev/null' >reply
timed 0 'another command has ended this recording'
printf '%s\n' ok 'recording: no' "log: $path" 'log: /dev/null' >reply
: >err
"$proflog" attach "$pid" -o log.mlpd --duration 1h >out 2>err &
attacher=$!
wait_for grep -q 'Ctrl-C ends it' err
kill -TERM $attacher
wait $attacher || fail "attach ends with $? after a signal"
says err "the log is $path"

run 3 attach "$pid" -o none/log.mlpd
says err 'cannot write the log: '

# What it refuses, at the beginning and at the end.
printf '%s\n' no 'recording: no' 'log: /dev/null' >reply
rm -f log.mlpd
run 3 attach "$pid" -o log.mlpd
same_lines err "proflog attach: process $pid: recording: no"
printf '%s\n' ok 'recording: no' "log: $path" 'log: /dev/null' >reply
: >err
"$proflog" attach "$pid" -o log.mlpd --duration 1h >out 2>err &
attacher=$!
wait_for grep -q 'Ctrl-C ends it' err
printf '%s\n' no 'there is no room' "log: $path" >reply
kill -TERM $attacher
wait $attacher
status=$?
test "$status" = 3 || fail "attach ends with $status where the end is refused"
same_lines err "proflog attach: recording process $pid to $path for 1h; Ctrl-C ends it" \
  "proflog attach: process $pid: there is no room"

# ---- connections that break ----

printf reset >reply
run 3 ctl "$pid" status
same_lines err "proflog ctl: process $pid: Connection reset by peer"
# The request cannot be sent.  A sanitizer has calls of its own.
if test "${SANITIZER:-no}" = no; then
  . "$tests/torture/lib.sh"
  mode=once kind=socket fails_only=send
  says_at 1 3 "proflog ctl: process $pid: No buffer space available" ctl "$pid" status
fi
# Where its socket is to be, another process listens.
sleep 60 &
other=$!
wait_for grep -qx sleep "/proc/$other/comm"
ln -s "proflog-$pid.control" "$XDG_RUNTIME_DIR/proflog-$other.control"
run 3 ctl "$other" status
same_lines err "proflog ctl: process $other: $XDG_RUNTIME_DIR/proflog-$other.control: Operation not permitted"
kill $other
idle

# ---- programs of GHC ----

# What looks like programs of GHC: without libproflog-ghc, with it, and one that writes an eventlog.
cp "$(command -v sleep)" haskell
printf '[+RTS <rtsopts> | -RTS <args>]' >>haskell
cp haskell live
printf PROFLOG_GHC >>live
cp "$logs/small.eventlog" written.eventlog
./haskell 60 &
haskell=$!
./live 60 &
live=$!
./haskell 60 3>>written.eventlog &
writing=$!
for started in $haskell $live $writing; do
  wait_for grep -q 'haskell\|live' "/proc/$started/comm"
done
not_attached ()
{
  run 3 attach "$1" -o log.mlpd
  same_lines err "proflog attach: process $1: $2"
}
not_attached $haskell "a GHC program without libproflog-ghc is recorded only from its start: 'proflog run PROGRAM' starts and records it"
not_attached $live "this GHC program has libproflog-ghc and no control socket: start it again with PROFLOG_GHC, or by \
'proflog run PROGRAM'"
not_attached $writing "it is a GHC program that writes its eventlog itself, which 'proflog top $writing' reads"
kill $haskell $live $writing

pid=$(cat ghc-pid)
for option in --heapshot --sample=50 --wall --zip; do
  attach 2 "process $pid: ${option%=*} is for Mono, and this is a GHC program" "$option"
done
printf '%s\n' ok 'recording: no' 'log: /tmp/x.eventlog' >reply
: >requests
attach 0 "recording process $pid to $path" --flush 1s
requested 'set flush=1s' "output $path" start
rm -f python*.eventlog
run 0 attach "$pid"
says err "$(pwd -P)/python"
says err '.eventlog until'

# Its end ends the recording, too.
printf '%s\n' ok 'recording: no' "log: $path" >reply
: >err
rm -f log.mlpd
"$proflog" attach "$pid" -o log.mlpd --duration 1h >out 2>err &
attacher=$!
wait_for grep -q 'Ctrl-C ends it' err
kill $ghc
ghc=
wait $attacher || fail "attach ends with $? after the program"
says err "the log is $path"
done_checks
