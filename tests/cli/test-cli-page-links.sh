#!/bin/sh
# Links to what a page shows, in Chromium: a range, a thread, a text that is searched.  A page that is opened by the link
# that another one wrote has the same figures, which are those of `report --time-range`.
. "${srcdir:-.}/tests/cli/lib.sh"
need node chromium
log=$logs/module-calls.mlpd.gz

# browse PAGE STEP...: what the page prints is in printed.
browse ()
{
  page=$1
  shift
  checks=$((checks + 1))
  node "$tests/serve/browse.mjs" "file://$work/$page" wait 'document.querySelector(".lanes")' "$@" >printed \
    || fail "$page: $(cat printed)"
}

# lines NAME...: the lines that were printed, without their quotes, in variables.
lines ()
{
  for name; do
    read -r line || fail "$page printed too few lines: $(cat printed)"
    line=${line#\"}
    eval "$name=\${line%\\\"}"
  done <&3
}

range='document.querySelector(".range-text").dataset.from + "ns~" + document.querySelector(".range-text").dataset.to + "ns"'
text='document.querySelector(".range-text").textContent'
calls='document.querySelector("section[data-section=calls] dd[data-key=total]").dataset.value'
hash='location.hash'

# in_report RANGE: the number of calls that began and ended in it.
in_report ()
{
  "$proflog" report -q --format json --reports=calls --time-range "$1" "$log" | "$json_paths" | sed -n 's/^calls.total	//p'
}

# ---- a link that the page writes, and its page ----

"$proflog" report -q --limit 0 -o page.html "$log" || fail "no page"
browse page.html print "$hash" drag '0.3 0.7 .lanes' print "$range" print "$calls" print "$hash"
exec 3<printed
lines none dragged there link
test "$none" = '' || fail "a page that nobody touched has the link $none"
test "$there" = "$(in_report "$dragged")" -a "$there" -gt 0 || fail "$there calls in $dragged, the report has $(in_report "$dragged")"
browse "page.html$link" print "$range" print "$calls" print "$hash" click '.range button' print "$hash"
exec 3<printed
lines opened calls_there again cleared
test "$opened,$calls_there,$again" = "$dragged,$there,$link" || fail "$link of $dragged, $there calls opens $opened, $calls_there calls, with the link $again"
test "$cleared" = '' || fail "the whole log has the link $cleared"

# Seconds, as --time-range has them.
seconds=$(echo "$dragged" | awk -F '[n~]' '{ printf "%.9f-%.9f", $1 / 1e9, $3 / 1e9 }')
browse "page.html#t=$seconds" print "$range"
exec 3<printed
lines opened
test "$opened" = "$dragged" || fail "seconds $seconds are $opened, not $dragged"

# ---- threads ----

lane='document.querySelector(".lanes").dataset.labels.split("\n")[0]'
browse page.html \
  print "(() => { const canvas = document.querySelector('.lanes'), box = canvas.getBoundingClientRect();
    for (const type of ['pointerdown', 'pointerup'])
      canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + 20, clientY: box.top + 8, pointerId: 1, bubbles: true }));
    return $text.replace(/.*; thread /, ''); })()" \
  print "$hash" \
  print "(() => { document.querySelector('.lanes').focus(); return 1; })()" \
  press Escape print "$text"
exec 3<printed
lines thread link one whole
case $whole in *thread*) fail "Escape leaves the thread: $whole" ;; esac
"$proflog" report -q --reports=threads "$log" | grep -F "${thread#Thread }" >found || fail "the log has no thread $thread"
browse "page.html$link" print "$text"
exec 3<printed
lines opened
test "${opened##*; thread }" = "$thread" || fail "$link of thread $thread opens: $opened"
browse 'page.html#thread=nobody&t=900-901' print 'document.querySelector(".timeline > .status").textContent' print "$text"
exec 3<printed
lines note opened
case $note in *'900-901'*) ;; *) fail "a link that leads nowhere: $note" ;; esac
case $opened in 'Whole log'*) ;; *) fail "a link that leads nowhere shows $opened" ;; esac

# A thread has its own intervals alone; the text is searched in intervals, lanes and the flame graph, too.
log=$tests/cli/spans.mlpd.gz
"$proflog" report -q --limit 0 --force -o page.html "$log" || fail "no page of spans"
lanes='document.querySelector(".intervals canvas").dataset.lanes'
browse page.html \
  print "$lanes.split('\\n').length" \
  print "$lanes.split('\\n')[0]" \
  print 'query.value = "query", query.dispatchEvent(new Event("input")), filtered.textContent' \
  print "$hash"
exec 3<printed
lines all first found link
test "$all" -gt 1 || fail "there are intervals of $all threads"
case $found in *' of '*' rows, '*'48 intervals'*) ;; *) fail "of 48 spans 'query' the search finds: $found" ;; esac
test "$link" = '#q=query' || fail "the search has the link $link"
encoded=$(echo "$first" | sed 's/ /+/g')
browse "page.html#thread=$encoded&q=query" print "$lanes" print "query.value" print 'filtered.textContent'
exec 3<printed
lines own searched again
test "$own" = "$first" || fail "of thread $first the page shows the intervals of: $own"
test "$searched,$again" = "query,$found" || fail "the link searches $searched: $again"

# ---- several logs ----

gzip -dc "$logs/stock-calls.mlpd.gz" >one.mlpd && gzip -dc "$logs/module-calls.mlpd.gz" >two.mlpd || fail "cannot unpack"
"$proflog" report -q --align start -o joint.html one.mlpd two.mlpd || fail "no page of two logs"
texts='[...document.querySelectorAll(".range-text")].map((e) => e.textContent.split(":")[0]).join()'
browse joint.html drag '0.3 0.6 article:nth-of-type(2) .lanes' print "$texts" print "$hash"
exec 3<printed
lines shown link
browse "joint.html$link" print "$texts"
exec 3<printed
lines opened
case $link in *log=*) ;; *) fail "$link does not state the log" ;; esac
test "$opened" = "$shown" || fail "$link of $shown opens $opened"

# ---- the page of a heat map ----

"$top_builddir/tests/logs/make-day" 60 100 200 truth >day.mlpd || fail "no log"
"$proflog" heatmap -q day.mlpd -o heat.html || fail "no heat map"
ready='heat.graph !== null && heat.layer !== null'
rectangle='[heat.selected.from, heat.selected.to, heat.selected.top, heat.selected.bottom].join(" ")'
total='Number(document.querySelector("#range").dataset.total)'
heat ()
{
  page=$1
  shift
  checks=$((checks + 1))
  node "$tests/serve/browse.mjs" "file://$work/$page" wait "$ready" "$@" >printed || fail "$page: $(cat printed)"
  exec 3<printed
}
heat heat.html drag '0.1,0.1 0.3,0.4 #cells' print "$rectangle" print "$total" print "$hash" click '#clear' print "$hash"
lines cells sum link cleared
test "$cleared" = '' || fail "without a rectangle the link is $cleared"
heat "heat.html$link" print "$rectangle" print "$total"
lines opened again
test "$opened,$again" = "$cells,$sum" || fail "$link of $cells, $sum samples opens $opened, $again samples"
heat 'heat.html#t=10-20&weight=pauses' print "$rectangle" print 'heat.layer.weight' print "$total"
lines cells weight sum
test "$cells,$weight" = '10 20 0 50,2' || fail "10 s to 20 s are $cells of weight $weight"
expected=$("$proflog" report -q --format json --time-range=10s~20s day.mlpd | "$json_paths" | sed -n 's/^gc.pause_total_ns	//p')
test "$sum" = "$expected" || fail "from 10 s to 20 s there are $sum ns of pauses, the report has $expected"
done_checks
