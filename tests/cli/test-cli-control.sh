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
done_checks
