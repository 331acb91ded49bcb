#!/bin/sh
# The logs of GHC in tests/logs, and in ghc-pairs of $PROFLOG_CONFORMANCE, have the figures that the same
# runs printed.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/ghc/stats.sh"

for stats in "$logs"/ghc-*.stats ${PROFLOG_CONFORMANCE:+"$PROFLOG_CONFORMANCE"/ghc-pairs/*.stats}; do
  log=${stats%.stats}.eventlog
  test -f "$log" || log=$log.gz
  case $log in
    *-user.eventlog.gz) # nothing of the collector is in it
      run 0 stats --reports=summary "$log"
      grep -q 'colls\|bytes\|GC' out && fail "figures out of nothing"
      ;;
    *)
      compare_stats "$log" "$stats"
      "$proflog" stats --reports=summary - <"$log" >piped || fail "$log: status $? of a pipe"
      same piped out
      ;;
  esac
done
test "$checks" -ge 40 || fail "only $checks checks"
done_checks
