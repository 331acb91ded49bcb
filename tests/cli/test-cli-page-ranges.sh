#!/bin/sh
# Ranges on the timeline of a page in Chromium: each figure that is not marked as one of the whole log, and each cell
# of a table, is that of `report --time-range`.
. "${srcdir:-.}/tests/lib.sh"
need node chromium

# What the page shows of the range: its sums, and the rows of its tables.
shown='(() => {
  const out = { sums: [], tables: [] }, isOfRange = (e) => !e.closest(".unranged, td, [data-section=findings]");
  for (const dd of document.querySelectorAll("section[data-section] dd[data-value]"))
    if (isOfRange(dd)) out.sums.push([dd.closest("section").dataset.section, dd.dataset.key, dd.dataset.value]);
  for (const table of document.querySelectorAll("table[data-section]"))
    if (isOfRange(table) && table.dataset.table !== "matrix")
      out.tables.push([table.dataset.section, table.dataset.table, [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells]
        .map((c) => [c, table.tHead.rows[0].cells[c.cellIndex].dataset.key]).filter(([c, key]) => key && !c.hidden)
        .map(([c, key]) => [key, c.dataset.value ?? c.textContent])))]);
  return JSON.stringify(out); })()'

# check LOG FROM TO: these shares of the width.
check ()
{
  "$proflog" report -q --force --limit 0 -o "$work/page.html" "$logs/$1" || fail "$1: no page"
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' drag "$2 $3 .lanes" \
    print 'document.querySelector(".range-text").dataset.from + "ns~" + document.querySelector(".range-text").dataset.to + "ns"' \
    print "$shown" >"$work/printed" || fail "$1: $(cat "$work/printed")"
  range=$(head -n 1 "$work/printed" | tr -d '"')
  sed 1d "$work/printed" >"$work/shown"
  "$proflog" report -q --limit 0 --format json --time-range "$range" "$logs/$1" >"$work/report.json" || fail "$1: no report of $range"
  node -e '
    const fs = require("fs"), [page, json] = process.argv.slice(1).map((file) => JSON.parse(fs.readFileSync(file)));
    const { sums, tables } = JSON.parse(page);
    let n = 0;
    const same = (a, b, text) => { n++; if (!(a === b)) { console.error(`${text}: ${a} in the page, ${b} in the report`); process.exitCode = 1; } };
    for (const [section, key, value] of sums)
      same(value, String(json[section]?.[key]), `${section}.${key}`);
    // Rows of one name are added up; threads have ids.
    const idOf = (row) => String(row.id ?? row.name ?? row.type ?? row.generation ?? row.pause);
    for (const [section, key, rows] of tables) {
      const found = json[section]?.[key] ?? [], others = Array.isArray(found) ? found : Object.entries(found).map(([pause, row]) => ({ pause, ...row }));
      for (const row of rows)
        for (const column of Object.keys(row).filter((c) => !["id", "name", "type", "pause"].includes(c))) {
          const sum = (list) => list.filter((r) => idOf(r) === idOf(row)).reduce((all, r) => all + Number(r[column]), 0);
          const a = sum(rows), b = sum(others);
          // Native functions without managed frames have one row; percentiles of reports may be somewhat too long.
          if (idOf(row) !== "[native code]" && !(/^p[0-9]/.test(column) && b >= a && b <= a * 1.008))
            same(a, b, `${section}.${key}, ${idOf(row)}, ${column}`);
        }
    }
    console.log(`${n} figures`);
    if (!n) process.exitCode = 1;' "$work/shown" "$work/report.json" || fail "$1, $range: other figures"
  checks=$((checks + 1))
}

for log in module-calls.mlpd.gz module-alloc.mlpd.gz stock-samples.mlpd.gz stock-monitors.mlpd.gz ghc-blocks-N2.eventlog.gz \
  ghc-heap-hc.eventlog.gz ghc-ticks.eventlog.gz; do
  check $log 0.15 0.6
  check $log 0.4 0.99
done

# The sentence of a long log has hours, and says of which part of the work its method is.
"$top_builddir/tests/logs/make-day" 86400 1 1000 >"$work/day.mlpd" || fail "no log"
"$proflog" report -q --force -o "$work/page.html" "$work/day.mlpd" || fail "no page of a day"
node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.querySelector(".lanes")' \
  print 'document.querySelector(".timeline p").textContent' >"$work/printed" || fail "$(cat "$work/printed")"
grep -q '^"In 24\.0 h threads ran for .*; the largest part of the work is in Day\.Part0\.Type0:Method0 (int) (13 %)\."' "$work/printed" \
  || fail "a day: $(cat "$work/printed")"
exit 0
