#!/bin/sh
# Intervals of 95 % of what samples estimate contain the truth in 93 to 97 % of simulated logs (sample-error.py);
# PROFLOG_LOGS and PROFLOG_TEST_SEED choose others.  What one log states is what the formulas give.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
export PYTHONDONTWRITEBYTECODE=1  # no files beside the sources

logs_wanted=${PROFLOG_LOGS:-100}
test "${SANITIZER:-no}" = no || logs_wanted=10
python3 "$tests/cli/sample-error.py" "$proflog" "$logs_wanted" "${PROFLOG_TEST_SEED:-1}" || fail "intervals"

# Of 100 samples 50 are in one method, 20 in another: Wilson's interval of 50 of 100 is 40.4 to 59.6 %, of 20 of 100 13.3 to
# 28.9 % (from its formula).
cat >write.py <<'END'
import os, sys
sys.path.insert (0, sys.argv[1])
from mlpd_writer import Buffer, header, text, uleb
MS, BASE = 1000000, 0x10000
methods = [BASE + 0x1000 * i for i in range (1, 4)]
def buffer (time):
    return Buffer (time, BASE + 16, BASE, 0, methods[0])
names, run, now, step = buffer (0), buffer (MS), MS, int(os.environ.get ('step', 10)) * MS
for i, m in enumerate (methods):
    names.put (0x43, 2, names.at_method (m), names.address (m), uleb (64), text ('App.P:M%d ()' % i))
for m, count in zip (methods, map (int, sys.argv[3:])):
    for _ in range (count):
        now += step
        run.put (0x07, now, run.address (BASE + 16), uleb (1), run.address (m), uleb (1), run.at_method (m))
with open (sys.argv[2], 'wb') as out:
    out.write (header (8, 'proflog:sample,cpu-sample-interval=10000000', 'x86-64', 'linux') + names.bytes () + run.bytes ())
END
hits ()
{
  python3 write.py "$tests/cli" "$@" || fail "no log"
}
hits base.mlpd 50 20 30
run 0 report --format json --reports=cpu base.mlpd
read_json
expect 'cpu.methods[App.P:M0 ()].self_ns' 500000000
wilson ()
{
  awk -v k="$1" -v n=100 -v sign="$2" 'BEGIN { z = 1.96; p = k / n
    printf "%d", (sign > 0) + 1e9 * (p + z * z / (2 * n) + sign * z * sqrt (p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n) }'
}
expect 'cpu.methods[App.P:M0 ()].self_low_ns' "$(wilson 50 -1)"
expect 'cpu.methods[App.P:M0 ()].self_high_ns' "$(wilson 50 1)"
expect 'cpu.methods[App.P:M1 ()].total_low_ns' "$(wilson 20 -1)"
expect 'cpu.methods[App.P:M1 ()].total_high_ns' "$(wilson 20 1)"
run 0 report --reports=cpu base.mlpd
says out '  500.000  50.0  9.6   500.000    50       0  App.P:M0 ()'
says out '  200.000  20.0  7.8   200.000    20       0  App.P:M1 ()'

# What two runs of one program may differ by is chance, in tables, pictures and budgets; more is not.
hits near.mlpd 56 17 27
hits far.mlpd 20 50 30
run 0 diff --format json --reports=cpu base.mlpd near.mlpd
read_json
expect 'cpu_methods_self_ns[App.P:M0 ()].spread' within
run 0 diff --format json --reports=cpu base.mlpd far.mlpd
read_json
expect 'cpu_methods_self_ns[App.P:M0 ()].spread' beyond
expect 'cpu_methods_self_ns[App.P:M1 ()].spread' beyond
expect 'cpu_methods_self_ns[App.P:M2 ()].spread' within
run 0 diff --color always --reports=cpu base.mlpd near.mlpd
grep -q "$(printf '\033')\\[2m.*App.P:M0" out || fail "noise is not grey"
run 0 flame -f svg -o near.svg --diff base.mlpd near.mlpd
says near.svg 'App.P:M0 () (560 ms, 56.0 %; before 500 ms, (+12 %))'
run 0 flame -f svg -o far.svg --diff base.mlpd far.mlpd
says far.svg 'App.P:M0 () (200 ms, 20.0 %; before 500 ms, -60 %)'
says far.svg 'App.P:M2 () (300 ms, 30.0 %; before 300 ms, =)'

# Groups: three of three may be apart by chance in one of ten cases, four of four in one of 35.
for i in 1 2 3 4; do
  hits "a$i.mlpd" $((100 + i)) 20 30
  hits "b$i.mlpd" $((106 + i)) 20 30
done
run 0 diff a[123].mlpd -- b[123].mlpd
says out '  As fast: processor time 1.52 s -> 1.58 s (+3.9 %).'
run 0 diff --format json a[123].mlpd -- b[123].mlpd
read_json
expect 'figures[cpu.total_ns].spread' few
expect 'figures[cpu.total_ns].chance' 0.1
run 0 diff --format json a?.mlpd -- b?.mlpd
read_json
expect 'figures[cpu.total_ns].spread' beyond
expect 'figures[cpu.total_ns].chance' 0.028571
run 0 diff a?.mlpd -- b?.mlpd
says out '  Slower: processor time 1.52 s -> 1.58 s (+3.9 %), most of it App.P:M0 () (+60.0 ms).'
# One run on each side: 9 % may be chance, of runs that deviate by 13 %.
hits one.mlpd 100 20 30
hits two.mlpd 113 20 30
run 0 diff one.mlpd two.mlpd
says out '  Undecided: processor time 1.50 s -> 1.63 s (+8.7 %); runs of one program may differ as much; 36 of each would tell.'
# Of a duration 80 % may be, too: the processors may have been busy.  Twice and half are equally far away.
step=18 hits slow.mlpd 100 20 30
step=25 hits slower.mlpd 100 20 30
run 0 diff one.mlpd slow.mlpd
says out '  Undecided: duration 1.50 s -> 2.70 s (+80 %); runs of one program may differ as much; 4 of each would tell.'
run 0 diff slow.mlpd one.mlpd
says out '  Undecided: duration 2.70 s -> 1.50 s (-44 %); runs of one program may differ as much; 13 of each would tell.'
run 0 diff one.mlpd slower.mlpd
says out '  Slower: duration 1.50 s -> 3.75 s (+150 %).'
# A change of processor time that is one counts more than that of durations that may be chance.
for i in 1 2 3 4; do
  step=$((10 + 7 * i)) hits "e$i.mlpd" $((100 + i)) 20 30
  step=$((41 - 7 * i)) hits "f$i.mlpd" $((106 + i)) 20 30
done
step=50 hits f4.mlpd 110 20 30
run 0 diff e?.mlpd -- f?.mlpd
says out '  Slower: processor time 1.52 s -> 1.58 s (+3.9 %), most of it App.P:M0 () (+60.0 ms).'
# A budget that is exceeded by no more than runs of one side differ is kept, with a line.
hits c1.mlpd 100 20 30
hits c2.mlpd 130 20 30
hits d1.mlpd 120 20 30
run 0 diff --fail-above cpu.total_ns=+1% c1.mlpd c2.mlpd -- d1.mlpd c2.mlpd -o /dev/null --junit noise.xml
says err ', no more than runs of one side differ'
says noise.xml 'failures="0"'
run 1 diff --fail-above cpu.total_ns=+1% a?.mlpd -- b?.mlpd -o /dev/null
done_checks
