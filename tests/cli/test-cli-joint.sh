#!/bin/sh
# The common part of a report over several logs, of Mono and of GHC: its figures are those of each log's own
# report, its times those of the dump by time of day.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

for stock in alloc heapshot monitors; do
  gzip -dc "$logs/stock-$stock.mlpd.gz" >$stock.mlpd || fail "cannot unpack"
done
cp alloc.mlpd copy.mlpd
ghc=$logs/ghc-blocks.eventlog.gz
set -- alloc.mlpd "$ghc" heapshot.mlpd copy.mlpd
run 0 report --format json "$@"
quiet err
# The first object is the common part; the others are the same as those of each log alone.
awk '/^}/ && !n++ { print > "joint"; next } { print > (n ? "rest" : "joint") }' out
cp out all.json
mv joint out
read_json
mv figures joint
mv rest reports
for log; do
  run 0 report --format json "$log"
  cat out >>alone
  read_json
  cat figures >"${log##*/}.figures"
done
same reports alone

# value FILE PATH
value ()
{
  path=$2 awk -F '\t' '$1 == ENVIRON["path"] { print $2 }' "$1"
}
cp joint figures
n=0
for log; do
  own=${log##*/}.figures
  expect "joint.processes[$n].log" "$log"
  expect "joint.processes[$n].pause_total_ns" "$(value "$own" gc.pause_total_ns)"
  expect "joint.processes[$n].pause_max_ns" "$(value "$own" gc.pause_max_ns)"
  expect "joint.processes[$n].collections" "$(value "$own" gc.collections)"
  expect "joint.processes[$n].marks" "$(value "$own" marks.count)"
  # Its process is that of `info`, though a copy has the same one, and its threads are those of its own section,
  # once each: some have events after their end.
  "$proflog" info "$log" | awk '$1 == "Process" { print $2; n++ } END { exit n != 1 }' >pid || fail "no process"
  expect "joint.processes[$n].pid" "$(cat pid)"
  threads=$("$proflog" report --reports=threads --limit 0 --format csv "$log" | sed 1d | wc -l)
  expect "joint.processes[$n].threads" "$threads"
  n=$((n + 1))
done

# A copy pauses at the same time, and no other process does.
expect joint.overlaps[pauses].total_ns "$(value alloc.mlpd.figures gc.pause_total_ns)"
expect joint.overlaps[pauses].paused alloc.mlpd
expect joint.overlaps[pauses].other copy.mlpd

# Marks are in the order and at the times of day of the dump of all logs.
run_into events 0 dump --order time --format json "$@"
cat >marks.py <<'END'
import datetime
import json
import sys
report, _ = json.JSONDecoder().raw_decode(open('all.json').read())
joint = report['joint']
times = [(joint['start_ns'] + mark['at_ns'], mark['text']) for mark in joint['marks']]
print(*times, sep='\n')
for line in open('events'):
    event = json.loads(line)
    if event.get('kind') in ('user-marker', 'user-msg'):
        second, part = event['clock'].rstrip('Z').split('.')
        time = datetime.datetime.fromisoformat(second + '+00:00')
        text = event['fields'].get('marker') or event['fields']['message']
        print((int(time.timestamp()) * 10**9 + int(part), text), file=sys.stderr)
END
python3 marks.py >got 2>wanted
same got wanted
test -s got || fail "no marks"

# Series and lanes of all lie on that axis; over all intervals they have the figures of each log's own report.
run 0 report --reports=series,timeline --format json "$@"
cat >series.py <<'END'
import collections
import json
report, _ = json.JSONDecoder().raw_decode(open('out').read())
joint = report['joint']
sizes, pauses = collections.Counter(), collections.Counter()
for row in joint['series']['intervals']:
    sizes[row['log']] += row['allocated_bytes']
    pauses[row['log']] += row['gc_ns']
for log in sizes:
    print(log.split('/')[-1], sizes[log], pauses[log] if log.endswith('mlpd') else '-')
lanes = {lane['name'].split(': ')[0] for lane in joint['timeline']['lanes']}
assert lanes == {log.split('/')[-1] for log in sizes}, lanes
END
python3 series.py >unsorted || fail "no series"
sort unsorted >got
for log; do
  own=${log##*/}.figures
  case $log in
    *.mlpd) echo "$log $(value "$own" allocations.bytes) $(value "$own" gc.pause_total_ns)" ;;
    *) echo "${log##*/} $(value "$own" heap.allocated_bytes) -" ;;
  esac
done | sort >wanted
same got wanted

# A log that cannot be read has no place in it, of which its error is enough; nor has one on standard input; one section
# has no common part.
run 3 report alloc.mlpd monitors.mlpd nothing.mlpd
test "$(cat err)" = 'proflog: nothing.mlpd: No such file or directory' || fail "not its error alone: $(cat err)"
grep -q '^All logs' out || fail "no common part"
# Why there is none is reported.
"$proflog" report alloc.mlpd - <monitors.mlpd >out 2>err || fail "standard input"
! grep -q '^All logs' out || fail "a common part of one log"
says err '-: there is no part on all logs: it is no file'
python3 -c '
data = bytearray(open("monitors.mlpd", "rb").read())
data[8:16] = bytes(8) # the time of day, in ms
open("timeless.mlpd", "wb").write(data)'
run 0 report alloc.mlpd timeless.mlpd
says err 'timeless.mlpd: there is no part on all logs: it has no time of day'
! grep -q '^All logs' out || fail "a common part of one log"
run 0 report alloc.mlpd heapshot.mlpd timeless.mlpd
says err 'timeless.mlpd: not in the part on all logs: it has no time of day'
run 0 report --align start alloc.mlpd timeless.mlpd
quiet err
grep -q '^All logs' out || fail "no common part of logs that begin together"
run 0 report --quiet alloc.mlpd timeless.mlpd
quiet err
run 0 report --reports=gc alloc.mlpd monitors.mlpd
! grep -q '^All logs' out || fail "a common part that was not requested"

# The part has a name, and its columns are keys: by itself, with sections of each log, and with the whole report.
run 0 report --format json "$ghc" alloc.mlpd
awk '{ print } /^}/ { exit }' out >expected
run 0 report --reports=joint --format json "$ghc" alloc.mlpd
quiet err
same out expected
run 0 report --reports=gc,joint --format json "$ghc" alloc.mlpd
test "$(grep -c '^  "joint"' out)" = 1 || fail "no part on all logs"
test "$(grep -c '^  "gc"' out)" = 2 || fail "not the two sections"
run 0 report --reports=joint --format csv --sort at_ns --fields at_ns,log "$ghc" heapshot.mlpd
awk -F, '$1 == "joint.pauses" { print $2 }' out >got
test "$(wc -l <got)" -gt 4 || fail "few pauses: $(cat out)"
sort -n got >expected
same got expected
run 0 report --sort duration_ns "$ghc" alloc.mlpd
run 2 report --sort at_ns alloc.mlpd
run 2 report --reports=joint alloc.mlpd
says err '--reports joint: several logs have this part'
run 2 info --reports=joint "$ghc" alloc.mlpd
run 3 report --reports=joint alloc.mlpd heapshot.mlpd nothing.mlpd
grep -q '^All logs' out || fail "no part on the logs that there are"
run 3 report --reports=joint alloc.mlpd timeless.mlpd

# People see base names where these differ, and no columns of zeros; programs see all.
mkdir long-name-of-a-directory other
cp alloc.mlpd heapshot.mlpd long-name-of-a-directory
run 0 report --reports=joint long-name-of-a-directory/alloc.mlpd long-name-of-a-directory/heapshot.mlpd
! grep -q directory out || fail "whole paths"
sed -n '/^ *Processes/,/^$/p' out >table
says table ' alloc.mlpd'
! grep -q Marks table || fail "a column of zeros"
says out 'Pauses, the longest first'
run 0 report --reports=joint --sort at_ns "$ghc" alloc.mlpd
! grep -q 'the longest first' out || fail "another order"
run 0 report --by log long-name-of-a-directory/alloc.mlpd heapshot.mlpd
! grep -q directory out || fail "whole paths in sums"
run 0 report --by log --format csv long-name-of-a-directory/alloc.mlpd heapshot.mlpd
says out ',long-name-of-a-directory/alloc.mlpd'
cp heapshot.mlpd other/alloc.mlpd
for report in --reports=joint '--by log'; do
  # shellcheck disable=SC2086 # words
  run 0 report $report other/alloc.mlpd alloc.mlpd monitors.mlpd
  says out ' other/alloc.mlpd'
  says out ' alloc.mlpd'
done
done_checks
