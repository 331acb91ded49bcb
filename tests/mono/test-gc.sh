#!/bin/sh
# Every collection of each generation is counted.
. "${srcdir:-.}/tests/mono/lib.sh"

# Mono itself collects the old generation once more when the program has ended.
expect_collections ()
{
  expect 'gc.generations[0].collections' "$(printed collections:0)"
  expect 'gc.generations[1].collections' $(($(printed collections:1) + 1))
}

# figure_of_row TABLE COLUMN VALUE OTHER: the other column of the row of gc.TABLE with this value.
figure_of_row ()
{
  row=$(awk -F '\t' -v prefix="gc.$1[" -v column="].$2" -v value="$3" \
    'index ($1, prefix) == 1 && substr ($1, index ($1, "]")) == column && $2 == value {
       print substr ($1, length (prefix) + 1, index ($1, "]") - length (prefix) - 1) }' "$figures")
  test -z "$row" || figure "gc.$1[$row].$4"
}

record 0 gcmove gc
expect_collections
# The summary in the layout of GHC has the program's counts, and the report's pauses.
"$proflog" stats --reports=summary "$log" >"$work/stats" 2>"$work/err" || fail "stats"
test ! -s "$work/err" || fail "stats complains: $(cat "$work/err")"
for generation in 0 1; do
  paused=$(figure "gc.generations[$generation].pause_max_ns")
  line=$(awk -v g=$generation '$1 == "Gen" && $2 == g { print $3, $NF }' "$work/stats")
  expected=$(($(printed collections:$generation) + generation))
  test "$line" = "$expected $(awk -v ns="$paused" 'BEGIN { printf "%.4fs", ns / 1e9 }')" \
    || fail "generation $generation of the summary: $line, not $expected with a pause of $paused ns"
done
tr -d , <"$work/stats" | grep -q "^ *$(figure gc.moves) objects moved during GC$" || fail "other moves in the summary"
awk -v permille="$(figure gc.utilisation_permille)" '
  $1 == "Productivity" { found = 1; off = int ($2 * 10 + 0.5) - permille; exit }
  END { exit !found || off != 0 }' "$work/stats" || fail "the summary's productivity: $(cat "$work/stats")"
test "$(figure gc.moves)" -gt 0 || fail "nothing was moved"
test "$(figure gc.max_heap_bytes)" -ge $((20000 * 48)) || fail "the heap is smaller than what it holds"
for generation in 0 1; do
  total=$(figure "gc.generations[$generation].total_ns")
  max=$(figure "gc.generations[$generation].max_ns")
  test "$max" -gt 0 && test "$max" -le "$total" || fail "generation $generation: max $max of $total ns"
done
# The figures of pauses are those of the events: lengths by rank, which the report may state 0.8 % too
# long; the worst windows, which begin or end with a pause; the heap at the last resize.
cat >"$work/pauses.awk" <<'AWK'
function at (g, share,    rank) {
  rank = int (count[g] * share)
  return length_of[g, rank < count[g] * share ? rank + 1 : rank]
}
function most (window,    i, j, best, begins, ends) {
  best = 0
  for (i = 1; i <= n; i++) {
    begins = ends = 0
    for (j = 1; j <= n; j++) {
      begins += overlap(j, start[i], start[i] + window)
      ends += overlap(j, end[i] - window, end[i])
    }
    if (begins > best) best = begins
    if (ends > best) best = ends
  }
  return best
}
function overlap (j, from, to) {
  if (start[j] > from) from = start[j]
  if (end[j] < to) to = end[j]
  return to > from ? to - from : 0
}
BEGIN { FS = "[ =]+"; OFMT = "%.0f" }
/event=pre-stop-world / { began[$4] = $3 }
/event=post-start-world / {
  g = $NF
  if (!($4 in began)) next
  start[++n] = began[$4] * 1e9; end[n] = $3 * 1e9
  # sorted by insertion
  for (i = ++count[g]; i > 1 && length_of[g, i - 1] > end[n] - start[n]; i--)
    length_of[g, i] = length_of[g, i - 1]
  length_of[g, i] = end[n] - start[n]
  sum[g] += end[n] - start[n]
  delete began[$4]
}
END {
  for (g = 0; g < 2; g++) {
    print g ":count", count[g], 0
    print g ":avg_ns", sum[g] / count[g], 1
    print g ":p50_ns", at(g, 0.5), 2
    print g ":p90_ns", at(g, 0.9), 2
    print g ":p99_ns", at(g, 0.99), 2
    print g ":max_ns", at(g, 1), 1
  }
  print "window:1000000", most(1e6), n
  print "window:10000000", most(1e7), n
}
AWK
"$proflog" dump "$log" >"$work/dump" || fail "no dump"
awk -f "$work/pauses.awk" "$work/dump" >"$work/printed"
test "$(wc -l <"$work/printed")" = 14 || fail "the events are not what this test can read"
while read -r key value kind; do
  case $key in
    window:*)
      window=$(figure_of_row utilisation window_ns "${key#*:}" paused_ns)
      # Too short a run has no such window.
      test -n "$window" || continue
      ;;
    *) window=$(figure_of_row generation_pauses generation "${key%%:*}" "${key#*:}") ;;
  esac
  awk -v got="$window" -v printed="$value" -v kind="$kind" 'BEGIN {
    slack = kind == 2 ? 2 + printed / 128 : kind
    exit !(got + kind >= printed && got <= printed + slack) }' || fail "$key: $window, and not $value"
  checks=$((checks + 1))
done <"$work/printed"
# The collector works otherwise, the events are the same.
for parameters in major=marksweep major=marksweep-conc nursery-size=1m; do
  MONO_GC_PARAMS=$parameters
  export MONO_GC_PARAMS
  record 0 gcmove gc
  expect_collections
done
unset MONO_GC_PARAMS
# Without a class that follows objects there are none.
record 0 gc gc
expect gc.moves 0
expect_collections
record 0 nogc gc
expect 'gc.generations[0].collections' 0
echo "$checks figures agree"
