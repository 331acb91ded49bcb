#!/bin/sh
# `proflog simulate`: the states of an eventlog's threads, tasks and sparks after each event.
. "${srcdir:-.}/tests/cli/lib.sh"
eventlog=$logs/small.eventlog

# What make-eventlog.c writes: two threads on two capabilities.
cat >expected <<'END'
Trace:
(fromList [(0,1)],Event {evTime = 1200000, evSpec = RunThread {thread = 1}, evCap = Just 0})
(fromList [(0,1),(1,2)],Event {evTime = 1400000, evSpec = RunThread {thread = 2}, evCap = Just 1})
(fromList [(0,1)],Event {evTime = 1600000, evSpec = StopThread {thread = 2, status = BlockedOnMVar}, evCap = Just 1})
(fromList [],Event {evTime = 2000000, evSpec = StopThread {thread = 1, status = HeapOverflow}, evCap = Just 0})
(fromList [(0,1)],Event {evTime = 2100000, evSpec = RunThread {thread = 1}, evCap = Just 0})
(fromList [],Event {evTime = 3000000, evSpec = StopThread {thread = 1, status = ThreadFinished}, evCap = Just 0})

Valid.
END
run 0 simulate threadrun "$eventlog"
quiet err
same out expected
cp expected whole
"$proflog" simulate threadrun - <"$eventlog" >out 2>err || fail "status $?"
same out whole
run 0 simulate -o written threadrun "$eventlog"
same written whole
gzip -c "$eventlog" >packed
run 0 simulate threadrun packed "$eventlog"
{ echo 'log "packed"'; cat whole; echo "log \"$eventlog\""; cat whole; } >expected
same out expected

# An event that does not fit, here the second thread's creation: it becomes one of thread 1.
offset=$("$proflog" dump "$eventlog" | awk '$4 == "create-thread" && $5 == "thread=2" { print $1 }')
cp "$eventlog" changed && chmod u+w changed
overwrite changed $((offset + 13)) '\01'
cat >expected <<'END'
Trace:
((fromList [(1,ThreadQueued)],fromList []),Event {evTime = 1000000, evSpec = CreateThread {thread = 1}, evCap = Just 0})
((fromList [(1,ThreadRunning)],fromList [(0,1)]),Event {evTime = 1200000, evSpec = RunThread {thread = 1}, evCap = Just 0})

Invalid:
((fromList [(1,ThreadRunning)],fromList [(0,1)]),Event {evTime = 1300000, evSpec = CreateThread {thread = 1}, evCap = Just 0})
END
run 1 simulate threads changed
quiet err
same out expected
# As a duplicate it changes nothing; then thread 2 is unknown.
run 1 simulate --allow-duplicates threads changed
test "$(wc -l <out)" = 7 || fail "not four events, one of which does not fit"
says out "((fromList [(1,ThreadRunning)],fromList [(0,1)]),Event {evTime = 1300000, "
says out "((fromList [(1,ThreadRunning)],fromList [(0,1)]),Event {evTime = 1400000, evSpec = RunThread {thread = 2}"

# Damage.
head -c -40 "$eventlog" >cut.eventlog
run 4 simulate --strict threadrun cut.eventlog
says err "inside an event: 38 bytes are missing there"
same out whole
head -c 100 "$eventlog" >header.eventlog
run 3 simulate threads header.eventlog

# What makes no sense.
run 2 simulate threads
says err "a log is needed"
run 2 simulate "$eventlog"
says err "a machine is needed before the log: threads, threadpool, threadrun, taskpool, tasks and sparks"
run 2 simulate thread "$eventlog"
says err "there is no machine 'thread'; there are threads, threadpool, threadrun, taskpool, tasks and sparks"
says err "did you mean threads?"
run 2 simulate calls "$small"
run 3 simulate threads "$small"
says err "'proflog validate' has the machines of those"
run 3 simulate threads missing.eventlog
run 2 simulate --format json threads "$eventlog"
says err "--format json: there is only text"
done_checks
