#!/bin/sh
# The control socket: its answers, whose requests it serves, and that no one there harms the program.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

begin "status"
start_host alloc "repeat i 100
  fire gc_allocation nodes[\$i]
end
await $work/go"
[ "$(stat -c %a "$socket")" = 600 ] || fail "the socket has mode $(stat -c %a "$socket")"
ctl 0 status -v
grep -qx "pid: $pid" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "log: $log" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "recording: yes" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "classes: alloc gc gcmove exception monitor" "$work/reply" || fail "$(cat "$work/reply")"
ctl_json 0 status
grep -q "^{\"ok\":true,\"pid\":$pid,\"log\":\"$log\"" "$work/reply" || fail "$(cat "$work/reply")"
grep -q "\"lost_bytes_slow_output\":0," "$work/reply" || fail "$(cat "$work/reply")"

go_on "only what is not zero, with units, unless -v"
ctl 0 status
! grep -q -e '^lost ' -e '^problem' -e ': 0$' "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "bytes waiting limit: 33.6 MB" "$work/reply" || fail "$(cat "$work/reply")"
"$proflog" ctl -v "$pid" status >"$work/reply" || fail "ctl -v"
grep -qx "bytes waiting limit: 33554432" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "lost events no memory: 0" "$work/reply" || fail "$(cat "$work/reply")"

go_on "events that were written"
ctl 0 flush
ctl_json 0 status
grep -q '"events_written":100,"events_are_estimated":false,' "$work/reply" || fail "$(cat "$work/reply")"

go_on "list"
"$proflog" ctl >"$work/reply" 2>&1 || fail "list ended with $?"
grep -q "^ *$pid  .*proflog-host" "$work/reply" || fail "$(cat "$work/reply")"
for arguments in "--format json list" "list --format json"; do
  # shellcheck disable=SC2086
  "$proflog" ctl $arguments >"$work/reply" || fail "$arguments ended with $?"
  grep -q "^{\"ok\":true,\"processes\":\[.*{\"pid\":$pid,\"command\":\"" "$work/reply" \
    || fail "$arguments: $(cat "$work/reply")"
done

go_on "a program that is stopped"
kill -STOP "$pid"
wait_for grep -q '^State:	T' "/proc/$pid/status"
ctl 3 status
kill -CONT "$pid"
grep -q "process $pid does not answer: it is stopped" "$work/reply" || fail "$(cat "$work/reply")"
ctl 0 status -v

go_on "what makes no sense"
ctl 2 nosuch
grep -q "there is no 'nosuch'; there are status" "$work/reply" || fail "$(cat "$work/reply")"
ctl_json 2 nosuch
grep -q '^{"ok":false,"error":"usage","message":"there is no .nosuch.; there are status' \
  "$work/reply" || fail "$(cat "$work/reply")"
ctl 2 status now
grep -q "status takes no arguments" "$work/reply" || fail "$(cat "$work/reply")"
peer "
"
grep -q "^error usage" "$work/reply" || fail "an empty line: $(cat "$work/reply")"
peer "status"
grep -qx "pid: $pid" "$work/reply" || fail "a line without its end: $(cat "$work/reply")"
peer "json"
grep -q "^error usage" "$work/reply" || fail "only json: $(cat "$work/reply")"
peer "json status
status
"
[ "$(grep -c "^{" "$work/reply")" = 1 ] || fail "two lines: $(cat "$work/reply")"
peer "mark $(i=0; while [ $i -lt 40 ]; do printf 'word '; i=$((i + 1)); done)
"
grep -q "too many words" "$work/reply" || fail "$(cat "$work/reply")"
# Lines of all lengths about the longest that is taken.
for length in 4094 4095 4096 4097 70000; do
  head -c "$length" /dev/zero | tr '\0' x >"$work/line"
  echo >>"$work/line"
  "$control_peer" "$socket" <"$work/line" >"$work/reply" || fail "no connection"
  if [ "$length" -le 4095 ]; then
    grep -q "there is no 'xxx" "$work/reply" || fail "$length: $(cat "$work/reply")"
  elif [ "$length" -le 4097 ]; then
    grep -q "longer than 4095 bytes" "$work/reply" || fail "$length: $(cat "$work/reply")"
  fi
done
i=0
while [ $i -lt 50 ]; do
  head -c 3000 /dev/urandom | "$control_peer" "$socket" >"$work/reply" || fail "no connection"
  i=$((i + 1))
done
ctl 0 status -v

# cpu_ticks: processor time of the program, in hundredths of a second.
cpu_ticks () {
  sed 's/.*) //' "/proc/$pid/stat" | awk '{ print $12 + $13 }'
}

if command -v prlimit >/dev/null; then
  go_on "no descriptor is free for a client"
  limit=18
  prlimit --pid "$pid" --nofile=$limit:
  "$control_peer" "$socket" many 20 >"$work/hung" &
  many=$!
  wait_for grep -q connected "$work/hung"
  wait_for [ -L "/proc/$pid/fd/$((limit - 1))" ] # they are used from the lowest on
  before=$(cpu_ticks)
  sleep 1
  [ $(($(cpu_ticks) - before)) -lt 15 ] || fail "the thread is busy while it cannot accept a client"
  kill "$many"
  wait "$many" 2>/dev/null || :
  prlimit --pid "$pid" --nofile=256:
  ctl 0 status -v
fi

go_on "clients that hang"
"$control_peer" "$socket" many 60 >"$work/hung" &
many=$!
wait_for grep -q connected "$work/hung"
ctl 0 status -v
: >"$work/line"
"$control_peer" "$socket" hang "$work/go" <"$work/line" >"$work/hung2" &
wait_for grep -q connected "$work/hung2"
stop_host
wait "$many"
[ "$(tail -n 1 "$work/hung")" = 60 ] || fail "$(tail -n 1 "$work/hung") of 60 were sent away"
check same=alloc alloc=100
quiet

begin "many clients at once"
start_host alloc "await $work/go"
clients=
i=0
while [ $i -lt 40 ]; do
  "$proflog" ctl "$pid" status >"$work/reply$i" 2>&1 &
  clients="$clients $!"
  i=$((i + 1))
done
for client in $clients; do
  wait "$client" || fail "one of many clients ended with $?"
done
stop_host
quiet

go_on "the socket is gone with the program"
[ ! -e "$socket" ] || fail "$socket is left"
ctl 3 status
grep -q "there is no process $pid" "$work/reply" || fail "$(cat "$work/reply")"

begin "a process that was killed"
start_host alloc "await $work/never"
kill -9 "$pid"
wait "$pid" 2>/dev/null || :
running=
[ -e "$socket" ] || fail "the socket of a killed process is gone"
ctl 3 status
"$proflog" ctl >"$work/reply" 2>&1
! grep -q "^ *$pid " "$work/reply" || fail "it is listed"
[ ! -e "$socket" ] || fail "its socket is not removed"
rm -f "$log.spool"

begin "nocontrol"
start_host_without alloc,nocontrol "await $work/go"
ctl 3 status
grep -q "cannot be controlled" "$work/reply" || fail "$(cat "$work/reply")"
stop_host

begin "a child does not listen"
cat >"$work/child.scn" <<END
fork
  await $work/go
end
END
start_host alloc "$(cat "$work/child.scn")"
for child in $(cat "/proc/$pid/task/$pid/children"); do
  ctl_of "$child" 3 status
done
ctl 0 status -v
stop_host

begin "no directory for the socket"
(
  XDG_RUNTIME_DIR=$work/nowhere
  export XDG_RUNTIME_DIR
  record alloc "$scenarios/parallel.scn"
)

# Who is not the program's user: only root can try that.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null \
  && setpriv --reuid 65534 --clear-groups test -x "$control_peer"; then
  begin "another user"
  start_host alloc "await $work/go"
  chmod 755 "$work"
  chmod 777 "$XDG_RUNTIME_DIR"
  chmod 666 "$socket"
  echo status | setpriv --reuid 65534 --clear-groups "$control_peer" "$socket" >"$work/reply"
  grep -q "^error refused" "$work/reply" || fail "$(cat "$work/reply")"
  ! grep -q "log" "$work/reply" || fail "another user gets $(cat "$work/reply")"
  chmod 700 "$XDG_RUNTIME_DIR"
  ctl 0 status -v
  stop_host
fi
