#!/bin/sh
# What proflog serve commands a program, for whom, and what it never does.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"
. "${srcdir:-.}/tests/serve/lib.sh"
need curl
trap 'touch "$work/more" "$work/again" "$work/go"; kill -9 $running $served 2>/dev/null || true; rm -rf "$work"' EXIT

# post STATUS CURL-ARGUMENT...: a request to control; what came is in body.
post () {
  wanted=$1
  shift
  code=$(curl -s --max-time 60 -o "$work/body" -w '%{http_code}' "$@" "${url}control") || true
  [ "$code" = "$wanted" ] || fail "curl $*: $code instead of $wanted: $(cat "$work/body")"
}

# command STATUS BODY: as the page does it.
command () {
  post "$1" -H 'X-Proflog-Command: 1' -H "Origin: http://127.0.0.1:$port" --data-binary "$2"
}

allocate () {
  echo "repeat i $1
  fire gc_allocation nodes[\$i]
end
print \"$2\""
}

begin "status"
start_host alloc "$(allocate 100 first)
await $work/more
$(allocate 50 second)
await $work/again
$(allocate 25 third)
await $work/go"
until_printed first
serve --interval 100ms --flush 100ms "$pid" </dev/null
metric_becomes proflog_alloc_objects_total 100
post 200
grep -q "^{\"ok\":true,\"pid\":$pid,\"log\":\"$log\",.*\"recording\":true,\"classes\":\[\"alloc\"," "$work/body" \
  || fail "$(cat "$work/body")"

go_on "what is refused"
for body in stop "stop now"; do
  post 403 --data-binary "$body"
  for origin in null https://evil.example "http://evil.example:$port" "https://127.0.0.1:$port" http://127.0.0.1 \
    "http://127.0.0.1:$port.evil.example"; do
    post 403 -H 'X-Proflog-Command: 1' -H "Origin: $origin" --data-binary "$body"
  done
  post 403 -H 'X-Proflog-Command: 1' -H "Host: evil.example:$port" --data-binary "$body"
  for method in PUT DELETE PATCH OPTIONS; do
    post 405 -H 'X-Proflog-Command: 1' -X "$method" --data-binary "$body"
  done
  # Read as what it is, whatever stands after it.
  post 200 -X GET -H 'X-Proflog-Command: 1' --data-binary "$body"
done
for body in "" status "output $work/other" "set flush=1s" "mark here" "json stop" "stop " " stop" "stop stop" \
  "stop
" "stop
start" enable "enable ../alloc" "enable alloc;stop" Stop; do
  command 400 "$body"
done
command 413 "enable $(head -c 300 /dev/zero | tr '\0' a)"
# One that is longer than it says, piece by piece.
head -c 100000 /dev/zero | tr '\0' a \
  | curl -s --max-time 60 -o "$work/body" -H 'X-Proflog-Command: 1' -H 'Transfer-Encoding: chunked' --data-binary @- \
    "${url}control" && fail "it is taken: $(cat "$work/body")"
ctl 0 status -v
grep -qx "recording: yes" "$work/reply" || fail "something stopped it: $(cat "$work/reply")"
grep -qx "log: $log" "$work/reply" || fail "something led it elsewhere: $(cat "$work/reply")"
[ ! -e "$work/other" ] || fail "something was written"

go_on "stop and start"
command 200 stop
grep -q '^{"ok":true' "$work/body" || fail "$(cat "$work/body")"
ctl 0 status -v
grep -qx "recording: no" "$work/reply" || fail "$(cat "$work/reply")"
touch "$work/more"
until_printed second
command 200 start
touch "$work/again"
until_printed third
metric_becomes proflog_alloc_objects_total 125

go_on "classes"
command 200 "disable alloc monitor"
post 200
grep -q '"classes":\["gc","gcmove","exception"\]' "$work/body" || fail "$(cat "$work/body")"
command 200 "enable alloc"
post 200
grep -q '"classes":\["alloc","gc"' "$work/body" || fail "$(cat "$work/body")"
command 409 "enable nosuch"
grep -q '^{"ok":false,"error":"usage","message":".*nosuch' "$work/body" || fail "$(cat "$work/body")"

go_on "a program that does not answer"
kill -STOP "$pid"
curl -s --max-time 60 -o "$work/late" -H 'X-Proflog-Command: 1' -d sync "${url}control" &
curl=$!
sleep 0.3
metric_becomes proflog_alloc_objects_total 125
end_server TERM 0
wait "$curl" || true
[ ! -s "$work/late" ] || fail "there is an answer: $(cat "$work/late")"
kill -CONT "$pid"
stop_host

begin "a log that goes to a socket is left to its one reader"
log=unix-listen:$work/reader
start_host alloc "await $work/go"
serve --all --interval 100ms </dev/null
wait_for grep -qx "proflog serve: process $pid is left out: its log goes to the socket $work/reader, which accepts one \
reader; to read it, give the process id instead of --all" "$work/serve.err"
end_server TERM 0
stop_host
