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
done_checks
