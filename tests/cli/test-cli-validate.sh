#!/bin/sh
# Whether events of eventlogs fit together.
. "${srcdir:-.}/tests/cli/lib.sh"

# The verdicts of the reference tool on the recorded logs; it cannot read the restarted ones.
for judged in "$logs"/ghc-*.judged; do
  log=${judged%.judged}.eventlog.gz
  run 0 validate all "$log"
  quiet err
  awk '$1 != "Machine" { print $1, $2 }' out >got
  grep -q none "$judged" || same got "$judged"
done

# A thread gets the number of one that lives: 1 waits when 3 would be made.
gunzip -c "$logs/ghc-blocks.eventlog.gz" >log
"$proflog" dump log >dumped || fail "dump ended with $?"
offset=$(awk '$4 == "create-thread" && $5 == "thread=3" { print $1 }' dumped)
time=$(awk '$4 == "create-thread" && $5 == "thread=3" { sub (/\./, "", $2); print $2 + 0 }' dumped)
next=$(awk '$5 == "thread=3" && $4 == "run-thread" { print $1; exit }' dumped)
printf '\001' | dd of=log bs=1 seek=$((offset + 13)) conv=notrunc 2>dd.err
run 1 validate threads log
says out "$offset"
says out "thread 1 is running"
run 1 validate --format json threads,threadrun,threadpool log
read_json
expect schema proflog.validate/1
expect log.valid false
expect "machines[threads].verdict" invalid
expect "machines[threads].offset" "$offset"
expect "machines[threads].time_ns" "$time"
expect "machines[threads].cap" 0
expect "machines[threads].event" "create-thread thread=1"
expect "machines[threads].reason" "thread 1 is running"
expect "machines[threadrun].verdict" valid
expect "machines[threadrun].offset" null
expect "machines[threadpool].offset" "$offset"
run 1 validate --allow-duplicates --format json threads log
read_json
expect "machines[threads].offset" "$next"
expect "machines[threads].event" "run-thread thread=3"
expect "machines[threads].reason" "thread 3 is unknown"

# What is left; several logs; a pipe.
run 0 validate --verbose threadrun "$logs/small.eventlog"
says out "threadrun"
gunzip -c "$logs/ghc-restart.eventlog.gz" | head -c 2800 >cut
run 0 validate -v threads cut
says err "warning"
says out queued
run 4 validate --strict threads cut
run 1 validate threads "$logs/ghc-sparks.eventlog.gz" log
says out "Log"
says out "valid"
"$proflog" validate all - <"$logs/ghc-collect.eventlog.gz" >out 2>err || fail "status $?"
test "$(grep -c ' valid ' out)" = 6 || fail "not all are valid"

# Without machines it is all of them.
run 0 validate "$logs/ghc-collect.eventlog.gz"
test "$(grep -c ' valid ' out)" = 6 || fail "not all are valid"
run 1 validate --format json log "$logs/ghc-collect.eventlog.gz"
"$proflog" validate - <"$logs/ghc-collect.eventlog.gz" >out 2>err || fail "status $?"
test "$(grep -c ' valid ' out)" = 6 || fail "not all are valid"
run 3 validate ./missing.eventlog
says err "missing.eventlog"

# What makes no sense.
run 2 validate threads
says err "a log is needed"
run 2 validate nothing log
says err "there is no machine 'nothing'; there are threads, threadpool, threadrun, taskpool, tasks, sparks and all"
run 3 validate threads "$small"
says err "only eventlogs"
run 3 validate threads /dev/null
done_checks
