#!/bin/sh
# The page of a log with many threads, types, snapshots and pauses: it has at most 5 MB, states what it leaves
# out, and a range still has all sums.
. "${srcdir:-.}/tests/lib.sh"
threads=1500 types=1000 snapshots=300 pauses=12000

"$top_builddir/tests/logs/make-wide" $threads $types $snapshots $pauses >"$log" || fail "no log"
"$proflog" report -q --force -o "$work/page.html" "$log" || fail "no page"
size=$(wc -c <"$work/page.html")
echo "$size bytes of $(wc -c <"$log")"
test "$size" -le 5000000 || fail "the page has $size bytes"
# Lanes: also of the main thread, which collects, and of its pauses.
for note in "$((threads + 2 - 60)) less active threads have no lane." "$((pauses - 5000)) shorter pauses are not drawn." \
  "and $((snapshots - 20)) more heap snapshots"; do
  grep -qF "$note" "$work/page.html" || fail "the page does not state: $note; but: $(grep -o '"notes":[^]]*' "$work/page.html")"
done
grep -q '"[0-9]* names or stacks of small sums are together in' "$work/page.html" || fail "the page does not state [others]"

need node chromium
exact () { echo "Number(document.querySelector('section[data-section=$1] dd[data-key=$2]').dataset.value)"; }
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' drag '0.2 0.5 .lanes' \
  print 'document.querySelector(".range-text").dataset.from + "ns~" + document.querySelector(".range-text").dataset.to + "ns"' \
 print 'document.querySelector(".lanes").dataset.labels.split("\n").filter((l, i, all) => /[0-9]|^Pauses$/.test(l) && all.indexOf(l) === i).length' \
  print "$(exact calls total)" print "$(exact allocations bytes)" print "$(exact exceptions throws)" print "$(exact monitors wait_total_ns)" \
  >"$work/printed" || fail "the page: $(cat "$work/printed")"
tr -d '"' <"$work/printed" >"$work/found"
{ read -r range; read -r lanes; } <"$work/found"
# That of the pauses has no times of threads; long names do not look alike.
test "$lanes" = 60 || fail "$lanes of 60 lanes have a name of their own"
"$proflog" report -q --format json --reports=calls,alloc,exceptions,monitors --time-range "$range" "$log" | "$json_paths" >"$work/part"
for path in calls.total allocations.bytes exceptions.throws monitors.wait_total_ns; do
  awk -F '\t' -v path="$path" '$1 == path { print $2 }' "$work/part"
done >"$work/expected"
sed 1,2d "$work/found" >"$work/shown"
cat "$work/found"
diff "$work/expected" "$work/shown" || fail "$range has other sums in the report"
test "$(head -n1 "$work/expected")" -gt 1000 || fail "the range has no calls"
exit 0
