#!/bin/sh
# Memory is bounded whatever the reader does, and what is lost is reported.
. "${srcdir:-.}/tests/host/host-lib.sh"

use_runtime_dir
mkfifo "$work/fifo"

# 8 threads that fill some 50 MiB, each event with 3 frames; less where each takes long.
each=500000 memories="1 4 32"
[ "${SANITIZER:-no}" = no ] || each=60000 memories=1
flood=$((8 * each))
write_flood $each

# stalled PROFILE-OPTIONS: no one reads the FIFO that is open for reading.  The spool is left.
stalled () {
  scenario=${2:-$work/flood.scn}
  rm -f "$work/runtime"/*
  exec 6<>"$work/fifo"
  start=$(date +%s%N)
  host_run 0 "proflog:output=$work/fifo,alloc,$1" "$scenarios/world.scn" "$scenario"
  ms=$((($(date +%s%N) - start) / 1000000))
  exec 6>&-
  set -- "$work/runtime"/proflog-*.spool
  [ -f "$1" ] || fail "no spool is left"
  spool=$1
  kib=$(($(stat -c %b "$spool") * $(stat -c %B "$spool") / 1024))
}

# For this many seconds 8 threads do not stop.
seconds=${PROFLOG_SECONDS:-1}
{
  for t in 1 2 3 4 5 6 7 8; do
    printf 'thread t%s\nstart t%s\nstack Step Work Main\nforever\nfire gc_allocation strings[%s]\nend\nend\n' $t $t $t
  done
  echo "sleep ${seconds}000"
  echo "exit 0"
} >"$work/endless.scn"

# no_data: one line states that the reader accepted nothing, what is lost and where the rest is.
no_data () {
  incomplete "$work/fifo" "the output accepted no data for [0-9]* ms"
  grep -q "; the rest is in $spool\$" "$work/err" || fail "it is not reported where the rest is"
}

# 128 KiB for each of 9 threads, and as much again for names, the header and what was begun.
for memory in $memories; do
  begin "a reader that stalls, memory=${memory}M"
  stalled "memory=${memory}M"
  [ "$kib" -le $((memory * 1024 + 128 * 9 + 256)) ] || fail "$kib KiB are in the spool"
  [ "$kib" -ge $((memory * 1024)) ] || fail "only $kib KiB were used"
  no_data
  [ "$lost" -gt 50000 ] || fail "only $lost events are lost"
  [ "$ms" -lt 60000 ] || fail "it took $ms ms"
done

begin "a reader that stalls for $seconds s"
stalled "memory=1M" "$work/endless.scn"
[ "$kib" -le $((1024 + 128 * 10 + 256)) ] || fail "$kib KiB are in the spool"
[ "$kib" -ge 1024 ] || fail "only $kib KiB were used"
no_data
[ "$lost" -gt 10000 ] || fail "only $lost events are lost"
echo "$kib KiB, $lost events lost"

# Each event is in the spool, in the pipe, or reported as lost: an event without frames has at least 5 bytes
# and at most 8 here.
begin "what is reported to be lost is what is missing"
stalled "memory=1M,maxframes=0"
no_data
cp "$spool" "$work/log.mlpd.spool"
: >"$log"
"$PWD/proflog" info --format json "$log" >"$work/out" 2>"$work/err2" || fail "no info"
missing=$(sed -n 's/.* and \([0-9]*\) bytes are in neither.*/\1/p' "$work/err2")
[ "${missing:-0}" -le 300000 ] || fail "$missing bytes were in the pipe"
events=$("$PWD/proflog" dump --format csv "$log" 2>/dev/null | grep -c ',alloc,') || :
[ $((events + lost)) -le $((flood + 100)) ] && [ $((events + lost + missing / 5)) -ge "$flood" ] \
  || fail "$events events, $lost lost and $missing bytes in the pipe are not $flood"
grep -q "warning: the log lacks $lost events, as it could no longer be written: Connection timed out\$" \
  "$work/err2" || fail "the spool does not state the loss: $(cat "$work/err2")"
rm -f "$work/log.mlpd.spool"

begin "threads wait, but not for ever"
stalled "memory=1M,overflow=block,patience=500ms"
[ "$ms" -ge 2500 ] || fail "nobody waited: $ms ms"
[ "$ms" -lt 60000 ] || fail "it took $ms ms"
no_data
[ "$lost" -gt 0 ] || fail "nothing was lost"

begin "a slow reader loses nothing if threads wait"
rm -f "$log"
(
  exec <"$work/fifo"
  while [ "$(dd bs=1M count=1 iflag=fullblock 2>/dev/null | tee -a "$log" | wc -c)" != 0 ]; do
    sleep 0.02
  done
) &
reader=$!
exec 6>"$work/fifo"
(
  exec 6>&-
  host_run 0 "proflog:output=$work/fifo,alloc,memory=1M,overflow=block,patience=20s" \
    "$scenarios/world.scn" "$work/flood.scn"
)
exec 6>&-
wait "$reader"
check same=alloc alloc=$flood
quiet

begin "large buffers"
record alloc,buffer=1M "$work/flood.scn"
check same=alloc alloc=$flood
# 8 threads with 6 MiB each and more: 800 of the usual buffers.
buffers=$("$PWD/proflog" info "$log" | sed -n 's/^  Buffers  *//p')
[ "$buffers" -lt 300 ] || fail "$buffers buffers"
host_run 137 "proflog:output=$log,alloc,buffer=1M" "$scenarios/world.scn" "$scenarios/busy.scn" \
  "$(echo "kill 9" >"$work/end.scn"; echo "sleep 10000" >>"$work/end.scn"; echo "$work/end.scn")" \
  2>/dev/null
check same=alloc,monitor,exception_throw
rm -f "$log.spool"

# The reader begins when all was recorded: however slow the program is, memory was not enough.  The end, which does
# not wait for a reader that has stalled for 2 s before, comes when it has read for a while.
{ cat "$work/flood.scn"; printf '%s\n' 'print "flooded"' "await $work/begun" 'sleep 1000'; } >"$work/flooded.scn"
for version in 1 17; do
  begin "a log of data version $version states how many events it lacks"
  rm -f "$work/out" "$work/begun"
  exec 6<>"$work/fifo"
  (
    exec 6>&-
    until grep -qs flooded "$work/out" || [ ! -d "$work" ]; do sleep 0.02; done
    exec <"$work/fifo" >"$log"
    dd bs=4096 count=8 2>/dev/null
    touch "$work/begun"
    exec cat
  ) &
  reader=$!
  host_run 0 "proflog:nodefaults,output=$work/fifo,alloc,format=$version,maxframes=0,memory=1M,overflow=drop,patience=1min" \
    "$scenarios/world.scn" "$work/flooded.scn" "$scenarios/nothing.scn"
  exec 6>&-
  wait "$reader"
  status=0
  "$PWD/proflog" report --strict --format json "$log" >"$work/out" 2>"$work/err2" || status=$?
  [ "$status" = 4 ] || fail "report ended with $status"
  lost=$(sed -n 's/^ *"lost_events": *\([0-9]*\),*$/\1/p' "$work/out")
  there=$("$PWD/proflog" dump --format csv "$log" 2>/dev/null | grep -c ',alloc,') || :
  [ "$lost" -gt 0 ] || fail "nothing was lost"
  # Among the lost ones may be some of threads and the like.
  [ $((there + lost)) -ge $flood ] && [ $((there + lost)) -le $((flood + 100)) ] \
    || fail "$there and $lost are not $flood"
  grep -q "the profiler dropped $lost events" "$work/err2" || fail "no warning"
  status=0
  "$PWD/proflog" check "$log" >"$work/out" 2>&1 || status=$?
  [ "$status" = 1 ] && grep -q " error .*the profiler dropped $lost events" "$work/out" || fail "check does not state it"
  "$PWD/proflog" info --format json "$log" 2>/dev/null | grep -q '"complete": false' || fail "info calls it complete"
done
