#!/bin/sh
# heaptrack_print finds in our heaptrack files the stacks, types and bytes that the folded stacks have,
# and the number of objects and bytes that the reports of their logs state.
. "${srcdir:-.}/tests/peers/peers.sh"
need heaptrack_print

# total COST: the sum of a cost of all stacks; it shortens what is between < and >.
total ()
{
  heaptrack_print -f "$work/file" -F "$work/found" --flamegraph-cost-type "$1" >"$work/out" 2>&1 \
    || fail "heaptrack_print of $log"
  sed -i -e 's/<[^<>]*>/<>/g' -e 's/; \([0-9]*\)$/ \1/' "$work/found"
  awk '{ sum += $NF } END { printf "%.0f", sum }' "$work/found"
}

judge_heaptrack ()
{
  log=$(path_of "$1")
  "$proflog" export -q --format heaptrack -o "$work/file" --force "$log" || fail "export $log"
  "$proflog" report -q --format json --limit 0 "$log" >"$work/report" || fail "report $log"
  "$json_paths" <"$work/report" >"$work/paths" || fail "the report of $log is not JSON"
  for cost in allocations.objects=allocations allocations.bytes=leaked; do
    expected=$(awk -F '\t' -v path="${cost%=*}" '$1 == path { print $2 }' "$work/paths")
    found=$(total "${cost#*=}")
    test "$found" = "$expected" && test "$found" -gt 0 || fail "$log: ${cost#*=} are $found, not $expected"
  done
  "$proflog" export -q --format folded --source allocations "$log" | sed 's/<[^<>]*>/<>/g' >"$work/folded"
  for file in found folded; do
    awk '{ bytes = $NF; sub (/ [0-9]+$/, ""); sum[$0] += bytes } END { for (s in sum) print s, sum[s] }' "$work/$file" \
      | sort >"$work/$file.sorted"
  done
  same "$work/found.sorted" "$work/folded.sorted"
}

judge_given judge_heaptrack
judge_heaptrack module-alloc.mlpd.gz
judge_heaptrack all-v17.mlpd
