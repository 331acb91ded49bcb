#!/bin/sh
# Perfetto's trace_processor finds in our traces what the reports of their logs state: numbers and times of
# calls, collections, pauses, waits, exceptions, runs of threads and marks, values of counters, samples and
# allocations.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need_peer trace_processor trace-processor

# judge_trace FORMAT LOG... [-- OPTION...]
judge_trace ()
{
  traced_as=$1
  shift
  judge_reports "$traced_as" "$peers/peer-trace.mjs" "$PROFLOG_PEERS/trace-processor" "$@"
}

# judge_all LOG: both formats of traces.
judge_all ()
{
  judge_trace chrome "$1"
  judge_trace perfetto "$1"
}

judge_given judge_all
judge_trace chrome all-v17.mlpd -- --time-range=5ms~31ms
judge_trace chrome module-calls.mlpd.gz module-alloc.mlpd.gz
judge_trace chrome ghc-sparks-all.eventlog.gz ghc-collect-N2.eventlog.gz
judge_trace chrome stock-samples.mlpd.gz
judge_trace perfetto all-v17.mlpd
judge_trace perfetto ghc-ticks.eventlog.gz
judge_trace perfetto stock-samples.mlpd.gz module-alloc.mlpd.gz stock-alloc.mlpd.gz
judge_trace perfetto stock-calls.mlpd.gz ghc-blocks-N2.eventlog.gz stock-counters.mlpd.gz
