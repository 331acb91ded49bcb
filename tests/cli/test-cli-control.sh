#!/bin/sh
# Requests to programs whose control socket does not behave as the module's.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

use_runtime_dir
: >requests
: >reply
python3 "$tests/cli/control-stub.py" "$XDG_RUNTIME_DIR" reply requests >pid &
watched=$!
trap 'kill "$watched"; rm -rf "$work"' EXIT
wait_for test -s pid
pid=$(cat pid)

# Messages have the process's number.
run 3 ctl "$pid" status
says err "process $pid: it ended, or is too busy with other clients"
printf 'ok\0\n' >reply
run 3 ctl "$pid" status
says err "process $pid: its reply is invalid"

head -c 17000000 /dev/zero | tr '\0' x >reply
run 3 ctl "$pid" status
says err "process $pid: its reply is longer than "

# What a program replies to `detach`.
printf 'no\n' >reply
run 3 detach "$pid"
says err "process $pid: the reply is invalid"
printf 'error\nthe disk is full\n' >reply
run 3 detach "$pid"
says err "process $pid: the disk is full"
printf 'ok\nrecording: no\nlog: /dev/null\n' >reply
run 0 detach "$pid"
says err "process $pid is not being recorded"

# Logs that cannot be followed.
printf 'ok\nrecording: yes\nlog: /dev/full\n' >reply
run 3 follow "$pid"
says err "process $pid: its log goes to /dev/full, which no other process can read"
printf 'ok\nrecording: yes\n' >reply
run 3 follow "$pid"
says err "process $pid: its log goes to nowhere, which no other process can read"
printf 'ok\nrecording: no\nlog: /dev/null\n' >reply
run 3 follow "$pid"
says err "process $pid is not recorded any more; this records it again: proflog attach $pid"

# A flush interval of 49 days and more is one: a request at the beginning, and no other.
"$proflog" cut -q --time-range=0~50% "$logs/all-v17.mlpd" -o part.mlpd || fail "no log"
head -c -1 part.mlpd >open.mlpd
printf 'ok\nrecording: yes\nlog: %s\n' "$work/open.mlpd" >reply
: >requests
run 0 follow --flush 4294967296ms --timeout 1s "$pid"
test "$(grep -c '^flush$' requests)" = 1 || fail "$(grep -c '^flush$' requests) requests to flush"
# Below a millisecond it is one, and not never.
: >requests
run 0 follow --flush 100us --timeout 300ms "$pid"
test "$(grep -c '^flush$' requests)" -gt 1 || fail "$(grep -c '^flush$' requests) requests to flush"

# The program goes on in other files, of which some are not there any more.
python3 "$tests/cli/split-log.py" "$logs/all-v17.mlpd" "$work/f" 5
# goes_on NUMBER: it writes file NUMBER of 5, and names this one alone.
goes_on ()
{
  printf 'ok\nrecording: yes\nlog: %s\nfiles: %s\n  number %s, name %s\n' \
    "$work/f.000$1.mlpd" "$1" "$1" "$work/f.000$1.mlpd" >reply.new
  mv reply.new reply
}
mv f.0002.mlpd whole.mlpd
for next in 4 5; do
  head -c -1 whole.mlpd >f.0002.mlpd
  goes_on 2
  : >out
  "$proflog" follow --timeout 2s "$pid" >out 2>err &
  follower=$!
  wait_for test -s out
  rm -f f.000[345].mlpd
  cp whole.mlpd "f.000$next.mlpd"
  goes_on "$next"
  tail -c 1 whole.mlpd >>f.0002.mlpd
  wait "$follower"
  case $next in
  4) says err "process $pid: file 3 of the log is missed: it is not there any more" ;;
  5) says err "process $pid: files 3 to 4 of the log are missed: they are not there any more" ;;
  esac
done
done_checks
