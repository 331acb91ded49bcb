#!/bin/sh
# --align and --offset: the times of each log on the common axis, in dumps, traces and reports, follow from
# the log's own times, its header and the options.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

cp "$small" small.mlpd
cp "$logs/small.eventlog" "$logs/all-v17.mlpd" .
set -- small.mlpd small.eventlog all-v17.mlpd

# What each line of a dump by time of day shows besides the log's own time, by log: `NAME NS`.
cat >shifts.py <<'END_OF_SCRIPT'
import datetime
import json
import sys
shifts, last = {}, 0
for line in sys.stdin:
    event = json.loads(line)
    second, part = event['clock'].rstrip('Z').split('.')
    seconds = datetime.datetime.fromisoformat(second + '+00:00').timestamp()
    time = int(seconds) * 10**9 + int(part)
    shifts.setdefault(event['log'], set()).add(time - event['time_ns'])
for log, all in sorted(shifts.items()):
    print(log, *all)
END_OF_SCRIPT
# shifts OPTION...: of the dump, in got.
shifts ()
{
  "$proflog" dump -q --order time --format json "$@" small.mlpd small.eventlog all-v17.mlpd >dumped 2>err \
    || fail "dump $*: $(cat err)"
  python3 shifts.py <dumped >got || fail "dump $*: no shifts"
}
# moved LOG NS: in `clock`, what is in `expected` if this log is moved by so many ns.
moved ()
{
  awk -v log_name="$1" -v ns="$2" '$1 == log_name { cmd = "echo $((" $2 " + " ns "))"; cmd | getline sum; close(cmd); $2 = sum } { print }' \
    clock >expected
}

shifts
cp got clock
test "$(wc -l <clock)" = 3 || fail "not three logs: $(cat clock)"
! grep ' .* ' clock || fail "a log has several shifts"
shifts --offset small.eventlog=1.5s
moved small.eventlog 1500000000
same got expected
shifts --offset small.mlpd=1h --offset small.mlpd=-20ms
moved small.mlpd -20000000
same got expected

# --align start: the eventlog's time 0 and the time bases of the first buffers are the start of the first log.
# In the header: u32, 4 bytes, u64 start in ms; a buffer's time base is 8 bytes after its beginning.
python3 - >expected <<'END_OF_SCRIPT'
import struct
data = open('small.mlpd', 'rb').read()
start = struct.unpack_from('<Q', data, 8)[0] * 10**6
for name in ['all-v17.mlpd', 'small.eventlog', 'small.mlpd']:
    data = open(name, 'rb').read()
    bases = [struct.unpack_from('<Q', data, at + 8)[0] for at in range(len(data)) if data[at:at + 4] == b'\x01LPM']
    print(name, start - (0 if name.endswith('eventlog') else min(bases)))
END_OF_SCRIPT
shifts --align start
same got expected
cp expected clock
moved small.eventlog 250
shifts --align start --offset small.eventlog=250ns
same got expected

# A log without a time of day is put there by its start only.
python3 - <<'END_OF_SCRIPT'
data = bytearray(open('small.mlpd', 'rb').read())
data[8:16] = bytes(8) # the start in ms
open('timeless.mlpd', 'wb').write(data)
END_OF_SCRIPT
run 3 dump --order time small.eventlog timeless.mlpd
says err 'timeless.mlpd: its header has no time of day'
run 0 dump --order time --align start small.eventlog timeless.mlpd
quiet err
says out timeless.mlpd

# The report over all logs has the same axis.  The events of small.mlpd are 10 to 900 ns after its
# first buffer.
run 0 report --format json --align start --offset small.eventlog=-1s small.mlpd small.eventlog
sed '/^}/q' out >joint
mv joint out
read_json
expect 'joint.processes[0].start_ns' 1000000010
expect 'joint.processes[0].duration_ns' 890
expect joint.clock_error_ns null
run 0 report --align start small.mlpd small.eventlog
says out 'All logs begin at the same time'
run 0 report small.mlpd small.eventlog
says out 'small.mlpd states its start in whole ms'
run 0 report all-v17.mlpd small.eventlog
says out 'Clock error          1.00 ms'
# A time range is one on the axis: of all events, it selects those that it has there, of each log.
cat >selected.py <<'END_OF_SCRIPT'
import datetime
import json
import struct
import sys
start = struct.unpack_from('<Q', open('small.mlpd', 'rb').read(), 8)[0] * 10**6
for line in open('all'):
    event = json.loads(line)
    second, part = event['clock'].rstrip('Z').split('.')
    seconds = datetime.datetime.fromisoformat(second + '+00:00').timestamp()
    if int(sys.argv[1]) <= int(seconds) * 10**9 + int(part) - start < int(sys.argv[2]):
        print(line, end='')
END_OF_SCRIPT
set -- --align start --offset small.eventlog=300ns small.mlpd small.eventlog
run_into all 0 dump --order time --format json "$@"
for range in 0:301 410:1400300 450:100000000; do
  python3 selected.py ${range%:*} ${range#*:} >expected
  test "$(grep -c small.mlpd expected)" != 0 || fail "$range: none of small.mlpd"
  run 0 dump --order time --format json --time-range "${range%:*}ns~${range#*:}ns" "$@"
  same out expected
done
grep -q small.eventlog expected || fail 'none of small.eventlog'
# Reports count the same, without markers of blocks.
run 0 report --reports=log --format json --time-range 450ns~100ms "$@"
awk '/"events":/ { n += $2 } END { print n }' out >got
grep -cv '"kind":"block-marker"' expected >wanted
same got wanted
run 0 export --format chrome --time-range 200ns~1450us "$@"
python3 -c '
import json
events = json.load(open("out"))
events = events if isinstance(events, list) else events["traceEvents"]
times = [event["ts"] for event in events if "ts" in event]
assert 0.2 <= min(times) < 1 and 1000 < max(times) <= 1450, times' || fail 'a trace of other times'
# Where it cannot be one, a line states that.
run 0 report --time-range 1%~99% small.mlpd small.eventlog
says err 'proflog report: --time-range counts from the beginning of each log: percentages and marks are of each log'
run 0 dump --order time --time-range 10ns~ - small.eventlog <small.mlpd
says err 'proflog dump: --time-range counts from the beginning of each log: one is no file that can be read twice'

# What makes no sense.
run 2 report --offset smal.mlpd=1s small.mlpd all-v17.mlpd
says err '--offset smal.mlpd: there are small.mlpd and all-v17.mlpd'
run 2 report --offset small.mlpd small.mlpd all-v17.mlpd
says err 'a log and a time are needed'
for time in x 1d --1s '' 300000000h; do
  run 2 report --offset small.mlpd=$time small.mlpd all-v17.mlpd
  says err 'a time is needed after'
done
mkdir other
cp small.mlpd other
run 2 report --offset small.mlpd=1s small.mlpd other/small.mlpd
run 0 report --offset other/small.mlpd=1s other/small.mlpd all-v17.mlpd
run 2 dump --align start small.mlpd
says err 'are for --order time'
run 2 report --align end small.mlpd
done_checks
