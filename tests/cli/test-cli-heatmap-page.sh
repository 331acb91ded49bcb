#!/bin/sh
# The page of proflog heatmap in Chromium: rectangles that are dragged, their sums, flame graphs and events, and the
# comparison of two, against `report --time-range` and `flame`.
. "${srcdir:-.}/tests/cli/lib.sh"
need node chromium

"$top_builddir/tests/logs/make-day" 60 100 200 truth >day.mlpd || fail "no log"
"$proflog" heatmap -q day.mlpd -o page.html || fail "no page"

# browse STEP...: what the page prints is in printed.
browse ()
{
  node "$tests/serve/browse.mjs" "file://$work/page.html" "$@" >printed || fail "the page: $(cat printed)"
}

# figure PATH OPTION...: of the report.
figure ()
{
  path=$1
  shift
  "$proflog" report -q --format json "$@" day.mlpd | "$json_paths" | awk -F '\t' -v path="$path" '$1 == path { print $2 }'
}

ready='heat.graph !== null && heat.layer !== null'
rectangle='[heat.selected.from, heat.selected.to, heat.selected.top, heat.selected.bottom].join(" ")'
total='Number(document.querySelector("#range").dataset.total)'
wide='document.documentElement.scrollWidth <= innerWidth'
count='(unit, of) => (of.match(/^([0-9]+) collection/) || of.match(/, ([0-9]+) collection/) || [0, 0])[1]'

# A drag along the axis below the cells selects whole seconds.
browse \
  wait "$ready" \
  print "$total" \
  print "$wide" \
  drag '0.2,0.97 0.5,0.97 #cells' \
  print "$rectangle" \
  print "$total" \
  print 'heat.graph.root.total' \
  print 'document.querySelector("#range").textContent.match(/--time-range=[0-9a-z~]*/)[0]' \
  print "($count)(0, document.querySelector('#eventful').textContent)" \
  print 'document.querySelectorAll("#events tbody tr").length' \
  print 'heat.graph.root.children.filter((n) => n.total).map((n) => heat.graph.nameOf(n) + " " + n.total).join("")' \
  click '#clear' \
  print "$total"
{
  read -r all
  read -r fits
  read -r cells
  read -r sum
  read -r flames
  read -r option
  read -r collections
  read -r rows
  read -r outermost
  read -r cleared
} <printed
test "$all" = 6000 || fail "the page has $all samples"
test "$fits" = true || fail "the page is wider than the window"
range=$(echo "$option" | tr -d '"')
expected=$(figure cpu.hits "$range")
test "$sum" = "$expected" -a "$flames" = "$expected" || fail "$cells: $sum, graph $flames; the report of $range has $expected"
test "$cleared" = "$all" || fail "cleared, $cleared are selected"
test "$outermost" = "\"Day.Part0.Type0:Method0 (int) $expected\"" || fail "the outermost frame is $outermost"
eval "set -- $cells"
eval "set -- $1"
expected=$(awk -v from="$1" -v to="$2" '$1 == "pause" && $2 >= from * 1e9 && $2 < to * 1e9 { n++ } END { print n + 0 }' truth)
test "$collections" = "\"$expected\"" -a "$expected" -gt 0 || fail "$collections collections in $cells, and the log has $expected"
expected=$(awk -v from="$1" -v to="$2" '$1 != "sample" && $2 >= from * 1e9 && $2 < to * 1e9 { n++ } END { print n + 0 }' truth)
test "$rows" = "$expected" || fail "$rows events in $cells, and the log has $expected"

# A rectangle of some rows; then a second one, which is compared with it; other weights.
browse dark narrow \
  wait "$ready" \
  drag '0.1,0.1 0.3,0.4 #cells' \
  print "$rectangle" \
  print "$total" \
  click '#compare' \
  drag '0.5,0.3 0.9,0.8 #cells' \
  print "$rectangle" \
  print "$total" \
  print '[heat.first.from, heat.first.to, heat.first.top, heat.first.bottom].join(" ")' \
  print 'heat.graph.root.total' \
  print 'heat.graph.root.before' \
  print 'document.querySelector("#legend").hidden' \
  print "$wide" \
  print 'getComputedStyle(document.body).backgroundColor' \
  print '(() => { const w = document.querySelector("#weight"); w.value = [...w.options].find((o) => o.textContent === "Pauses").value; w.dispatchEvent(new Event("change")); return w.options.length; })()' \
  wait 'heat.layer.weight === 2' \
  click '#clear' \
  print "$total" \
  press Tab
{
  read -r first
  read -r first_sum
  read -r second
  read -r second_sum
  read -r compared
  read -r flames
  read -r before
  read -r hidden
  read -r fits
  read -r background
  read -r weights
  read -r pauses
} <printed

# in_truth RECTANGLE: the samples that the log has there.
in_truth ()
{
  eval "set -- $1"
  eval "set -- $1"
  awk -v from="$1" -v to="$2" -v top="$3" -v bottom="$4" '$1 == "sample" {
    second = int($2 / 1e9); row = int(($2 % 1000000000) / 20000000)
    n += second >= from && second < to && row >= top && row < bottom } END { print n + 0 }' truth
}

cells_of ()
{
  eval "set -- $1"
  eval "set -- $1"
  echo $((($2 - $1) * ($4 - $3)))
}

test "$first_sum" = "$(in_truth "$first")" || fail "$first has $first_sum, and the log $(in_truth "$first")"
test "$second_sum" = "$(in_truth "$second")" || fail "$second has $second_sum, and the log $(in_truth "$second")"
test "$compared" = "$first" || fail "compared with $compared, not $first"
test "$flames" = "$second_sum" || fail "the graph has $flames of $second_sum"
# As much time as the second rectangle has.
awk -v found="$before" -v sum="$first_sum" -v a="$(cells_of "$first")" -v b="$(cells_of "$second")" \
  'BEGIN { d = found - sum * b / a; exit !(d < 20 && d > -20) }' || fail "before, there are $before, of $first_sum in $first and $second"
test "$hidden,$fits" = false,true || fail "no legend ($hidden), or too wide ($fits)"
test "$background" = '"rgb(16, 19, 23)"' || fail "on a dark screen the page is $background"
test "$weights" = 4 || fail "$weights weights"
test "$pauses" = "$(figure gc.pause_total_ns)" || fail "pauses are $pauses ns"
checks=$((checks + 20))

# Several programs: each by itself, or all.
"$proflog" heatmap -q --force --align start day.mlpd "$logs/stock-samples.mlpd.gz" -o page.html || fail "no page"
browse \
  wait "$ready" \
  print "$total" \
  print '(() => { const p = document.querySelector("#program"); p.value = 1; p.dispatchEvent(new Event("change")); return p.options.length; })()' \
  wait 'heat.layer.program === 1' \
  print "$total"
test "$(tr '\n' ' ' <printed)" = "6299 3 299 " || fail "two programs: $(cat printed)"

# Of a log in which one method works more for 12 s the page begins there and says so; of others it says nothing.
"$proflog" heatmap -q --force day.mlpd -o page.html || fail "no page"
browse wait "$ready" print 'document.querySelector("#episode").hidden'
test "$(cat printed)" = true || fail "something stands out of an even log: $(cat printed)"
"$top_builddir/tests/logs/make-day" 600 100 200 truth incident >day.mlpd || fail "no log"
"$proflog" heatmap -q --force day.mlpd -o page.html || fail "no page"
browse narrow \
  wait "$ready" \
  print 'document.querySelector("#episode").textContent' \
  print 'document.querySelector("#scroll").scrollLeft > 0' \
  print "$wide" \
  click '#episode button' \
  print "$rectangle" \
  print "$total" \
  print '[heat.first.from, heat.first.to, heat.first.top, heat.first.bottom].join(" ")'
expected=$(awk '$1 == "sample" { n++; inside += $2 >= 360e9 && $2 < 372e9 } END { printf "%.1f %d", 100 * inside / n, inside }' truth)
test "$(sed -n 1p printed)" = "\"2010-07-01 16:06:00 UTC to 16:06:12 UTC has ${expected% *} % of all samples, in 2.0 % of the time.\
 Most of what it has more is in Day.Part1.Type98:Method199 (int) (100 %).Compare with all\"" || fail "what stands out: $(sed -n 1p printed)"
test "$(sed 1d printed | tr '\n' ' ')" = "true true \"360 372 0 50\" ${expected#* } \"0 600 0 50\" " || fail "what stands out: $(cat printed)"
checks=$((checks + 3))
done_checks
