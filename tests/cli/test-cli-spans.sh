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

# Spans one by one: the number 70 is what other processes know of the first one, 1234 is a span of another process.
python3 "$tests/cli/make-eventlog.py" log.eventlog <<'END' || fail 'no log'
0 1000000 run 5
0 2000000 span 1 request
0 2100000 span-id 1 70
0 2200000 span-tag 1 url /index
0 2300000 span-tag 1 user 7
0 2400000 span-event 1 note begun
0 3000000 span 2 query
0 4500000 span 2 
1 1000000 run 6
1 5000000 span 3 render
1 5100000 span-parent 3 70
1 6000000 span 4 call
1 6100000 span-parent 4 4660
1 6200000 span 4 
1 8000000 span 3 
0 9000000 span 1 
0 9500000 span 9 endless
END
run 0 report --reports=marks --format json log.eventlog
read_json
expect 'marks.spans[request].duration_ns' 7000000
expect 'marks.spans[request].start_ns' 2000000
expect 'marks.spans[request].tags' 'url=/index, user=7'
expect 'marks.spans[request].events' 1
expect 'marks.spans[request].thread' 5
expect 'marks.spans[request].parent' null
expect 'marks.spans[query].duration_ns' 1500000
expect 'marks.spans[query].parent' request
expect 'marks.spans[render].duration_ns' 3000000
expect 'marks.spans[render].thread' 6
expect 'marks.spans[render].parent' request
expect 'marks.spans[call].parent' 'span 0000000000001234'
run 0 query --format csv log.eventlog "SELECT name FROM marks_spans WHERE tags LIKE '%user=7%'"
tail -n +2 out >rows
same_lines rows request
run 0 report --reports=marks --thread 6 --format csv log.eventlog
sed -n '/^marks.spans/s/.*,//p' out | sort >rows
same_lines rows call render
run 0 query --format csv log.eventlog 'SELECT count(*) FROM marks_spans'
tail -n +2 out >rows
same_lines rows 4

# A range between two messages.
python3 make.py words | python3 "$tests/cli/make-eventlog.py" log.eventlog || fail 'no log'
run 0 report --reports=marks --format csv --time-range 'mark:START query~mark:STOP query' log.eventlog
grep -q '^marks.names,3,.*,3000000,3000000,message,START query' out || fail 'the range between two messages'

# Four threads of which one is slow, by the time without queries: 5 times 2 ms in three threads, 5 times 30 ms in
# thread 3, each with a query of 1 ms within it.  Where all are slow, or there are two threads, nothing is stated,
# nor where it takes less than three times as long.
slow_thread ()
{
  python3 - "$@" <<'END' | python3 "$tests/cli/make-eventlog.py" slow.eventlog
import sys
ms = 1000000
slow, threads = [int (x) for x in sys.argv[1].split (",")], int (sys.argv[2])
slow_ns, other_ns = [int (x) for x in sys.argv[3:5]] or (30 * ms, 2 * ms)
at = ms
for thread in range (1, threads + 1):
    print (0, at, "label", thread, "worker %d" % thread)
    print (0, at, "run", thread)
    for i in range (5):
        length = slow_ns if thread in slow else other_ns
        print (0, at, "msg START request")
        print (0, at, "msg START query")
        print (0, at + ms, "msg STOP query")
        print (0, at + length + ms, "msg STOP request")
        at += length + 2 * ms
    print (0, at, "stop", thread)
END
  run 0 report --format json slow.eventlog
  : >ids
  same_findings out
}
slow_thread 3 4
grep -qx slow-in-one-thread ids || fail "the findings are: $(cat ids)"
says out 'request is slow in one thread: in thread 3 (worker 3) it takes 30.0 ms on average (5 in all, without the intervals within them), in each of the 3 other threads 2.00 ms at most.'
slow_thread 1,2,3,4 4
! grep -qx slow-in-one-thread ids || fail 'all are slow'
slow_thread 1,3 4
! grep -qx slow-in-one-thread ids || fail 'two are slow'
slow_thread 1 2
! grep -qx slow-in-one-thread ids || fail 'one of two is slow'
slow_thread 3 4 29999999 10000000
! grep -qx slow-in-one-thread ids || fail 'it is less than three times as slow'
slow_thread 3 4 30000000 10000000
grep -qx slow-in-one-thread ids || fail 'it is three times as slow'

# A message of 60,000 characters is a short line of text; for programs it is whole.
{
  echo '0 1000000 run 1'
  printf '0 2000000 msg dump %060000d\n' 7
  echo '0 3000000 msg short'
} | python3 "$tests/cli/make-eventlog.py" log.eventlog || fail 'no log'
run 0 report --reports=marks log.eventlog
test "$(awk '{ if (length ($0) > n) n = length ($0) } END { print n }' out)" -lt 300 || fail 'a line is too long'
test "$(grep -c ' dump 0' out)" = 1 || fail 'the message is not a line'
run 0 report --reports=marks --format csv log.eventlog
test "$(awk '{ if (length ($0) > n) n = length ($0) } END { print n }' out)" -gt 60000 || fail 'the message is not whole'

# Spark 1 of thread 1 runs 3 ms before the thread gives way and 1 ms after, spark 2 takes 500 us, up to the next one;
# that of thread 2 lasts up to its end, for 2 ms.
python3 "$tests/cli/make-eventlog.py" log.eventlog <<'END' || fail 'no log'
0 1000000 run 1
0 2000000 spark run
0 5000000 give 1
0 8000000 run 1
0 9000000 spark steal
0 9500000 spark run
1 1000000 run 2
1 3000000 spark steal
1 5000000 stop 2
END
run 0 report --reports=sparks --format json log.eventlog
read_json
expect sparks.ran 3
expect sparks.run_ns 6500000
expect sparks.run_max_ns 4000000
grep -c 'run_histogram.*count' figures >rows
same_lines rows 3

# Events of perf: a counter with a name, one without, a tracepoint.
python3 "$tests/cli/make-eventlog.py" log.eventlog <<'END' || fail 'no log'
0 1000000 run 1
0 2000000 perf-name 1 cache-misses
0 3000000 perf-count 1 400
0 4000000 perf-count 1 350
0 5000000 perf-name 2 sched:sched_switch
0 6000000 perf-hit 2
0 7000000 perf-hit 2
0 8000000 perf-hit 2
0 9000000 perf-count 3 5
END
run 0 report --reports=perf --format csv log.eventlog
tail -n +2 out | sort >rows
same_lines rows '1,5,counter,3,event 3' '2,750,counter,1,cache-misses' '3,0,tracepoint,2,sched:sched_switch'
run 0 report log.eventlog
says out 'Events of perf'
run 0 report --reports=perf --format csv --time-range 3500us~6500us log.eventlog
tail -n +2 out | sort >rows
same_lines rows '1,0,tracepoint,2,sched:sched_switch' '1,350,counter,1,cache-misses'
done_checks
