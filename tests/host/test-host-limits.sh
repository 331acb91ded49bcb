#!/bin/sh
# Memory is bounded whatever the reader does, and what is lost is told.
. "${srcdir:-.}/tests/host/host-lib.sh"

mkdir -m 700 "$work/runtime"
XDG_RUNTIME_DIR=$work/runtime
export XDG_RUNTIME_DIR
mkfifo "$work/fifo"

# 8 threads that fill some 50 MiB, each event with 3 frames; less where each takes long.
each=500000 memories="1 4 32" nap=0.02
[ "${SANITIZER:-no}" = no ] || each=120000 memories="1 4" nap=1
flood=$((8 * each))
cat >"$work/flood.scn" <<END
parallel t 8
  stack Step Work Main
  repeat i $each
    fire gc_allocation strings[\$t]
  end
end
END

# stalled PROFILE-OPTIONS: nobody reads the FIFO that is open for reading.  The spool is left.
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

# For so many seconds 8 threads do not stop.
seconds=${PROFLOG_SECONDS:-1}
{
  for t in 1 2 3 4 5 6 7 8; do
    printf 'thread t%s\nstart t%s\nstack Step Work Main\nforever\nfire gc_allocation strings[%s]\nend\nend\n' $t $t $t
  done
  echo "sleep ${seconds}000"
  echo "exit 0"
} >"$work/endless.scn"

# told_loss: the bytes that the line at the end tells.
told_loss () {
  [ "$(grep -c "the log $work/fifo lacks" "$work/err")" = 1 ] || fail "not one line of what was lost"
  sed -n "s/^proflog: the log .* lacks [0-9]* events (\([0-9]*\) bytes) of \([0-9]*\) threads, the most ([0-9]* bytes) of thread 0x[0-9a-f]*, as the output was too slow\$/\1/p" "$work/err"
}

# 128 KiB for each of 9 threads, and as much again for names, the header and what was begun.
for memory in $memories; do
  begin "a reader that stalls, memory=${memory}M"
  stalled "memory=${memory}M"
  [ "$kib" -le $((memory * 1024 + 128 * 9 + 256)) ] || fail "$kib KiB are in the spool"
  [ "$kib" -ge $((memory * 1024)) ] || fail "only $kib KiB were used"
  lost=$(told_loss)
  [ "${lost:-0}" -gt 1000000 ] || fail "'$lost' bytes are told to be lost"
  grep -q "is not complete: nothing was taken from us for [0-9]* ms; the rest is in $spool" \
    "$work/err" || fail "it is not told where the rest is"
  [ "$ms" -lt 60000 ] || fail "it took $ms ms"
done

begin "a reader that stalls for $seconds s"
stalled "memory=1M" "$work/endless.scn"
[ "$kib" -le $((1024 + 128 * 10 + 256)) ] || fail "$kib KiB are in the spool"
[ "$kib" -ge 1024 ] || fail "only $kib KiB were used"
lost=$(told_loss)
[ "${lost:-0}" -gt 100000 ] || fail "'$lost' bytes are told to be lost"
echo "$kib KiB, $lost bytes lost"

# Each byte is in the spool, in the pipe, or told as lost: counted by events without frames.
begin "what is told to be lost is what is missing"
stalled "memory=1M,maxframes=0"
lost=$(told_loss)
cp "$spool" "$work/log.mlpd.spool"
: >"$log"
"$PWD/proflog" info --format json "$log" >"$work/out" 2>"$work/err2" || fail "no info"
missing=$(sed -n 's/.* and \([0-9]*\) bytes are in neither.*/\1/p' "$work/err2")
[ "${missing:-0}" -le 300000 ] || fail "$missing bytes were in the pipe"
events=$("$PWD/proflog" dump --format csv "$log" 2>/dev/null | grep -c ',alloc,') || :
# An event has at least 5 bytes and at most 8 here.
all=$((events * 8 + lost + missing))
[ "$all" -ge $((flood * 5)) ] || fail "$events events and $lost bytes are not all"
rm -f "$work/log.mlpd.spool"

begin "threads wait, but not for ever"
stalled "memory=1M,overflow=block,patience=500ms"
[ "$ms" -ge 2500 ] || fail "nobody waited: $ms ms"
[ "$ms" -lt 60000 ] || fail "it took $ms ms"
[ -n "$(told_loss)" ] || fail "nothing was lost"

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
one_line "its last events are in"

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

begin "a log of data version 17 tells how many events it lacks"
: >"$log"
(
  exec <"$work/fifo"
  while [ "$(dd bs=256k count=1 iflag=fullblock 2>/dev/null | tee -a "$log" | wc -c)" != 0 ]; do
    sleep "$nap"
  done
) &
reader=$!
exec 6>"$work/fifo"
(
  exec 6>&-
  host_run 0 "proflog:nodefaults,output=$work/fifo,alloc,format=17,maxframes=0,memory=1M,overflow=drop" \
    "$scenarios/world.scn" "$work/flood.scn"
)
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
