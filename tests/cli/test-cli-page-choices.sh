#!/bin/sh
# What readers of a page choose, in Chromium: names of marks on the lanes and over plots, a zoom to single runs and
# intervals, bands of a plot, one scale for the plots of two logs.  The input states the figures.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3 node chromium

# make TIMES: a program of 100 ms whose bands have so many times 6, 3 and 1 kB.  Thread 2 runs 20 times for 100 us
# from each ms from 10 ms on, thread 3 likewise 200 us later, each within an interval.
make ()
{
  python3 - "$1" <<'PY' | python3 "$tests/cli/make-eventlog.py" "log-$1.eventlog" || fail 'no log'
import sys
times = int (sys.argv[1])
def put (us, *words):
    print (0, us * 1000, *words)
put (0, "label 2 reader")
put (0, "label 3 writer")
put (0, "heap-begin 4")
events = []
for i in range (20):
    for thread, name, after in ((2, "read", 0), (3, "write", 200)):
        at = 10000 + 1000 * i + after
        events += [(at, "run %d" % thread), (at + 10, "msg START " + name), (at + 60, "msg STOP " + name), (at + 100, "give %d" % thread)]
for at in range (2000, 98001, 4000):
    events += [(at + 1, "heap-sample 0"), (at + 2, "band %d big" % (6000 * times)),
               (at + 2, "band %d middle" % (3000 * times)), (at + 2, "band %d small" % (1000 * times))]
events += [(57000, "mark half of it"), (73000, "mark last part"), (100000, "run 1"), (100001, "stop 1")]
for at, words in sorted (events, key=lambda e: e[0]):
    put (at, words)
PY
}

# browse PAGE STEP...: what the page prints is in printed.
browse ()
{
  page=$1
  shift
  node "$tests/serve/browse.mjs" "file://$work/$page" wait 'document.querySelector(".lanes")' "$@" >printed \
    || fail "the page: $(cat printed)"
}

make 1
make 10
run 0 report -q -o one.html log-1.eventlog
plot='[...document.querySelectorAll(".plots figure")].find((f) => f.querySelector("figcaption").firstChild.data.startsWith("Heap profile"))'
# dots PLOT COLOUR FROM TO: how many pixels of about this colour there are between these shares of its width.
tools='globalThis.tools = { dots(figure, match, from, to) {
    const canvas = figure.querySelector("canvas"), over = figure.querySelector(".u-over").getBoundingClientRect(), box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width, copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const x = Math.round((over.left - box.left + from * over.width) * scale), wide = Math.max(1, Math.round((to - from) * over.width * scale));
    const { data } = copy.getImageData(x, (over.top - box.top) * scale, wide, over.height * scale);
    let n = 0;
    for (let i = 0; i < data.length; i += 4)
      n += data[i + 3] > 30 && match(data[i], data[i + 1], data[i + 2]);
    return n / wide / (over.height * scale);
  }, colour(figure, name) {
    const item = [...figure.querySelectorAll(".legend span")].find((s) => s.textContent.startsWith(name));
    const rgb = item.querySelector("i").style.background.match(/[0-9]+/g).map(Number);
    return (r, g, b) => Math.abs(r - rgb[0]) + Math.abs(g - rgb[1]) + Math.abs(b - rgb[2]) < 24;
  }, move(element, share, y) {
    element.scrollIntoView({ block: "center" });
    const box = element.getBoundingClientRect(), at = { clientX: box.left + 130 + share * (box.width - 130), clientY: y(box), bubbles: true };
    element.dispatchEvent(new PointerEvent("pointermove", at));
  } }, 1'
shared='(() => { const data = JSON.parse(document.querySelector("script[id^=timeline-]").textContent); return (ns) => (ns - data.begin) / (data.bins * data.width); })()'

# The name of a mark, on its lane and at the plots; lines over the plots, where nothing else is.
browse one.html print "$tools" \
  print "tools.move(document.querySelector('.lanes'), $shared(57e6), (box) => box.bottom - 18 - 2 - 8), document.querySelector('.timeline > .status').textContent" \
  print "tools.move(document.querySelector('.lanes'), $shared(65e6), (box) => box.bottom - 18 - 2 - 8), document.querySelector('.timeline > .status').textContent" \
  print "($plot).id = 'plot', $shared(57e6)"
sed -n 2p printed | grep -q 'mark half of it' || fail "the lane of marks shows $(sed -n 2p printed)"
! sed -n 3p printed | grep -q mark || fail "there is no mark at 65 ms: $(sed -n 3p printed)"
share=$(sed -n 4p printed)
browse one.html print "$tools" print "($plot).id = 'plot'" hover "$share #plot .u-over" \
  print 'document.querySelector("#plot figcaption .at").textContent' hover '0.65 #plot .u-over' \
  print 'document.querySelector("#plot figcaption .at").textContent' \
  print "JSON.stringify([57e6, 73e6, 43e6, 67e6].map((ns) => tools.dots($plot, () => true, $shared(ns) - 0.001, $shared(ns) + 0.002) > 0.01 + tools.dots($plot, () => true, $shared(ns) + 0.015, $shared(ns) + 0.018)))"
sed -n 3p printed | grep -q 'mark half of it' || fail "the plot shows $(sed -n 3p printed)"
! sed -n 4p printed | grep -q mark || fail "the plot has a mark at 65 ms: $(sed -n 4p printed)"
test "$(sed -n 5p printed | tr -d '"')" = '[true,true,false,false]' || fail "lines of marks: $(sed -n 5p printed)"
checks=$((checks + 5))

# A zoom: from the whole log, of 41 runs, to one run and its interval, with their times.
threads='document.querySelector(".threads canvas")' intervals='document.querySelector("figure.intervals:not(.threads) canvas")'
range="$threads.parentElement.querySelector('.at').textContent"
browse one.html print "$tools" print "$threads.dataset.runs" print "$range" \
  drag '0.3 0.35 .threads canvas' print "$threads.dataset.runs" print "$range" print "$intervals.parentElement.querySelector('.at').textContent" \
  drag '0.5 0.7 .threads canvas' print "$threads.dataset.runs" print "$range" \
  print "(() => { const [from, to] = $range.match(/[0-9.]+(?= ms)/g).map(Number), at = Math.ceil(from - 10.05) + 10.05;
    if (at > to) return 'no run in the range';
    tools.move($threads, (at - from) / (to - from), (box) => box.top + 8);
    const first = $threads.parentElement.querySelector('.status').textContent;
    tools.move($threads, (at - from) / (to - from), (box) => box.top + 24);
    return JSON.stringify([at - 0.05, first, $threads.parentElement.querySelector('.status').textContent]); })()" \
  print "(() => { $threads.focus(); $threads.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })); return $range; })()"
python3 - <<'PY' || fail "the zoom: $(cat printed)"
import json, re
lines = [json.loads (line) for line in open ("printed")]
_, runs, text, some, where, same, few, close, found, end = lines
assert runs == "41" and text == "drag to zoom" == end, (runs, text, end)
def expected (where):
    begin, last = (float (t) for t in re.findall (r"([0-9.]+) ms", where)[:2])
    assert begin < last
    return sum (10 + i + after < last and 10 + i + after + 0.1 > begin for i in range (20) for after in (0, 0.2))
assert 0 < int (some) == expected (where) and same == where, (some, where, same)
assert 0 < int (few) == expected (close) < int (some), (few, close)
at, *texts = json.loads (found)
assert any (re.fullmatch (r"2 reader: ran for 100 us on capability 0, from %.4f ms to %.4f ms" % (at, at + 0.1), t) for t in texts), found
PY
checks=$((checks + 4))

# Bands are chosen: one that is hidden has no area and no value, and the others have the room.
browse one.html print "$tools" print "($plot).id = 'plot'" \
  print "JSON.stringify(['big', 'middle'].map((name) => tools.dots($plot, tools.colour($plot, name), 0.4, 0.6).toFixed(2)))" \
  print "globalThis.big = tools.colour($plot, 'big'), 1" click '.plots [data-series="0"]' hover "0.5 .plots .parts .u-over" \
  print "JSON.stringify([tools.dots($plot, big, 0.4, 0.6), tools.dots($plot, tools.colour($plot, 'middle'), 0.4, 0.6)].map((n) => n.toFixed(2)))" \
  print "JSON.stringify([...($plot).querySelectorAll('.legend span')].map((s) => [s.textContent.replace(/ .*/, ''), s.getAttribute('aria-pressed'), s.querySelector('b').dataset.value]))" \
  print "($plot).querySelector('[data-series=\"1\"]').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true })), [...($plot).querySelectorAll('[aria-pressed=\"true\"][data-series]')].map((s) => s.dataset.series).join()" \
  print "($plot).querySelector('[data-series=\"1\"]').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true })), ($plot).querySelectorAll('[aria-pressed=\"true\"][data-series]').length"
python3 - <<'PY' || fail "chosen bands: $(cat printed)"
import json
lines = [json.loads (line) for line in open ("printed")]
before, after = json.loads (lines[2]), json.loads (lines[4])
# 6 and 3 of 10 kB, and a twentieth above them; then 3 of 4 kB.
assert abs (float (before[0]) - 0.6 / 1.05) < 0.05 and abs (float (before[1]) - 0.3 / 1.05) < 0.05, before
assert float (after[0]) == 0 and abs (float (after[1]) - 0.75 / 1.05) < 0.05, after
assert json.loads (lines[5]) == [["big", "false", ""], ["middle", "true", "3000"], ["small", "true", "1000"]], lines[5]
assert lines[6] == "1" and lines[7] == 3, lines[6:]
PY
checks=$((checks + 4))

# Two logs: the plots of one title have one scale, or, without the button, their own.
run 0 report -q -o two.html log-1.eventlog log-10.eventlog
plots='[...document.querySelectorAll("article .plots figure")].filter((f) => f.querySelector("figcaption").firstChild.data.startsWith("Heap profile"))'
heights="JSON.stringify($plots.map((figure) => { figure.scrollIntoView(); return tools.dots(figure, tools.colour(figure, 'big'), 0.4, 0.6).toFixed(3); }))"
browse two.html print "$tools" print "$heights" click 'article .scales' print "$heights" click 'article .scales' print "$heights"
python3 - <<'PY' || fail "scales: $(cat printed)"
import json
one, own, again = ([float (n) for n in json.loads (json.loads (line))] for line in open ("printed").readlines ()[1:])
assert abs (one[0] - 0.06 / 1.05) < 0.02 and abs (one[1] - 0.6 / 1.05) < 0.05, one
assert abs (own[0] - own[1]) < 0.02 and abs (own[0] - 0.6 / 1.05) < 0.05, own
assert one == again, (one, again)
PY
checks=$((checks + 3))
browse one.html print 'document.querySelectorAll(".scales").length'
same_lines printed 0

# Bands by info table with types and places as long as those of real programs: each row shows the name of the band, and is
# not much higher than a few lines of text.
type='forall (m :: Type -> Type) a b. (MonadIO m, HasCallStack) => Map (Key a) (Either SomeException b) -> ReaderT (Env m) (StateT AppState IO) (Maybe b)'
{
  echo '0 1000000 heap-begin 8'
  for n in 1 2 3 4 5; do
    echo "0 1000000 table $n|15|$type|update$n|My.Very.Long.Module.Name.Internal.Worker|src/My/Very/Long/Module/Name/Internal/Worker.hs:(123,9)-(145,77)"
  done
  for at in 10 20 30 40 50; do
    echo "0 ${at}000000 heap-sample 0"
    for n in 1 2 3 4 5; do
      echo "0 ${at}000001 band $((at * n * 1000)) 0x$n"
    done
  done
  echo '0 90000000 run 1'
} | python3 "$tests/cli/make-eventlog.py" types.eventlog || fail 'no log'
run 0 report -q -o types.html types.eventlog
browse types.html print '(() => {
    const of = (head) => [...document.querySelectorAll("table")].find((t) => t.tHead && [...t.tHead.rows[0].cells].at(-1).textContent.trim() === head);
    const rows = [...of("Band").tBodies[0].rows], box = of("Band").parentElement.getBoundingClientRect();
    return rows.map((row) => {
      const name = row.cells[row.cells.length - 1].getBoundingClientRect();
      return name.left + 100 < box.right && box.right <= innerWidth && row.getBoundingClientRect().height < 160;
    }).join();
  })()'
same_lines printed '"true,true,true,true,true"'
done_checks
