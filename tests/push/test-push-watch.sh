#!/bin/sh
# `proflog push --watch`: logs are sent when they are finished; without a server they wait in a queue with a bound.
. "${srcdir:-.}/tests/push/lib.sh"
need_built SQLITE proflog-query
need_built CURL proflog-push
need clickhouse-server curl python3
configure_shards

# begin_watch OPTION...: of folder/; the process is $watch.
begin_watch ()
{
  # What an earlier one said is not taken for its words: a signal to a shell that has yet to run it would be lost.
  rm -f out err
  "$proflog" push --to clickhouse --url "$url_1" --credentials credentials --retry 100ms --watch folder "$@" \
    >out 2>err &
  watch=$!
}

# end_watch STATUS
end_watch ()
{
  kill -TERM $watch
  wait $watch
  status=$?
  test $status = "$1" || fail "push --watch: status $status"
  checks=$((checks + 1))
}

# queued N: so many logs wait.
queued ()
{
  test "$(find "${queue:-folder/.proflog-push}" -type f | wc -l)" = "$1"
}

# sent NAME...: these logs are there, and no others.
sent ()
{
  printf 'folder/%s\n' "$@" | sort >expected
  curl -s -u writer:s3cret --data-binary "SELECT DISTINCT log_name FROM proflog.ledger WHERE table_name = 'figures' ORDER BY log_name" \
    "$url_1/" >sent
  cmp -s expected sent
}

case='no server'
mkdir -p folder/sub
cp "$logs/stock-alloc.mlpd.gz" "$logs/stock-calls.mlpd.gz" folder
cp "$logs/ghc-ticks.eventlog.gz" folder/sub
touch -d '1 minute ago' folder/*.gz folder/sub/*.gz
begin_watch
wait_for test -d folder/.proflog-push
wait_for queued 3
# What the program deletes is still there.
rm folder/stock-alloc.mlpd.gz
start_shard 1
wait_for sent stock-alloc.mlpd.gz stock-calls.mlpd.gz sub/ghc-ticks.eventlog.gz
wait_for queued 0
test "$(grep -c 'logs wait in folder/.proflog-push' err)" = 1 || fail 'the missing server is not reported once'

case='a log that is being written'
exec 3>folder/later.mlpd
zcat "$logs/stock-threads.mlpd.gz" >&3
sleep 4
sent stock-alloc.mlpd.gz stock-calls.mlpd.gz sub/ghc-ticks.eventlog.gz || fail 'it was sent before its end'
exec 3>&-
wait_for sent stock-alloc.mlpd.gz stock-calls.mlpd.gz sub/ghc-ticks.eventlog.gz later.mlpd

# Of the container beside that of the program it sees no process: it waits longer.
case='a log of another container'
if unshare --pid --fork --mount-proc true 2>/dev/null; then
  end_watch 0
  unshare --pid --fork --mount-proc "$proflog" push --to clickhouse --url "$url_1" --credentials credentials \
    --retry 100ms --watch folder >out 2>err &
  watch=$!
  exec 3>folder/beside.mlpd
  zcat "$logs/stock-samples.mlpd.gz" >&3
  sleep 4
  sent stock-alloc.mlpd.gz stock-calls.mlpd.gz sub/ghc-ticks.eventlog.gz later.mlpd || fail 'it was sent before its end'
  exec 3>&-
  touch -d '1 minute ago' folder/beside.mlpd
  wait_for sent stock-alloc.mlpd.gz stock-calls.mlpd.gz sub/ghc-ticks.eventlog.gz later.mlpd beside.mlpd
  pkill -TERM -P $watch
  wait $watch || fail "push --watch in a container: status $?"
  checks=$((checks + 1))
  begin_watch
fi

case='what is no log'
echo text >folder/text.mlpd
touch -d '1 minute ago' folder/text.mlpd
wait_for grep -q 'text.mlpd: not a profiler log' err
end_watch 3

rm folder/text.mlpd
case='it was sent before'
begin_watch
wait_for grep -q 'later.mlpd: was sent before' out
end_watch 0

case='a bound'
stop_shards
shard_1=
rm -r folder
mkdir folder
# On another file system, where there is one: copies.  What is not the queue's stays, and is not counted.
queue=$data/waiting
mkdir -p "$queue/$(printf '%050d' 1)"
touch "$queue/short" "$queue/$(printf '%042d%%zz' 1)"
for i in 1 2 3 4; do
  "$top_builddir/tests/logs/make-wide" $i 2500 0 0 >folder/$i.mlpd
  touch -d "$((60 - i)) minutes ago" folder/$i.mlpd
done
begin_watch --queue "$queue" --queue-size 1M
wait_for grep -q 'the queue is full' err
wait_for grep -q 'wait in' err
bytes ()
{
  test "$(find "$queue" -type f -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')" -le 1048576
}
wait_for bytes
sleep 2
end_watch 3
for i in 2 3 4; do
  waiting=$(find "$queue" -name "*%2F$i.mlpd")
  test -z "$waiting" || cmp "$waiting" folder/$i.mlpd || fail "log $i is not what waits"
done
test -n "$waiting" || fail 'the newest log does not wait'
dropped=$(sed -n 's/.*full: \([0-9]*\) logs.*/\1/p' err | awk '{ n += $1 } END { print n }')
waiting=$(find "$queue" -name '*.mlpd' | wc -l)
test -e "$queue/short" || fail 'a file that is not of the queue is gone'
test ! -e "$queue/.new" || fail 'a part of a copy is left'
test $((dropped + waiting)) = 4 || fail "$dropped logs were dropped and $waiting wait"
find "$queue" -name '*1.mlpd' | grep -q . && fail 'the oldest log waits'
echo "$checks checks passed"
