#!/bin/sh
# The examples that compute figures of `proflog report` from libproflog alone, in C and in Python.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
examples=$tests/../examples
log_figures=$top_builddir/examples/log-figures
test -x "$log_figures" || fail "$log_figures is not built"

# report_figures LOG: the same of the report.
report_figures ()
{
  "$proflog" report -q --format json "$1" >out || fail "report $1"
  read_json
  for path in allocations.objects allocations.bytes gc.collections gc.max_heap_bytes exceptions.throws; do
    path=$path awk -F '\t' '$1 == ENVIRON["path"] { print $2; found = 1 } END { if (!found) print "no " ENVIRON["path"] }' figures
  done >values
  printf 'objects\nbytes\ncollections\nheap\nexceptions\n' | paste -d ' ' - values >expected
}

export PROFLOG_LIBRARY="$top_builddir/.libs/libproflog.so.0" PYTHONDONTWRITEBYTECODE=1
for log in "$small" "$logs"/all-v01.mlpd "$logs"/stock-exceptions.mlpd.gz \
  "$logs"/stock-alloc.mlpd.gz; do
  report_figures "$log"
  case $log in
    *.gz) gunzip -c "$log" >plain.mlpd ;;
    *) cp "$log" plain.mlpd ;;
  esac
  "$log_figures" <plain.mlpd >out || fail "log-figures: status $?"
  same out expected
  # Python has no sanitizer, and cannot load a library that needs its runtime.
  test "${SANITIZER:-no}" = no || continue
  python3 "$examples/log-figures.py" "$log" >out || fail "log-figures.py: status $?"
  same out expected
done
grep -q '^objects [1-9][0-9][0-9]' expected || fail "too little was counted"
echo 'no log' >none
"$log_figures" <none >out 2>err && fail "something that is no log"
grep -q 'not a profiler log' err || fail "no reason"
done_checks
