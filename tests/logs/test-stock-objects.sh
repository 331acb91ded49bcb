#!/bin/sh
# The objects that --find finds in logs of the stock profiler are as many as other readers count of
# their types; what --track reports addresses is what the dump has of them.
. "${srcdir:-.}/tests/logs/stock-logs.sh"

# How many objects of types with this in their names there are.
expected_objects ()
{
  part=$1 awk -F '\t' '
    $1 ~ /^allocations\.types\[.*\]\.objects$/ && index ($1, ENVIRON["part"]) { n += $2 }
    END { print n + 0 }' "$work/expected.figures"
}

check_found ()
{
  for part in String Probe. []; do
    "$proflog" report -q --reports=objects --format json --find "T:$part" "$log" >"$work/out" \
      || fail "proflog report --find T:$part ended with $?"
    found=$("$json_paths" <"$work/out" | sed -n 's/^objects\.matching	//p')
    expected=$(expected_objects "$part")
    test "$found" = "$expected" || fail "$found objects with $part, not $expected"
    objects=$((objects + found))
  done
}

# events KIND ADDRESS: how many there are.
events ()
{
  awk -F , -v kind="$1" -v address="$2" '
    $4 == kind && $5 == address { n++ } END { print n + 0 }' "$work/out"
}

check_tracked ()
{
  "$proflog" dump -q "$log" >"$work/dump" || fail "proflog dump ended with $?"
  addresses=$(sed -n 's/.* heap-object object=\(0x[0-9a-f]*\) .*/\1/p' "$work/dump" | sort -u \
    | awk 'NR % 97 == 1' | head -20)
  test -n "$addresses" || return 0
  "$proflog" report -q --reports=objects --format csv \
    --track "$(echo "$addresses" | paste -sd , -)" "$log" >"$work/out" \
    || fail "proflog report --track ended with $?"
  for address in $addresses; do
    shots=$(grep -c "heap-object object=$address .* size=[1-9]" "$work/dump")
    references=$(sed -n 's/.* references=//p' "$work/dump" | grep -o "$address\\b" | grep -c .)
    moves=$(sed -n 's/.* gc-move objects=\[\(.*\)\]/\1/p' "$work/dump" | tr , '\n' \
      | awk -v address="$address" 'NR % 2 == 1 && $0 == address { n++ } END { print n + 0 }')
    test "$(events heap-shot "$address")" = "$shots" || fail "$address is in $shots heap shots"
    test "$(events referenced "$address")" = "$references" \
      || fail "there are $references references to $address"
    test "$(events moved "$address")" = "$moves" || fail "$address is moved $moves times"
    tracked=$((tracked + shots))
  done
}

check_objects ()
{
  check_found
  check_tracked
}

objects=0 tracked=0
for_each_log check_objects
test "$objects" -gt 1000 || fail "only $objects objects were found"
test "$tracked" -gt 20 || fail "objects were only $tracked times in heap shots"
