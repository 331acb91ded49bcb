#!/bin/sh
# Perfetto's trace_processor finds in our traces what the reports of their logs state: numbers and times of
# calls, collections, pauses, waits, exceptions, runs of threads and marks, and values of counters.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need_peer trace_processor trace-processor
logs=$tests/logs

# judge_trace FORMAT LOG... [-- OPTION...]: the trace of the logs, with the options, has what their reports have.
judge_trace ()
{
  format=$1
  shift
  traced='' reports=''
  while test $# -gt 0 && test "$1" != --; do
    traced="$traced $logs/$1"
    shift
  done
  test $# = 0 || shift
  "$proflog" export -q --format "$format" "$@" -o "$work/trace" --force $traced || fail "export $format $traced"
  for log in $traced; do
    "$proflog" report -q --format json --limit 0 "$@" "$log" >"$work/$(basename "$log").json" || fail "report $log"
    reports="$reports $work/$(basename "$log").json"
  done
  node "$peers/peer-trace.mjs" "$PROFLOG_PEERS/trace-processor" "$work/trace" $reports >"$work/out" 2>"$work/err" && return
  cat "$work/out"
  grep -v 'QueryResult field' "$work/err" | cut -c1-300 | head -n 40
  fail "trace_processor does not agree: $format $traced $*"
}

judge_trace chrome all-v17.mlpd -- --time-range=5ms~31ms
judge_trace chrome module-calls.mlpd.gz module-alloc.mlpd.gz
judge_trace chrome ghc-sparks-all.eventlog.gz ghc-collect-N2.eventlog.gz
judge_trace perfetto all-v17.mlpd
judge_trace perfetto stock-calls.mlpd.gz ghc-blocks-N2.eventlog.gz stock-counters.mlpd.gz
