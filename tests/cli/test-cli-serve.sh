#!/bin/sh
# Figures over HTTP: what is served, to whom, and that no one there holds anything up.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl
need python3
first=
trap 'kill -9 $served $first 2>/dev/null; rm -rf "$work"' EXIT

# answers STATUS CURL-ARGUMENT...: what came is in body and head.
answers ()
{
  wanted=$1
  shift
  code=$(curl -s --max-time 20 -D head -o body -w '%{http_code}' "$@") || true
  test "$code" = "$wanted" || fail "curl $*: $code, not $wanted: $(cat body)"
  checks=$((checks + 1))
}

# has_metric NAME VALUE
has_metric ()
{
  test "$(metric "$1")" = "$2" || fail "$1 is '$(metric "$1")', not '$2'"
  checks=$((checks + 1))
}

# ---- one who stalls, to be inspected last, holds up no one ----

mkfifo feed go
exec 8<>feed
serve --interval 100ms - <feed
"$top_builddir/tests/serve/stalled-reader" "$port" "/$token/events" <go >stalled 8>&- &
stalled=$!
exec 9>go
gzip -dc "$logs/stock-alloc.mlpd.gz" >&8
metric_becomes proflog_events_total 3034
first=$served first_url=$url

# ---- metrics: what the report has of the same log, and all.figures ----

figure_of ()
{
  path=$1 awk -F '\t' '$1 == ENVIRON["path"] { sum += $2 } END { printf "%.0f\n", sum }' figures
}

seconds ()
{
  printf '%d.%09d\n' $(($1 / 1000000000)) $(($1 % 1000000000))
}

# metrics_of LOG: all that both state.
metrics_of ()
{
  run 0 report --format json "$1"
  read_json
  serve - <"$1"
  metric_becomes proflog_events_total "$(figure_of log.events)"
  has_metric proflog_log_bytes_total "$(figure_of log.bytes)"
  has_metric proflog_alloc_bytes_total "$(figure_of allocations.bytes)"
  has_metric proflog_alloc_objects_total "$(figure_of allocations.objects)"
  has_metric proflog_exceptions_total "$(figure_of exceptions.throws)"
  has_metric proflog_contentions_total "$(figure_of monitors.contentions)"
  has_metric proflog_wait_seconds_total "$(seconds "$(figure_of monitors.wait_total_ns)")"
  pauses=0 paused=0
  for generation in 0 1; do
    collections=$(figure_of "gc.generations[$generation].collections")
    pauses=$((pauses + $(figure_of "gc.generations[$generation].pauses")))
    paused=$((paused + $(figure_of "gc.generations[$generation].pause_total_ns")))
    has_metric "proflog_gc_pause_seconds_count{generation=\"$generation\"}" "$(figure_of "gc.generations[$generation].pauses")"
    has_metric "proflog_gc_pause_seconds_sum{generation=\"$generation\"}" \
      "$(seconds "$(figure_of "gc.generations[$generation].pause_total_ns")")"
    has_metric "proflog_gc_pause_seconds_bucket{generation=\"$generation\",le=\"+Inf\"}" \
      "$(figure_of "gc.generations[$generation].pauses")"
    test "$collections" = 0 || has_metric "proflog_collections_total{generation=\"$generation\"}" "$collections"
  done
  has_metric proflog_lock_wait_seconds_sum "$(seconds "$(figure_of monitors.wait_total_ns)")"
  has_metric proflog_pauses_total "$pauses"
  has_metric proflog_pause_seconds_total "$(seconds "$paused")"
  has_metric proflog_log_seconds "$(seconds "$(figure_of log.duration_ns)")"
  has_metric proflog_damages_total 0
}

metrics_of "$logs/all-v17.mlpd"
# Some by hand (all.figures), so that not both are wrong.
has_metric proflog_events_total 157
has_metric proflog_alloc_bytes_total 5248
has_metric proflog_heap_max_bytes 6442450944
has_metric proflog_live_bytes ""
if has promtool; then
  curl -sf "${url}metrics" | promtool check metrics >judged 2>&1 || fail "promtool: $(cat judged)"
  test ! -s judged || fail "promtool: $(cat judged)"
  # It reads OpenMetrics where these have times, and requests the end mark.
  curl -sf -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' "${url}metrics" >open
  sed '/^#/! s/$/ 1700000000/' open >timed
  promtool tsdb create-blocks-from openmetrics timed blocks >judged 2>&1 || fail "promtool: $(cat judged)"
  test "$(grep -c '^# UNIT' open)" -ge 5 || fail "no units: $(cat open)"
  mkdir -p blocks/wal # it looks there, too
  promtool tsdb dump blocks 2>/dev/null | grep -q '"proflog_alloc_bytes_total".* 5248 ' \
    || fail "promtool did not read the metrics"
  checks=$((checks + 3))
fi
answers 200 -H 'Accept: application/openmetrics-text' "${url}metrics"
grep -qi '^content-type: application/openmetrics-text; version=1.0.0' head || fail "$(cat head)"
answers 200 "${url}metrics"
grep -qi '^content-type: text/plain; version=0.0.4' head || fail "$(cat head)"
end_server INT 0
gzip -dc "$logs/stock-monitors.mlpd.gz" >monitors.mlpd
metrics_of monitors.mlpd
end_server TERM 0

# ---- who is let in ----

serve "$logs/ghc-collect-N2.eventlog.gz"
metric_becomes proflog_events_total 533
has_metric 'proflog_collections_total{generation="0"}' 12
has_metric proflog_live_bytes 322920
echo "$token" | grep -qx '[0-9a-f]\{32\}' || fail "the token is $token"
answers 200 "$url"
says body "<!doctype html>"
for header in \
  "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" \
  "x-content-type-options: nosniff" "referrer-policy: no-referrer" "cache-control: no-store" \
  "x-frame-options: DENY" "cross-origin-resource-policy: same-origin"; do
  tr -d '\r' <head | grep -qixF "$header" || fail "no header $header: $(cat head)"
  checks=$((checks + 1))
done
! grep -qi 'access-control-allow' head || fail "other pages may read it"
# Nothing of the page is from elsewhere, or stands in its text.
! grep -E '(src|href)="(https?:)?//|style=|<script>| on[a-z]+=' body || fail "the page has what its policy forbids"
answers 200 "${url}uPlot.iife.js"
same body "$tests/../third_party/uplot/uPlot.iife.js"
for file in page.css page.js plots.js icon.svg; do
  answers 200 "$url$file"
  same body "$tests/../decoder/serve/$file"
done
grep -qi '^content-type: image/svg' head || fail "$(cat head)"

base=http://127.0.0.1:$port
other=$(echo "$token" | tr '0-9a-f' '1-9a-f0')
for path in / /metrics "/$other/" "/$other/metrics" "/${token%?}/" "/${token}0/" "/$token" "/$token/../metrics" \
  "/$token/nothing" "//$token/" "/$token//" /favicon.ico; do
  answers 404 --path-as-is "$base$path"
  ! grep -q "$token" body head || fail "it states the token"
done
# Names that lead here are not ours: a page of theirs could read what it gets.
for host in evil.example "evil.example:$port" 127.0.0.1 "127.0.0.1:1" "127.0.0.1:$port.evil.example" \
  "evil.example@127.0.0.1:$port" "[::1]:$port"; do
  answers 403 -H "Host: $host" "$url"
done
answers 200 -H "Host: localhost:$port" "$url"
# Nor is a request ours that names two.
answers 403 -H "$(printf 'X-More: 1\nHost: 127.0.0.1:%s' "$port")" "$url"
answers 403 -H "$(printf 'X-More: 1\nHost: evil.example')" "$url"
answers 403 --http1.0 -H 'Host:' "$url"
# What stands behind a byte of 0 is not passed over; nor is a blank that hides how much there is.
cat >ask.py <<'END'
import socket, sys
port, token = int (sys.argv[1]), sys.argv[2].encode ()
host = b"Host: 127.0.0.1:%d" % port
for head in (b"", b"\r\nX-More: 1", b"\0evil.example", b"\0", b"\r\nX-More: 1\0", b"\r\nX-More:  1"):
    s = socket.create_connection (("127.0.0.1", port))
    s.sendall (b"GET /" + token + b"/metrics?a=%20b HTTP/1.1\r\n" + host + head + b"\r\nConnection: close\r\n\r\n")
    print (s.makefile ("rb").readline ().split ()[1].decode (), end=" ")
END
test "$(python3 ask.py "$port" "$token")" = '200 200 400 400 400 400 ' || fail "$(python3 ask.py "$port" "$token")"
for method in POST PUT DELETE OPTIONS PATCH TRACE; do
  answers 405 -X "$method" "$url"
  answers 405 -X "$method" "${url}metrics"
  answers 404 -X "$method" "$base/$other/control"
done
tr -d '\r' <head | grep -qi '^allow:' && fail "what is not there has methods"
answers 200 -I "${url}metrics"
answers 200 -I "${url}events"
answers 404 "${url}control" # no process
answers 404 -X POST -H 'X-Proflog-Command: 1' -d stop "${url}control"
# Long requests are not taken.
head -c 70000 /dev/zero | tr '\0' a >long
code=$(curl -s -o body -w '%{http_code}' -H "X-Long: $(cat long)" "$url") || true
test "$code" != 200 || fail "a header of 70000 bytes is taken"
answers 405 --data-binary @long "$url"
# At 127.0.0.1 and nowhere else.
hex=$(printf %04X "$port")
test "$(cat /proc/net/tcp /proc/net/tcp6 | awk -v port=":$hex" '$4 == "0A" && index ($2, port) { print $2 }')" = "0100007F:$hex" \
  || fail "it listens elsewhere"
checks=$((checks + 2))

# ---- events ----

# has_events COUNT: at least so many came.
has_events ()
{
  test "$(cat stream 2>/dev/null | grep -c "^event: figures")" -ge "$1"
}

# take_events COUNT CURL-ARGUMENT...: this many come into stream.
take_events ()
{
  count=$1
  shift
  curl -sN --max-time 100 "$@" "${url}events" >stream 8>&- &
  taker=$!
  wait_for has_events "$count"
  kill "$taker"
}
take_events 1
says stream "event: figures"
sed -n 's/^data: //p' stream | head -n 1 >out
read_json
expect figures.events_all 533
expect figures.alloc_bytes_all 4701168
expect ended true
expect control false
answers 200 "${url}history"
cp body out
read_json
grep -q '533$' figures || fail "the history has other figures: $(cat figures)"
end_server INT 0

# ---- options ----

run 2 serve --port 70000 "$small"
run 2 serve --port x "$small"
run 2 serve --interval 1ms "$small"
run 3 serve nothing.mlpd
says err "nothing.mlpd"
run 3 serve "$tests/cli/lib.sh"
run 2 serve
# A token of one's own: made if it is not there, and the same next time.
serve --token-file mine "$small"
mine=$(cat mine)
test "$token" = "$mine" || fail "the token is $token, not $mine"
test "$(stat -c %a mine)" = 600 || fail "the file's mode is $(stat -c %a mine)"
run 3 serve --port "$port" "$small"
says err "127.0.0.1:$port"
end_server TERM 0
serve --token-file mine "$small"
test "$token" = "$mine" || fail "the token is another one"
end_server TERM 0
chmod 644 mine
run 2 serve --token-file mine "$small"
says err "its mode is 644"
echo short >mine
chmod 600 mine
run 2 serve --token-file mine "$small"
echo 'not-a-token/of-more-than-22-characters' >mine
run 2 serve --token-file mine "$small"
# The address in a file.
: >address
"$proflog" serve -o address --force "$small" >out 2>err &
served=$!
until test -s address; do
  kill -0 "$served" || fail "the server ended"
  sleep 0.02
done
curl -sf "$(cat address)metrics" >body || fail "the address in the file is wrong: $(cat address)"
quiet out
end_server TERM 0

# ---- the first server again ----

served=$first url=$first_url
# Readers of events are limited; all else still answers.
readers= code=200
while test "$code" = 200; do
  for i in 1 2 3 4 5 6 7 8; do
    curl -sN --max-time 100 -o /dev/null "${url}events" 8>&- &
    readers="$readers $!"
  done
  code=$(curl -s --max-time 0.3 -o body -w '%{http_code}' "${url}events")
  test "$(echo "$readers" | wc -w)" -lt 200 || fail "there is no end of readers"
done
test "$code" = 503 || fail "a reader too many gets $code"
answers 200 "${url}metrics"
kill $readers 2>/dev/null # some had no room
# A reader that is gone makes room.
has_room ()
{
  test "$(curl -s --max-time 0.3 -o body -w '%{http_code}' "${url}events")" = 200
}
wait_for has_room
checks=$((checks + 2))

# A reader that had the first events, and comes again when the next ones are gone, gets their number.
# newest: the number of the newest event.
newest ()
{
  curl -sf "${url}history" | sed 's/.*{"id":\([0-9]*\),.*/\1/'
}
# newest_is NUMBER: at least that.
newest_is ()
{
  test "$(newest)" -ge "$1"
}
newest_becomes ()
{
  wait_for newest_is "$1"
}
# in_order NUMBER FILE: what is missing in the events, which begin with this number, was reported.
in_order ()
{
  tr -d '\r' <"$2" | awk -F '[:} ]+' -v next_id="$1" '
    /^data: {"frames":/ { next_id += $3; lost = 1 }
    /^id: / { if ($2 != next_id) { print "event " $2 " instead of " next_id; exit }; next_id++; after += lost }
    END { if (!after) print "nothing was lost" }' >wrong
  test ! -s wrong || fail "$(cat wrong)"
  checks=$((checks + 1))
}
newest_becomes 35
take_events 8 -H 'Last-Event-ID: 3' 9>&-
in_order 4 stream
# So is the one who stalled.
echo go >&9
wait "$stalled" || fail "the stalled reader got no more"
in_order "$(sed -n 's/^id: //p' stalled | head -n 1)" stalled
exec 8>&- 9>&-
first=
end_server TERM 0
done_checks
