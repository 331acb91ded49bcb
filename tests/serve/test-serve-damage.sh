#!/bin/sh
# proflog serve names damage of its logs, and has all that can be read, though a part waits for what never comes.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl
trap 'kill -9 $served 2>/dev/null; rm -rf "$work"' EXIT

cp "$logs/all-v17.mlpd" v18.mlpd
overwrite v18.mlpd 6 '\022'
run 0 info v18.mlpd
says err "data version 18; known are profiler versions 0 to 3 and data versions 1 to 17"
cp err expected
serve --interval 100ms v18.mlpd </dev/null
metric_becomes proflog_events_total 157
wait_for test -s serve.err
same serve.err expected
end_server TERM 0

gzip -dc "$logs/stock-threads.mlpd.gz" >len.mlpd || fail "there is no log"
overwrite len.mlpd 3016 '\020'
run 0 info len.mlpd
cp err expected
serve --interval 100ms len.mlpd </dev/null
metric_becomes proflog_events_total 6373
wait_for test -s serve.err
same serve.err expected
end_server TERM 0
done_checks
