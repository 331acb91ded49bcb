#!/bin/sh
# format=eventlog: the events of the module, what it refuses, and what is left when the
# program is killed, the reader too slow, or the output changed.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

log=$work/log.eventlog

# dumped [LOG]: its events; the log is whole and makes sense.
dumped () {
  "$proflog" dump "${1:-$log}" >"$work/dump" 2>"$work/dump.err" || fail "no dump"
  [ ! -s "$work/dump.err" ] || fail "$(cat "$work/dump.err")"
  "$proflog" check "${1:-$log}" >"$work/checked" 2>&1 || fail "$(cat "$work/checked")"
  "$proflog" validate threads "${1:-$log}" >"$work/checked" 2>&1 || fail "$(cat "$work/checked")"
}

# of_cap CAP: kinds of its events, in turn, of which nothing is the host's.
of_cap () {
  awk -v cap="$1" '$3 == cap { line = $4; for (i = 5; i <= NF; i++) line = line " " $i; print line }' "$work/dump"
}

# allocated: bytes, of all capabilities.
allocated () {
  awk '$4 == "heap-allocated" { sub (/.*=/, "", $6); bytes[$3] = $6 }
       END { for (cap in bytes) sum += bytes[cap]; print sum + 0 }' "$work/dump"
}

begin "what happens"
record format=eventlog,clauses "$scenarios/events.scn"
dumped
# 5 strings and 3 nodes; an exception, a finally, a catch; two collections.
cat >"$work/wanted" <<'END'
cap-create cap=0
capset-assign-cap capset=0 cap=0
capset-assign-cap capset=1 cap=0
create-thread thread=1
run-thread thread=1
user-marker marker="throw System.Exception"
user-msg message="finally in Program.Node:Work (int)"
user-msg message="catch in Program.Node:Main (string[])"
stop-thread thread=1 status=heap-overflow info=0
request-seq-gc
gc-start
gc-global-sync
gc-stats-ghc heap_capset=0 generation=0 copied=0 slop=0 fragmentation=0 par_n_threads=1 par_max_copied=0 par_tot_copied=0 par_balanced_copied=0
gc-end
heap-allocated heap_capset=0 bytes=240
heap-size heap_capset=0 bytes=1048576
run-thread thread=1
stop-thread thread=1 status=heap-overflow info=0
request-seq-gc
gc-start
gc-global-sync
gc-stats-ghc heap_capset=0 generation=1 copied=0 slop=0 fragmentation=0 par_n_threads=1 par_max_copied=0 par_tot_copied=0 par_balanced_copied=0
gc-end
heap-size heap_capset=0 bytes=1048576
run-thread thread=1
END
of_cap 0 | diff "$work/wanted" - >"$work/out" || fail "the first thread does something else"
cat >"$work/wanted" <<'END'
cap-create cap=1
capset-assign-cap capset=0 cap=1
capset-assign-cap capset=1 cap=1
create-thread thread=2
run-thread thread=2
stop-thread thread=2 status=mvar info=0
thread-wakeup thread=2 other_cap=1
run-thread thread=2
stop-thread thread=2 status=mvar info=0
thread-wakeup thread=2 other_cap=1
run-thread thread=2
heap-allocated heap_capset=0 bytes=32
stop-thread thread=2 status=finished info=0
END
of_cap 1 | diff "$work/wanted" - >"$work/out" || fail "the second thread does something else"
grep -q ' rts-identifier capset=0 identifier="mono 0.0 (host)"' "$work/dump" || fail "no runtime"

begin "nothing but threads"
record format=eventlog,nodefaults "$scenarios/events.scn"
dumped
! grep -E ' (user-m|heap-|gc-|stop-thread .*status=[^f])' "$work/dump" || fail "something is recorded"

# A thread that ends leaves its capability to one that comes later.
cat >"$work/threads.scn" <<'END'
repeat i 20
  parallel t 1
    fire thread_started self
    fire thread_name self "worker"
    fire gc_allocation nodes[$i]
    fire thread_stopped self
    fire exception_throw exceptions[0]
    fire gc_allocation leaves[$i]
  end
end
shutdown
END
begin "threads"
record format=eventlog "$work/threads.scn"
dumped
[ "$(grep -c ' create-thread ' "$work/dump")" = 20 ] || fail "not 20 threads"
[ "$(grep -c ' thread-label .*label="worker"' "$work/dump")" = 20 ] || fail "not 20 names"
[ "$(grep -c ' stop-thread .*status=finished' "$work/dump")" = 20 ] || fail "not 20 ends"
[ "$(grep -c ' cap-create ' "$work/dump")" -le 2 ] || fail "capabilities are not used again"
[ "$(allocated)" = $((20 * (40 + 32))) ] || fail "$(allocated) bytes instead of those of 20 nodes and leaves"
! grep user-marker "$work/dump" || fail "threads report themselves after their end"

# 25000 times 24, 32, 40 and 24 bytes, on 8 threads.
begin "bytes of allocations"
record format=eventlog "$scenarios/parallel.scn"
dumped
[ "$(allocated)" = 24000000 ] || fail "$(allocated) bytes"

begin "killed"
host_run 137 "proflog:output=$log,format=eventlog" "$scenarios/world.scn" "$scenarios/killed.scn"
[ -f "$log.spool" ] || fail "no spool"
"$proflog" dump "$log" >"$work/dump" 2>"$work/dump.err" || fail "no dump"
grep -q "was read, too" "$work/dump.err" || fail "the spool is not taken in"
[ "$(grep -c ' create-thread ' "$work/dump")" = 4 ] || fail "not 4 threads"
bytes=$(allocated)
[ "$bytes" -ge $((4 * (50000 * 24 - 65536))) ] && [ "$bytes" -le $((4 * 50000 * 24)) ] \
  || fail "$bytes bytes were allocated"
tail -n 1 "$work/dump" | grep -q ' end$' || fail "the log does not end"
rm -f "$log" "$log.spool"

# Some 40 bytes each time.
cat >"$work/flood.scn" <<'END'
parallel t 4
  repeat i 30000
    fire exception_throw exceptions[0]
  end
end
print "flooded"
END
begin "a reader that is too slow"
mkfifo "$work/fifo"
exec 6<>"$work/fifo"
(
  exec 6>&-
  until grep -qs flooded "$work/out"; do sleep 0.02; done
  exec cat "$work/fifo" >"$work/read"
) &
running=$!
host_run 0 "proflog:output=$work/fifo,format=eventlog,memory=1M,spool=none" \
  "$scenarios/world.scn" "$work/flood.scn" "$scenarios/nothing.scn"
exec 6>&-
wait "$running"
running=
lost=$(sed -n 's/.* lacks \([0-9]*\) events .*/\1/p' "$work/err")
[ "${lost:-0}" -gt 1000 ] || fail "'$lost' events are lost"
"$proflog" dump "$work/read" >"$work/dump" 2>"$work/dump.err" || fail "no dump"
grep -q " log-msg message=\"proflog: $lost events had to be dropped\"" "$work/dump" \
  || fail "the log does not report $lost events"
kept=$(grep -c ' user-marker ' "$work/dump")
[ $((kept + lost)) -ge 120000 ] || fail "$kept events are there"

# refuse OPTION: it is refused with one line.
refuse () {
  begin "refused: $1"
  host_run 7 "proflog:output=$log,format=eventlog,$1" "$scenarios/exit-7.scn"
  one_line "format=eventlog cannot record ${2:-$1}"
  [ ! -e "$log" ] || fail "there is a log"
}
refuse calls
refuse alloc=512k alloc=SIZE
refuse gcmove
refuse gcroot
refuse gchandle
refuse finalization
refuse jit
refuse counter
refuse sample
refuse sample-real=50 sample
refuse heapshot
refuse heapshot=5gc heapshot
refuse heapshot-on-shutdown
refuse reannounce=1s reannounce
refuse sync=1s reannounce
refuse arm=calls calls

begin "control"
start_host format=eventlog "fire thread_started self
fire thread_name self \"boss\"
fire exception_throw exceptions[0]
await $work/more
fire exception_throw exceptions[0]
await $work/go
shutdown"
ctl 0 status -v
grep -qx "format: eventlog" "$work/reply" || fail "$(cat "$work/reply")"
! grep "data version" "$work/reply" || fail "an eventlog has no data version"
ctl 3 enable calls
grep -q "an eventlog cannot record calls" "$work/reply" || fail "$(cat "$work/reply")"
for words in heapshot "set heapshot=5gc" "set sync=1s"; do
  # shellcheck disable=SC2086
  ctl 3 $words
  grep -q "an eventlog has no" "$work/reply" || fail "$(cat "$work/reply")"
done
until ctl 0 flush && "$proflog" dump "$log" 2>/dev/null | grep -q user-marker; do sleep 0.02; done
ctl 0 sync
ctl 0 output "$work/second.eventlog"
touch "$work/more"
stop_host
dumped "$log"
[ "$(grep -c ' user-marker ' "$work/dump")" = 1 ] || fail "the first log has something else"
[ "$(grep -c ' create-thread ' "$work/dump")" = 1 ] || fail "the first log has other threads"
dumped "$work/second.eventlog"
[ "$(grep -c ' user-marker ' "$work/dump")" = 1 ] || fail "the second log has something else"
of_cap 0 | sed -n '4,6s/ .*//p' | tr '\n' ' ' >"$work/state"
[ "$(cat "$work/state")" = "create-thread thread-label run-thread " ] || fail "state: $(cat "$work/state")"
grep -q ' thread-label thread=1 label="boss"' "$work/dump" || fail "the thread has lost its name"
