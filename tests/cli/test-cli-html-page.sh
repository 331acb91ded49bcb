#!/bin/sh
# The page of a report in Chromium: it sorts and filters its tables, with the figures of JSON, and loads nothing.
. "${srcdir:-.}/tests/cli/lib.sh"
need node chromium
log=$logs/module-calls.mlpd.gz

"$proflog" report -q --traces --limit 0 --reports=calls,tree,threads,log -o page.html "$log" || fail "no page"
"$proflog" report -q --format json --reports=calls --limit 0 "$log" | "$json_paths" >figures
# column KEY: the numbers of a column in JSON, the largest first.
column ()
{
  awk -F '\t' -v end="\\\\].$1\$" '$1 ~ /^calls\.methods\[/ && $1 ~ end { print $2 }' figures | sort -rn
}

# browse PAGE STEP...: what the page prints is in printed.
browse ()
{
  page=$1
  shift
  node "$tests/serve/browse.mjs" "file://$work/$page" "$@" >printed || fail "the page: $(cat printed)"
}

# next NAME: the next line that was printed.
exec 3</dev/null
next ()
{
  read -r line <&3
  line=${line#\"}
  line=${line%\"}
}

methods='document.querySelector("table[data-section=calls][data-table=methods]")'
head='table[data-table=methods] th[data-key'
values="[...$methods.tBodies[0].rows].map((r) => r.cells[2].dataset.value).join(' ')"
state="$methods.querySelector('[aria-sort]').outerHTML.replace(/<button.*/, '')"
# Each row of the tree with the row above it that is less indented.
tree='document.querySelector("table[data-section=tree]")'
parents="(() => { const path = []; return [...$tree.tBodies[0].rows].map((row) => {
  const name = row.lastElementChild.firstChild.data, depth = name.search(/\\S/) / 2;
  path.length = depth; path.push(row.cells[0].dataset.value + name); return path.join(); }).sort().join(); })()"
browse page.html \
  wait 'document.readyState === "complete"' \
  print 'performance.getEntriesByType("resource").length' \
  print 'document.documentElement.scrollWidth <= innerWidth' \
  print "[...$methods.tHead.rows[0].cells].map((c) => c.dataset.key).join(' ')" \
  print "$values" \
  click "$head=calls] button" \
  print "$state" \
  print "$values" \
  click "$head=calls] button" \
  print "$state" \
  print "$values" \
  click "$head=name] button" \
  print "$methods.tBodies[0].rows[0].lastElementChild.firstChild.data" \
  print "globalThis.before = $parents, before.length > 100" \
  click 'table[data-section=tree] th[data-key=self_ns] button' \
  print "$parents === before" \
  print "[...$tree.tBodies[0].rows].slice(0, 1).map((r) => r.lastElementChild.firstChild.data).join()" \
  click 'nav a[href="#tree"]' \
  wait "Math.abs(document.querySelector('#tree').getBoundingClientRect().top) < innerHeight" \
  print 'query.value = "threading", query.dispatchEvent(new Event("input"))' \
  print "[...$methods.tBodies[0].rows].filter((r) => r.offsetHeight && !r.textContent.includes('Threading')).length" \
  print "[...$methods.tBodies[0].rows].filter((r) => !r.hidden && r.lastElementChild.firstChild.data.includes('Threading')).length" \
  print '/^[0-9]+ of [0-9]+ rows$/.test(filtered.textContent)' \
  print "query.value = '', query.dispatchEvent(new Event('input')), $methods.querySelectorAll('tr[hidden]').length" \
  click "$head=calls] button" \
  print "$methods.tBodies[0].lastElementChild.cells[2].dataset.value = 1e9, refreshTable($methods), $methods.tBodies[0].rows[0].cells[2].dataset.value"
exec 3<printed
next; test "$line" = 0 || fail "the page loaded $line"
next; test "$line" = true || fail "the page is wider than the window"
next; test "$line" = 'total_ns self_ns calls name' || fail "the columns are $line"
next; as_written=$line
test "$(printf '%s\n' $as_written | sort -rn)" = "$(column calls)" || fail "the page has other calls than JSON"
descending=$(column calls | tr '\n' ' ')
test "$as_written" != "${descending% }" || fail "the calls are in order already"
next; case $line in *'aria-sort=\"descending\"'*) ;; *) fail "the head is $line" ;; esac
next; test "$line" = "${descending% }" || fail "in descending order there are $line"
next; case $line in *'aria-sort=\"ascending\"'*) ;; *) fail "the head is $line" ;; esac
next; test "$line" = "$(column calls | sort -n | tr '\n' ' ' | sed 's/ $//')" || fail "in ascending order: $line"
next; case $line in "(wrapper "*) ;; *) fail "the first name is $line" ;; esac
next; test "$line" = true || fail "there is no tree"
next; test "$line" = true || fail "sorted, the tree is another one"
next; case $line in ' '*) fail "the tree begins with $line" ;; esac
next
next; test "$line" = 0 || fail "$line rows do not match the filter"
next
wanted=$(awk -F '\t' '$1 ~ /^calls\.methods\[.*Threading.*\]\.calls$/' figures | wc -l)
test "$line" = "$wanted" || fail "the filter finds $line of $wanted methods"
next; test "$line" = true || fail "the number of rows is not shown"
next; test "$line" = 0 || fail "$line rows stay hidden"
next; test "$line" = 1000000000 || fail "a replaced row is not sorted: $line"

# Each link of the list of sections has a name of its own, and without scripts there is none to what they show.
"$proflog" report -q -v -o verbose.html "$log" || fail "no page"
grep -qF '<li hidden><a href="#over-time-1">' verbose.html || fail "without scripts there is a link to the timeline"
browse verbose.html \
  wait 'document.querySelector(".lanes")' \
  print '[...document.querySelectorAll("nav a")].map((a) => a.textContent).filter((t, i, all) => all.indexOf(t) !== i).join()' \
  print '[...document.querySelectorAll("nav a")].filter((a) => !a.offsetParent).length'
exec 3<printed
next; test "$line" = '' || fail "more than one link is to: $line"
next; test "$line" = 0 || fail "$line links are not shown"

# On a small dark screen, wide tables are scrolled by themselves.
browse page.html dark narrow \
  wait 'document.readyState === "complete"' \
  print 'document.documentElement.scrollWidth <= innerWidth' \
  print "$methods.parentElement.scrollWidth > $methods.parentElement.clientWidth" \
  print 'getComputedStyle(document.body).backgroundColor'
exec 3<printed
next; test "$line" = true || fail "the page is wider than a small screen"
next; test "$line" = true || fail "the table is not scrolled"
next; test "$line" = 'rgb(16, 19, 23)' || fail "on a dark screen the page is $line"

# A range of all logs: the tables of all state that they are not of it; those of a log have a timeline of their own.
gzip -dc "$logs/stock-heapshot.mlpd.gz" >one.mlpd && gzip -dc "$logs/ghc-blocks.eventlog.gz" >two.eventlog || fail "cannot unpack"
"$proflog" report -q --align start -o joint.html one.mlpd two.eventlog || fail "no page of two logs"
of_whole='[...document.querySelectorAll(".unranged")].map((e) => (e.querySelector("table") || e).dataset.table).join(" ")'
# Whether each line of a heap ends in the interval of its log's last event.
"$proflog" report -q --align start --reports=joint --format json one.mlpd two.eventlog >joint.json || fail "no report of two logs"
ends="(() => { const data = JSON.parse(document.getElementById(document.querySelector('section[data-section=joint] [data-timeline]').dataset.timeline).textContent);
  return data.series.filter((s) => s.is_heap).map((s) => { const p = $(cat joint.json).joint.processes.find((p) => s.name.startsWith(p.log));
    return Math.floor((p.start_ns + p.duration_ns - data.begin) / data.width) - s.values.findLastIndex((v) => v !== null); }).join(); })()"
browse joint.html \
  wait 'document.querySelector(".lanes")' \
  print "$of_whole" \
  drag '0.3 0.6 section[data-section=joint] .lanes' \
  print "$of_whole" \
  print 'getComputedStyle(document.querySelector(".unranged"), "::before").content' \
  click 'section[data-section=joint] .range button' \
  print "$of_whole" \
  print "$ends"
exec 3<printed
next; test "$line" = '' || fail "$line are of another range than the whole log"
next; test "$line" = 'processes pauses overlaps marks' || fail "with a range, $line are of the whole log"
next; test "$line" = '\" (of the whole log)\"' || fail "they are marked by $line"
next; test "$line" = '' || fail "$line are of the whole log, as all"
next; test "$line" = 0,0,0 || fail "heaps end so many intervals before their logs: $line"

# Of a file one scan makes report and timeline, of a compressed one two do: the figures are the same.
for name in module-calls module-alloc stock-calls stock-heapshot stock-monitors stock-samples; do
  gzip -dc "$logs/$name.mlpd.gz" >plain.mlpd
  for log in plain.mlpd "$logs/$name.mlpd.gz"; do
    "$proflog" report -q --force -o page.html "$log" || fail "no page"
    sed -n '/<script type="application\/json" id="timeline-/,/<\/script>/p' page.html >"data.${log##*.}"
  done
  test -s data.gz || fail "$name: no timeline"
  same data.mlpd data.gz
done

# Names that are scripts stay names.
need_built LIBFFI tests/host/proflog-host
"$top_builddir/tests/host/proflog-host" --module "$module" --profile="proflog:output=hostile.mlpd,alloc,calls" \
  --truth truth "$tests/host/scenarios/world.scn" "$tests/cli/hostile.scn" >host.out 2>&1 || fail "the host"
"$proflog" report -q --traces --reports=allocations,calls -o hostile.html hostile.mlpd || fail "no page"
browse hostile.html \
  wait 'document.readyState === "complete"' \
  click "$head=name] button" \
  print 'document.title' \
  print 'document.querySelectorAll("img, table script").length' \
  print '[...document.querySelectorAll("td")].filter((c) => c.textContent.includes("onerror=\"document.title=")).length > 0'
exec 3<printed
next; test "$line" = 'proflog report hostile.mlpd' || fail "the title is $line"
next; test "$line" = 0 || fail "$line elements are names"
next; test "$line" = true || fail "the type has no row"
