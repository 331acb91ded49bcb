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

# replied STATUS REPLY OUTPUT ARGUMENT...: what ctl prints of it.
replied ()
{
  replied_status=$1 printed=$3
  printf %b "$2" >reply
  : >requests
  shift 3
  run "$replied_status" ctl "$@"
  { cat out; sed 's/^proflog ctl: //' err; } >got
  printf %b "$printed" >expected
  same got expected
}
invalid="the program's reply is invalid"
replied 0 'ok\n' '' "$pid" flush
replied 0 'ok\nlast' 'last\n' "$pid" flush
replied 0 'ok\none\n\na\033[1mb\n' 'one\n\na?[1mb\n' "$pid" flush
replied 2 'error usage\nno such verb\n' 'no such verb\n' "$pid" frob
replied 3 'error failed\na\033[1mb\n' 'a?[1mb\n' "$pid" flush
for reply in 'error failed' 'error\nfailed\n' 'fine\n' '{"ok":true}\n'; do
  replied 3 "$reply" "$invalid\n" "$pid" flush
done
replied 0 '{"ok":true,"x":1}\n' '{"ok":true,"x":1}\n' --format json "$pid" flush
replied 2 '{"ok":false,"error":"usage","x":1}' '{"ok":false,"error":"usage","x":1}\n' -f json "$pid" flush
replied 3 '{"ok":false,"error":"failed"}\n' '{"ok":false,"error":"failed"}\n' -f json "$pid" flush
replied 3 'ok\n' "{\"ok\":false,\"error\":\"failed\",\"message\":\"$invalid\"}\n" -f json "$pid" flush
test "$(cat requests)" = 'json flush' || fail "the request is '$(cat requests)'"

# What is requested: paths are whole.
printf 'ok\n' >reply
here=$(pwd -P)
while IFS=% read -r arguments line; do
  : >requests
  # shellcheck disable=SC2086
  run 0 ctl "$pid" $arguments
  same_lines requests "$line"
done <<END
save x%save $here/x
save x --last 5s%save --last 5s $here/x
save --last=5s ./x%save --last 5s $here/x
output x%output $here/x
output +x%output +$here/x
output unix:x%output unix:$here/x
output unix-listen:../x%output unix-listen:${here%/*}/x
output #1%output #1
output |cat%output |cat
status -v%status
status --verbose%status
status%status
END
# usage TEXT ARGUMENT...: nothing is requested.
usage ()
{
  text=$1
  shift
  : >requests
  run 2 ctl "$@"
  says err "$text"
  quiet requests
}
usage 'save takes a file, and perhaps --last TIME' "$pid" save
usage 'save takes a file, and perhaps --last TIME' "$pid" save x --last
usage 'output takes one argument; put a command in quotes' "$pid" output '|cat' x
usage 'output takes one argument; put a command in quotes' "$pid" output --last=5s x
usage "no shell runs the command, which would get '>' as an argument" "$pid" output '|cat > x'
usage "'': arguments must not contain blanks" "$pid" set ''
usage "see 'proflog ctl --help'" list --nothing
run 3 ctl -f json 4194303 flush
says out '"error":"failed","message":"'

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
says err "process $pid is no longer being recorded; to restart: proflog attach $pid"

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

# The program goes on in other files, of which some are no longer there.
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
  4) says err "process $pid: file 3 of the log is missed: it is no longer there" ;;
  5) says err "process $pid: files 3 to 4 of the log are missed: they are no longer there" ;;
  esac
done
done_checks
