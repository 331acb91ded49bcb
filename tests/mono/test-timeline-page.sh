#!/bin/sh
# The timeline of a page in Chromium: a range that is brushed on the lanes or on a plot has the figures of
# `report --time-range`, in sums and in the rows of tables.
. "${srcdir:-.}/tests/mono/lib.sh"
need node chromium

record 0 calls,alloc busy 30
"$proflog" report -q --limit 0 -o "$work/page.html" "$log" || fail "no page"

# browse STEP...: what the page prints is in printed.
browse ()
{
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' "$@" \
    >"$work/printed" || fail "the page: $(cat "$work/printed")"
}

range='document.querySelector(".range-text").dataset'
exact () { echo "Number(document.querySelector('section[data-section=$1] dd[data-key=$2]').dataset.value)"; }
rows='Object.entries(Object.groupBy([...document.querySelectorAll("table[data-section=calls] tbody tr")], (r) => r.cells[r.cells.length - 1].firstChild.data))
  .map(([name, rs]) => name + " " + rs.map((r) => r.cells[[...r.closest("table").tHead.rows[0].cells].findIndex((h) => h.dataset.key === "self_ns")].dataset.value)).join("\n")'

# Cells of tables of the range that are empty, or not in the unit of their head; how many there are; and figures of
# the whole log without a mark.
ranged='[...document.querySelectorAll("table[data-section]")].filter((t) => !t.closest(".unranged, td") && t.tBodies[0].rows.length)'
cells="(() => { const cells = $ranged.flatMap((t) => [...t.tBodies[0].rows].flatMap((r) => [...r.cells].filter((c) => c.offsetParent)
    .map((c) => [t.tHead.rows[0].cells[c.cellIndex].textContent, c.textContent, c.dataset.value])));
  return cells.filter(([head, text, value]) => !text || (/ ms$/.test(head) && Math.floor(value / 1000) !== Math.round(text * 1000))).join() + ' of ' + cells.length; })()"
marks_of='["monitors.acquired", "monitors.failed", "monitors.wait_max_ns"].map((path) => getComputedStyle(document.querySelector(
  "section[data-section=" + path.split(".")[0] + "] dd[data-key=" + path.split(".")[1] + "]").previousElementSibling, "::after").content).join("")'

# check DRAG: the page's figures of the range.
check ()
{
  browse drag "$1" \
    print "$range.from + 'ns~' + $range.to + 'ns'" \
    print "$(exact calls total)" print "$(exact allocations bytes)" print "$(exact allocations objects)" \
    print "$(exact exceptions throws)" print "$(exact monitors contentions)" \
    print "$(exact cpu total_ns)" print "$(exact cpu wait_ns)" \
    print "$(exact allocations bytes_per_second)" print "$(exact exceptions throws_per_second)" print "$(exact gc utilisation_permille)" \
    print "$cells" print "$marks_of" \
    print "$rows" \
    print 'Number(document.querySelector(".flames").dataset.total)' \
    print 'document.querySelector("section[data-section=metadata]").classList.contains("unranged")' \
    click '.range button' \
    wait 'document.querySelector(".range button").disabled' \
    print "$(exact calls total)"
  { read -r selected; read -r calls; read -r bytes; read -r objects; read -r throws; read -r contentions; read -r worked; read -r waited
    read -r allocated; read -r thrown; read -r not_paused; read -r strange; read -r marks
    read -r selves
    read -r flame; read -r marked; read -r whole; } <"$work/printed"
  selected=$(echo "$selected" | tr -d '"')
  "$proflog" report -q --format json --reports=calls,alloc,exceptions,monitors,cpu,gc --time-range "$selected" "$log" \
    | "$json_paths" >"$work/part" || fail "no report of $selected"
  echo "$selected: $calls calls, $objects objects, $bytes bytes, $throws throws, $contentions contentions"
  for pair in "calls.total $calls" "allocations.bytes $bytes" "allocations.objects $objects" "exceptions.throws $throws" \
    "monitors.contentions $contentions" "cpu.total_ns $worked" "cpu.wait_ns $waited" "allocations.bytes_per_second $allocated" \
    "exceptions.throws_per_second $thrown" "gc.utilisation_permille $not_paused"; do
    found=$(figure "${pair% *}" "$work/part")
    test "$found" = "${pair#* }" || fail "${pair% *} is ${pair#* } in the page, $found in the report"
  done
  case $strange in '" of '[1-9]*) ;; *) fail "cells that are empty or in another unit than their head: $strange" ;; esac
  test "$(printf '%s' "$marks" | sed 's/of the whole log/@/g' | tr -dc @)" = @@@ || fail "figures of the whole log are not marked: $marks"
  test "$calls" -gt 0 || fail "the range has no calls"
  test "$calls" -lt "$(figure calls.total)" || fail "the range is the whole log"
  selfs=$(awk -F '\t' '/^calls\.methods.*self_ns\t/ { sum += $2 } END { printf "%.0f\n", sum }' "$work/part")
  test "$flame" = "$selfs" || fail "the flame graph has $flame ns, the report $selfs"
  for method in Fibonacci Allocate; do
    own=$(printf '%s\n' "$selves" | sed 's/\\n/\n/g' | sed -n "s/.*Probe.Busy:$method ([a-z]*) //p" | tr -d '"')
    found=$(awk -F '\t' -v name="Busy:$method" 'index($1, name) && $1 ~ /^calls.*self_ns$/ { print $2 }' "$work/part")
    test -n "$own" -a "$own" = "$found" || fail "$method has $own ns in the page, $found in the report"
  done
  printf '%s\n' "$selves" | sed 's/\\n/\n/g' | sed 's/"//g; s/ [0-9,]*$//' | sort -u >"$work/named"
  sed -n "s/^\(calls\|cpu\)\.methods\[\(.*\)\]\.self_ns\t.*/\2/p" "$work/part" | sort -u >"$work/methods"
  test -z "$(comm -23 "$work/named" "$work/methods")" || fail "the report does not name $(comm -23 "$work/named" "$work/methods" | head -n 3)"
  test "$marked" = true || fail "nothing marks the sections of the whole log"
  test "$whole" = "$(figure calls.total)" || fail "the whole log has $whole calls again, not $(figure calls.total)"
}

check '0.3 0.7 .lanes'
check '0.15 0.6 .plots figure .u-over'
first=$selected
check '0.5 0.9 .lanes'
test "$selected" != "$first" || fail "both ranges are $selected"

# Samples: the processor time of the range, of each method, and in the flame graph.
record 0 sample=1000 busy 60
"$proflog" report -q --limit 0 --force -o "$work/page.html" "$log" || fail "no page"
browse drag '0.2 0.8 .lanes' \
  print "$range.from + 'ns~' + $range.to + 'ns'" print "$(exact cpu total_ns)" \
  print 'Number(document.querySelector(".flames").dataset.total)' \
  print "$(printf '%s\n' "$rows" | sed 's/section=calls/section=cpu]\[data-table=methods/')"
{ read -r selected; read -r cpu; read -r flame; read -r selves; } <"$work/printed"
selected=$(echo "$selected" | tr -d '"')
"$proflog" report -q --format json --reports=cpu --limit 0 --time-range "$selected" "$log" | "$json_paths" >"$work/part"
echo "$selected: $cpu ns of samples"
test "$cpu" -gt 0 || fail "the range has no samples"
test "$cpu" = "$(figure cpu.total_ns "$work/part")" || fail "the report has $(figure cpu.total_ns "$work/part") ns in $selected"
test "$flame" = "$cpu" || fail "the flame graph has $flame ns of $cpu"
own=$(printf '%s\n' "$selves" | sed 's/\\n/\n/g' | sed -n "s/.*Probe.Busy:Allocate () //p" | tr -d '"')
found=$(figure 'cpu.methods[Probe.Busy:Allocate ()].self_ns' "$work/part")
test "${own:-0}" = "$found" || fail "Allocate has $own ns in the page, $found in the report"

# Plots mark the range, also when the window has another width: the shares of their width that are not marked as the
# range is.
marks='(() => {
  const data = JSON.parse(document.getElementById(document.querySelector("[data-timeline]").dataset.timeline).textContent);
  const all = data.bins * data.width, { from, to } = document.querySelector(".range-text").dataset;
  const shares = [...document.querySelectorAll(".plots .u-select")].filter((e) => e.style.left)
    .map((e) => [parseFloat(e.style.left), parseFloat(e.style.width)].map((n) => n / e.parentElement.clientWidth));
  const isRight = ([left, width]) => Math.abs(left - (from - data.begin) / all) < 0.01 && Math.abs(width - (to - from) / all) < 0.01;
  return shares.length > 1 && shares.every(isRight) || shares;
})()'
browse drag '0.4 0.6 .lanes' print "$marks" \
  narrow wait 'document.querySelector(".plots canvas").clientWidth < innerWidth' print "$marks"
test "$(sort -u "$work/printed")" = true || fail "a plot marks another range: $(cat "$work/printed")"

# A page that becomes dark draws its lanes and plots anew: none has letters in the colours of a light page.
inked='(() => { const isNear = (data, i, rgb) => data[i + 3] > 250 && rgb.every((c, k) => Math.abs(data[i + k] - c) < 6);
  const isInked = (canvas) => { const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let n = 0; // a few are where colours of areas meet
    for (let i = 0; i < data.length; i += 4) n += isNear(data, i, [0x1b, 0x1f, 0x24]) || isNear(data, i, [0x59, 0x63, 0x6e]);
    return n > 30; };
  return [document.querySelector(".lanes"), ...document.querySelectorAll(".plots canvas")].filter(isInked).length; })()'
browse print "$inked" print 'document.querySelectorAll(".plots canvas").length + 1' dark wait "$inked === 0" print "$inked"
{ read -r light; read -r drawings; read -r dark; } <"$work/printed"
test "$light" = "$drawings" -a "$dark" = 0 || fail "$light of $drawings had dark letters, and $dark have on a dark page"

# With the keyboard: the end of the range comes nearer, then the range moves, then it is the whole log.
browse print 'document.querySelector(".lanes").focus() ?? 1' \
  drag '0.4 0.6 .lanes' print "Number($range.from)" press ArrowRight print "Number($range.from)" \
  press Escape print 'document.querySelector(".range button").disabled' \
  press Enter print "$range.to - $range.from" press ArrowLeft print "$range.to - $range.from" print "Number($range.from)" \
  narrow print 'document.documentElement.scrollWidth <= innerWidth'
{ read -r _; read -r before; read -r after; read -r whole; read -r begun; read -r moved; read -r from; read -r fits; } <"$work/printed"
test "$after" -gt "$before" || fail "ArrowRight does not move the range: $before, $after"
test "$whole" = true || fail "Escape does not show the whole log"
test "$begun" -gt 0 -a "$begun" = "$moved" -a "$from" -gt 0 || fail "Enter and ArrowLeft select $begun ns and $moved ns from $from"
test "$fits" = true || fail "the page is wider than the window"
