#!/bin/sh
# Random logs of both formats: second decoders (decode_mono.py, decode_ghc.py), which share nothing with proflog, find the
# figures and rows that report, stats, info, query, top and the page have (agree.py).  test-cli-agree.sh has the logs
# of the tree.  PROFLOG_LOGS is the number of logs (60), PROFLOG_TEST_SEED the first of their seeds.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
export PYTHONDONTWRITEBYTECODE=1  # no files beside the sources
write_random=$top_builddir/tests/cli/write-random-log
test -x "$write_random" || fail "$write_random is not built"
first=${PROFLOG_TEST_SEED:-1} n=${PROFLOG_LOGS:-60}
test "${SANITIZER:-no}" = no || n=8
echo "seeds $first to $((first + n / 4 - 1))"

# judge SEED...: the logs of these seeds; those of events in an order that no program has are named chaos.
judge ()
{
  for seed in "$@"; do
    "$write_random" "$seed" >"random-$seed.mlpd" || fail "no log of seed $seed"
    "$write_random" "$seed" calls >"chaos-$seed.mlpd" || fail "no calls of seed $seed"
    "$write_random" "$seed" ghc >"chaos-$seed.eventlog" || fail "no eventlog of seed $seed"
    python3 "$tests/cli/random-eventlog.py" "$seed" "random-$seed.eventlog" || fail "no program of seed $seed"
  done
  python3 "$tests/cli/agree.py" "$proflog" random-* chaos-* >said 2>&1 || fail "$(cat said)"
  checks=$((checks + $(sed -n 's/.* logs, \([0-9]*\) comparisons/\1/p' said)))
  rm -f random-* chaos-*
}

for seed in $(seq "$first" $((first + n / 4 - 1))); do
  judge "$seed"
done
# A stop whose end is before its begin, and others that found faults.
test "${SANITIZER:-no}" != no || judge 980024 980088 980192
done_checks
