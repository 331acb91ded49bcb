#!/bin/sh
# Which objects live at the end, lived at the peak and died at once: as many as the program made of each type.
. "${srcdir:-.}/tests/mono/lib.sh"

# bytes COST TYPE: of the stacks whose innermost frame is the type.
bytes ()
{
  type=$2 awk '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, frames, ";")
                 if (frames[k] == ENVIRON["type"]) sum += n }
               END { printf "%.0f\n", sum }' "$work/$1.folded"
}

# exact COST TYPE OBJECTS SIZE
exact ()
{
  found=$(bytes "$1" "$2")
  test "$found" = $(($3 * $4)) || fail "$1 of $2: $found bytes, not $(($3 * $4))"
  checks=$((checks + 1))
}

# near COST TYPE OBJECTS SIZE: but for a few, which the stack of a thread may hold in a collection.
near ()
{
  found=$(bytes "$1" "$2")
  test "$found" -le $(($3 * $4)) && test "$found" -ge $((($3 - 30) * $4)) \
    || fail "$1 of $2: $found bytes, not $(($3 * $4))"
  checks=$((checks + 1))
}

compile lifetimes
for options in '' --heapshot; do
  "$proflog" run --allocs $options --force -o "$log" mono "$programs/lifetimes.exe" >"$truth" 2>"$work/stderr" \
    || fail "the program: $(cat "$work/stderr")"
  for cost in alloc live peak temporary; do
    "$proflog" flame -q -f folded --cost $cost "$log" >"$work/$cost.folded" || fail "no stacks of $cost"
  done
  near temporary Temporary "$(printed temporary)" 32
  near live Retained "$(printed retained)" 32
  near live Late "$(printed late)" 24
  test "$(bytes live Temporary)" -le $((30 * 32)) || fail "temporary objects live"
  for cost in live peak temporary; do
    test "$(bytes $cost Replaced)" -le "$(bytes alloc Replaced)" || fail "$cost: more than was allocated"
  done
  test "$(bytes peak Retained)" -gt 0 || fail "no peak"
done
# A heap snapshot at the end states exactly what lives.
exact live Retained "$(printed retained)" 32
exact live Replaced "$(printed replaced)" 40
exact live Late "$(printed late)" 24
exact live 'System.Int64[]' "$(printed large)" 100032
exact live Temporary 0 32
# What lived has survived, or came late.
test $(($(bytes live Replaced) + $(bytes temporary Replaced))) -le "$(bytes alloc Replaced)" || fail "both live and temporary"

# The report has the same, and every object that did not live is among those that died.
"$proflog" report --live --by type --format json "$log" | "$json_paths" >"$figures" || fail "no report"
expect 'allocations.types[Retained].objects' "$(printed retained)"
expect 'allocations.types[Late].objects' "$(printed late)"
live=$(figure allocations.objects)
died=$(awk -F '\t' '$1 ~ /^allocations\.lifetimes\[.*\]\.objects$/ { sum += $2 } END { print sum }' "$figures")
"$proflog" report --reports=allocations --format json "$log" | "$json_paths" >"$figures" || fail "no report"
expect allocations.objects $((live + died))

# A selection follows its objects only, through collections of all threads.
"$proflog" flame -q -f folded --cost live --time-range=0~1ns "$log" >"$work/none" 2>"$work/err" && fail "objects of no time"
grep -q "no allocations of what is selected" "$work/err" || fail "an empty selection: $(cat "$work/err")"
echo "$checks figures agree"
