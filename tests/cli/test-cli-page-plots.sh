#!/bin/sh
# The plots of a page in Chromium: the figures that they show at the pointer are those of the report in
# JSON.  A line is a class of heap snapshots, a band of a heap profile, or a window of utilisation.
. "${srcdir:-.}/tests/lib.sh"
need node chromium

# page LOG: its page, and its report, in JSON.
page ()
{
  "$proflog" report -q --force -o "$work/page.html" "$1" || fail "$1: no page"
  "$proflog" report -q --limit 0 --format json "$1" >"$work/report.json" || fail "$1: no report"
}

# hover TITLE SHARE...: prints what the plot of this title shows there, a line for each share.
hover ()
{
  title=$1
  shift
  mark="([...document.querySelectorAll('.plots figure')].find((f) => f.querySelector('figcaption').firstChild.data === '$title').id = 'plot') && 1"
  steps=
  for share; do
    steps="$steps hover '$share #plot .u-over' print \"JSON.stringify({ ns: Number(document.querySelector('#plot .legend').dataset.ns),
      lines: [...document.querySelectorAll('#plot .legend b')].map((b) => [b.previousSibling.data.replace(/ (\\\\(grows\\\\) )?\$/, ''), Number(b.dataset.value)]) })\""
  done
  eval "node '$tests/serve/browse.mjs' 'file://$work/page.html' wait 'document.querySelector(\".lanes\")' print \"\$mark\" $steps" \
    >"$work/printed" || fail "$title: $(cat "$work/printed")"
  sed 1d "$work/printed"
}

# agree SCRIPT: `shown` are the figures at the pointer, `report` is the report; it fails with a message.
agree ()
{
  node -e '
    const fs = require("fs"), [figures, json] = process.argv.slice(1);
    const shown = fs.readFileSync(figures, "utf8").trim().split("\n").map((line) => JSON.parse(JSON.parse(line)));
    const report = JSON.parse(fs.readFileSync(json));
    const same = (a, b, text) => { if (a !== b) { console.error(`${text}: ${a} in the page, ${b} in the report`); process.exitCode = 1; } };
    const total = (lines) => lines.reduce((sum, [, bytes]) => sum + bytes, 0);
    if (!shown.length) process.exitCode = 1;
    '"$1" "$work/shown" "$work/report.json" || fail "$title: other figures"
  checks=$((checks + 1))
}

page "$logs/stock-heapshot.mlpd.gz"
hover 'Heap by class, in heap snapshots' 0.002 0.9 >"$work/shown"
agree '
  same(new Set(shown.map((s) => s.ns)).size, 2, "snapshots");
  for (const { ns, lines } of shown) {
    const shot = report.heapshots.find((s) => s.time_ns === ns);
    same(total(lines), shot.bytes, "all");
    for (const [name, bytes] of lines)
      if (!/^\d+ others$/.test(name))
        same(bytes, shot.types.filter((t) => t.name === name).reduce((sum, t) => sum + t.bytes, 0), `${ns}: ${name}`);
  }'
hover 'Mutator utilisation, by length of the window' 0.01 0.99 >"$work/shown"
agree '
  same(shown[0].ns, 100000, "the shortest window");
  same(shown[1].ns, 1e9, "the longest window");
  same(Math.floor(shown[1].lines[0][1] * 10), report.gc.utilisation.find((w) => w.window_ns === 1e9).permille, "not paused");'

for name in ghc-heap-hT ghc-heap-hc; do
  page "$logs/$name.eventlog.gz"
  breakdown=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).heap_profiles[0].breakdown' "$work/report.json")
  hover "Heap profile by $breakdown" 0.3 0.6 0.9 >"$work/shown"
  agree '
    const profile = report.heap_profiles[0];
    if (new Set(shown.map((s) => s.ns)).size < 2) process.exitCode = 1;
    for (const { ns, lines } of shown) {
      const sample = profile.samples.find((s) => s.time_ns === ns);
      same(total(lines), sample.bytes, "all");
      for (const [name, bytes] of lines)
        if (!/^(\d+ )?others$/.test(name)) {
          const found = profile.bands.filter((b) => b.name === name).map((b) => (b.points.find((p) => p.sample === sample.sample) || { bytes: 0 }).bytes);
          if (!found.includes(bytes)) same(bytes, found[0], `${ns}: ${name}`);
        }
    }'
  hover 'Mutator utilisation, by length of the window' 0.3 0.4 0.45 0.5 0.9 >"$work/shown"
  agree '
    const rows = shown.map((s) => [s, report.gc.utilisation.find((w) => w.window_ns === s.ns)]).filter(([, row]) => row);
    if (!rows.length) process.exitCode = 1;
    for (const [{ ns, lines }, row] of rows)
      same(Math.floor(lines[0][1] * 10), row.main_permille, `not paused in ${ns} ns`);'
done

# Where no sample was taken for long, nothing is drawn, and nothing is stated: here in the middle.
title='A profile that was stopped' breakdown=closure-type
page "$logs/ghc-heap-hT.eventlog.gz"
node -e '
  const fs = require("fs"), [file] = process.argv.slice(1), page = fs.readFileSync(file, "utf8");
  const parts = page.match(/^([^]*?<script[^>]*id="timeline-[^>]*>)([^]*?)(<\/script>[^]*)$/), data = JSON.parse(parts[2]);
  const end = data.bins * data.width, heap = data.heaps[0];
  const kept = heap.times.map((ns, i) => [(ns - data.begin) / end, i]).filter(([at]) => at < 0.35 || at > 0.65).map(([, i]) => i);
  for (const s of heap.series) s.values = kept.map((i) => s.values[i]);
  heap.times = kept.map((i) => heap.times[i]);
  fs.writeFileSync(file, parts[1] + JSON.stringify(data).replaceAll("<", "\\u003c") + parts[3]);' "$work/page.html" || fail "$title: not made"
drawn='(() => { const canvas = document.querySelector("#plot canvas"), at = (share) => {
  const over = document.querySelector("#plot .u-over").getBoundingClientRect(), all = canvas.getBoundingClientRect(), scale = canvas.width / all.width;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData((over.left - all.left + share * over.width) * scale, 0, 1, canvas.height);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) n += data[i + 3] > 200 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40;
  return n; };
  return JSON.stringify([0.3, 0.5, 0.7].map(at)); })()'
hover "Heap profile by $breakdown" 0.3 0.5 0.7 >"$work/shown"
agree '
  same(shown.map((s) => s.lines.length > 0 && s.lines.every(([, bytes]) => bytes !== null)).join(), "true,true,true", "lines");
  same(shown.map((s) => s.ns > 0).join(), "true,false,true", "at the pointer");
  same(shown.map((s) => total(s.lines) > 0).join(), "true,false,true", "sizes");'
eval "node '$tests/serve/browse.mjs' 'file://$work/page.html' wait 'document.querySelector(\".lanes\")' print \"\$mark\" print \"\$drawn\"" \
  | sed 1d >"$work/shown" || fail "$title: not drawn"
agree 'same(shown[0].map((n) => n > 0).join(), "true,false,true", "colours");'

# What is allocated is stated block by block; spread over time, it is all of it, and no faster than the program is
# while it runs.
title='Allocated in a second'
for name in ghc-heap-hc ghc-blocks-N2; do
  page "$logs/$name.eventlog.gz"
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' print '(() => {
    const data = JSON.parse(document.querySelector("script[id^=timeline-]").textContent), plot = timelinePlots.plotsOf(data).find((p) => p.title === "Allocated in a second");
    const all = plot.series.flatMap((s) => s.values);
    return JSON.stringify({ bytes: Math.round(all.reduce((sum, v) => sum + v, 0) * data.width / 1e9), most: Math.max(...all) }); })()' >"$work/shown" || fail "no plot"
  agree '
    same(shown[0].bytes, report.heap.allocated_bytes, "all");
    same(shown[0].most <= 1.5 * report.time.allocation_rate, true, "the rate");'
done

# The only sizes of a heap, at the end of the log, are seen: each has dots of its colour.
title=Heap
page "$logs/ghc-ticks.eventlog.gz"
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' print '(() => {
  const figure = [...document.querySelectorAll(".plots figure")].find((f) => f.querySelector("figcaption").firstChild.data === "Heap"), canvas = figure.querySelector("canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  return JSON.stringify([...figure.querySelectorAll(".legend i")].map((mark) => {
    const rgb = mark.style.background.match(/[0-9]+/g).map(Number);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) n += data[i + 3] > 200 && rgb.every((c, k) => Math.abs(data[i + k] - c) < 12);
    return n >= 8; })); })()' >"$work/shown" || fail "no plot"
agree 'same(shown[0].join(), "true,true", "dots");'

# Dots are the main pauses of collections, with several capabilities too, in which each has a part.
title=Pauses
for name in ghc-blocks-N2 ghc-collect-nonmoving; do
  page "$logs/$name.eventlog.gz"
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' print 'JSON.stringify({
    plots: [...document.querySelectorAll(".plots figcaption")].filter((c) => c.firstChild.data === "Pauses").length,
    lengths: JSON.parse(document.querySelector("script[id^=timeline-]").textContent).pauses.filter((_, i) => i % 3 === 1) })' >"$work/shown" || fail "no pauses"
  agree '
    const { plots, lengths } = shown[0], main = report.gc.pauses.main;
    same(plots, 1, "plots");
    same(lengths.length, main.count, "pauses");
    same(lengths.reduce((sum, ns) => sum + ns, 0), main.total_ns, "all");
    same(Math.max(...lengths), main.max_ns, "the longest");'
done

# Flame graphs of costs whose stacks the timeline does not have: of the whole log, which a range states.
title='The flame graph'
choose='((title) => { const s = document.querySelector(".flames select"); s.value = title; s.dispatchEvent(new Event("change"));
  return JSON.stringify([Number(document.querySelector(".flames").dataset.total), Boolean(document.querySelector(".flames .of-whole").offsetParent)]); })'
for pair in 'module-alloc=Bytes of allocated objects=allocations.bytes' 'stock-exceptions=Thrown exceptions=exceptions.throws' \
  'stock-monitors=Time of waiting for monitors=monitors.wait_total_ns'; do
  name=${pair%%=*} path=${pair##*=} cost=${pair#*=}
  cost=${cost%=*}
  page "$logs/$name.mlpd.gz"
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' print "$choose('$cost')" \
    drag '0.3 0.8 .lanes' print "$choose('$cost')" >"$work/shown" || fail "$name: no graph"
  agree "
    const wanted = '$path'.split('.').reduce((o, key) => o[key], report);
    same(shown.map(String).join(' '), wanted + ',false ' + wanted + ',true', '$cost');"
done

# A range has its collections, main pauses and marks.
title='A range'
for name in ghc-blocks-N2 ghc-blocks; do
  page "$logs/$name.eventlog.gz"
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' drag '0.3 0.8 .lanes' \
    print 'document.querySelector(".range-text").dataset.from + "ns~" + document.querySelector(".range-text").dataset.to + "ns"' \
    print 'JSON.stringify(Object.fromEntries([...document.querySelectorAll("section[data-section=gc] > dl dd:not(.unranged dd), section[data-section=marks] dd, table[data-table=pauses] td, table[data-section=marks] td")]
      .filter((e) => e.dataset.value && (e.tagName !== "TD" || e.parentElement.sectionRowIndex === 0)).map((e) => [e.closest("section").dataset.section + "." +
        (e.dataset.key || e.closest("table").tHead.rows[0].cells[e.cellIndex].dataset.key), Number(e.dataset.value)])))' >"$work/printed" || fail "no range"
  sed 1d "$work/printed" >"$work/shown"
  "$proflog" report -q --format json --limit 0 --reports=gc,marks --time-range "$(head -n 1 "$work/printed" | tr -d '"')" "$logs/$name.eventlog.gz" >"$work/report.json"
  agree '
    const page = shown[0], { gc, marks } = report, main = gc.pauses.main;
    const near = (a, b, text) => same(b >= a && b <= a * 1.008, true, `${text}: ${a}, ${b}`);
    for (const key of ["collections", "utilisation_permille"]) same(page[`gc.${key}`], gc[key], key);
    for (const key of ["total_ns", "avg_ns", "max_ns"]) same(page[`gc.${key}`], main[key], key);
    for (const key of ["p50_ns", "p90_ns", "p99_ns", "p99_9_ns"]) near(page[`gc.${key}`], main[key], key);
    same(page["marks.count"] > 0 && gc.collections > 9, true, "any");
    const first = marks.names.find((m) => m.first_ns === page["marks.first_ns"]);
    same(first && first.last_ns, page["marks.last_ns"], "a mark");'
done

# And of Mono, by generation.
page "$logs/stock-finalizers.mlpd.gz"
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' drag '0.05 0.9 .lanes' \
  print 'document.querySelector(".range-text").dataset.from + "ns~" + document.querySelector(".range-text").dataset.to + "ns"' \
  print 'JSON.stringify(["generations", "generation_pauses"].map((key) => { const table = document.querySelector(`table[data-section=gc][data-table=${key}]`);
    return [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].filter((c) => !c.hidden)
      .map((c) => [table.tHead.rows[0].cells[c.cellIndex].dataset.key, Number(c.dataset.value)]))); }))' >"$work/printed" || fail "no range"
sed 1d "$work/printed" >"$work/shown"
"$proflog" report -q --format json --limit 0 --reports=gc --time-range "$(head -n 1 "$work/printed" | tr -d '"')" "$logs/stock-finalizers.mlpd.gz" >"$work/report.json"
agree '
  const [generations, pauses] = shown[0];
  same(generations.length > 0 && generations.length, report.gc.generations.length, "generations");
  same(pauses.length, report.gc.generation_pauses.length, "pauses");
  generations.forEach((row, i) => Object.entries(row).forEach(([key, value]) => same(value, report.gc.generations[i][key], key)));
  pauses.forEach((row, i) => Object.entries(row).forEach(([key, value]) => {
    const other = report.gc.generation_pauses[i][key];
    same(value <= other && other <= value * 1.008, true, `${key}: ${value}, ${other}`); }));'

# Who wakes whom: each cell is a row of the report.  It is a table, for those who have no scripts, too.
title='Who wakes whom'
page "$logs/ghc-blocks-N2.eventlog.gz"
cells='[...document.querySelectorAll(".matrix")].find((m) => m.querySelector("h3").textContent === "'$title'")'
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' print "JSON.stringify([...$cells.querySelectorAll('tbody tr')].map((row) =>
  [...row.cells].map((cell, i) => [row.cells[0].textContent, $cells.querySelector('thead tr').cells[i].textContent,
    Number(cell.dataset.value), Number((cell.querySelector('small') || cell).dataset.value)])))" >"$work/shown" || fail "no matrix"
agree '
  const cells = shown[0].flatMap((row) => row.slice(1, -1)).filter(([, , ns]) => ns !== null);
  same(cells.length, report.scheduling.wakers.length, "pairs");
  for (const [woken, waker, ns, count] of cells) {
    const pair = report.scheduling.wakers.find((p) => p.woken === parseInt(woken, 10) && (p.waker ?? NaN) === parseInt(waker, 10) || (p.waker === null && waker === "no thread" && p.woken === parseInt(woken, 10)));
    same(ns, pair && pair.total_ns, `${waker} wakes ${woken}, ns`);
    same(count, pair && pair.count, `${waker} wakes ${woken}, times`);
  }
  for (const row of shown[0])
    same(row.at(-1)[2], row.slice(1, -1).reduce((sum, [, , ns]) => sum + (ns || 0), 0), `${row[0][0]}: all`);'

node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' \
  print "$cells.querySelector('.rows').scrollWidth > $cells.querySelector('.rows').clientWidth" \
  print "$cells.querySelector('th:last-child').getBoundingClientRect().right <= $cells.querySelector('.rows').getBoundingClientRect().right" >"$work/shown"
test "$(tr '\n' ' ' <"$work/shown")" = 'true true ' || fail "the sums of a wide matrix are out of view: $(cat "$work/shown")"

title='Threads and locks'
page "$logs/stock-monitors.mlpd.gz"
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' \
  print "JSON.stringify([...document.querySelectorAll('.matrix td:last-child')].reduce((sum, td) => sum + Number(td.dataset.value), 0))" \
  print "JSON.stringify([...document.querySelectorAll('.matrix tbody td.text')].map((cell) => cell.textContent))" >"$work/shown"
agree '
  same(shown[0], report.monitors.wait_total_ns, "all waits");
  const threads = report.threads.map((t) => t.name ? `${t.name} ${t.id}` : t.id);
  same(shown[1].length > 0 && shown[1].every((name) => name === "All" || threads.includes(name)), true, `threads: ${shown[1]}`);'
exit 0
