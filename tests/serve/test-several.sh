#!/bin/sh
# proflog serve of several sources of both runtimes: a page of all and a page of each; when one ends, the others go on.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl node chromium
trap 'kill -9 $served 2>/dev/null; rm -rf "$work"' EXIT

gzip -dc "$logs/module-alloc.mlpd.gz" >log.mlpd
gzip -dc "$logs/ghc-blocks.eventlog.gz" >log.eventlog
for log in mlpd eventlog; do
  "$proflog" top --format jsonl - <log.$log | tail -n 1 | "$json_paths" >top.$log || fail "top of $log"
done
events_of ()
{
  awk '$1 == "events_all" { print $2 }' "top.$1"
}

# A name that would be a script, if a page took it for one.
hostile='feed"><img src=x onerror=alert(1)>'
mkfifo "$hostile" other
exec 7<>"$hostile" 8<>other
serve --interval 100ms "$hostile" other 7>&- 8>&-
cat log.mlpd >&7
head -c 20000 log.eventlog >&8

row='(n, column) => document.querySelectorAll("#sources tbody tr")[n - 1]?.querySelector(`[data-column="${column}"]`)?.dataset.value'
state='(n) => document.querySelectorAll("#sources tbody tr")[n - 1]?.querySelector(".state").textContent'
points='Math.max(0, ...[...document.querySelectorAll("#plots figure")].map((f) => Number(f.dataset.points)))'
browse \
  wait "Number(($row)(1, 'Events')) === $(events_of mlpd)" \
  wait "Number(($row)(2, 'Events')) > 0" \
  wait "$points >= 2" \
  print "($state)(1) + ', ' + ($state)(2)" \
  print 'document.querySelectorAll("img").length' \
  print "document.querySelector('#sources a').textContent === '$hostile'" \
  print '[...document.querySelectorAll("#sources tbody tr")].map((r) => r.children[1].textContent).join()' \
  run "tail -c +20001 '$work/log.eventlog' >'$work/other'" \
  wait "Number(($row)(2, 'Events')) === $(events_of eventlog)" \
  print "($row)(2, 'Longest pause')"
{
  read -r states
  read -r images
  read -r name
  read -r runtimes
  read -r pause
} <page
test "$states" = '"live, live"' || fail "the states are $states"
test "$images" = 0 || fail "a name has become an element"
test "$name" = true || fail "the name is another one"
test "$runtimes" = '"Mono,GHC"' || fail "the runtimes are $runtimes"
test "$(awk '$1 == "pause_max_ever_ns" { print $2 / 1e6 }' top.eventlog)" = "$(echo "$pause" | tr -d '"' | awk '{ print $1 + 0 }')" \
  || fail "the longest pause is $pause ms"

# Metrics of all have the source as a label, and one description of each family.
curl -sf "${url}metrics" >metrics || fail "no metrics"
grep -q "^proflog_events_total{source=\"other\"} $(events_of eventlog)\$" metrics || fail "no events of the eventlog"
grep -q "^proflog_events_total{source=\"feed[^ ]*><img src=x onerror=alert(1)>\"} $(events_of mlpd)\$" metrics || fail "no events of Mono"
test "$(grep -c '^# TYPE proflog_events_total ' metrics)" = 1 || fail "a family is described twice"
curl -sf "${url}figures" | "$json_paths" >figures
grep -q '^sources\[1\].format	ghc' figures || fail "no figures of the eventlog: $(head -3 figures)"

# Each has a page of its own.
all=$url
url=${all}2/
browse \
  wait "Number(document.querySelector('#figure-events_all')?.dataset.value) === $(events_of eventlog)" \
  print "$page_numbers" \
  print 'document.querySelector("#all").hidden'
{
  read -r numbers
  read -r is_hidden
} <page
echo "$numbers" >numbers.page
"$proflog" top --format jsonl - <log.eventlog >top 2>err || fail "top"
same_numbers numbers.page top
test "$is_hidden" = false || fail "no way back to all sources"
url=$all
for path in 0/ 3/ 1x/ events history; do
  test "$(curl -s -o out -w '%{http_code}' "$url$path")" = 404 || fail "$path is there"
done

test "$(curl -s -o out -w '%{http_code} %{redirect_url}' "${url}2")" = "301 ${url}2/" || fail "2 does not lead to 2/"

# One ends: the other goes on.
exec 8>&-
browse \
  wait "($state)(2) === 'ended'" \
  print "document.querySelector('#state').textContent" \
  print "($state)(1)"
{
  read -r text
  read -r first
} <page
test "$text" = '"Live, 1 of 2 ended"' || fail "the state is '$text'"
test "$first" = '"live"' || fail "the other source is $first"
end_server INT 0

# Complete files: the report of both.
serve log.mlpd log.eventlog
browse \
  wait 'location.pathname.endsWith("/report")' \
  wait 'document.readyState === "complete"' \
  print 'document.querySelectorAll("article, [data-section=joint]").length > 1' \
  print 'document.body.innerText.includes("log.mlpd") && document.body.innerText.includes("log.eventlog")'
test "$(cat page)" = "true
true" || fail "the report: $(cat page)"
# The page of one leads to its report.
all=$url
for n in 1 2; do
  url=$all$n/
  browse wait "location.pathname.endsWith('/$n/report')" print 'document.title.endsWith("log.mlpd")'
  cat page
done >titles
printf 'true\nfalse\n' >expected
same titles expected
end_server INT 0
done_checks
