#!/bin/sh
# Eventlogs of GHC: dumps in every format, from everywhere, of what is chosen.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/eventlog-lines.sh"

run 0 dump "$eventlog"
quiet err
lines out >got
same got events
grep -q '^ *0 header types=[0-9]*$' out || fail "no header"
tail -n 1 out | grep -q ' end$' || fail "no end"
cp out whole

# From standard input, in bits, compressed, by another name.
same_from_anywhere dump

# For programs.
run 0 dump --format json "$eventlog"
sed -n 2,3p out | tail -n 1 >line && mv line out
read_json
expect item event
expect cap 0
expect time_ns 1000000
expect kind create-thread
expect tag 0
expect fields.thread 1
run 0 dump --format csv "$eventlog"
test "$(head -n 1 out)" = offset,size,cap,time_ns,kind,fields || fail "wrong columns"
says out ',20,1,1600000,stop-thread,"{""thread"":2,""status"":7,""status_name"":""mvar"",""info"":0}"'
run 0 dump --format csv "$small" "$eventlog" "$eventlog"
test "$(grep -c '^log,offset,' out)" = 2 || fail "the columns of each format are to be reported once"

grep -F small.eventlog, out | grep -q ',gc-start,{}$' || fail "no event of the eventlog"
run 0 dump --format json "$small" "$eventlog"
grep -q '^{"log":"[^"]*small.eventlog","item":"end",' out || fail "no name in a line"
run 0 dump "$eventlog" "$small"
test "$(head -n 1 out)" = "log \"$eventlog\"" || fail "no name before the first line"

# What is chosen.
# chosen PATTERN ARGUMENT...: the events that are dumped are those of the pattern.
chosen ()
{
  pattern=$1
  shift
  run 0 dump "$@"
  lines out >got
  grep -E "$pattern" events >expected
  same got expected
}
chosen '^0\.002' --time-range 2ms~3ms "$eventlog"
chosen '^0\.00(2|3)' --time-range '60%~' "$eventlog"
cat "$eventlog" | "$proflog" dump --time-range '60%~' - >out 2>err || fail "status $?"
lines out >got
same got expected
chosen 'thread=2' --thread 2 "$eventlog"
chosen 'thread=1' --thread 'main*' "$eventlog"
cat packed.mlpd | "$proflog" dump --thread 'main*' - >out 2>err || fail "status $?"
lines out >got
same got expected
chosen 'hello|RTS"' --filter 'hello|RTS$' "$eventlog"
chosen '65536' --min-bytes 60000 "$eventlog"
run 0 dump --thread 9 "$eventlog"
says err "nothing was selected: none of 23 events"

# What is not for eventlogs.
run 3 dump --depth 2 "$eventlog"
says err "it has no calls"

# Whole logs are good; what is missing is reported with its place.
for log in "$logs"/ghc-*.eventlog.gz; do
  run 0 check "$log"
  grep -q '^  State *good$' out || fail "$log is not good"
done
run 0 check --verbose --format json "$eventlog"
read_json
expect schema proflog.check/1
expect log.format ghc-eventlog
expect log.state good
expect log.bytes "$(wc -c <"$eventlog")"
expect log.blocks 3
expect log.caps 2
expect log.events 20
expect blocks[0].length 267
expect blocks[0].events 12
expect blocks[2].cap null
expect 'findings[unknown-events].count' 1
head -c -40 "$eventlog" >cut.eventlog
run 1 check --format json cut.eventlog
read_json
expect log.state damaged
expect log.truncated true
expect log.missing_bytes 38
run 4 check --strict cut.eventlog

# Reports: what make-eventlog.c writes, summed up by hand.
run 0 report --format json "$eventlog"
read_json
expect schema proflog.report/1
expect log.runtime 'GHC-9.0.2 rts_thr_l'
expect log.arguments './a.out +RTS -l'
expect log.blocks 3
expect log.events 20
expect damage.truncated false
expect heap.allocated_bytes 65536
expect heap.copied_bytes 4096
expect heap.residency_samples 0
expect heap.max_slop_bytes 100
expect heap.max_memory_bytes null
expect gc.generations[1].collections 1
expect gc.generations[1].elapsed_ns 700
expect gc.pauses.span.max_ns 700
expect gc.work_balance_percent null
expect sparks.created null
expect tasks null
expect time.total_ns 3000000
# All is allocated by one capability, in 3 ms.
run 0 report --reports=allocs --format json "$eventlog"
read_json
expect allocations.bytes 65536
expect allocations.bytes_per_second 21845333
run 0 report --reports=allocs --format csv "$eventlog"
same_lines out bytes,cap 65536,0
run 0 report --format json "$eventlog"
read_json
expect time.gc_ns 700
expect time.mutator_ns 2999300
run 0 stats --reports=summary --time-range 1.5ms~2.5ms "$eventlog"
says out "  Total   time            (  0.001s elapsed)"
says out "          65,536 bytes allocated in the heap"
run 0 stats --reports=summary --time-range 2.5ms~ "$eventlog"
grep -q 'bytes allocated\|colls' out && fail "what is not known there is shown"
run 0 stats --time-range 1h~ "$eventlog"
says err "nothing was selected: none of 20 events in 3.000 ms has a time that --time-range selects"
run 0 stats --cap 0 --reports=summary,caps "$eventlog"
says out "          65,536 bytes allocated in the heap"
grep -q 'MUT' out && fail "time of a program from one capability"
run 0 stats --cap 1 --format json "$eventlog"
read_json
expect heap.allocated_bytes null
expect gc.collections 0
expect caps[0].cap 1
expect caps[0].events 4
# The collection of 700 ns is one of capability 0: so much of a window of 1 ms is lost to it there.
run 0 stats --cap 0 --format json "$eventlog"
says out '{ "window_ns": 1000000, "main_paused_ns": 700,'
run 0 stats --cap 1 --format json "$eventlog"
says out '"utilisation": []'
run 0 stats --cap 7 "$eventlog"
says err "nothing was selected: none of 20 events in 3.000 ms has a capability that --cap selects"
run 0 stats --cap 1 --time-range 1s~ "$eventlog"
says err "has a time and a capability that --time-range and --cap select"

# On capability 1 thread 2 ran for 200 us and waits since; it was made on capability 0.
run 0 report --cap 1 --format json "$eventlog"
read_json
expect log.events 4
expect caps[0].cap 1
expect threads[0].id 2
expect threads[0].run_ns 200000
expect threads[0].runnable_ns 0
expect threads[0].mvar_ns 1400000
expect threads[0].runs 1
expect threads[0].events 2
grep -q '^threads\[1\]' figures && fail "threads of other capabilities"
expect scheduling.run_ns 200000
expect scheduling.busy_ns 200000
expect scheduling.parallel_ns 0
# That was while thread 1 ran on capability 0; of some threads the times of all are not stated.
run 0 report --format json "$eventlog"
read_json
expect scheduling.busy_ns 1700000
expect scheduling.parallel_ns 200000
run 0 report --thread 1 --format json "$eventlog"
read_json
expect scheduling.busy_ns null
# On capability 0 thread 1 ran from 1.2 to 2.0 and from 2.1 to 3.0 ms, and thread 2 waited to run.
run 0 report --cap 0 --reports threads,scheduling --sort id --reverse --format json "$eventlog"
read_json
expect threads[0].id 1
expect threads[0].run_ns 1700000
expect threads[1].id 2
expect threads[1].run_ns 0
expect threads[1].runnable_ns 100000
expect scheduling.runs 2
run 0 info --cap 1 --format json "$eventlog"
read_json
expect log.events 4
expect content.caps 1
expect content.threads 1
expect content.messages 1
expect kinds[run-thread].events 1
expect kinds[user-msg].events 1
expect threads[0].id 2
run 3 report --cap 1 "$small" "$eventlog"
says err "it has no capabilities"
says out "  Events               4"
run 3 info --cap 1 "$small"
run 0 report --thread 'nobody' "$eventlog"
says err "nothing was selected: none of 20 events names a thread that --thread selects"
run 3 report --find T:x "$eventlog"
says err "it has no objects for --find or --track"
run 3 report --depth 3 "$eventlog"
says err "it has no calls that --depth could choose from"
run 2 stats --thread 1 "$eventlog"
says err "'proflog stats' does not show single threads"
run 3 stats --cap 0 "$small"
says err "it has no capabilities that --cap could choose from"
run 3 stats /dev/null
says err "is empty"
printf hello | "$proflog" stats - >out 2>err && fail "status 0"
says err "standard input: not a profiler log: it begins with the bytes 68 65 6c 6c"
run 2 report --reports nothing "$eventlog"
says err "there is no such report"
run 0 report --reports heap,threads "$eventlog" "$small"
run 0 info "$eventlog"
says out "  Complete             yes"
run 0 report cut.eventlog
says err "inside an event: 38 bytes are missing there"
says out "Missing bytes        38"

# What people do not see by itself they see when they request it; what is text only is refused elsewhere.
run 0 report --reports threads --fields id,mvar_ns "$eventlog"
says out "Thread  mvar_ns"
grep -q '^ *2 *1\.400$' out || fail "thread 2 did not wait 1.4 ms"
run 2 stats --reports summary --format csv "$eventlog"
says err "this section is available only with --format text"
run 2 validate '' "$eventlog"
says err "a machine is needed"
run 0 validate all,threads,threads "$eventlog"
run 0 stats --time-range 0~1ms "$eventlog"
says out "Nothing in the chosen part of: GC, Sparks"

# Thousandths: 3.0 ms but 0.0007 ms are the program's own; of 1 ms 0.9993.
run 0 report --format json "$eventlog"
read_json
expect time.productivity_permille 1000
says out '"main_permille": 999,'

# Sparks of a part of the time are those of the events, as counters are reported at collections only.
# (0.009 s of the program, in which 69 sparks were converted and 84 fizzled; ghc-events shows so.)
sparks=$logs/ghc-sparks-all.eventlog.gz
run 0 report --format json "$sparks"
read_json
expect sparks.from counters
expect sparks.events_agree true
# As CSV, by capability: the last counters of each, as ghc-events shows them.
run 0 report --reports sparks --format csv "$logs/ghc-sparks.eventlog.gz"
says out "table,cap,from,created,converted,overflowed,dud,gcd,fizzled"
says out "sparks.caps,0,counters,0,141,0,0,0,115"
says out "sparks.caps,1,counters,512,0,188,10,0,0"
run 0 dump --time-range '30%~60%' "$sparks"
converted=$(grep -c -E ' spark-(run|steal)( |$)' out)
fizzled=$(grep -c ' spark-fizzle' out)
run 0 report --time-range '30%~60%' --format json "$sparks"
read_json
expect sparks.from events
expect sparks.events_agree null
expect sparks.converted "$converted"
expect sparks.fizzled "$fizzled"

# Logs of two programs in one file.
for name in ghc-blocks-N2 ghc-collect-N2; do gzip -dc "$logs/$name.eventlog.gz"; done >joined
run 0 dump joined
pids=$(sed -n 's/.* osprocess-pid .*pid=\([0-9]*\)$/\1/p' out | paste -s -d ' ' | sed 's/ / and /')
run 0 report joined
says err "warning: it has logs of several programs (processes $pids)"
run 0 report -q joined
quiet err
run 0 check joined
says out 'logs that begin before the one before them'
# Two runs with one process id, as in containers, or one log twice, are several logs, too.
gzip -dc "$logs/ghc-collect-N2.eventlog.gz" >once
cat once once >twice
for command in report info stats; do
  run 0 $command twice
  says err 'warning: it has logs whose times overlap, of several runs, or one log twice: figures are totals'
done
run 0 check --format json twice
read_json
expect 'findings[overlapping-logs].offset' "$(wc -c <once)"
expect 'findings[overlapping-logs].count' 1
# A recording that began anew is not.
for log in "$logs"/ghc-restart*.eventlog.gz; do
  run 0 report "$log"
  quiet err
  run 0 check "$log"
  ! grep -q 'logs that begin before' out || fail "$log has overlapping logs"
done

# An event of the last time that there can be is shown, too.  (Its time stands 2 bytes after its
# beginning; the block ends then, as its marker states 14 bytes after its own beginning.)
at=$("$proflog" dump "$eventlog" | awk '/ user-msg / { print $1 }')
marker=$("$proflog" dump "$eventlog" | awk '/block_size=90 / { print $1 }')
cp "$eventlog" late && chmod u+w late
for place in $((at + 2)) $((marker + 14)); do
  overwrite late "$place" '\0377\0377\0377\0377\0377\0377\0377\0377'
done
run 0 dump late
says out '18446744073.709551615 1 user-msg message="hello"'

# The idle time of all capabilities together is the sum of theirs.
run 0 report --format json --reports gc,caps "$logs/ghc-collect-N2.eventlog.gz"
read_json
for what in idle_ns:gc_idle_ns caps_ns:gc_ns; do
  sum=$(sed -n "s/^caps\[[0-9]*\]\.${what#*:}\t//p" figures | awk '{ sum += $1 } END { print sum }')
  test "$sum" -gt 0 || fail "no capability has ${what#*:}"
  expect "gc.${what%:*}" "$sum"
done

# Damage.
head -c -40 "$eventlog" >cut.eventlog
run 0 dump cut.eventlog
says err "inside an event: 38 bytes are missing there"
says out "damage reason=truncated"
run 4 dump --strict cut.eventlog
run 3 dump /dev/null
says err "is empty"
printf 'hello' >hello
run 3 dump hello
says err 'not a profiler log'
# A part is as long as was requested, as far as the log goes, and its threads are in the states of its end.
python3 "$tests/cli/make-eventlog.py" part.eventlog <<'END' || fail 'no log'
0 1000000 run 7
0 4000000 stop 7
0 10000000 mark end
END
part_is ()
{
  run 0 report --reports=log,waits,threads --format json --time-range "$1" part.eventlog
  read_json
  expect log.duration_ns "$2"
  expect 'idle_caps[0].run_ns' "$3"
  expect 'idle_caps[0].idle_ns' "$4"
  expect 'threads[0].state' "$5"
}
part_is 2ms~8ms 6000000 2000000 4000000 finished
part_is 500us~3ms 2000000 2000000 0 running
part_is 2ms~ 8000000 2000000 6000000 finished
done_checks
