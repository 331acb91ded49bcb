#!/bin/sh
# Programs are found wherever they run: with their own runtime directory, a private /tmp, as another user, in
# containers; by number and by name.  Those that are not profiled are named with the line that mends it.
. "${srcdir:-.}/tests/mono/lib.sh"
compile control
programs_started=
trap 'kill -9 $programs_started 2>/dev/null; rm -rf "$work"' EXIT
use_runtime_dir
chmod 755 "$work"
mkdir -m 700 "$work/own"
# Other programs of this machine are no concern of the test.
cp "$programs/control.exe" "$work/found-$$.exe"
chmod 644 "$work/found-$$.exe"
exe=$work/found-$$.exe
name=found-$$
profile="mono --profile=proflog:flush=50ms,alloc,format=17"

# A /tmp of its own, in which only the folders of this test are the same.
cat >"$work/privately" <<END
set -e
mkdir -p "$work/private"
mount -t tmpfs none "$work/private"
for folder in "$work" "$top_builddir" "$tests"; do
  case \$folder in
    /tmp/*) mkdir -p "$work/private/\${folder#/tmp/}" && mount --bind "\$folder" "$work/private/\${folder#/tmp/}" ;;
  esac
done
mount --rbind "$work/private" /tmp
unset XDG_RUNTIME_DIR
exec "\$@"
END

# start NUMBER COMMAND...: a program that does what lines on descriptor 7 (8) say; it is in $pid.
start ()
{
  input=$1
  shift
  rm -f "$work/input"
  : >"$work/program.out"
  mkfifo "$work/input"
  LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@" <"$work/input" >"$work/program.out" \
    2>"$work/program.err" 7>&- 8>&- &
  pid=$! watched=$!
  programs_started="$programs_started $pid"
  eval "exec $input>'$work/input'"
  echo "count 10" >&"$input"
  wait_for grep -q '^done' "$work/program.out"
}

# stop NUMBER PID: the program ends when its input does.
stop ()
{
  eval "exec $1>&-"
  watched=
  wait "$2" || { cat "$work/program.err"; fail "the program ended with $?"; }
}

# proflog_to STATUS ARGUMENT...
proflog_to ()
{
  wanted=$1
  shift
  timeout 60 "$proflog" "$@" >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = "$wanted" || fail "proflog $* ended with $status, not $wanted"
  checks=$((checks + 1))
}

# child_of PID: the innermost process that it started, which is Mono.
child_of ()
{
  found=$1
  while child=$(cat "/proc/$found/task/$found/children" 2>/dev/null) && test -n "$child"; do
    found=${child%% *}
  done
  echo "$found"
}

# is_found PID LOG: it is listed, controlled by number and by name, and its log is read to the end, whatever
# name that has here.  $1 is its number here.
is_found ()
{
  proflog_to 0 ctl
  grep -q "^ *$1  recorded      mono .*$name" "$work/out" || fail "it is not listed"
  proflog_to 0 ctl --format json
  grep -q "{\"pid\":$1,\"command\":\"mono [^{}]*\",\"state\":\"recorded\",\"runtime\":\"mono\",\"mend\":null}" \
    "$work/out" || fail "it is not listed in JSON"
  proflog_to 0 ctl "$1" flush
  for program in "$1" "$name" "$name.exe"; do
    proflog_to 0 ctl "$program" status -v
    says "$work/out" "log: $2"
    proflog_to 0 follow "$program" --start beginning --timeout 300ms --format jsonl
    test "$(grep -c '"type":"Probe.Item"\|Probe.Item' "$work/out")" -ge 10 || fail "its events are missing"
    proflog_to 0 top "$program" --start beginning --timeout 300ms --format jsonl
    grep -q '"alloc_objects_all":[1-9][0-9]' "$work/out" || fail "top: its figures are missing"
  done
}

case="its own runtime directory"
echo "case: $case"
start 7 env "XDG_RUNTIME_DIR=$work/own" $profile,output="$work/own.mlpd" "$exe"
is_found "$pid" "$work/own.mlpd"
test -S "$work/own/proflog-$pid.control" || fail "it does not listen there"

case="two programs of one name"
echo "case: $case"
first=$pid
start 8 $profile,output="$work/second.mlpd" "$exe"
proflog_to 3 ctl "$name" status
says "$work/err" "2 programs have the name '$name': processes "
says "$work/err" "$first"
says "$work/err" "$pid"
proflog_to 2 top "$name"
says "$work/err" "2 programs have the name '$name': processes "
proflog_to 0 ctl "$pid" status
stop 8 "$pid"

case="one that is not profiled beside it"
echo "case: $case"
start 8 mono "$exe"
proflog_to 0 ctl "$name" status -v
says "$work/out" "pid: $first"
stop 7 "$first"
case="one that is not profiled"
echo "case: $case"
proflog_to 0 ctl
grep -q "^ *$pid  not profiled  mono $exe$" "$work/out" || fail "it is not listed"
grep -A 1 "^ *$pid  not profiled" "$work/out" | tail -n 1 | grep -q -x " *proflog attach $pid" \
  || fail "no line that mends it"
proflog_to 0 ctl list --format json
grep -q "\"state\":\"not profiled\",\"runtime\":\"mono\",\"mend\":\"proflog attach $pid\"}" "$work/out" \
  || fail "it is not listed in JSON"
for program in "$pid" "$name"; do
  proflog_to 3 ctl "$program" status
  says "$work/err" "process $pid is not profiled; this records it from now on: proflog attach $pid"
  for command in top follow serve; do
    test "$command" != serve || test -x "$top_builddir/proflog-serve" || continue
    proflog_to 3 "$command" "$program"
    says "$work/err" "proflog $command: process $pid is not profiled; this records it from now on: proflog attach $pid"
    test "$(wc -l <"$work/err")" = 1 || fail "$command: more than one line"
  done
done
proflog_to 2 top
grep -q "^ *$pid  not profiled  mono $exe$" "$work/err" || fail "top without arguments does not list it"
case="the line that mends it"
echo "case: $case"
if (cd "$work" && "$proflog" attach "$pid") >"$work/out" 2>"$work/err"; then
  proflog_to 0 ctl
  grep -q "^ *$pid  recorded      mono $exe$" "$work/out" || fail "it is not recorded then"
else
  grep -q "not permitted" "$work/err" || fail "attach"
  leave_out ptrace "is not permitted"
fi
stop 8 "$pid"
proflog_to 3 ctl "$name" status
says "$work/err" "no running Mono or GHC program is called '$name'"
proflog_to 3 ctl $$ status
says "$work/err" "process $$ is no program of Mono or GHC"

# ---- other files, other users ----

as_root=
test "$(id -u)" = 0 || as_root="-r"
if unshare $as_root -m true 2>"$work/err"; then
  case="a private /tmp"
  echo "case: $case"
  start 7 unshare $as_root -m sh "$work/privately" \
    $profile,output=/tmp/private-$$.mlpd "$exe"
  is_found "$pid" "/tmp/private-$$.mlpd"
  test ! -e "/tmp/private-$$.mlpd" || fail "/tmp is not private"
  case="files that follow when the program has ended"
  proflog_to 0 ctl "$pid" flush
  "$proflog" follow "$pid" --start beginning --format jsonl >"$work/followed" 2>"$work/err" 7>&- &
  follower=$!
  programs_started="$programs_started $follower"
  wait_for grep -q Probe.Item "$work/followed"
  echo "count 5" >&7
  stop 7 "$pid"
  wait "$follower" || fail "follow ended with $?"
  test "$(grep -c '"kind":"alloc".*Probe.Item' "$work/followed")" = 15 || fail "events are missing at the end"

  case="files that were begun before the program ended"
  echo "case: $case"
  start 7 unshare $as_root -m sh "$work/privately" $profile,rotate=1s,output=/tmp/rotated.mlpd "$exe"
  : >"$work/followed" # or the lines of the reader before are found
  "$proflog" follow "$pid" --start beginning --format jsonl >"$work/followed" 2>"$work/err" 7>&- &
  follower=$!
  programs_started="$programs_started $follower"
  wait_for grep -q Probe.Item "$work/followed"
  kill -STOP "$follower"
  for part in 1 2 3; do
    sleep 1.1
    echo "count $part" >&7
  done
  test -e "/proc/$pid/root/tmp/rotated.0002.mlpd" || fail "the log has one file"
  stop 7 "$pid"
  kill -CONT "$follower"
  wait "$follower" || fail "follow ended with $?"
  test "$(grep -c '"kind":"alloc".*Probe.Item' "$work/followed")" = 16 || fail "files are missing"

  if unshare $as_root -m -p -f --mount-proc true 2>"$work/err"; then
    case="a container"
    echo "case: $case"
    start 7 unshare $as_root -m -p -f --mount-proc --kill-child \
      sh "$work/privately" $profile,output=/tmp/private.mlpd "$exe"
    container=$pid
    pid=$(child_of "$pid")
    is_found "$pid" /tmp/private.mlpd
    stop 7 "$container"
  else
    leave_out unshare "process namespaces are not permitted"
  fi
else
  leave_out unshare "mount namespaces are not permitted"
fi

if unshare -U -r -m true 2>"$work/err"; then
  case="other user numbers"
  echo "case: $case"
  # Root of another namespace than this one is no root to the program.
  user=
  test "$(id -u)" != 0 || user="setpriv --reuid 65534 --regid 65534 --clear-groups"
  start 7 $user unshare -U -r -m sh "$work/privately" \
    $profile,output=/tmp/private.mlpd "$exe"
  is_found "$pid" /tmp/private.mlpd
  stop 7 "$pid"
else
  leave_out unshare "user namespaces are not permitted"
fi

if test "$(id -u)" = 0 && setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$module"; then
  case="another user"
  echo "case: $case"
  mkdir "$work/nobody"
  chown 65534:65534 "$work/nobody"
  chmod 700 "$work/nobody"
  as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups env -C / XDG_RUNTIME_DIR=$work/nobody"
  start 7 $as_nobody $profile,output="$work/nobody/log.mlpd" "$exe"
  is_found "$pid" "$work/nobody/log.mlpd"
  $as_nobody "$proflog" ctl "$name" status -v >"$work/out" 2>"$work/err" || fail "its own user does not find it"
  says "$work/out" "pid: $pid"
  case="a program of root"
  start 8 env "XDG_RUNTIME_DIR=$work/own" $profile,output="$work/root.mlpd" "$exe"
  $as_nobody "$proflog" ctl >"$work/out" 2>"$work/err" || fail "ctl ended with $?"
  ! grep -q "^ *$pid " "$work/out" || fail "another user's program is listed"
  $as_nobody "$proflog" ctl "$pid" status >"$work/out" 2>"$work/err" && fail "another user controls it"
  says "$work/err" "process $pid belongs to another user (user id 0)"
  stop 8 "$pid"
  exec 7>&-
  if unshare -m true 2>"$work/err"; then
    case="a service that is attached to: another user, with a private /tmp and a runtime directory of its own"
    echo "case: $case"
    start 8 unshare -m sh "$work/privately" setpriv --reuid 65534 --regid 65534 --clear-groups \
      env "XDG_RUNTIME_DIR=$work/nobody" mono "$exe"
    PROFLOG_MODULE_DIR=$module_dir proflog_to 0 attach "$name" -o /tmp/attached.mlpd
    proflog_to 0 ctl "$name" heapshot
    proflog_to 0 detach "$pid"
    proflog_to 0 check "/proc/$pid/root/tmp/attached.mlpd"
    proflog_to 0 heap --format json list "/proc/$pid/root/tmp/attached.mlpd"
    says "$work/out" '"state": "complete"'
    test ! -e /tmp/attached.mlpd || fail "/tmp is not private"
    stop 8 "$pid"
  fi
else
  leave_out root "cannot run programs of another user"
fi

# ---- each way by itself ----

if has python3; then
  # A listener whose number is in its socket's name: its environment or the kernel alone states the folder.
  cat >"$work/listener.py" <<'END'
import os, socket, sys
listener = socket.socket (socket.AF_UNIX)
os.chdir (os.path.dirname (sys.argv[1]))
listener.bind (sys.argv[1] % os.getpid () if sys.argv[2] == "whole" else os.path.basename (sys.argv[1]) % os.getpid ())
listener.listen ()
print ("listens", flush=True)
while True:
  client = listener.accept ()[0]
  if client.recv (100):
    client.sendall (b"ok\nhello\n")
  client.close ()
END
  for way in whole relative; do
    case="a socket with its $way path in the kernel"
    echo "case: $case"
    runtime=
    test $way = whole || runtime=XDG_RUNTIME_DIR=$work/own
    rm -f "$work/listens"
    env -u XDG_RUNTIME_DIR $runtime python3 "$work/listener.py" "$work/own/proflog-%d.control" $way >"$work/listens" 7>&- 8>&- &
    listener=$!
    programs_started="$programs_started $listener"
    wait_for grep -q -s listens "$work/listens"
    proflog_to 0 ctl "$listener" flush
    says "$work/out" hello
    kill "$listener"
    wait "$listener" 2>/dev/null
  done

  if unshare -U -r -m true 2>"$work/err"; then
    case="a socket in the directory of another user number"
    echo "case: $case"
    user=
    test "$(id -u)" != 0 || user="setpriv --reuid 65534 --regid 65534 --clear-groups"
    rm -f "$work/listens"
    $user unshare -U -r -m sh "$work/privately" sh -c 'mkdir -m 700 /tmp/proflog-0 && exec "$@"' sh \
      python3 "$work/listener.py" /tmp/proflog-0/proflog-%d.control relative >"$work/listens" 7>&- 8>&- &
    listener=$!
    programs_started="$programs_started $listener"
    wait_for grep -q -s listens "$work/listens"
    proflog_to 0 ctl "$listener" flush
    says "$work/out" hello
    kill "$listener"
  fi

  case="the socket of another process"
  echo "case: $case"
  rm -f "$work/listens"
  python3 "$work/listener.py" "$work/own/proflog-%d.control" whole >"$work/listens" 7>&- 8>&- &
  listener=$!
  programs_started="$programs_started $listener"
  wait_for grep -q -s listens "$work/listens"
  start 8 env "XDG_RUNTIME_DIR=$work/own" mono "$exe"
  ln -s "proflog-$listener.control" "$work/own/proflog-$pid.control"
  proflog_to 3 ctl "$pid" status
  says "$work/err" "process $pid is not profiled"
  stop 8 "$pid"
  kill "$listener"
fi
echo "$checks checks"
