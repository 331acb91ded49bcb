#!/bin/sh
# proflog diff of eventlogs and of logs of both formats; each figure of a report has a key for budgets.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# The runtime states the bytes of its programs, and how many collections of each generation there were.
stats_of ()
{
  awk '/bytes allocated in the heap/ { allocated = $1 } /bytes copied during GC/ { copied = $1 }
       / Gen  0 / { young = $3 } / Gen  1 / { old = $3 }
       END { gsub (",", "", allocated); gsub (",", "", copied); print allocated, copied, young, old }' \
    "$logs/$1.stats"
}
stats_of ghc-collect >one
stats_of ghc-collect-N2 >two
read -r allocated copied young old <one
read -r allocated_2 copied_2 young_2 old_2 <two
test "$allocated" -gt 1000000 && test "$old_2" -ge 1 || fail "no figures of the runtime"
cp "$logs/ghc-collect.eventlog.gz" one.gz
cp "$logs/ghc-collect-N2.eventlog.gz" two.gz
run 0 diff --format json one.gz two.gz
read_json
expect 'figures[heap.copied_bytes].base' "$copied"
expect 'figures[heap.copied_bytes].now' "$copied_2"
expect 'figures[heap.copied_bytes].change' $((copied_2 - copied))
expect 'figures[gc.collections].change' $((young_2 + old_2 - young - old))
expect 'gc_generations_collections[0].base' "$young"
expect 'gc_generations_collections[0].now' "$young_2"
expect 'gc_generations_collections[1].change' $((old_2 - old))
# A group of both: the mean of two, and the spread from one to the other.
run 0 diff --format json one.gz -- one.gz two.gz
read_json
expect 'figures[gc.collections].now' $(((young + old + young_2 + old_2) / 2))
expect 'figures[gc.collections].spread' within
# Percentiles have the same key in both formats.
run 1 report -q --reports=log --fail-above gc.pause_max_ns=1ns one.gz "$small"
says err "one.gz: gc.pause_max_ns is "
run 0 diff one.gz one.gz --fail-above gc.pause_p99_ns=+0%

# A verdict comes first: of programs whose one thread runs for 100 and 165 ms, and which write 1 and 3 messages.
make_run ()
{
  { echo "0 1000000 run 1"; for _ in $(seq "$2"); do echo '0 2000000 msg x'; done; echo "0 $((1000000 * ($1 + 1))) stop 1"; } \
    | python3 "$tests/cli/make-eventlog.py" "$3" || fail "no log"
}
make_run 100 1 base.eventlog
make_run 165 3 slower.eventlog
make_run 104 3 same.eventlog
run 0 diff base.eventlog slower.eventlog
head -n 2 out >got
same_lines got Verdict '  Slower: processor time 100 ms -> 165 ms (+65 %).'
run 0 diff slower.eventlog base.eventlog
says out '  Faster: processor time 165 ms -> 100 ms (-39 %).'
run 0 diff base.eventlog same.eventlog
says out '  As fast: processor time 100 ms -> 104 ms (+4.0 %).'
run 0 diff base.eventlog -- base.eventlog slower.eventlog
says out '  Undecided: processor time 100 ms -> 132 ms (+32 %), no more than runs of one side differ; 32 of each would tell.'
run 0 diff --format json base.eventlog slower.eventlog
read_json
expect 'verdict.sentences[0]' 'Slower: processor time 100 ms -> 165 ms (+65 %).'
# Figures are in the order of what they weigh in a run, not of their percents: of times the largest change comes first,
# and not what is new.
run 0 diff --format json one.gz two.gz
read_json
sed -n 's/^figures\[.*_ns\]\.change\t-*//p' figures >changes
test "$(wc -l <changes)" -gt 5 || fail "few times"
sort -rn changes >sorted
same changes sorted
# What was not recorded is not less than before.
run 0 diff "$logs/stock-alloc.mlpd.gz" "$logs/stock-monitors.mlpd.gz"
! grep -q Allocates out || fail "allocations that were not recorded are judged"
says out '67.2 kB         -         -       -  allocations.bytes'

# Results replace neither a log nor the report.
cp "$small" log.mlpd
run 2 diff --force --junit ./log.mlpd --fail-above log.events=+0 "$small" log.mlpd
says err 'cannot be the output'
run 2 report --force --junit log.mlpd --fail-above log.events=1 log.mlpd
says err 'cannot be the output'
same log.mlpd "$small"
run 2 report --force -o report --junit report --fail-above log.events=1 log.mlpd
says err 'is the output of the report'

# What was not recorded is not within its budget; a type of which there is none is.
run 1 report --reports=log --fail-above allocations.bytes=1G --fail-above calls.total=1 \
  --fail-above 'allocations.types[No.Type].bytes=0' "$logs/stock-monitors.mlpd.gz"
test "$(grep -c 'the log has no such figure' err)" = 3 || fail "budgets of a log without allocations and calls"
run 1 diff "$logs/stock-alloc.mlpd.gz" "$logs/stock-monitors.mlpd.gz" --fail-above allocations.bytes=+5%
says err 'the log has no such figure'
run 0 report --reports=log --fail-above 'allocations.types[No.Type].bytes=0' --fail-above exceptions.throws=0 \
  "$logs/stock-alloc.mlpd.gz"
# Nor does it matter which sections are compared.
run 1 diff --reports=gc "$small" "$small" --fail-above log.events=0
says err 'above its budget of 0'
run 1 diff --reports=gc one.gz two.gz --fail-above heap.copied_bytes=0
says err 'above its budget of 0'
! grep -q log.duration_ns out || fail "a section that was not requested"
run 2 diff "$small" -- "$small" -- "$small"
says err "'--' stands between two groups"

# A file without budgets is no file of budgets.
printf '# none\n\n' >none
run 2 report --budgets none "$small"
says err 'none: there is no budget in it'
run 2 report --budgets nowhere "$small"
says err 'nowhere: No such file'
printf 'log.events=99\n\0' >zero
run 2 report --budgets zero "$small"
says err 'zero: it has a byte 0'

# Standard input is a log, as everywhere.
run 0 diff --format csv "$small" - <"$small"
says out 'figures,'
# Formats do not mix.
run 3 diff "$small" one.gz
quiet out
says err "one.gz is an eventlog of GHC: $small is a log of Mono, and only logs of one format can be compared"
run 3 diff one.gz "$small"
quiet out
says err "only logs of one format can be compared"

# Samples and calls are different figures.
cp "$logs/stock-samples.mlpd.gz" samples.gz
cp "$logs/stock-calls.mlpd.gz" calls.gz
run 0 diff --format json samples.gz calls.gz
says out "Figures of the section cpu are not comparable: cpu.source is samples in some logs, and calls in others."

# Each figure of any report is in the list of keys, or is no figure: a number of a thing, or a moment.
cat >keys.py <<'END'
import json, sys
keys = set (open (sys.argv[1]).read ().split ('\n'))
checked = 0
def check (key, value):
    global checked
    last = key.rsplit ('.', 1)[-1]
    if isinstance (value, bool) or not isinstance (value, (int, float)):
        return
    checked += 1
    moments = 'first_ns', 'last_ns', 'time_ns', 'peak_ns', 'period_ns', 'start_ns', 'end_ns', 'load_ns', 'unload_ns'
    if key not in keys and last not in moments and last not in ('index', 'profile', 'growth_from_sample', 'growth_to_sample'):
        sys.exit ('not listed: ' + key)
def walk (path, value):
    if isinstance (value, dict):
        for key, inner in value.items ():
            walk (path + [key], inner)
    elif isinstance (value, list):
        for row in value:
            if path in (['heapshots'], ['heap_profiles'], ['processes']):
                walk (path, row)
            elif isinstance (row, dict):
                for key, inner in row.items ():
                    check ('.'.join (path) + '[NAME].' + key, inner)
    else:
        check ('.'.join (path), value)
report = json.load (open (sys.argv[2]))
del report['findings']
walk ([], report)
if checked < 20:
    sys.exit ('few figures')
END
run 0 report --fail-above help
cp out keys
for log in "$logs"/all-v01.mlpd "$logs"/all-v17.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog.gz; do
  run 0 report -q --format json "$log"
  python3 keys.py keys out >compared 2>&1 || fail "$log: $(cat compared)"
  checks=$((checks + 1))
done

# The budget of each figure is that figure: no more is within it, and less is not.
run 0 report -q --format json "$logs/all-v17.mlpd"
read_json
for key in $(grep -v NAME keys); do
  value=$(key=$key awk -F '\t' '$1 == ENVIRON["key"] && $2 + 0 > 0 { print $2 }' figures)
  case $key in *_ns) unit=ns ;; *) unit= ;; esac
  case $value in '' | *.*) continue ;; esac
  echo "$key=$value$unit" >>kept
  echo "$key=$((value - 1))$unit" >>exceeded
done
test "$(wc -l <kept)" -gt 30 || fail "few budgets"
run 0 report --reports=log --budgets kept "$logs/all-v17.mlpd"
quiet err
run 1 report --reports=log --budgets exceeded "$logs/all-v17.mlpd"
test "$(wc -l <err)" = "$(wc -l <exceeded)" || fail "not each budget is exceeded"
# A selection without events has no figure that could be above its budget: that is no success.
run 1 report --reports=log --thread none --fail-above log.events=1000 "$small"
says err 'proflog report: nothing was selected that could exceed the budgets'
run 0 report --reports=log --filter none --fail-above log.events=1000 "$small"
# A row that no log has is within its budget, which is noted: its name may be misspelt.
run 0 report --reports=log --fail-above 'allocations.types[No.Type].objects=1000' "$logs/stock-alloc.mlpd.gz"
says err 'allocations.types[No.Type].objects is 0 (no row has this name), within its budget of 1000'
run 0 report -q --reports=log --fail-above 'allocations.types[No.Type].objects=1000' "$logs/stock-alloc.mlpd.gz"
quiet err
run 0 report --reports=log --fail-above 'allocations.types[System.String].objects=100000' "$logs/stock-alloc.mlpd.gz"
quiet err

# People read names in words, as in reports: of two logs with 50 and 90 samples in a lambda.
export PYTHONDONTWRITEBYTECODE=1
cat >write.py <<'END'
import sys
sys.path.insert (0, sys.argv[1])
from mlpd_writer import Buffer, header, text, uleb
MS, BASE = 1000000, 0x10000
names, run, now = Buffer (0, BASE, BASE, 0, BASE), Buffer (MS, BASE, BASE, 0, BASE), MS
names.put (0x43, 2, names.at_method (BASE), names.address (BASE), uleb (64), text ('App.P:<Main>m__0 (int)'))
for _ in range (int (sys.argv[3])):
    now += 10 * MS
    run.put (0x07, now, run.address (BASE), uleb (1), run.address (BASE), uleb (1), run.at_method (BASE))
with open (sys.argv[2], 'wb') as out:
    out.write (header (8, 'proflog:sample,cpu-sample-interval=10000000', 'x86-64', 'linux') + names.bytes () + run.bytes ())
END
for hits in 50 90; do
  python3 write.py "$tests/cli" "$hits.mlpd" "$hits" || fail "no log"
done
run 0 diff 50.mlpd 90.mlpd
says out '  beyond  lambda in App.P:Main (int)'
says out 'most of it lambda in App.P:Main (int) (+400 ms)'
! grep 'm__0' out || fail 'the name of the compiler is left'
run 0 diff --raw 50.mlpd 90.mlpd
says out '  beyond  App.P:<Main>m__0 (int)'
run 0 diff --format json 50.mlpd 90.mlpd
says out '"name": "App.P:<Main>m__0 (int)", "words": "lambda in App.P:Main (int)"'
done_checks
