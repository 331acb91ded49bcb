#!/bin/sh
# The figures of logs of the stock profiler are those that two other readers find.
. "${srcdir:-.}/tests/logs/stock-logs.sh"

check_figures ()
{
  "$proflog" report --format json "$log" >"$work/report.json" || fail "proflog report ended with $?"
  "$json_paths" <"$work/report.json" >"$work/ours.figures" || fail "the report is not JSON"
  "$proflog" report --format json "$packed" | "$json_paths" | grep -v '^log\.' >"$work/of_packed"
  grep -v '^log\.' "$work/ours.figures" | cmp - "$work/of_packed" \
    || fail "the packed log has another report"
  # Contexts are numbered in each domain: there are as many as were made.
  made=$(sed -n 's/^count:metadata-context\.load	//p' "$work/expected")
  ours=$(sed -n 's/^metadata\.contexts	//p' "$work/ours.figures")
  test "$ours" = "${made:-0}" || fail "$ours contexts, not $made"
  add_thread_counts "$work/ours.figures"
  add_sample_figures "$work/ours.figures"
  agree "other readers" "$work/expected.figures" proflog "$work/ours.figures" "$managed_figures" "$no_key"
}

for_each_log check_figures
