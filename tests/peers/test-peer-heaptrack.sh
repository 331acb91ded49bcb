#!/bin/sh
# heaptrack_print finds in our heaptrack files the stacks, types and bytes that the folded stacks have, of all
# objects and of those that live at the end, and the number of objects and bytes that the reports of their logs
# state.  Its peak is the one before a collection, so it is no less than ours, which is after one.
. "${srcdir:-.}/tests/peers/peers.sh"
need heaptrack_print

# total FILE COST: the sum of a cost of all stacks, which are in found; it shortens what is between < and >.
total ()
{
  heaptrack_print -f "$1" -F "$work/found" --flamegraph-cost-type "$2" >"$work/out" 2>&1 \
    || fail "heaptrack_print of $log"
  sed -i -e 's/<[^<>]*>/<>/g' -e 's/; \([0-9]*\)$/ \1/' "$work/found"
  awk '{ sum += $NF } END { printf "%d", sum }' "$work/found"
}

# stated OPTION KEY: a figure of the report's allocations.
stated ()
{
  "$proflog" report -q --format json --limit 0 $1 "$log" >"$work/report" || fail "report $1 $log"
  "$json_paths" <"$work/report" >"$work/paths" || fail "the report of $log is not JSON"
  awk -F '\t' -v path="allocations.$2" '$1 == path { print $2 }' "$work/paths"
}

# agree TEXT FOUND EXPECTED
agree ()
{
  test "$2" = "$3" && test "$2" -ge 0 || fail "$log: $1 are $2, not $3"
}

# same_stacks COMMAND...: it prints folded stacks with the same sums as those found.
same_stacks ()
{
  "$@" | sed 's/<[^<>]*>/<>/g' >"$work/folded"
  for file in found folded; do
    awk '{ bytes = $NF; sub (/ [0-9]+$/, ""); sum[$0] += bytes } END { for (s in sum) if (sum[s]) print s, sum[s] }' \
      "$work/$file" | sort >"$work/$file.sorted"
  done
  same "$work/found.sorted" "$work/folded.sorted"
}

judge_heaptrack ()
{
  log=$tests/logs/$1
  "$proflog" export -q --format heaptrack -o "$work/file" --force "$log" || fail "export $log"
  grep -v '^-' "$work/file" >"$work/unfreed"
  agree objects "$(total "$work/file" allocations)" "$(stated '' objects)"
  allocated=$(total "$work/unfreed" leaked)
  agree bytes "$allocated" "$(stated '' bytes)"
  same_stacks "$proflog" export -q --format folded --source allocations "$log"
  test "$allocated" -gt 0 || fail "$log has no allocations"
}

# Logs of which is known when objects died.
judge_frees ()
{
  judge_heaptrack "$1"
  agree 'live bytes' "$(total "$work/file" leaked)" "$(stated --live bytes)"
  same_stacks "$proflog" flame -q --format folded --cost live "$log"
  test "$(total "$work/file" allocations)" -gt "$(stated --live objects)" || fail "$log: no object died"
  peak=$(total "$work/file" peak)
  test "$peak" -ge "$(stated --peak bytes)" && test "$peak" -le "$allocated" || fail "$log: the peak is $peak"
}

judge_frees module-alloc.mlpd.gz
judge_frees all-v17.mlpd

# Collections without moves: nothing is freed.
judge_heaptrack stock-alloc.mlpd.gz
