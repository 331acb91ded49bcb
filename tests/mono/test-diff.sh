#!/bin/sh
# One program allocates twice as many objects as the other, and states how many of each class: proflog diff
# has these numbers, and budgets find them.
. "${srcdir:-.}/tests/mono/lib.sh"

compile alloc
run_alloc ()
{
  profiled "alloc,output=$work/$1.mlpd" alloc 2 "$2" >"$work/$1" 2>"$work/stderr" || fail "alloc $2"
  test ! -s "$work/stderr" || fail "the program or the module complains"
  check_log "$work/$1.mlpd"
}
run_alloc once 4000
run_alloc twice 8000
"$proflog" diff --format json "$work/once.mlpd" "$work/twice.mlpd" >"$work/diff.json" 2>"$work/err" || fail "proflog diff"
"$json_paths" <"$work/diff.json" >"$figures" || fail "the comparison is not JSON"
while read -r line; do
  key=${line% *} base=${line##* }
  now=$(truth=$work/twice; printed "$key")
  case $key in
    objects:*) table="allocations_types_objects[${key#*:}]" unit= ;;
    bytes:*) table="allocations_types_bytes[${key#*:}]" unit=_bytes ;;
    *) continue ;;
  esac
  expect "$table.base$unit" "$base"
  expect "$table.now$unit" "$now"
  expect "$table.change$unit" $((now - base))
done <"$work/once"
test "$checks" -ge 30 || fail "the program states little"
# Known by construction: a quarter of the objects of each thread.
expect "allocations_types_objects[Probe.Node].change_percent" 100

node='allocations.types[Probe.Node].objects'
budget ()
{
  status=0
  "$proflog" diff -o /dev/null --fail-above "$node=$2" "$work/once.mlpd" "$work/twice.mlpd" 2>"$work/err" || status=$?
  test "$status" = "$1" || fail "$node=$2: status $status, not $1"
  checks=$((checks + 1))
}
now=$(truth=$work/twice; printed objects:Probe.Node)
budget 0 +100%
budget 1 +99%
budget 0 "$now"
budget 1 $((now - 1))
grep -q -F "$node is $now, above its budget of $((now - 1))" "$work/err" || fail "no sentence"

# Two runs of each are two groups, and nothing of the program varies.
run_alloc once-more 4000
run_alloc twice-more 8000
"$proflog" diff --format json "$work/once.mlpd" "$work/once-more.mlpd" -- "$work/twice.mlpd" \
  "$work/twice-more.mlpd" >"$work/diff.json" 2>"$work/err" || fail "proflog diff of groups"
"$json_paths" <"$work/diff.json" >"$figures" || fail "the comparison is not JSON"
expect "allocations_types_objects[Probe.Node].base_min" "$(figure "allocations_types_objects[Probe.Node].base_max")"
expect "allocations_types_objects[Probe.Node].now" "$now"
expect "allocations_types_objects[Probe.Node].spread" beyond
echo "$checks figures agree"
