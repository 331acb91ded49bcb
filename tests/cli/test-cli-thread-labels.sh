#!/bin/sh
# Haskell threads by label: selected, also by an earlier label, excluded, added up; the runtime's own come last.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# Thread 4 is of the runtime and runs longest; 3 gets another label before its end.
python3 "$tests/cli/make-eventlog.py" log.eventlog <<'END' || fail 'no log'
0 1000000 label 1 main
0 1000000 label 2 worker
0 1000000 label 3 worker
0 1000000 label 4 IOManager on cap 0
0 1000000 label 5 worker
0 1000000 run 1
0 11000000 stop 1
0 11000000 run 2
0 16000000 stop 2
0 16000000 run 3
0 23000000 label 3 done
0 23000000 stop 3
0 23000000 run 4
0 73000000 stop 4
0 73000000 run 5
0 74000000 stop 5
END

# ids_are OPTION... -- ID...: the threads of the table, in its order.
ids_are ()
{
  options=
  while test "$1" != --; do
    options="$options $1"
    shift
  done
  shift
  # shellcheck disable=SC2086
  run 0 report --reports=cpu --format json $options log.eventlog
  read_json
  sed -n 's/^cpu.threads.*\.id\t//p' figures >rows
  same_lines rows "$@"
}
ids_are -- 1 3 2 5 4
ids_are --thread worker -- 3 2 5
ids_are --thread done -- 3
ids_are --thread '!IOManager*' -- 1 3 2 5
ids_are --thread 'worker,!3' -- 2 5
ids_are --thread '!worker' --thread '!4' -- 1
run 0 report --reports=cpu --format csv log.eventlog
sed -n '/^cpu.labels/p' out | cut -d, -f2-5 >rows
same_lines rows 10000000,1,1,main 7000000,1,1,done 6000000,2,1,worker 50000000,1,0,'IOManager on cap 0'
run 0 report log.eventlog
says out 'Threads by label'
run 0 dump --thread worker --format json log.eventlog
grep -c '"thread":3' out >rows
same_lines rows 4
run 0 dump --thread '!worker' --format json log.eventlog
grep -c '"thread":3' out >rows || :
same_lines rows 0

# A trace has a lane for each of them, in which it runs: those of one label next to each other, the runtime's last.
cat >lanes.py <<'END'
import json, sys
names, runs = {}, {}
for event in json.load (open (sys.argv[1]))["traceEvents"]:
    lane = event.get ("tid")
    if event["ph"] == "M" and event["name"] == "thread_name":
        names[lane] = event["args"]["name"]
    elif names.get (lane, "").endswith (": runs") and event["ph"] in "BE":
        runs.setdefault (lane, []).append (event["ts"])
        if event["ph"] == "B":
            assert event["name"].startswith ("Thread" if names[lane].startswith ("Other") else "Capability 0"), event
for lane in sorted (runs):
    print (names[lane], *("%g-%g" % pair for pair in zip (runs[lane][::2], runs[lane][1::2])))
END
run 0 export -f chrome -o trace.json log.eventlog
python3 lanes.py trace.json >rows || fail 'no lanes'
same_lines rows 'Thread 1 main: runs 1000-11000' 'Thread 3 done: runs 16000-23000' 'Thread 2 worker: runs 11000-16000' \
  'Thread 5 worker: runs 73000-74000' 'Thread 4 IOManager on cap 0: runs 23000-73000'
run 0 export -f chrome -o trace.json --force --thread worker --time-range 13ms~ log.eventlog
python3 lanes.py trace.json >rows || fail 'no lanes'
same_lines rows 'Thread 3 done: runs 16000-23000' 'Thread 2 worker: runs 13000-16000' 'Thread 5 worker: runs 73000-74000'

# More threads than have lanes: those that ran least share one.
awk 'BEGIN {
  for (i = 1; i <= 300; i++) {
    printf "0 %d run %d\n0 %d stop %d\n", at + 1000, i, at + 1000 * (i + 1), i
    at += 1000 * (i + 1)
  }
}' | python3 "$tests/cli/make-eventlog.py" many.eventlog || fail 'no log'
run 0 export -f chrome -o trace.json --force many.eventlog
python3 lanes.py trace.json >rows || fail 'no lanes'
test "$(grep -c '^Thread' rows)" = 256 || fail 'not 256 lanes'
grep -q '^Thread 45: runs' rows || fail 'thread 45 has no lane'
! grep -q '^Thread 44: runs' rows || fail 'thread 44 has a lane'
test "$(grep '^Other threads on capability 0: runs' rows | wc -w)" = $((6 + 44)) || fail 'other runs in the shared lane'

# The manager of files waits in a foreign call all the time: that is no wait of the program, and leads no table.
python3 "$tests/cli/make-eventlog.py" waits.eventlog <<'END' || fail 'no log'
0 1000000 label 1 main
0 1000000 label 4 IOManager on cap 0
0 1000000 run 4
0 2000000 wait 4 16
0 2000000 run 1
0 5000000 wait 1 7
0 25000000 run 1
0 30000000 stop 1
0 62000000 run 4
0 63000000 stop 4
END
run 0 report --reports=waits --format csv waits.eventlog
grep -v -e '^table' -e '^idle_caps' out | grep . >rows
same_lines rows 'wait_kinds,20000000,1,lock,mvar' 'waits,20000000,1,threads,lock,mvar,,1,main' \
  'idle_threads,60000000,1,IOManager on cap 0'
run 0 report waits.eventlog
says out 'Idle: threads that wait for work'
done_checks
