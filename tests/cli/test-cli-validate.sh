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
overwrite log $((offset + 13)) '\01'
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
says err "there is no machine 'nothing'; there are threads, threadpool, threadrun, taskpool, tasks, sparks, calls, collections, heapshots, monitors, handles, finalizers and all"
# A word alone that is no machine is a log.
run 3 validate nofile
says err 'nofile: No such file or directory'
run 3 validate threads /dev/null

# Mono logs: those of every version, and of the stock profiler, go through all machines.
for log in "$logs"/all-v*.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz; do
  run 0 validate "$log"
  quiet err
  test "$(grep -c ' valid ' out)" = 7 || fail "not all machines of $log"
done
run 0 validate --format json "$logs/all-v17.mlpd"
read_json
expect "log.valid" true
# What make-all.c writes: enters and leaves of 4 methods twice, 4 collections of 8 phases, waits, handles.
for machine in calls collections heapshots monitors handles finalizers; do
  case $machine in
  calls) kinds='method-enter|method-leave|method-exc-leave|metadata-thread' ;;
  collections) kinds=gc-event ;;
  heapshots) kinds='heap-start|heap-end|heap-object' ;;
  monitors) kinds=monitor ;;
  handles) kinds='gc-handle-created|gc-handle-destroyed' ;;
  finalizers) kinds='gc-finalize-(object-)?(start|end)' ;;
  esac
  expect "machines[$machine].events" "$("$proflog" dump "$logs/all-v17.mlpd" | awk '{ print $4 }' | grep -cxE "$kinds")"
done

# make-small.c leaves out that the world was stopped: the event at 496, 500 ns after the start.
run 1 validate --format json "$small"
read_json
expect log.valid false
expect "machines[collections].verdict" invalid
expect "machines[collections].offset" 496
expect "machines[collections].time_ns" 500
expect "machines[collections].thread" 0x7f11
expect "machines[collections].event" "gc-event event=post-start-world generation=1"
expect "machines[collections].reason" "it comes after pre-stop-world"
expect "machines[calls].verdict" valid
expect "machines[calls].offset" null
run 0 validate calls,monitors "$small"
test "$(grep -c ' valid ' out)" = 2 || fail "not two machines"

# The leave at 296 becomes one of the caller, whose difference from the method before is 0 (80 00): the method
# above is open, and its enter was at 254.
cp "$small" other && chmod u+w other
overwrite other 299 '\00'
"$proflog" dump other | grep '^ *296 .*method-exc-leave.*Main' >dumped || fail "not the other method"
run 1 validate calls other
says out "method-exc-leave method=0x570000"
says out "1 methods are open above it, the first one entered at offset 254"

# Both formats; machines that one does not have.
run 1 validate threads,collections "$logs/ghc-collect.eventlog.gz" "$small"
run 3 validate tasks "$small"
says err "it has none of these machines"
run 3 validate calls "$logs/ghc-collect.eventlog.gz"
says err "it has none of these machines"
run 0 validate --verbose handles "$logs/all-v17.mlpd"
says out "What is left"
says out "0x19"
cat "$logs/all-v17.mlpd" | "$proflog" validate - >out 2>err || fail "status $?"
test "$(grep -c ' valid ' out)" = 7 || fail "not all are valid"
head -c 450 "$small" >cut.mlpd
run 4 validate --strict calls cut.mlpd
says err "cut.mlpd: warning"
done_checks
