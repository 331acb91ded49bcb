#!/bin/sh
# Spans of threads: START and STOP, B: and E:, and the binary messages of opentelemetry; the input states the figures.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# Six requests in six threads on three capabilities, each with two nested queries.  The request of thread T lasts
# 10 + T ms, its queries 2 and 3 ms; a thread is there for 4 ms more.
cat >make.py <<'END'
import sys
form, ms, start = sys.argv[1], 1000000, {}
for thread in range (1, 7):
    cap, at = thread % 3, start.get (thread % 3, 1) * ms
    def put (after, what, text):
        print (cap, at + after * ms, what, text)
    def edge (after, is_start, name, number):
        if form == "otel":
            put (after, "span", "%d %s" % (number, name if is_start else ""))
        elif form == "letters":
            put (after, "msg", ("B:" if is_start else "E:") + name)
        else:
            put (after, "msg", ("START " if is_start else "STOP ") + name)
    put (0, "run", thread)
    edge (1, True, "request", 10 * thread)
    edge (2, True, "query", 10 * thread + 1)
    edge (4, False, "query", 10 * thread + 1)
    edge (5, True, "query", 10 * thread + 2)
    edge (8, False, "query", 10 * thread + 2)
    edge (11 + thread, False, "request", 10 * thread)
    put (14 + thread, "stop", thread)
    start[cap] = start.get (cap, 1) + 20 + thread
END

for form in words letters otel; do
  case=$form
  python3 make.py "$form" | python3 "$tests/cli/make-eventlog.py" log.eventlog || fail 'no log'
  run 0 report --reports=marks --format json log.eventlog
  read_json
  expect 'marks.intervals[request].count' 6
  expect 'marks.intervals[request].total_ns' 81000000
  expect 'marks.intervals[request].self_ns' 51000000
  expect 'marks.intervals[request].max_ns' 16000000
  expect 'marks.intervals[request].unfinished' 0
  expect 'marks.intervals[query].count' 12
  expect 'marks.intervals[query].total_ns' 30000000
  expect 'marks.intervals[query].self_ns' 30000000
  expect 'marks.intervals[query].across_threads' 0
  run 0 query --format csv log.eventlog 'SELECT name, count, total_ns, self_ns FROM marks_intervals ORDER BY name'
  tail -n +2 out >rows
  same_lines rows query,12,30000000,30000000 request,6,81000000,51000000
  run 0 query --format csv log.eventlog \
    'SELECT id, covered_ns, outside_ns, intervals FROM marks_threads ORDER BY id LIMIT 2'
  tail -n +2 out >rows
  same_lines rows 1,11000000,4000000,3 2,12000000,4000000,3
  run 0 export -f chrome -o trace.json --force log.eventlog
  slices=$(tr '{' '\n' <trace.json | grep '"ph":"B"' | grep -c '"name":"request"\|"name":"query"')
  test "$slices" = 18 || fail "$slices slices in the trace"
done
case=

# Threads 3 and 6 of capability 0 are there from 1 to 18 and 24 to 44 ms, their requests from 2 to 15 and 25 to 41;
# threads 1 and 4 of capability 1 from 1 and 22 ms on, threads 2 and 5 from 1 and 23 on.  So some request is open from
# 2 to 15 and from 23 to 41 ms, of 43 in all.
run 0 report --reports=marks --format json log.eventlog
read_json
expect marks.outside_ns 12000000

# A range between two messages.
python3 make.py words | python3 "$tests/cli/make-eventlog.py" log.eventlog || fail 'no log'
run 0 report --reports=marks --format csv --time-range 'mark:START query~mark:STOP query' log.eventlog
grep -q '^marks.names,3,.*,3000000,3000000,message,START query' out || fail 'the range between two messages'
done_checks
