#!/bin/sh
# profiler-cli of the Firefox Profiler finds in our profiles what the reports of their logs state:
# times of calls and of runs of threads, samples, allocated bytes, and numbers of markers.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need_peer profiler-cli profiler-cli
export PROFILER_CLI_SESSION_DIR="$work/sessions"
mkdir "$PROFILER_CLI_SESSION_DIR"
judge_firefox ()
{
  judge_reports firefox "$peers/peer-firefox.mjs" "$PROFLOG_PEERS/profiler-cli/dist/profiler-cli.js" "$@"
}

judge_given judge_firefox
judge_firefox all-v17.mlpd
# The calls are more than wait in memory.
judge_firefox stock-calls.mlpd.gz stock-samples.mlpd.gz module-alloc.mlpd.gz ghc-sparks-all.eventlog.gz ghc-ticks.eventlog.gz
