#!/bin/sh
# A figure is the same in all commands, of each log: those of agree.py, which are listed in docs/reliability.md.  So it is
# in a second decoder of each format; test-cli-decoders.sh has random logs.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
export PYTHONDONTWRITEBYTECODE=1  # no files beside the sources

agree="$tests/cli/agree.py"

# A log of an early runtime: 12 collections, each of 299 us on the capability that requested it.
python3 "$tests/cli/early-log.py" early.eventlog 12 || fail "there is no early log"
run 0 report --format json early.eventlog
read_json
expect gc.collections 12
expect gc.parallel 12
expect gc.pauses.main.total_ns 3588000
expect gc.pauses.main.max_ns 299000
expect gc.pauses.span.total_ns 4800000
expect time.gc_ns 3588000
expect heap.copied_bytes null
run 0 info --format json early.eventlog
read_json
expect content.collections 12
run 0 stats early.eventlog
says out 'Gen  ?        12 colls,    12 par'
run 0 convert --force early.eventlog -o early.mlpd
run 0 report --format json early.mlpd
read_json
expect gc.collections 12
expect gc.pause_total_ns 3588000
run 0 top --once --format jsonl early.eventlog
says out '"pauses_all":12,"pause_ns":3588000'

# Intervals: no other log has some.
"$top_builddir/tests/cli/write-marks" >marks.mlpd <<END || fail "no log"
17 20000000 START request
18 15000000 START request
19 21000000 START give
17 30000000 STOP request
18 45000000 STOP request
20 51000000 STOP give
17 60000000 STOP lone
END
python3 "$tests/cli/random-eventlog.py" 1 program.eventlog || fail "no eventlog"
# Threads that wait for a capability, and never run.
python3 "$tests/cli/random-eventlog.py" 5011 waiting.eventlog || fail "no eventlog"
# A wait for a lock in which its thread has an event of no kind of the format, which is no end of it.
PYTHONPATH=$tests/cli python3 - >locks.mlpd <<END || fail "no log"
import sys
from mlpd_writer import Buffer, header, sleb
buffer = Buffer(1000, 16, 0, 0, 0)
for time, kind in (2000, 1), (3000, 0), (5000, 2), (6000, 1), (7000, 3):
    buffer.put(0x05, time, bytes([kind]), sleb(8))
sys.stdout.buffer.write(header(8, '', '', '') + buffer.bytes())
END
run 0 report --format json locks.mlpd
read_json
expect monitors.wait_total_ns 4000

# concurrent.mlpd.gz is of the stock profiler (log:nodefaults,gc): the collector stops with the generation that was
# requested, and goes on with the oldest that it collected.
# Logs of each runtime and version; with sanitizers, which take six minutes for them, some.
if test "${SANITIZER:-no}" = no; then
  of_mono="$logs/*.mlpd $logs/*.mlpd.gz" of_ghc="$logs/small.eventlog $logs/ghc-*.eventlog.gz" some=
else
  of_mono="$logs/all-v01.mlpd $logs/all-v17.mlpd $logs/module-*.mlpd.gz"
  of_ghc="$logs/small.eventlog $logs/ghc-heap-h[Tc].eventlog.gz" some=--some
fi
# shellcheck disable=SC2086
python3 "$agree" $some "$proflog" marks.mlpd locks.mlpd "$tests/cli/spans.mlpd.gz" "$tests/cli/concurrent.mlpd.gz" $of_mono >mono 2>&1 &
# shellcheck disable=SC2086
python3 "$agree" $some "$proflog" early.eventlog program.eventlog waiting.eventlog $of_ghc >ghc 2>&1 || fail "$(cat ghc)"
wait $! || fail "$(cat mono)"
tail -n 1 ghc mono

# Each row of the table is checked.
python3 "$agree" --table >table
awk '/^\| figure \| logs \|/ { shown = 1 } shown && !/^\|/ { exit } shown' "$tests/../docs/reliability.md" >documented
same table documented
done_checks
