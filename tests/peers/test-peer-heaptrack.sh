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

# near TEXT FOUND EXPECTED SLACK
near ()
{
  awk -v a="$2" -v b="$3" -v slack="$4" 'BEGIN { exit !(a != "" && a - b <= slack && b - a <= slack) }' \
    || fail "$log: $1 are $2, not $3 to within $4"
}

# Of sampled allocations each is as many objects as it stands for, to within one of a kind.
log=$work/sampled.mlpd
sed 's/log:output=all.mlpd,sample/proflog:alloc=64,output=aa/' "$tests/logs/all-v17.mlpd" >"$log"
"$proflog" export -q --format heaptrack -o "$work/file" --force "$log" || fail "export $log"
grep -v '^-' "$work/file" >"$work/unfreed"
kinds=$(grep -c '^a' "$work/file")
sizes=$(sed -n 's/^a \([0-9a-f]*\) .*/0x\1/p' "$work/file" | while read -r size; do echo $((size)); done \
  | awk '{ sum += $1 } END { printf "%d", sum }')
recorded=$("$proflog" dump -q "$log" | grep -c ' alloc ')
objects=$(stated '' objects)
test "$objects" -gt "$((recorded + kinds))" || fail "$log: $objects objects of $recorded"
near objects "$(total "$work/file" allocations)" "$objects" "$kinds"
near bytes "$(total "$work/unfreed" leaked)" "$(stated '' bytes)" "$sizes"
near 'live bytes' "$(total "$work/file" leaked)" "$(stated --live bytes)" "$sizes"

# The runtime, by which rates are counted, is that of the range.
log=$tests/logs/module-alloc.mlpd.gz
"$proflog" export -q --format heaptrack --time-range 50%~100% -o "$work/file" --force "$log" || fail "export $log"
ms=$("$proflog" info -q --format json "$log" | "$json_paths" | awk -F '\t' '$1 ~ /duration/ { printf "%d", $2 / 1e6 / 2 }')
last=$(sed -n 's/^c /0x/p' "$work/file" | tail -n 1)
near 'ms' "$((last))" "$ms" 2
