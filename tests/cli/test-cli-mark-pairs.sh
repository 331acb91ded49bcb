#!/bin/sh
# Intervals between START and STOP in programs with several threads, and programs with more messages than fit
# in any table: the input states the figures.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# make_log NAME: an eventlog of the events in standard input.
make_log ()
{
  python3 "$tests/cli/make-eventlog.py" "$1" || fail "no log"
}

# interval NAME TOTAL COUNT P50 P90 P99 MAX UNFINISHED ACROSS: its row of out, in ns; $self is without others in it.
self=
interval ()
{
  name=$1
  shift
  average=$(($2 == 0 ? 0 : $1 / ($2 == 0 ? 1 : $2)))
  row="marks.intervals,$1,${self:-$1},$2,$average,$3,$4,$5,$6,$7,$8,$name"
  grep -q -x -F -e "$row" out || { cat out >&2; fail "there is no $row"; }
  checks=$((checks + 1))
}

ms=000000
# request: thread 1 has 10 ms within the 30 ms of thread 2.  move: thread 3 goes to another capability.
# share: threads 4 and 5 take turns on one capability, for 20 and 40 ms, and what began first ends first.
# give: thread 6 begins 100 and 110, threads 7 and 8 end them at 150 and 170.  deep: 10 within 30 of one
# thread.  lone: it does not end, and what ends did not begin.  bare: no thread runs on capability 3.
make_log threads.eventlog <<END
0 1$ms run 1
0 20$ms msg START request
0 30$ms msg STOP request
0 40$ms stop 1
0 41$ms run 3
0 42$ms msg START move
0 43$ms stop 3
0 50$ms run 4
0 51$ms msg START share
0 52$ms stop 4
0 53$ms run 5
0 56$ms msg START share
0 57$ms stop 5
0 70$ms run 4
0 71$ms msg STOP share
0 72$ms stop 4
0 95$ms run 5
0 96$ms msg STOP share
0 97$ms stop 5
0 99$ms run 6
0 100$ms msg START give
0 110$ms msg START give
0 111$ms stop 6
0 150$ms run 7
0 150$ms msg STOP give
0 151$ms stop 7
1 1$ms run 2
1 15$ms msg START request
1 45$ms msg STOP request
1 46$ms stop 2
1 47$ms run 3
1 49$ms msg STOP move
1 50$ms stop 3
1 100$ms run 9
1 110$ms msg START deep
1 120$ms msg START deep
1 130$ms msg STOP deep
1 140$ms msg STOP deep
1 150$ms mark START lone
1 151$ms stop 9
1 160$ms run 8
1 170$ms msg STOP give
1 180$ms stop 8
2 1$ms run 10
2 2$ms msg STOP lone
2 3$ms stop 10
3 10$ms msg START bare
3 12$ms msg STOP bare
END
run 0 report --reports=marks --format csv threads.eventlog
quiet err
interval request 40$ms 2 10$ms 30$ms 30$ms 30$ms 0 0
interval move 7$ms 1 7$ms 7$ms 7$ms 7$ms 0 0
interval share 60$ms 2 20$ms 40$ms 40$ms 40$ms 0 0
interval give 110$ms 2 50$ms 60$ms 60$ms 60$ms 0 2
self=30$ms
interval deep 40$ms 2 10$ms 30$ms 30$ms 30$ms 0 0
self=
interval lone 0 0 0 0 0 0 2 0
interval bare 2$ms 1 2$ms 2$ms 2$ms 2$ms 0 0

# Tables of query are the same.
run 0 query --format csv threads.eventlog "SELECT total_ns, count, unfinished FROM marks_intervals ORDER BY name"
tail -n +2 out >rows
same_lines rows 2$ms,1,0 40$ms,2,0 110$ms,2,0 0,0,2 7$ms,1,0 40$ms,2,0 60$ms,2,0

# A trace has slices as long, on lanes in which they nest.
cat >slices.py <<'END'
import collections, json, sys
open_slices, found = collections.defaultdict (list), []
lanes = {}
for event in json.load (open (sys.argv[1]))["traceEvents"]:
    lane = event.get ("tid")
    if event["ph"] == "M":
        lanes[lane] = event["args"]["name"]
    elif event["ph"] == "B":
        open_slices[lane].append (event)
    elif event["ph"] == "E":
        begin = open_slices[lane].pop ()
        found.append ("%s %d" % (begin["name"], event["ts"] - begin["ts"]))
found += [slice["name"] + " open" for all in open_slices.values () for slice in all]
names = ("request", "move", "share", "give", "deep", "lone", "bare")
for line in sorted (line for line in found if line.split ()[0] in names):
    print (line)
for name in sorted (lanes.values ()):
    if name.startswith (names) or "intervals" in name:
        print ("lane", name)
END
run 0 export -f chrome -o trace.json threads.eventlog
run_python ()
{
  python3 "$@" >slices || fail "$*"
}
run_python slices.py trace.json
same_lines slices 'bare 2000' 'deep 10000' 'deep 30000' 'give 50000' 'give 60000' 'lone open' 'move 7000' \
  'request 10000' 'request 30000' 'share 20000' 'share 40000' 'lane No thread, capability 3: intervals' \
  'lane Thread 1: intervals' 'lane Thread 2: intervals' 'lane Thread 3: intervals' 'lane Thread 4: intervals' \
  'lane Thread 5: intervals' 'lane Thread 9: intervals' 'lane give' 'lane give (2)'

# Of a part: what begins before it belongs to no other interval.  The STOP at 30 is that of 20, the one at 45
# that of 15.
for index in '' --index; do
  # shellcheck disable=SC2086
  run 0 report $index --reports=marks --format csv --time-range 25ms~160ms threads.eventlog
  interval request 0 0 0 0 0 0 2 0
  interval give 50$ms 1 50$ms 50$ms 50$ms 50$ms 1 1
done
run 0 report --reports=marks --format csv --time-range 16ms~60ms threads.eventlog
interval request 10$ms 1 10$ms 10$ms 10$ms 10$ms 1 0
run 0 export -f chrome -o trace.json --force --time-range 16ms~60ms threads.eventlog
run_python slices.py trace.json
same_lines slices 'move 7000' 'request 10000' 'share open' 'share open' 'lane Thread 1: intervals' 'lane Thread 3: intervals' \
  'lane Thread 4: intervals' 'lane Thread 5: intervals'

# Of a thread: its own; what another one ends has no end.
run 0 report --reports=marks --format csv --thread 1,3,6 threads.eventlog
interval request 10$ms 1 10$ms 10$ms 10$ms 10$ms 0 0
interval move 7$ms 1 7$ms 7$ms 7$ms 7$ms 0 0
interval give 0 0 0 0 0 0 2 0
! grep -e ',share$' -e ',bare$' out || fail 'intervals of other threads'

# ---- a log of Mono ----

# Threads 17 and 18 as threads 1 and 2 above; 19 begins what 20 ends.
"$top_builddir/tests/cli/write-marks" >threads.mlpd <<END || fail "no log"
17 20$ms START request
18 15$ms START request
19 21$ms START give
17 30$ms STOP request
18 45$ms STOP request
20 51$ms STOP give
17 60$ms STOP lone
END
# mono_intervals LOG LANE LANE: with the lanes of threads 17 and 18.
mono_intervals ()
{
  run 0 report --reports=marks --format csv "$1"
  quiet err
  interval request 40$ms 2 10$ms 30$ms 30$ms 30$ms 0 0
  interval give 30$ms 1 30$ms 30$ms 30$ms 30$ms 0 1
  self=
interval lone 0 0 0 0 0 0 1 0
  run 0 export -f chrome -o trace.json --force "$1"
  run_python slices.py trace.json
  same_lines slices 'give 30000' 'request 10000' 'request 30000' "lane $2: intervals" "lane $3: intervals" 'lane give'
}
mono_intervals threads.mlpd 'Thread 0x11' 'Thread 0x12'
run 0 report --reports=marks --format csv --thread 18,19 threads.mlpd
interval request 30$ms 1 30$ms 30$ms 30$ms 30$ms 0 0
interval give 0 0 0 0 0 0 1 0

# As an eventlog, and cut, it has the same.
run 0 convert threads.mlpd -o converted.eventlog
mono_intervals converted.eventlog 'Thread 1' 'Thread 2'
run 0 cut --time-range 0~1s threads.mlpd -o part.mlpd
mono_intervals part.mlpd 'Thread 0x11' 'Thread 0x12'

# ---- names that come late ----

# 5,000 different messages, and then one 300 times, and an interval.
awk 'BEGIN {
  for (i = 0; i < 5000; i++)
    printf "0 %d msg message %d\n", 1000 + i, i
  for (i = 0; i < 300; i++)
    printf "0 %d msg hot\n", 10000 + 10 * i
  print "0 20000 msg START hot part\n0 20500 msg STOP hot part"
}' | make_log late.eventlog
run 0 report --reports=marks --format csv --filter hot late.eventlog
quiet err
grep '^marks\.' out | sed 's/^\(marks.names,[0-9]*\),[0-9.]*,/\1,/' >rows
same_lines rows marks.names,300,10000,12990,message,hot 'marks.names,1,20000,20000,message,START hot part' \
  'marks.names,1,20500,20500,message,STOP hot part' 'marks.intervals,500,500,1,500,500,500,500,500,0,0,hot part'
run 0 report --reports=marks --format json --limit 1 late.eventlog
read_json
expect marks.count 5302
expect marks.of_other_names 0
expect marks.names[hot].count 300
run 0 report --reports=marks --format csv --limit 0 late.eventlog
test "$(grep -c '^marks.names,' out)" = 5003 || fail "not all names are listed"
# A byte of 0 ends no text.
make_log zero.eventlog <<END
0 1$ms run 1
0 20$ms msg left#right
0 21$ms msg left#other
0 22$ms mark left#mark
0 30$ms stop 1
END
python3 -c "
log = open ('zero.eventlog', 'rb').read ()
open ('zero.eventlog', 'wb').write (log.replace (b'left#', b'left\\0'))"
run 0 report -q --reports=marks --format csv zero.eventlog
for name in right other mark; do
  says out ",left\\u0000$name"
done
run 0 report -q --reports=marks --format csv --filter other zero.eventlog
says out ',left\u0000other'
! grep -q right out || fail "another text is selected"
run 0 export -q --format chrome zero.eventlog
says out 'u0000right'
convert_to zero.eventlog zero.mlpd
run 0 report -q --reports=marks --format csv zero.mlpd
says out ',left\u0000mark'

done_checks
