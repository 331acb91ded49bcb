#!/bin/sh
# A C# client and a Haskell server that talk over a socket are recorded together; each marks each request.  The
# report over both, the trace and the page have the requests in the order in which they happened.
. "${srcdir:-.}/tests/mono/lib.sh"
need ghc python3
unset GHCRTS PROFLOG_GHC PROFLOG_OPTIONS
requests=40

library=$top_builddir/managed/Proflog.dll
test -f "$library" || fail "$library is not built"
cd "$work" || exit 1
cp "$library" .
mcs -nologo -r:System.Core -r:Proflog.dll -out:client.exe "$sources/programs/client.cs" >out 2>&1 \
  || fail "client.cs does not compile"
cp "$tests/ghc/programs/Server.hs" .
ghc -v0 -O0 -eventlog -package unix -o server Server.hs >out 2>&1 || fail "Server.hs does not compile"

"$proflog" run -o server.eventlog ./server socket >server.out 2>&1 &
server=$!
"$proflog" run -o client.mlpd mono client.exe socket $requests >out 2>err
status=$?
wait $server || { cat server.out >&2; fail "the server failed"; }
test $status = 0 || fail "the client ended with $status"

# Each request is marked by the client, then by the server, which answers; 5 ms later comes the next one.
python3 - $requests >expected <<'END_OF_SCRIPT'
import sys
for i in range(1, int(sys.argv[1]) + 1):
    print(f'client.mlpd request {i}\nserver.eventlog request {i}')
END_OF_SCRIPT

"$proflog" report --format json client.mlpd server.eventlog >report.json 2>err || fail "no report"
"$proflog" export --format chrome client.mlpd server.eventlog -o trace.json >out 2>err || fail "no trace"
"$proflog" report client.mlpd server.eventlog -o page.html >out 2>err || fail "no page"
cat >marks.py <<'END_OF_SCRIPT'
import html.parser
import json
import re
import sys


class Page(html.parser.HTMLParser):
    """The cells of the table of marks, and the data of the first timeline."""
    def __init__(self):
        super().__init__()
        self.rows, self.data, self.inside = [], '', None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == 'table':
            is_marks = attributes.get('data-section') == 'joint' and attributes.get('data-table') == 'marks'
            self.inside = 'table' if is_marks else None
        elif tag == 'script':
            self.inside = 'data' if attributes.get('id') == 'timeline-1' else None
        elif tag == 'tr' and self.inside == 'table':
            self.rows.append([])
        elif tag == 'td' and self.inside == 'table':
            self.rows[-1].append('')

    def handle_endtag(self, tag):
        if tag in ('table', 'script'):
            self.inside = None

    def handle_data(self, data):
        if self.inside == 'data':
            self.data += data
        elif self.inside == 'table' and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def of_report():
    report, _ = json.JSONDecoder().raw_decode(open(sys.argv[2]).read())
    return [(mark['log'], mark['text'], mark['at_ns']) for mark in report['joint']['marks']]


def of_trace():
    events = json.load(open('trace.json'))
    events = events if isinstance(events, list) else events['traceEvents']
    names = {e['pid']: e['args']['name'] for e in events if e.get('name') == 'process_name'}
    marks = [(e['ts'], names[e['pid']], e['name']) for e in events if e.get('ph') in ('i', 'I')]
    return [(log, text, ts) for ts, log, text in sorted(marks)]


def of_page():
    page = Page()
    page.feed(open('page.html').read())
    return page


kind = sys.argv[1]
if kind == 'report':
    marks = of_report()
elif kind == 'trace':
    marks = of_trace()
elif kind == 'table':
    marks = [[cell.strip() for cell in row[-2:]] for row in of_page().rows if row]
else:
    data = json.loads(of_page().data)
    if kind == 'lanes':
        sys.exit(0 if {name.split(': ')[0] for name in (lane['name'] for lane in data['lanes'])}
                 == {'client.mlpd', 'server.eventlog'} else 1)
    marks = [data['names'][name].split(': ') for name in data['marks'][1::2]]
    assert data['marks'][::2] == sorted(data['marks'][::2])
for log, text, *_ in marks:
    if 'request' in text:
        print(log, re.sub('.*request', 'request', text))
if kind == 'report' and len(sys.argv) > 3:
    times = {}
    for log, text, at in marks:
        times[log, text] = at
    delays = [times['server.eventlog', text] - at for (log, text), at in times.items() if log == 'client.mlpd']
    print(min(delays), file=sys.stderr)
END_OF_SCRIPT
for kind in report trace table timeline; do
  python3 marks.py $kind report.json >got 2>err || fail "$kind: no marks: $(cat err)"
  cmp -s got expected || { diff got expected | head -n 10 >&2; fail "$kind: another order"; }
  checks=$((checks + 1))
done
python3 marks.py lanes report.json || fail "the page has not lanes of both"

# The clocks' error is that of the header of the Mono log, whole ms.  The server's mark is later than the
# client's by what the client's clock lags and by how long the request was under way: that time was short once.
grep -q '"clock_error_ns": 1000000,' report.json || fail "the error of the clocks is not 1 ms"
python3 marks.py report report.json delays >got 2>delay
test "$(cat delay)" -gt 0 || fail "an answer came $(cat delay) ns after its request"
test "$(cat delay)" -lt 3000000 || fail "all requests took $(cat delay) ns and more"
echo "the quickest request took $(cat delay) ns"

# With another clock the order is another one.
"$proflog" report --format json --offset server.eventlog=-20ms client.mlpd server.eventlog >moved.json 2>err \
  || fail "no report"
python3 marks.py report moved.json >got 2>err
! cmp -s got expected || fail "the offset moves nothing"

# Sums: a row for each log, with the figures of its report.
"$proflog" report --by log --reports=sums --format csv client.mlpd server.eventlog >sums.csv 2>err || fail "no sums"
for file in client.mlpd server.eventlog; do
  log=$work/$file
  "$proflog" report --format json "$file" | "$json_paths" >"$figures" || fail "no report of $file"
  allocated=allocations.bytes
  test $file = client.mlpd || allocated=heap.allocated_bytes
  echo "1,$(figure log.duration_ns),$(figure log.events),$(figure $allocated),$(figure gc.collections)"
done >expected
sed -n '2,$s/^\(\([^,]*,\)\{4\}[^,]*\),.*/\1/p' sums.csv >got
cmp -s got expected || { diff got expected >&2; fail "other sums"; }
echo "$checks checks"
