#!/bin/sh
# proflog serve --all: Prometheus sees two services all the time, though one is killed and started again; figures
# are those that the services count; each query of the dashboard returns rows.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/serve/lib.sh"
need curl prometheus promtool
compile service
use_runtime_dir
services= prometheus= browser=
trap 'kill -9 $services $served $prometheus $browser 2>/dev/null; rm -rf "$work"' EXIT

# start_service NAME IDLE DESCRIPTOR: it does what lines on the descriptor say; its number is in $pid.
start_service ()
{
  cp "$exe" "$work/$1.exe"
  rm -f "$work/input"
  mkfifo "$work/input"
  : >"$work/$1.out"
  LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    mono "--profile=proflog:format=17,alloc,exception,output=$work/$1.%p.mlpd" "$work/$1.exe" "$2" \
    <"$work/input" >"$work/$1.out" 2>"$work/$1.err" 7>&- 8>&- &
  pid=$! watched=$!
  services="$services $pid"
  eval "exec $3>'$work/input'"
  wait_for grep -q '^throws' "$work/$1.out"
}

# rest NAME DESCRIPTOR PID: the service rests, and what it has done is in its log.
rest ()
{
  before=$(grep -c '^done' "$work/$1.out")
  echo rest >&"$2"
  wait_for has_done "$1" $((before + 1))
  "$proflog" ctl "$3" flush >/dev/null || fail "$1 does not flush its log"
}

has_done ()
{
  test "$(grep -c '^done' "$work/$1.out")" -ge "$2"
}

# counted NAME KEY: what the service printed last.
counted ()
{
  awk -v key="$2" '$1 == key { value = $2 } END { print value }' "$work/$1.out"
}

# ask_prometheus KIND ARGUMENT...: what it answers, as lines, is in answer.
ask_prometheus ()
{
  kind=$1
  shift
  curl -sSG "http://$address/api/v1/$kind" "$@" >"$work/answer.json" || fail "Prometheus does not answer"
  "$json_paths" <"$work/answer.json" >"$work/answer" || fail "Prometheus answers no JSON"
  grep -q '^status	success' "$work/answer" || fail "Prometheus: $(cat "$work/answer.json")"
}

# seen METRIC: the value that Prometheus has of it now; nothing if there is none.
seen ()
{
  ask_prometheus query --data-urlencode "query=$1"
  awk -F '\t' '$1 == "data.result[0].value[1]" { print $2 }' "$work/answer"
}

is_seen ()
{
  test "$(seen "$1")" = "$2"
}

# becomes METRIC VALUE
becomes ()
{
  wait_for is_seen "$1" "$2"
  checks=$((checks + 1))
}

# settle PID...: Prometheus has all events of these, which rest, and there are no more.
settle ()
{
  for pid; do
    wait_for is_settled "$pid"
  done
}

is_settled ()
{
  events=$(curl -sf "${url}metrics" | awk -v pid="pid=\"$1\"" '/^proflog_events_total/ && index ($0, pid) { print $2 }')
  is_seen "proflog_events_total{pid=\"$1\"} - proflog_events_total{pid=\"$1\"} offset 1500ms" 0 \
    && is_seen "proflog_events_total{pid=\"$1\"}" "$events"
}

# becomes_counted NAME PID: of what the program counts, Prometheus has as much.
becomes_counted ()
{
  of="program=\"$1.exe\",pid=\"$2\""
  becomes "proflog_collections_total{$of,generation=\"0\"}" "$(counted "$1" collections:0)"
  becomes "proflog_collections_total{$of,generation=\"1\"}" "$(counted "$1" collections:1)"
  becomes "proflog_gc_pause_seconds_count{$of,generation=\"0\"}" "$(counted "$1" collections:0)"
  becomes "proflog_gc_pause_seconds_bucket{$of,generation=\"1\",le=\"+Inf\"}" "$(counted "$1" collections:1)"
  becomes "proflog_contentions_total{$of}" "$(counted "$1" contentions)"
  becomes "proflog_lock_wait_seconds_count{$of}" "$(counted "$1" contentions)"
  becomes "proflog_threads{$of}" "$(counted "$1" threads)"
  test "$(seen "proflog_alloc_objects_total{$of} >= bool $(counted "$1" objects)")" = 1 || fail "$1: too few objects"
}

# has_history PID: its page has figures.
has_history ()
{
  curl -sf "$url$1history" >"$work/history" && test "$(wc -c <"$work/history")" -gt 2
}

# begins_with_threads NAME PATH: the first figures of the page have all threads.
begins_with_threads ()
{
  wait_for has_history "$2"
  "$json_paths" <"$work/history" >"$work/figures"
  expect '[0].figures.threads' "$3"
}

orders=orders-$$ users=users-$$
start_service $orders 5 7
first=$pid
start_service $users 2 8
second=$pid

# What is still in the memory of the program is there at first, too.
serve --interval 200ms "$first" 7>&- 8>&-
begins_with_threads $orders "" 9
end_server INT 0

# The programs of other tests are left alone: they are not requested to flush.
for pid in $first $second; do
  "$proflog" ctl "$pid" set flush=50ms >/dev/null || fail "ctl set"
done
sleep 0.2
serve --all --interval 100ms --flush 0 --token-file "$work/token" 7>&- 8>&-
begins_with_threads $orders "$first/" 9
begins_with_threads $users "$second/" 6

cat >"$work/prometheus.yml" <<END
global: { scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:
  - job_name: proflog
    metrics_path: /$token/metrics
    static_configs: [{ targets: ['127.0.0.1:$port'] }]
END
: >"$work/prometheus.log"
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --web.listen-address=127.0.0.1:0 \
  >"$work/prometheus.log" 2>&1 7>&- 8>&- &
prometheus=$! watched=$!
wait_for grep -q 'Listening on' "$work/prometheus.log"
address=$(sed -n 's/.*msg="Listening on" address=\([0-9.:]*\).*/\1/p' "$work/prometheus.log" | head -n 1)
becomes "count (proflog_source_info{program=~\"$orders.exe|$users.exe\"})" 2
began=$(date +%s.%N)

# The runtime throws some exceptions as it starts, which the program does not count.
rest $orders 7 "$first"
rest $users 8 "$second"
settle "$first" "$second"
becomes_counted $orders "$first"
becomes_counted $users "$second"
thrown=$(seen "proflog_exceptions_total{pid=\"$first\"}")
of_runtime=$((thrown - $(counted $orders throws)))
test "$of_runtime" -ge 0 && test "$of_runtime" -le 3 || fail "$thrown exceptions"

# One is killed at work, and started again.
echo go >&7
echo go >&8
if has node chromium; then
  row='((pid) => [...document.querySelectorAll("#sources tbody tr")].find((r) => r.children[2].textContent === String(pid)))'
  browse \
    wait "$row($first)?.querySelector('.state').textContent === 'live'" \
    run "touch '$work/is-seen'; until test -s '$work/next'; do sleep 0.05; done" \
    wait "window.next = [...document.querySelectorAll('#sources tbody tr')].find((r) => r.children[0].textContent === '$orders.exe'
      && r.children[2].textContent !== '$first' && r.querySelector('.state').textContent === 'live')" \
    print "$row($first)?.querySelector('.state').textContent" \
    print "[...document.querySelectorAll('#plots figure')[1].querySelectorAll('.legend > span:not([hidden])')].filter((e) => /$orders/.test(e.textContent)).length" \
    wait "!$row($first)" \
    print "document.documentElement.scrollWidth <= innerWidth" \
    ${PROFLOG_SHOT:+shot "$PROFLOG_SHOT"} 7>&- 8>&- &
  browser=$!
  wait_for test -e "$work/is-seen"
fi
sleep 0.4
kill -9 "$first"
wait "$first" 2>/dev/null
last=$(counted $orders throws)
start_service $orders 5 7
third=$pid
"$proflog" ctl "$third" set flush=50ms >/dev/null || fail "ctl set"
echo "$third" >"$work/next"
becomes "proflog_source_info{pid=\"$third\",program=\"$orders.exe\"}" 1
# The exception whose line was not printed yet may be in the log.
counted=$((last + of_runtime))
becomes "last_over_time (proflog_exceptions_total{pid=\"$first\"}[5m]) - $counted >= bool 0" 1
test "$(seen "last_over_time (proflog_exceptions_total{pid=\"$first\"}[5m]) - $counted <= bool 1")" = 1 \
  || fail "the killed one has $(seen "last_over_time (proflog_exceptions_total{pid=\"$first\"}[5m])") exceptions, not $counted"
becomes "proflog_heap_bytes{pid=\"$first\"}" ""

# ---- the dashboard ----

sleep 1.5
"$json_paths" <"$tests/../docs/grafana-dashboard.json" >"$work/dashboard" || fail "the dashboard is not JSON"
sed -n 's/^panels\[.*\.expr	//p' "$work/dashboard" \
  | sed "s/\\\$program/($orders|$users).exe/g; s/\\\$__rate_interval/4s/g" >"$work/queries"
test "$(wc -l <"$work/queries")" -ge 15 || fail "few queries: $(cat "$work/queries")"
! grep -F '$' "$work/queries" || fail "a variable is not known"
while read -r query; do
  ask_prometheus query --data-urlencode "query=$query" </dev/null
  grep -q '^data\.result\[0\]\.value\[1\]' "$work/answer" || fail "no rows: $query"
  checks=$((checks + 1))
done <"$work/queries"
# Both are in the list of programs.
grep -q '	label_values(proflog_source_info, program)' "$work/dashboard" || fail "the dashboard has no list of programs"
ask_prometheus label/program/values --data-urlencode 'match[]=proflog_source_info'
says "$work/answer" "	$orders.exe"
says "$work/answer" "	$users.exe"

# ---- all that there was ----

rest $orders 7 "$third"
rest $users 8 "$second"
settle "$third" "$second"
becomes_counted $orders "$third"
becomes_counted $users "$second"
becomes "proflog_exceptions_total{pid=\"$third\"}" $((of_runtime + $(counted $orders throws)))
becomes "proflog_exceptions_total{pid=\"$second\"}" $((of_runtime + $(counted $users throws)))
ticks=$(sed 's/.*) //' "/proc/$second/stat" | awk '{ print $12 + $13 }')
becomes "abs (proflog_process_cpu_seconds_total{pid=\"$second\"} - $ticks / $(getconf CLK_TCK)) < bool 0.05" 1
curl -sf "${url}metrics" | promtool check metrics >"$work/judged" 2>&1 || fail "promtool: $(cat "$work/judged")"
test ! -s "$work/judged" || fail "promtool: $(cat "$work/judged")"

# all_the_time NAME: Prometheus has figures of it at each moment.
all_the_time ()
{
  ask_prometheus query_range --data-urlencode "query=count (proflog_events_total{program=\"$1.exe\"})" \
    -d "start=$began" -d "end=$ended" -d step=0.5
  moments=$(awk -v from="$began" -v to="$ended" 'BEGIN { print int ((to - from) / 0.5) + 1 }')
  there=$(grep -c '^data\.result\[0\]\.values\[[0-9]*\]\[1\]' "$work/answer")
  test "$moments" -ge 8 && test "$there" = "$moments" || fail "$1 was seen at $there of $moments moments"
}

ended=$(date +%s.%N)
all_the_time $orders
all_the_time $users

# The killed one goes.
is_gone ()
{
  test "$(curl -s -o "$work/answer" -w '%{http_code}' "$url$first/")" = 404 \
    && ! curl -sf "${url}metrics" | grep -q "pid=\"$first\""
}
wait_for is_gone
if test -n "$browser"; then
  wait "$browser" || fail "the page"
  test "$(tr '\n' ' ' <"$work/page")" = '"ended" 1 true ' || fail "the page: $(cat "$work/page")"
fi
exec 7>&- 8>&-
end_server INT 0
echo "$((checks + 4)) figures checked"
