#!/bin/sh
# The events of logs of the stock profiler are those that two other readers find: how many of each
# kind, how many bytes, and the sums of every field.
. "${srcdir:-.}/tests/logs/stock-logs.sh"

check_events ()
{
  "$proflog" dump --format json "$log" >"$work/dump" || fail "proflog dump ended with $?"
  "$dump_counts" <"$work/dump" >"$work/ours" || fail "the dump is not JSON"
  untold="$untold_by_mprof|$untold_by_us"
  # mprof-report alone tells them, and does not read all logs right.
  grep -q '^bytes:' "$work/expected" || untold="$untold|$untold_by_managed"
  agree "other readers" "$work/expected" proflog "$work/ours" . "$untold"
  "$proflog" dump --format json "$packed" | cmp - "$work/dump" || fail "the packed log has another dump"
}

for_each_log check_events
