#!/bin/sh
# The logs of GHC in tests/logs have the figures that the same runs printed.
. "${srcdir:-.}/tests/cli/lib.sh"
sources=$(cd "$top_builddir" && cd "${srcdir:-.}" && pwd)
. "$sources/tests/ghc/stats.sh"

for stats in "$sources"/tests/logs/ghc-*.stats; do
  log=${stats%.stats}.eventlog.gz
  case $log in
    *-user.eventlog.gz) # nothing of the collector is in it
      run 0 stats --reports=summary "$log"
      grep -q 'colls\|bytes\|GC' out && fail "figures out of nothing"
      ;;
    *) compare_stats "$log" "$stats" ;;
  esac
done
test "$checks" -ge 40 || fail "only $checks checks"
done_checks
