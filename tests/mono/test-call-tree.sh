#!/bin/sh
# The tree of calls has each call that the program counted, below its caller, and the same times as the
# section calls; a recursion is counted once where methods and their callers or callees are requested.
. "${srcdir:-.}/tests/mono/lib.sh"

# tree OPTION...: rows "depth calls total self longest start name"; upward trees have no self times.
tree ()
{
  "$proflog" report --source calls --format csv "$@" "$log" >"$work/tree.csv" || fail "report $* ended with $?"
  tr -d '\r' <"$work/tree.csv" | awk -F , '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
      name = $0
      for (i = 1; i < column["name"]; i++) sub (/^[^,]*,/, "", name)
      gsub (/"/, "", name)
      self = "self_ns" in column ? $column["self_ns"] : "-"
      print $column["depth"], $column["calls"], $column["total_ns"], self, $column["longest_ns"], \
        $column["longest_start_ns"], name
    }' >"$work/tree"
  test -s "$work/tree" || fail "report $* has no rows"
}

# sum COLUMN DEPTH NAME: over the rows of this depth ("": all) whose name begins so.
sum ()
{
  name=$3 awk -v column="$1" -v depth="$2" '
    { row = $0; for (i = 1; i < 7; i++) sub (/^[^ ]* /, "", row) }
    index (row, ENVIRON["name"]) == 1 && (depth == "" || $1 == depth) { sum += $column }
    END { printf "%.0f\n", sum }' "$work/tree"
}

# agree FOUND EXPECTED WORDS
agree ()
{
  test "$1" = "$2" || { cat "$work/tree"; fail "$3: $1, not $2"; }
  checks=$((checks + 1))
}

record 0 calls calls
tree
grep '^calls:' "$truth" | sed 's/^calls://; s/ [0-9]*$//' >"$work/methods"
while read -r method; do
  agree "$(sum 2 '' "$method")" "$(printed "calls:$method")" "calls of $method"
  agree "$(sum 4 '' "$method")" "$(figure "calls.methods[$method].self_ns")" "self time of $method"
done <"$work/methods"
main='Probe.Calls:Main ()' leaf='Probe.Calls:Leaf (int)' fib='Probe.Calls:Fib (int)' slow='Probe.Calls:Slow ()'
catcher='Probe.Calls:Catcher (int)'
agree "$(sum 3 '' "$main")" "$(figure "calls.methods[$main].total_ns")" "time of Main"

# The longest call of Slow took as long as the program slept, and began with an enter.
test "$(sum 5 '' "$slow")" -ge 18000000 || fail "the longest call of Slow took $(sum 5 '' "$slow") ns"
test "$(sum 5 '' "$slow")" -le "$(sum 3 '' "$slow")" || fail "the longest call is longer than all"
"$proflog" dump "$log" | awk -v start="$(sum 6 '' "$slow")" '
  $4 == "method-enter" && index ($0, "Calls:Slow") { n++; sub (/\./, "", $2); found += $2 + 0 == start }
  END { exit n != 3 || found != 1 }' || fail "the longest call of Slow began at no enter"

# From the callees: self times, and all calls.
tree --inverted
while read -r method; do
  agree "$(sum 2 0 "$method")" "$(printed "calls:$method")" "calls of $method, inverted"
  agree "$(sum 3 0 "$method")" "$(figure "calls.methods[$method].self_ns")" "time of $method, inverted"
done <"$work/methods"

# Leaf is called by Catcher once each time, else by Main.
tree --callers 'Calls:Leaf'
agree "$(sum 2 0 "$leaf")" "$(printed "calls:$leaf")" "calls of Leaf"
agree "$(sum 2 1 "$catcher")" "$(printed "calls:$catcher")" "calls from Catcher"
agree "$(sum 2 1 "$main")" "$(($(printed "calls:$leaf") - $(printed "calls:$catcher") - 500))" "calls from Main"
agree "$(sum 2 1 'Probe.Calls:<Main>')" 500 "calls from the thread's delegate"

# Fib calls itself: all its calls count, and its time is that of the one call from outside.
tree --callers 'Calls:Fib'
agree "$(sum 2 0 "$fib")" "$(printed "calls:$fib")" "calls of Fib"
agree "$(sum 3 0 "$fib")" "$(figure "calls.methods[$fib].total_ns")" "time of Fib"
tree --callees 'Calls:Fib'
agree "$(sum 2 '' "$fib")" "$(printed "calls:$fib")" "calls of Fib"
agree "$(sum 3 0 "$fib")" "$(figure "calls.methods[$fib].total_ns")" "time of Fib"
agree "$(sum 4 '' "$fib")" "$(figure "calls.methods[$fib].self_ns")" "self time of Fib"

# Only of a thread: nothing of Main in the finalizer's.
"$proflog" report --source calls --thread Finalizer "$log" >"$work/finalizer" 2>&1
! grep -q 'Calls:Main' "$work/finalizer" || fail "the finalizer thread called Main"

# Without samples, the tree is of calls; with both it is of samples, unless calls are requested.
"$proflog" report --reports=tree --format json "$log" | grep -q '"source": "calls"' || fail "not of calls"
record 0 calls,sample=1000,format=17 calls
"$proflog" report --reports=tree --format json "$log" | grep -q '"source": "samples"' || fail "not of samples"
"$proflog" report --source calls --format json "$log" | grep -q '"source": "calls"' || fail "not of calls"
echo "$checks figures agree"
