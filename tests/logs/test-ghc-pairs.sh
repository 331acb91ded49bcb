#!/bin/sh
# The same of more logs with what was printed, if PROFLOG_CONFORMANCE tells the folder in which
# ghc-pairs is.
. "${srcdir:-.}/tests/cli/lib.sh"
sources=$(cd "$top_builddir" && cd "${srcdir:-.}" && pwd)
. "$sources/tests/ghc/stats.sh"
pairs=${PROFLOG_CONFORMANCE:-}/ghc-pairs
if test ! -d "$pairs"; then
  echo "SKIP: PROFLOG_CONFORMANCE names no folder with ghc-pairs"
  exit 77
fi

for stats in "$pairs"/*.stats; do
  log=${stats%.stats}.eventlog
  compare_stats "$log" "$stats"
  "$proflog" stats --reports=summary - <"$log" >piped || fail "status $?"
  same piped out
done
done_checks
