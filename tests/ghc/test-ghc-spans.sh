#!/bin/sh
# Spans of a program with six requests in six threads: their times are those of the program's own clock, within 1 ms,
# in reports, in SQL, in the page, and for Perfetto's trace_processor.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc python3 node
. "$sources/programs.sh"
PROFLOG_PEERS=${PROFLOG_PEERS:-$top_builddir/../peers}

# Lines "LABEL NAME NS", of a page those of its intervals, of a trace those of its lanes.
cat >spans.py <<'END'
import json, re, sys
kind, path = sys.argv[1:]
if kind == "page":
    text = open (path).read ()
    data = json.loads (re.search (r'<script[^>]*id="timeline-1"[^>]*>(.*?)</script>', text, re.S)[1])
    names, lanes, rows = data["names"], data["interval_lanes"], data["intervals"]
    for i in range (0, len (rows), 6):
        lane, depth, time, ns, name, is_open = rows[i:i + 6]
        assert depth == (names[name] == "query") and not is_open
        print (re.search (r"worker\d", names[lanes[lane]])[0], names[name], ns)
else:
    lanes, open_slices = {}, {}
    for event in json.load (open (path))["traceEvents"]:
        lane = event.get ("tid")
        if event["ph"] == "M" and event["name"] == "thread_name":
            lanes[lane] = event["args"]["name"]
        elif event["ph"] == "B" and "intervals" in lanes[lane]:
            open_slices.setdefault (lane, []).append (event)
        elif event["ph"] == "E" and "intervals" in lanes.get (lane, ""):
            begin = open_slices[lane].pop ()
            assert len (open_slices[lane]) == (begin["name"] == "query")
            print (re.search (r"worker\d", lanes[lane])[0], begin["name"], round ((event["ts"] - begin["ts"]) * 1000))
END

# Each line of the first file has one in the second that differs by 1 ms at most.
cat >agree.py <<'END'
import collections, sys
wanted, found = (sorted ((l, n, int (ns)) for l, n, ns in map (str.split, open (path)))
                 for path in sys.argv[1:])
assert [w[:2] for w in wanted] == [f[:2] for f in found], (wanted, found)
late = [(w, f[2]) for w, f in zip (wanted, found) if abs (w[2] - f[2]) > 1000000]
sys.exit (f"{late}" if late else 0)
END

agrees ()
{
  python3 agree.py "$1" "$2" >why 2>&1
}

# The machine may stop the program between its clock and its message: there are some attempts.
attempts=5
while :; do
  record spans threaded Spans +RTS -l -N2
  grep -v '^covered\|self' spans.truth >spans
  run 0 export -q -f chrome -o trace.json --force spans.eventlog
  python3 spans.py trace trace.json >of_trace || fail 'the trace'
  agrees spans of_trace && break
  attempts=$((attempts - 1))
  test "$attempts" -gt 0 || fail "the trace: $(cat why)"
done
test "$(grep -c request of_trace) $(grep -c query of_trace)" = '6 12' || fail 'the trace has other spans'
checks=$((checks + 2))

run 0 report -q -o page.html --force spans.eventlog
python3 spans.py page page.html >of_page || fail 'the page'
agrees spans of_page || fail "the page: $(cat why)"

# near KEY NS SUMS: the figure is the sum of the program's, each of which may differ by 1 ms.
near ()
{
  json=$(value_of "$1")
  difference=$((json - $2))
  test "${difference#-}" -le $(($3 * 1000000)) || fail "$1 is $json, not $2"
  checks=$((checks + 1))
}
value_of ()
{
  python3 -c 'import json, sys
value = json.load (open ("out"))
for key in sys.argv[1].split ("."):
    name = key.partition ("[")[0]
    value = value[name]
    if "[" in key:
        value = next (row for row in value if key.partition ("[")[2][:-1] in (row.get ("name"), row.get ("label")))
print (value)' "$1"
}
sum ()
{
  awk -v name="$1" '$2 == name { sum += $3 } END { print sum }' spans.truth
}
run 0 report --format json --limit 0 spans.eventlog
near 'marks.intervals[request].total_ns' "$(sum request)" 6
near 'marks.intervals[query].total_ns' "$(sum query)" 12
near 'marks.intervals[request].self_ns' "$(sum self)" 6
test "$(value_of 'marks.intervals[request].count') $(value_of 'marks.intervals[query].count')" = '6 12' || fail 'counts'
near 'marks.outside_ns' "$(($(value_of log.duration_ns) - $(awk '$1 == "covered" { print $3 }' spans.truth)))" 1
for i in 1 2 3 4 5 6; do
  near "marks.threads[worker$i].covered_ns" "$(awk -v l="worker$i" '$1 == l && $2 == "request" { print $3 }' spans.truth)" 1
done
run 0 report --reports=marks spans.eventlog
for count in '6 .* request$' '12 .* query$'; do
  grep -q " $count" out || fail "the text lacks $count"
done
run 0 query --format csv spans.eventlog 'SELECT name, covered_ns FROM marks_threads WHERE intervals = 3'
tail -n +2 out | tr ',' ' ' | sed 's/ / request /' >of_sql
grep request spans >requests
agrees requests of_sql || fail "SQL: $(cat why)"

if test -d "$PROFLOG_PEERS/trace-processor"; then
  cat >perfetto.mjs <<'END'
import { NUM, STR, open } from './trace-processor.mjs';
const engine = await open(process.argv[2]);
await engine.read(process.argv[3]);
await engine.each(`select t.name as lane, s.name as name, s.dur as ns, s.depth as depth from slice s join track t on s.track_id = t.id
    where t.name like '%: intervals'`, { lane: STR, name: STR, ns: NUM, depth: NUM },
(it) => console.log(`${it.lane.match(/worker\d/)[0]} ${it.name} ${it.depth === Number(it.name === 'query') ? it.ns : -1e9}`));
engine.close();
END
  cp "$tests/peers/trace-processor.mjs" .
  run 0 export -q -f perfetto -o trace.pftrace --force spans.eventlog
  node perfetto.mjs "$PROFLOG_PEERS/trace-processor" trace.pftrace >of_perfetto 2>err || fail "trace_processor: $(cat err)"
  agrees spans of_perfetto || fail "trace_processor: $(cat why)"
fi

# Spans with numbers, of Proflog.Span, which needs no library.
ghc -v0 -Wall -threaded -eventlog -outputdir numbered.o "-i$sources/../../haskell" -o numbered \
  "$sources/programs/Numbered.hs" || fail 'Numbered.hs does not compile'
./numbered +RTS -l -olnumbered.eventlog || fail 'numbered'
run 0 query --format csv numbered.eventlog \
  'SELECT count, unfinished, across_threads, name FROM marks_intervals ORDER BY name'
tail -n +2 out >rows
same_lines rows 1,0,1,crossing '20,0,0,query λ' 20,0,0,request
run 0 query --format csv numbered.eventlog "SELECT count(*) FROM marks_spans WHERE parent = 'request'"
tail -n +2 out >rows
same_lines rows 20
done_checks
