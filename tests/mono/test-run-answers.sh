#!/bin/sh
# What `proflog run` without options and `proflog report` answer to "why is it slow": the method that works
# is first, with its share, sleeping threads have none, threads have names, and mprof-report reads the log.
. "${srcdir:-.}/tests/mono/lib.sh"

compile sleepers
cd "$work" || exit 1
"$proflog" run -o b.mlpd mono "$programs/sleepers.exe" >"$truth" 2>"$work/stderr" || fail "run"
log=$work/b.mlpd
read_figures
hot=$(printed hot) warm=$(printed warm)
"$proflog" report -q b.mlpd >out || fail "report"
sed -n 2p out | grep -q 'of the processor time is in Probe\.Sleepers:Hot and' || fail "the report does not begin with the method"
"$proflog" report -q --no-findings b.mlpd >out || fail "report"
test "$(head -n 1 out)" = CPU || fail "the report does not go on with cpu"
awk -v hot="$hot" -v warm="$warm" '
  is_method { print; exit !($2 > 100 * hot / (hot + warm) - 6 && $2 < 100 * hot / (hot + warm) + 6 && /Probe.Sleepers:Hot \(\)$/) }
  / Method$/ { is_method = 1 }' out || fail "the first method is not Hot () with its share, of $hot and $warm ns"
# Each of the six may be hit once while it begins to sleep.
slept=$(figure "cpu.methods[System.Threading.Thread:SleepInternal (int) [native]].hits")
test "$slept" -le 6 || fail "what sleeps has $slept hits"
test "$(figure cpu.unnamed)" = 0 || fail "hits have no name"
grep -q '^cpu\.threads\[worker\]\.hits	' "$figures" || fail "the thread has no name in cpu"
test "$(sed -n '/^Threads/,$p' out | grep -c 'sleeper [0-5]$')" = 6 || fail "threads have no names"
if has mprof-report; then
  mprof-report --reports=sample b.mlpd >judged 2>&1 || fail "mprof-report"
  grep -q 'Probe.Sleepers:Hot ()' judged || fail "mprof-report has no Hot ()"
fi

# In wall-clock samples sleeping is waiting, and no work.
record 0 sample-real=100,format=17 sleepers
"$proflog" report --reports=waits --limit 0 --format csv "$log" >"$work/waits" || fail "no waits"
awk -F , -v all="$(figure log.duration_ns)" -v hot="$(printed hot)" -v least="$(printed slept)" \
  -v sampled="$(figure 'cpu.methods[Probe.Sleepers:Hot ()].self_ns')" '
  $1 == "waits" && $7 ~ /^sleeper / { waited += $2; if ($5 == "sleep") slept += $2 }
  END {
    printf "%.0f ms of sleep, %.0f of waits in %.0f ms; %.0f ms of %.0f in Hot ()\n", slept / 1e6, waited / 1e6, all / 1e6, sampled / 1e6, hot / 1e6
    exit !(slept > 0.75 * 6 * least && slept < 6.1 * all && sampled > 0.85 * hot && sampled < 1.15 * hot)
  }' "$work/waits" || fail "sleep and work are otherwise"
