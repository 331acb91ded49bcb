#!/bin/sh
# profiler-cli of the Firefox Profiler finds in our profiles what the reports of their logs state:
# times of calls and of runs of threads, samples, allocated bytes, and numbers of markers.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need python3
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
# A log whose samples are of 10 ms of processor time: its header states so.
python3 - "$tests/logs/all-v17.mlpd" "$work/timed.mlpd" <<'END' || fail "the header has other arguments"
import sys
old, new = b'log:output=all.mlpd,sample\0', b'proflog:cpu-sample-interval=10000000,sample\0'
log = open(sys.argv[1], 'rb').read()
sized = lambda text: len(text).to_bytes(4, 'little') + text
assert log.count(sized(old)) == 1
open(sys.argv[2], 'wb').write(log.replace(sized(old), sized(new)))
END
judge_firefox "$work/timed.mlpd"
