#!/bin/sh
# `proflog show threads` and `show caps`: eventlogs by thread and by capability.
. "${srcdir:-.}/tests/cli/lib.sh"
eventlog=$logs/small.eventlog
"$proflog" show "$eventlog" | sed '/^$/,$d' >types
gcs='generation 1, 4096 bytes copied, 100 bytes slop, 0 bytes fragmentation, 1 par threads, 0 bytes max par'
gcs="$gcs copied, 4096 bytes total par copied, 0 bytes balanced par copied"

# What make-eventlog.c writes.  Thread 1 is created on capability 0, which is idle then, and runs there to
# 2 ms and from 2.1 ms on; thread 2, which is created meanwhile, on 1 to 1.6 ms.  A label, the collection and
# an unknown event are while their capability runs nothing.
cat types - >expected <<END

Thread Indexed Events:
Nothing
  500000: created capset 0 of type CapsetOsProcess
  600000: capset 1: wall clock time 1600000000s 5ns (unix epoch)
  700000: capset 0: RTS version "GHC-9.0.2 rts_thr_l"
  800000: capset 0: args: ["./a.out","+RTS","-l"]
  1100000: cap 0: thread 1 has label "main thread"
  1700000: cap 1: something new
  2000100: cap 0: starting GC
  2000800: cap 0: finished GC
  2000900: cap 0: all caps stopped for GC
  2000950: cap 0: GC stats for heap capset 0: $gcs
  2001000: cap 0: allocated on heap capset 0: 65536 total bytes till now
Just 1
  1000000: cap 0: creating thread 1
  1200000: cap 0: running thread 1
  2000000: cap 0: stopping thread 1 (heap overflow)
  2100000: cap 0: running thread 1
  3000000: cap 0: stopping thread 1 (thread finished)
Just 2
  1300000: cap 0: creating thread 2
  1400000: cap 1: running thread 2
  1500000: cap 1: hello
  1600000: cap 1: stopping thread 2 (blocked on an MVar)

END
run 0 show threads "$eventlog"
quiet err
same out expected
cp out threads.txt

cat types - >expected <<END

Cap Indexed Events:
Nothing
  500000: created capset 0 of type CapsetOsProcess
  600000: capset 1: wall clock time 1600000000s 5ns (unix epoch)
  700000: capset 0: RTS version "GHC-9.0.2 rts_thr_l"
  800000: capset 0: args: ["./a.out","+RTS","-l"]
Just 0
  1000000: cap 0: creating thread 1
  1100000: cap 0: thread 1 has label "main thread"
  1200000: cap 0: running thread 1
  1300000: cap 0: creating thread 2
  2000000: cap 0: stopping thread 1 (heap overflow)
  2000100: cap 0: starting GC
  2000800: cap 0: finished GC
  2000900: cap 0: all caps stopped for GC
  2000950: cap 0: GC stats for heap capset 0: $gcs
  2001000: cap 0: allocated on heap capset 0: 65536 total bytes till now
  2100000: cap 0: running thread 1
  3000000: cap 0: stopping thread 1 (thread finished)
Just 1
  1400000: cap 1: running thread 2
  1500000: cap 1: hello
  1600000: cap 1: stopping thread 2 (blocked on an MVar)
  1700000: cap 1: something new

END
run 0 show caps "$eventlog"
quiet err
same out expected
cp out caps.txt

# From a pipe; several logs, also in one file; a file that has the name.
"$proflog" show caps - <"$eventlog" >out 2>err || fail "status $?"
same out caps.txt
gzip -c "$eventlog" >packed
run 0 show threads packed "$eventlog"
{ echo 'log "packed"'; cat threads.txt; echo "log \"$eventlog\""; cat threads.txt; } >expected
same out expected
cat "$eventlog" "$eventlog" >twice
run 0 show threads twice
cat threads.txt threads.txt >expected
same out expected

cp "$eventlog" caps
run 0 show caps
says out "Events:"
grep -q Indexed out && fail "the file is a group"
rm caps

# Selections: what runs before them counts.
run 0 show threads --filter hello "$eventlog"
sed '1,/Indexed/d' out >got
same_lines got "Just 2" "  1500000: cap 1: hello" ""
run 0 show threads --time-range 1.5ms~2.05ms --cap 1 "$eventlog"
sed '1,/Indexed/d' out >got
same_lines got Nothing "  1700000: cap 1: something new" "Just 2" "  1500000: cap 1: hello" \
  "  1600000: cap 1: stopping thread 2 (blocked on an MVar)" ""
run 0 show caps --thread 2 "$eventlog"
sed '1,/Indexed/d' out >got
same_lines got "Just 0" "  1300000: cap 0: creating thread 2" "Just 1" "  1400000: cap 1: running thread 2" \
  "  1600000: cap 1: stopping thread 2 (blocked on an MVar)" ""
run 0 show threads --cap 9 "$eventlog"
says err "nothing was selected: none of 23 events"
sed '1,/Indexed/d' out >got
same_lines got ""

# Damage, and what makes no sense.
head -c -40 "$eventlog" >cut.eventlog
run 0 show threads cut.eventlog
says err "inside an event: 38 bytes are missing there"
says out "Just 2"
run 4 show --strict caps cut.eventlog
run 2 show threads
says err "a log is needed"
run 2 show threads --order file "$eventlog"
says err "threads: events come in order of time, not of the file"
run 3 show threads "$small"
says err "--thread selects a thread"
run 3 show caps "$small"
says err "it has no capabilities"
run 3 show threads missing.eventlog

# No temporary file is needed for few events.
TMPDIR=/nowhere "$proflog" show threads "$eventlog" >out 2>err || fail "status $?"
same out threads.txt
done_checks
