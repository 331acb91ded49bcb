# stock-logs.sh -- what the tests of tests/logs/stock-*.mlpd.gz share: logs of the stock profiler in each
# of its modes, with what two other readers found in them when scripts/record-stock-logs made them.
# Sourced; it needs no Mono.
. "${srcdir:-.}/tests/lib.sh"
sources=$tests/mono
dump_counts=$top_builddir/tests/mono/dump-counts
. "$sources/agree.sh"

# for_each_log COMMAND: runs it with each log: $recorded is its name, $packed its file, $log the same
# unpacked.  What is expected of it is in $work/expected, events, and $work/expected.figures.
for_each_log ()
{
  logs_read=0
  for packed in "$logs"/stock-*.mlpd.gz; do
    recorded=$(basename "$packed" .mlpd.gz)
    echo "$recorded:"
    gunzip -c "$packed" >"$log" || fail "$packed cannot be unpacked"
    grep -v '^figure:' "$logs/$recorded.counts" >"$work/expected"
    sed -n 's/^figure://p' "$logs/$recorded.counts" >"$work/expected.figures"
    "$@"
    logs_read=$((logs_read + 1))
  done
  test "$logs_read" -ge 13 || fail "only $logs_read logs"
}
