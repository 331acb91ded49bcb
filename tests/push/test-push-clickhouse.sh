#!/bin/sh
# `proflog push --to clickhouse`, with two shards: what they add up equals reports of a hundred logs of both formats,
# after a second push, after the death of the pusher and of a server, too.
. "${srcdir:-.}/tests/push/lib.sh"
need_built SQLITE proflog-query
need_built CURL proflog-push
need clickhouse-server curl python3
configure_shards
start_shard 1
start_shard 2

# A hundred logs: all of them, and halves.
mkdir set
cp "$logs"/all-v*.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz "$logs"/ghc-*.eventlog.gz "$small" "$logs/small.eventlog" set/
for log in set/ghc-*.eventlog.gz set/stock-*.mlpd.gz; do
  type=mlpd
  case $log in *.eventlog.gz) type=eventlog ;; esac
  for half in 0~50% 50%~100%; do
    part=set/$(basename "$log" ".$type.gz")-${half%%~*}.$type
    "$proflog" cut -q --time-range "$half" "$log" -o "$part" 2>/dev/null || rm -f "$part"
  done
done
set -- set/*
test $# -ge 100 || fail "there are only $# logs"
python3 "$tests/push/report-sums.py" "$proflog" "$@" >expected || fail "report-sums.py"
test "$(wc -l <expected)" = 16 || fail "$(wc -l <expected) figures are expected"

# sums_of NAME COLUMN TABLE [CONDITION]: a line as expected has it.
sum_of ()
{
  printf '%s %s\n' "$1" "$(ask "$url_2" "SELECT $2 FROM proflog.$3${4:+ WHERE $4}")"
}

figure_of ()
{
  sum_of "$1" 'sum(toUInt64OrZero(value))' figures "key = '$2'"
}

# same_sums: what the shards have is what the reports state.
same_sums ()
{
  {
    figure_of events log.events
    figure_of pauses gc.pause_total_ns
    figure_of collections gc.collections
    figure_of allocated allocations.bytes
    figure_of 'heap allocated' heap.allocated_bytes
    sum_of 'wait counts' 'sum(count)' wait_kinds
    sum_of 'wait times' 'sum(total_ns)' wait_kinds
    sum_of threads 'count()' threads
    sum_of 'type bytes' 'sum(bytes)' allocations_types
    sum_of 'type objects' 'sum(objects)' allocations_types
    sum_of calls 'sum(calls)' calls_methods
    sum_of 'self times' 'sum(self_ns)' calls_methods
    sum_of throws 'sum(throws)' exceptions_types
    sum_of 'lock waits' 'sum(wait_total_ns)' monitors_objects
    sum_of 'run times' 'sum(run_ns)' threads
    sum_of 'cap collections' 'sum(collections)' caps
  } | LC_ALL=C sort >sums
  LC_ALL=C sort expected >sorted
  same sorted sums
}

case='a push'
push 0 --label release=1.2 --label version=7 --host web1 set
quiet
test "$(wc -l <out)" = $# || fail "not a line for each log"
same_sums
for url in "$url_1" "$url_2"; do
  test "$(ask "$url" 'SELECT count() FROM proflog.figures_local')" -gt 1000 || fail "$url has hardly any rows"
done
echo "web1	7	1.2" >expected_label
ask "$url_1" "SELECT DISTINCT log_host, log_version, log_labels.value[indexOf(log_labels.name, 'release')] FROM proflog.threads" >labels
same labels expected_label

case='docs/fleet.md'
mkdir queries
write_fleet_queries queries
test "$(ls queries | wc -l)" -ge 10 || fail 'docs/fleet.md has not ten queries'
for query in queries/*; do
  ask "$url_2" "$(tr -d ';' <"$query")" >rows
  # Only the first asks for what no log has: damage.
  grep -q damage "$query" || test -s rows || fail "no rows: $(cat "$query")"
  checks=$((checks + 1))
done

case='a second push adds nothing'
push 0 "$@"
test "$(grep -c 'was sent before' out)" = $# || fail 'a log was sent twice'
same_sums
# ... of files of other names, too.
cp set/stock-threads.mlpd.gz renamed.mlpd.gz
push 0 renamed.mlpd.gz
says out 'renamed.mlpd.gz: was sent before'

# Events of a log of many batches: of 25 threads, five call the methods of all types, five those of every second
# one, ...
"$top_builddir/tests/logs/make-wide" 25 30000 0 0 >many.mlpd || fail 'no log of many events'
events=$((5 * (30000 + 15000 + 10000 + 7500 + 6000)))

# are_sent DATABASE: each call is there once.
are_sent ()
{
  for table in method_enter method_leave alloc; do
    ask "$url_1" "SELECT count(), uniqExact(log_batch, log_row), max(log_batch) > 2 FROM $1.$table" >counts
    printf '%s\t%s\t1\n' $events $events >all
    same counts all
  done
}

# begin_push DATABASE: sends it; the process is $pusher.
begin_push ()
{
  "$proflog" push --to clickhouse --url "$url_1" --url "$url_2" --cluster fleet --credentials credentials --retry 30s \
    --tables 'method_*,alloc' --database "$1" many.mlpd >out 2>err &
  pusher=$!
}

# end_push STATUS: it ends.
end_push ()
{
  wait $pusher
  status=$?
  test $status = "$1" || fail "push: status $status, not $1"
  checks=$((checks + 1))
}

# rows_of DATABASE: how many rows of events the servers have, of both.
rows_of ()
{
  for url in "$url_1" "$url_2"; do
    curl -s -u writer:s3cret --data-binary "SELECT sum(rows) FROM system.parts
      WHERE active AND database = '$1' AND (table LIKE 'method%' OR table LIKE 'alloc%')" "$url/"
  done | awk '{ n += $1 } END { print n + 0 }'
}

# has_rows DATABASE N
has_rows ()
{
  test "$(rows_of "$1")" -ge "$2"
}

case='the pusher is killed'
for rows in 1 150000 400000 800000; do
  begin_push killed
  watched=$pusher
  wait_for has_rows killed $rows
  watched=
  kill -9 $pusher || fail 'the push was over before'
  wait $pusher 2>/dev/null
done
begin_push killed
end_push 0
are_sent killed
begin_push killed
end_push 0
says out 'was sent before'

case='the servers are killed'
begin_push down
wait_for has_rows down 300000
stop_shards
kill -0 $pusher || fail 'the push was over before'
start_shard 1
start_shard 2
end_push 0
begin_push down
end_push 0
are_sent down

case='there is no server'
stop_shards
shard_1= shard_2=
push 3 --retry 1s many.mlpd
says err "$url_1"
start_shard 1
start_shard 2
same_sums

case='a wrong password'
printf 'user=writer\npassword=wrong\n' >wrong
chmod 600 wrong
"$proflog" push --to clickhouse --url "$url_1" --credentials wrong many.mlpd >out 2>err
status=$?
test $status = 3 || fail "push: status $status, not 3"
says err 'Wrong password'

case='without texts'
printf 'user=writer\npassword=s3cret\nkey=a key of some length\n' >keyed
chmod 600 keyed
"$proflog" push --to clickhouse --url "$url_1" --credentials keyed --database hidden --tables all --anonymize "$logs/stock-calls.mlpd.gz" >out 2>err \
  || fail 'push --anonymize'
"$proflog" report -q --format json "$logs/stock-calls.mlpd.gz" | python3 -c '
import json, sys
report = json.load(sys.stdin)
names = {t["name"] for t in report["allocations"]["types"]} | {m["name"] for m in report["calls"]["methods"]}
print(*sorted(n for n in names if not n.startswith(("System.", "Mono.", "Microsoft.", "("))), sep="\n")' >names
test "$(wc -l <names)" -ge 10 || fail 'the log has hardly any names'
for table in $(ask "$url_1" "SELECT name FROM system.tables WHERE database = 'hidden'"); do
  ask "$url_1" "SELECT * FROM hidden.$table"
done >rows
test "$(wc -l <rows)" -gt 1000 || fail 'hardly any rows'
grep -F -f names rows >found && fail "names that are to be hidden: $(head -n 3 found)"
grep -q -F -e "$logs" -e "$(uname -n)" rows && fail 'the name of a file or the host is not hidden'
echo "$checks checks passed"
