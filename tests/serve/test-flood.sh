#!/bin/sh
# Another user of the machine, who does not know the secret, makes thousands of connections that come to no request:
# the owner is answered all the same; so is the owner if a program of the same user does that.  PROFLOG_FLOOD_S is how
# long each kind lasts, 3 s without it.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl python3
test "$(id -u)" = 0 || { leave_out "root" "takes another user's place"; exit 77; }
seconds=${PROFLOG_FLOOD_S:-3}
flood=
trap 'kill -9 $served $flood 2>/dev/null; rm -rf "$work"' EXIT

gzip -dc "$logs/module-alloc.mlpd.gz" >log.mlpd
serve log.mlpd

# answered KIND: the owner is, twenty times meanwhile; the times are in `times`.
answered ()
{
  : >times
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    # One that is closed before its request came connects again, as browsers do.
    curl -sf --max-time 20 --retry 3 --retry-all-errors --retry-delay 0 -o got -w '%{time_total}\n' "${url}metrics" >>times || fail "$1: the owner is not answered"
    grep -q '^proflog_events_total ' got || fail "$1: the owner gets something else"
  done
  # A median, as the machine may be busy.
  median=$(sort -n times | sed -n 10p)
  awk -v median="$median" 'BEGIN { exit median >= 1 }' || fail "$1: the owner waits $median s"
}

for flooding in half trickle abort ask 'half of the owner' 'trickle of the owner' 'ask of the owner'; do
  kind=${flooding%% *} user=65534
  case $flooding in *owner) user=$(id -u) ;; esac
  python3 "$tests/serve/flood.py" "$port" "$user" "$kind" "$seconds" >made &
  flood=$!
  sleep 0.3
  answered "$flooding"
  kill -0 "$flood" 2>/dev/null || fail "$flooding: the flood was over before"
  # Few are connected.  (The rest was closed by the server, or waits to be closed.)
  ls -l "/proc/$served/fd" >fds
  open=$(grep -c socket: fds)
  wait "$flood" || fail "$kind: the flood failed"
  read -r number longest <made
  test "$number" -ge 100 || fail "$kind: only $number connections were made"
  test "$open" -le $((user == 65534 ? 60 : 320)) || fail "$kind: $open descriptors are open"
  case $kind in
    half | trickle)
      awk -v longest="$longest" 'BEGIN { exit longest > 8 }' || fail "$kind: a connection was open for $longest s"
      ;;
  esac
  echo "$flooding: $number connections, $open open, the longest $longest s; the owner waits $median s, at most $(sort -n times | tail -n 1)"
done

# Afterwards there is room for all again, and the owner may have more than the other.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  curl -sN --max-time 5 "${url}events" >events."$_" &
done
sleep 1
curl -sf --max-time 5 -o got "${url}metrics" || fail "the owner is not answered beside twelve readers of events"
wait_all=$(jobs -p | grep -vx "$served")
# shellcheck disable=SC2086
kill $wait_all 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  test -s events."$_" || fail "a reader of events got nothing"
done

# A file of the secret that another user owns can be changed by that user.
printf '%s\n' 0123456789abcdef0123456789abcdef >secret
chmod 600 secret
chown 65534 secret
run 2 serve --token-file secret log.mlpd
grep -q 'it belongs to another user (user id 65534)' err || fail "$(cat err)"
