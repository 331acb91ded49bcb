#!/bin/sh
# Logs that are damaged by a seed: no command crashes, hangs or needs memory beyond the file's and 64 MiB.  What is
# stated of them is counted.  `make mutants` runs many.
. "${srcdir:-.}/tests/cli/lib.sh"

count=${PROFLOG_MUTANTS:-12} seed=${PROFLOG_SEED:-1} commands=${PROFLOG_MUTANT_COMMANDS:-0}
seconds=1 mib=64
# Sanitizers need time and memory of their own.
test "${SANITIZER:-no}" = no || { seconds=20 mib=1000; count=${PROFLOG_MUTANTS:-6}; }

# For replay.
ln -s "$module" .
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
export ASAN_OPTIONS

run_mutants ()
{
  format=$1
  shift
  "$top_builddir/tests/cli/run-mutants" "$proflog" "$format" "$seed" "$count" "$commands" $seconds $mib "$@" >found 2>&1
  status=$?
  cat found
  test $status = 0 || {
    test -z "${PROFLOG_MUTANTS:-}" || cp finding-* "$top_builddir" 2>/dev/null
    fail "$format: findings"
  }
  checks=$((checks + 1))
}

# The logs that are not too long, of every data version; some of the programs' own.
set -- "$small" "$logs"/all-v*.mlpd "$logs"/all-v17.mlpd.gz
for log in "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz; do
  name=$(basename "$log" .gz)
  gzip -dc "$log" >"$name"
  test "$(wc -c <"$name")" -gt 300000 || set -- "$@" "$name"
done
run_mutants mono "$@"

set -- "$logs/small.eventlog"
for log in "$logs"/ghc-*.eventlog.gz; do
  name=$(basename "$log" .gz)
  gzip -dc "$log" >"$name"
  test "$(wc -c <"$name")" -gt 300000 || set -- "$@" "$name"
done
run_mutants ghc "$@"
done_checks
