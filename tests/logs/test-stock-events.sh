#!/bin/sh
# The events of logs of the stock profiler are those that two other readers find: how many of each
# kind, how many bytes, and the sums of every field.
. "${srcdir:-.}/tests/logs/stock-logs.sh"

check_events ()
{
  "$proflog" dump --format json "$log" >"$work/dump" || fail "proflog dump ended with $?"
  "$dump_counts" <"$work/dump" >"$work/ours" || fail "the dump is not JSON"
  unwritten="$unwritten_by_mprof|$unwritten_by_us"
  # mprof-report alone states them, and does not read all logs right.
  grep -q '^bytes:' "$work/expected" || unwritten="$unwritten|$unwritten_by_managed"
  agree "other readers" "$work/expected" proflog "$work/ours" . "$unwritten"
  "$proflog" dump --format json "$packed" | cmp - "$work/dump" || fail "the packed log has another dump"
}

# differs SED-COMMAND: the comparison sees what it changes.
differs ()
{
  sed "$1" "$work/expected" >"$work/changed"
  if cmp -s "$work/changed" "$work/expected"; then fail "'$1' changes nothing"; fi
  if (agree "what is wrong" "$work/changed" proflog "$work/ours" . "$unwritten") >/dev/null 2>&1; then
    fail "'$1' makes no difference"
  fi
}

for_each_log check_events
differs '/^sum:metadata-class\.klass	/y/0123456789/1032547698/'
differs '/^count:method-jit	/d'
differs '/^min:/s/$/0/'
differs 's/^count:metadata-thread	/count:heap-object	/'
