#!/bin/sh
# Logs of the stock profiler in each of its modes, tests/logs/stock-*.mlpd.gz: proflog finds in them
# what two other readers found when scripts/record-stock-logs made them, packed and unpacked.
set -u
LC_ALL=C
export LC_ALL
sources=$(cd "${srcdir:-.}" && pwd)/tests/mono
logs=$(cd "${srcdir:-.}" && pwd)/tests/logs
proflog=$PWD/proflog

fail ()
{
  echo "FAIL: $*" >&2
  exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-stock-logs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
. "$sources/agree.sh"

read=0
for packed in "$logs"/stock-*.mlpd.gz; do
  recorded=$(basename "$packed" .mlpd.gz)
  echo "$recorded:"
  gunzip -c "$packed" >"$work/log.mlpd" || fail "$packed cannot be unpacked"
  grep -v '^figure:' "$logs/$recorded.counts" >"$work/expected"
  sed -n 's/^figure://p' "$logs/$recorded.counts" >"$work/expected.figures"
  "$proflog" dump --format json "$work/log.mlpd" >"$work/dump" || fail "proflog dump ended with $?"
  ./tests/mono/dump-counts <"$work/dump" >"$work/ours" || fail "the dump is not JSON"
  untold="$untold_by_mprof|$untold_by_us"
  # mprof-report alone tells them, and does not read all logs right.
  grep -q '^bytes:' "$work/expected" || untold="$untold|$untold_by_managed"
  agree "other readers" "$work/expected" proflog "$work/ours" . "$untold"
  "$proflog" report --format json "$work/log.mlpd" >"$work/report.json" || fail "proflog report ended with $?"
  ./tests/mono/json-paths <"$work/report.json" >"$work/ours.figures" || fail "the report is not JSON"
  "$proflog" dump --format json "$packed" | cmp -s - "$work/dump" || fail "the packed log has another dump"
  "$proflog" report --format json "$packed" | ./tests/mono/json-paths | grep -v '^log\.' >"$work/of_packed"
  grep -v '^log\.' "$work/ours.figures" | cmp - "$work/of_packed" || fail "the packed log has another report"
  add_thread_counts "$work/ours.figures"
  agree "other readers" "$work/expected.figures" proflog "$work/ours.figures" "$managed_figures" "$no_key"
  read=$((read + 1))
done
test "$read" -ge 13 || fail "only $read logs"
