#!/bin/sh
# Graphviz draws the paths of heap snapshots: from the roots to as many objects as the reports of the
# paths state, and through as many objects as there are on the path to one.
. "${srcdir:-.}/tests/peers/peers.sh"
need dot
log=$tests/logs/stock-heapshot.mlpd.gz

# paths SUBJECT: the layout of the graph is in `plain`, the report's figures are in `figures`.
paths ()
{
  "$proflog" heap paths -q "$log" "$1" --dot --limit 0 >"$work/dot" || fail "heap paths $1 --dot"
  "$proflog" heap paths -q "$log" "$1" --format json --limit 0 >"$work/report" || fail "heap paths $1"
  "$json_paths" --places <"$work/report" >"$work/figures" || fail "heap paths $1 is not JSON"
  dot -Tplain "$work/dot" >"$work/plain" 2>"$work/err" || fail "dot does not read the paths to $1"
  test ! -s "$work/err" || fail "dot complains of the paths to $1"
}

figure ()
{
  awk -F '\t' -v path="$1" '$1 == path { print $2; exit }' "$work/figures"
}

# A root has the objects of all paths from it.
paths System.String
objects=$(sed -n 's/^node .*\\n\([0-9]*\) objects, [0-9]* bytes" solid box .*/\1/p' "$work/plain" \
  | awk '{ sum += $1 } END { printf "%d", sum }')
expected=$(($(figure objects) - $(figure unreachable_objects)))
test "$objects" = "$expected" && test "$objects" -gt 0 || fail "$objects objects, not $expected"

# The path to one object: the deepest of a class.
address=$("$proflog" heap dominators -q "$log" --format json --limit 0 >"$work/all" \
  && "$json_paths" --places <"$work/all" | awk -F '\t' '$1 ~ /address$/ { print $2 }' | tail -n 1)
test -n "$address" || fail 'no object'
paths "$address"
nodes=$(grep -c '^node o' "$work/plain")
test "$nodes" = "$(figure length)" || fail "$nodes steps, not $(figure length)"
test "$(grep -c '^edge' "$work/plain")" = "$nodes" || fail 'edges are missing'

run_status=0
"$proflog" heap histogram "$log" --dot 2>"$work/err" >/dev/null || run_status=$?
test "$run_status" = 2 && grep -q 'it is for paths' "$work/err" || fail '--dot of a histogram'
