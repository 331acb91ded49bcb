#!/bin/sh
# The page of proflog serve in Chromium: a recorded log that comes in pieces, and ends.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl node chromium
trap 'kill -9 $served 2>/dev/null; rm -rf "$work"' EXIT

gzip -dc "$logs/module-alloc.mlpd.gz" >log.mlpd
bytes=$(wc -c <log.mlpd)
"$proflog" top --format jsonl - <log.mlpd >top 2>err || fail "top"
mkfifo feed
exec 8<>feed
serve --interval 100ms - <feed
head -c $((bytes / 2)) log.mlpd >&8
events=$("$json_paths" <top | awk '$1 == "events_all" { print $2 }')
figure='document.querySelector("#figure-events_all")?.dataset.value'
points='[...document.querySelectorAll("#plots figure")].map((f) => Number(f.dataset.points))'
# The names in the plot of types, and how many of them the table does not have.
types_in_plot='(() => {
  const plot = [...document.querySelectorAll("#plots figure")].find((f) => f.textContent.startsWith("Allocation by type"));
  const names = [...plot.querySelectorAll(".legend > span:not([hidden])")].map((e) => e.childNodes[1].data);
  const known = [...document.querySelectorAll("[aria-labelledby=table-types] tbody tr")].map((row) => row.lastChild.textContent + " ");
  return names.length + ", " + names.filter((name) => !known.includes(name)).join();
})()'
browse \
  wait "$figure > 0" \
  print "Number($figure)" \
  wait "Math.max(...$points) >= 3" \
  run "tail -c +$((bytes / 2 + 1)) '$work/log.mlpd' >'$work/feed'" \
  wait "Number($figure) === $events" \
  print "$page_numbers" \
  print "$(page_row types Probe.Item 3)" \
  print 'document.querySelector("#control").hidden' \
  print "$types_in_plot" \
  print '[...document.querySelectorAll("button, select, input")].filter((e) => !e.labels?.length && !e.textContent && !e.ariaLabel).length' \
  print '[...document.querySelectorAll("figure")].filter((e) => !e.getAttribute("aria-label").includes(":")).length' \
  click '[aria-labelledby=table-types] th:nth-child(4) button' \
  wait 'document.querySelector("[aria-labelledby=table-types] th:nth-child(4)").ariaSort === "descending"' \
  print '[...document.querySelectorAll("[aria-labelledby=table-types] tbody tr")].map((r) => Number(r.children[3].dataset.value)).every((v, i, all) => i === 0 || v <= all[i - 1])' \
  click '#pause' \
  wait 'document.querySelector("#pause").ariaPressed === "true" && document.querySelector("#state").textContent.startsWith("Paused")' \
  press Enter \
  wait 'document.querySelector("#state").textContent === "Live"' \
  print 'document.querySelector("figure").focus() ?? 1' \
  press ArrowLeft \
  wait 'document.querySelector("figure").dataset.isChosen === "true"' \
  wait 'document.querySelector("figure").getAttribute("aria-label").startsWith("Allocation: ")'
{
  read -r some
  read -r numbers
  read -r items
  read -r is_hidden
  read -r in_plot
  read -r nameless
  read -r unlabelled
  read -r is_sorted
} <page
test "$some" -lt "$events" || fail "half of the log has $some events, all of it $events"
echo "$numbers" >numbers.page
same_numbers numbers.page top
run 0 report --format json log.mlpd
read_json
expect "allocations.types[Probe.Item].objects" "$items"
test "$is_hidden" = true || fail "there is control without a process"
test "$in_plot" = '"6, others "' || fail "types in the plot: $in_plot"
test "$nameless" = 0 || fail "$nameless controls have no name"
test "$unlabelled" = 0 || fail "$unlabelled plots have no label"
test "$is_sorted" = true || fail "the table is not sorted"
exec 8>&-
end_server TERM 0

# An eventlog that has ended, on a small dark screen; when the server ends, the page says so.
log=$logs/ghc-collect-N2.eventlog.gz
"$proflog" top --format jsonl "$log" >top 2>err || fail "top"
serve "$log"

# It was complete when the server began: the page is its report, on its own clock, and a range of its timeline has
# what the report of that time has.
browse \
  wait 'location.pathname.endsWith("/report") && document.querySelector(".lanes")' \
  drag '0.3 0.7 .lanes' \
  print '`${document.querySelector(".range-text").dataset.from}ns~${document.querySelector(".range-text").dataset.to}ns`' \
  print '[...document.querySelectorAll("table[data-section=cpu] tbody tr")].reduce((sum, r) => sum + Number(r.cells[0].dataset.value), 0)'
{ read -r range; read -r ran; } <page
"$proflog" report -q --format json --reports=cpu --time-range "$(echo "$range" | tr -d '"')" "$log" | "$json_paths" >part
test "$ran" = "$(awk '$1 == "cpu.total_ns" { print $2 }' part)" || fail "threads run $ran ns in $range: $(cat part)"
test "$ran" -gt 0 || fail "nothing runs in $range"
curl -s -D head -o body "${url}report" || fail "no report"
tr -d '\r' <head | grep -qi "^content-security-policy: default-src 'none'; .*frame-ancestors 'none'" || fail "the report has no policy"

# The figures of the whole log, as of one that is live.
url=$url#live
browse dark narrow \
  wait 'document.querySelector("#state").textContent === "The source has ended"' \
  print "$page_numbers" \
  print 'document.documentElement.scrollWidth <= innerWidth' \
  print 'getComputedStyle(document.body).backgroundColor' \
  print 'document.querySelector("[aria-labelledby=table-threads]").textContent.includes("capability 1")' \
  run "kill $served" \
  wait 'document.querySelector("#state").textContent === "The connection is lost"'
head -n 1 page >numbers.page
same_numbers numbers.page top
test "$(sed 1d page | tr '\n' ' ')" = 'true "rgb(16, 19, 23)" true ' || fail "the page: $(cat page)"
checks=$((checks + 12))

# A program of Mono without events of allocations, calls and samples: what is missing is named, and has no plot and no
# columns.  The program is that of the log.
gzip -dc "$logs/stock-monitors.mlpd.gz" >monitors.mlpd
serve --interval 100ms - <monitors.mlpd
browse \
  wait 'document.querySelector("#figure-contentions_all")?.dataset.value > 0 && document.querySelector("#table-threads")' \
  print 'document.title' \
  print 'document.querySelector("#source").textContent' \
  print 'document.querySelector("#unrecorded").textContent' \
  print '[...document.querySelectorAll("#plots figure:not([hidden]) figcaption")].filter((e) => e.textContent.startsWith("Allocation")).length' \
  print 'document.querySelector("#figure-alloc_bytes_all").textContent' \
  print '[...document.querySelectorAll("[aria-labelledby=table-threads] th:not([hidden])")].map((e) => e.textContent).join()' \
  print '[...document.querySelectorAll("[aria-labelledby=table-threads] tr:last-child td:not([hidden])")].length' \
  print '[...document.querySelectorAll("[aria-labelledby=table-locks] tbody tr")].length > 0'
cat >expected <<END
"locks.exe (standard input) - proflog"
"locks.exe (standard input)"
"Not recorded: allocation"
0
"not recorded"
"EVENTS/s,EVENTS,State,Name"
4
true
END
same page expected
end_server TERM 0
done_checks
