#!/bin/sh
# The page of proflog flame in Chromium: search, zoom, keys and the inverted graph, with the figures of the report.
. "${srcdir:-.}/tests/cli/lib.sh"
need node chromium
log=$logs/module-calls.mlpd.gz method=Probe.ShortThreads:Main

"$proflog" flame -q --cost self "$log" -o page.html || fail "no page"
"$proflog" report -q --format json --reports=calls --limit 0 "$log" | "$json_paths" >report
total=$(awk -F '\t' -v path="calls.methods[$method (string[])].total_ns" '$1 == path { print $2 }' report)
self=$(awk -F '\t' -v path="calls.methods[$method (string[])].self_ns" '$1 == path { print $2 }' report)
test -n "$total" -a -n "$self" || fail "the report has no $method"
all=$("$proflog" flame -q --cost self -f folded "$log" | awk '{ sum += $NF } END { printf "%.0f\n", sum }')

# browse STEP...: what the page prints is in printed.
browse ()
{
  node "$tests/serve/browse.mjs" "file://$work/page.html#$method%20(string" "$@" >printed || fail "the page: $(cat printed)"
}

wide="document.documentElement.scrollWidth <= innerWidth"
status='document.querySelector("#status").textContent'
browse \
  wait 'document.querySelector("#matched").dataset.total > 0' \
  print 'Number(document.querySelector("#matched").dataset.total)' \
  print 'graph.root.total' \
  print "$wide" \
  print 'document.querySelector("#graph").focus() ?? 1' \
  run : \
  print 'graph.focus(graph.shown.find((r) => graph.nameOf(r.node).startsWith("Probe.ShortThreads:Main")).node) ?? graph.focused.self' \
  press Enter \
  wait 'graph.zoomed === graph.focused && graph.zoomed !== graph.root' \
  print 'graph.shown.find((r) => r.node === graph.zoomed).width === graph.canvas.clientWidth' \
  print "$status" \
  press ArrowLeft \
  click '#reset' \
  wait 'graph.zoomed === graph.root' \
  click '#invert' \
  wait 'graph.root === graph.trees.up' \
  print 'graph.root.total' \
  print 'Number(document.querySelector("#matched").dataset.total)' \
  print 'document.querySelectorAll("tbody tr").length' \
  print 'document.querySelector("#matched").textContent.split(":")[0]'
{
  read -r matched
  read -r whole
  read -r fits
  read -r _
  read -r own
  read -r fills
  read -r line
  read -r inverted
  read -r matched_inverted
  read -r rows
  read -r number
} <printed
test "$matched" = "$total" || fail "the search finds $matched, the report has $total"
test "$whole" = "$all" || fail "the page has $whole in all, the log $all"
test "$fits" = true || fail "the page is wider than the window"
test "$own" = "$self" || fail "by itself $own, and in the report $self"
test "$fills" = true || fail "zoomed, it does not fill the width"
case $line in
  '"'"$method (string[]) - "*'self '*) ;;
  *) fail "the status is $line" ;;
esac
test "$inverted" = "$all" || fail "inverted, there are $inverted in all"
# Every stack with the method is found the other way round, too.
test "$matched_inverted" = "$total" || fail "inverted, the search finds $matched_inverted"
case $number in '"1 frame matches"' | '"'[2-9]*' frames match"' | '"1'[0-9]*' frames match"') ;; *) fail "the number of frames is $number" ;; esac
test "$rows" -gt 5 || fail "the table has $rows rows"

# Own code alone: each stack is that of its innermost frame that is not the library's.
expected=$("$proflog" flame -q --cost self -f folded "$log" | awk -v method="$method" '{
  n = $NF; sub(/ [0-9]+$/, ""); own = ""; count = split($0, frames, ";")
  for (i = 1; i <= count; i++)
    if (frames[i] !~ /^(System|Microsoft|Mono)[.]|^[(]wrapper |^(string|object|char|int|long|bool):|\[native\]$/)
      own = frames[i]
  if (index(own, method) == 1) sum += n } END { printf "%.0f\n", sum }')
browse \
  wait 'document.querySelector("#matched").dataset.total > 0' \
  click '#own' \
  print 'graph.root.total' \
  print 'graph.shown.filter((r) => graph.data.library.includes(r.node.frame)).length' \
  print "(function sum(n) { return n.children.reduce((s, c) => s + sum(c), graph.nameOf(n).startsWith('$method') ? n.self : 0); })(graph.root)" \
  click '#invert' \
  print 'graph.root.total' \
  print 'graph.shown.filter((r) => graph.data.library.includes(r.node.frame)).length' \
  press o \
  print 'document.querySelector("#own").getAttribute("aria-pressed")'
{
  read -r whole
  read -r libraries
  read -r own
  read -r inverted
  read -r callers
  read -r pressed
} <printed
test "$whole,$inverted" = "$all,$all" || fail "own code alone has $whole, inverted $inverted, and the log $all"
test "$libraries,$callers" = 0,0 || fail "own code alone has $libraries frames of the library, inverted $callers"
# Small stacks are summed, below the frames that they have.
test "$own" -gt "$self" -a "$own" -le "$expected" -a "$own" -gt $((expected - expected / 1000)) || fail "$method has $own with the library, not $expected, and $self without"
test "$pressed" = '"false"' || fail "o leaves own code alone shown"

# On a small dark screen.
browse dark narrow \
  wait 'graph.shown.length > 3' \
  print "$wide" \
  print 'getComputedStyle(document.body).backgroundColor' \
  print 'document.querySelector("td:last-child").offsetWidth > innerWidth / 2' \
  print 'document.documentElement.scrollHeight < 2000'
{
  read -r fits
  read -r background
  read -r roomy
  read -r short
} <printed
test "$roomy" = true -a "$short" = true || fail "on a small screen names have no room ($roomy), or the page is long ($short)"
test "$fits" = true || fail "the page is wider than a small screen"
test "$background" = '"rgb(16, 19, 23)"' || fail "on a dark screen the page is $background"

# By thread: each thread has what --thread gives it, and without them the graph is that of all.
"$proflog" flame -q --cost self --by-thread "$log" -f folded >threads.folded || fail "no stacks by thread"
"$proflog" flame -q --cost self --by-thread "$log" --force -o page.html || fail "no page by thread"
plain=$("$proflog" flame -q --cost self -f folded "$log" | sort | cksum)
test "$(sed 's/^[^;]*;//' threads.folded | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sums[$0] += n } END { for (s in sums) printf "%s %.0f\n", s, sums[s] }' |
  sort | cksum)" = "$plain" || fail "the stacks of all threads together are not those of the log"
browse \
  wait 'document.querySelector("#matched").dataset.total > 0' \
  print 'graph.root.total' \
  print 'graph.root.children.map((n) => graph.nameOf(n) + "=" + n.total).join("\n")' \
  click '#threads' \
  print 'graph.root.total' \
  print 'Number(document.querySelector("#matched").dataset.total)' \
  print 'document.querySelector("#threads").getAttribute("aria-pressed")' \
  click '#invert' \
  print 'graph.root.total' \
  print 'graph.root.children.some((n) => /^Main$|^Thread 0x/.test(graph.nameOf(n)))'
{
  read -r by_thread
  read -r threads
  read -r together
  read -r matched
  read -r pressed
  read -r inverted
  read -r has_thread
} <printed
test "$by_thread,$together,$inverted" = "$all,$all,$all" || fail "the page has $by_thread by thread, $together together, $inverted inverted, and the log $all"
test "$matched" = "$total" || fail "all threads together, the search finds $matched, and the report has $total"
test "$pressed,$has_thread" = '"false",false' || fail "threads are shown: $pressed, $has_thread"
printf '%s\n' "$threads" | sed 's/^"//; s/"$//; s/\\n/\n/g' >threads
test "$(wc -l <threads)" -gt 1 || fail "the threads are $(cat threads)"
while IFS='=' read -r thread ns; do
  id=${thread#Thread }
  own=$("$proflog" flame -q --cost self --thread "$id" -f folded "$log" | awk '{ sum += $NF } END { printf "%.0f\n", sum }')
  test "$own" = "$ns" || fail "$thread has $ns in the page, and $own by --thread"
done <threads
for cost in lock exception live; do
  "$proflog" flame --cost $cost --by-thread "$log" -f folded >out 2>err && fail "--by-thread takes $cost"
done

# A comparison: the change stands in front of the name, and in the status beside both figures.
"$proflog" flame -q --cost calls --diff "$logs/stock-calls.mlpd.gz" "$log" --force -o page.html || fail "no comparison"
before=$("$proflog" flame -q --cost calls -f folded "$logs/stock-calls.mlpd.gz" | awk '{ sum += $NF } END { printf "%.0f\n", sum }')
browse dark narrow \
  wait 'graph.shown.length > 3' \
  print "$wide" \
  print 'graph.root.before' \
  print 'graph.shown.every((r) => graph.isSame(r.node) === (graph.colour(r.node) === "hsl(215 13% 81%)"))' \
  print 'graph.labelOf(graph.root, 30)' \
  print "$status" \
  click '#invert' \
  wait 'graph.root === graph.trees.up' \
  print 'graph.root.before'
{
  read -r fits
  read -r whole
  read -r grey
  read -r label
  read -r line
  read -r inverted
} <printed
all=$("$proflog" flame -q --cost calls -f folded "$log" | awk '{ sum += $NF } END { printf "%.0f\n", sum }')
change=$(awk -v n="$all" -v b="$before" 'BEGIN { printf "%+.0f %%", 100 * (n - b) / b }')
test "$fits" = true || fail "the comparison is wider than a small screen"
test "$whole" = "$before" || fail "before, the page has $whole, and the log $before"
test "$grey" = true || fail "what changed and what did not have one colour"
test "$label" = "\"$change all\"" || fail "the whole is labelled $label, and changed by $change"
case $line in
  *"; before "*", $change\"") ;;
  *) fail "the status is $line" ;;
esac
test "$inverted" = "$before" || fail "inverted, there are $inverted before"

# A link may have a percent sign as it is, and stacks may be deeper than a canvas may be high.
chain='{ frames: ["f"], parents: Array.from({ length: 5000 }, (_, i) => i), names: Array(5000).fill(0),
  selves: [...Array(4999).fill(0), 1], unit: "calls", words: {} }'
node "$tests/serve/browse.mjs" "file://$work/page.html#100%" \
  wait 'graph.shown.length > 3' \
  print 'document.querySelector("#query").value' \
  print "(() => { const canvas = document.body.appendChild(document.createElement('canvas'));
    flameGraph(canvas, $chain, () => {}).draw();
    return canvas.getContext('2d').getImageData(5, 5, 1, 1).data[3] > 0; })()" >printed || fail "the page: $(cat printed)"
{
  read -r searched
  read -r drawn
} <printed
test "$searched" = '"100%"' || fail "the search of the link is $searched"
test "$drawn" = true || fail "stacks of 5000 frames are not drawn"
