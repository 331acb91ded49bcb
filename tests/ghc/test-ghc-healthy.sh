#!/bin/sh
# Programs of usual kinds, without a fault: their reports have no finding, and with a heap profile at most one.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"

# healthy MOST WAY PROGRAM OPTION...: the report has at most so many findings.
healthy ()
{
  most=$1 way=$2 program=$3
  shift 3
  record healthy "$way" Healthy "$program" +RTS "$@"
  run 0 report --format json healthy.eventlog
  same_findings out
  test "$findings" -le "$most" || fail "$program $*: the findings are: $(cat ids)"
}

for program in count fork share pool text; do
  healthy 0 vanilla "$program" -l
  healthy 0 threaded "$program" -l -N1
  healthy 0 threaded "$program" -l -N2
  healthy 1 vanilla "$program" -l -hT -i0.005
done
done_checks
