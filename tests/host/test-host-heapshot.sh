#!/bin/sh
# Heap snapshots: when, and what is in them.
. "${srcdir:-.}/tests/host/host-lib.sh"

# shots N OPTIONS SCENARIO: this many snapshots of the heap of heap.scn.
shots () {
  begin "$2: $1 shots"
  wanted_shots=$1
  record "$2" "$scenarios/heap.scn" "$3"
  if [ "$1" = 0 ]; then
    check heap_start=0 heap_end=0 heap_object=0 heap_reference=0
    return
  fi
  # 1 list with 1,002 references, 1,000 nodes (4 references), 3 others.
  check same=heap_object,heap_reference heap_start=$1 heap_end=$1 heap_object=$((1004 * $1)) \
    heap_object:Program.Node=$((1000 * $1)) heap_object:Program.List=$1 \
    heap_object:Program.Node/Unseen=$((3 * $1)) heap_reference=$((1006 * $1)) \
    "heap_reference:0x7f0001000000 0x7f0000209c18=$1" \
    "heap_reference:0x7f0001000000 0x7f0001000000=$1" \
    "heap_reference:0x7f0000200028 0x0=$1"
}

shots 5 heapshot "$scenarios/shots.scn"
shots 2 heapshot=2gc "$scenarios/shots.scn"
shots 5 heapshot=1gc "$scenarios/shots.scn"
shots 0 heapshot=6gc "$scenarios/shots.scn"
shots 3 heapshot=200ms "$scenarios/shots-timed.scn"
shots 1 heapshot=100000ms "$scenarios/shots-timed.scn"
shots 1 heapshot-on-shutdown "$scenarios/shots.scn"
shots 1 nodefaults,heapshot-on-shutdown "$scenarios/nothing.scn"
shots 6 heapshot,heapshot-on-shutdown "$scenarios/shots.scn"
shots 5 nodefaults,heapshot,zip "$scenarios/shots.scn"
shots 0 alloc "$scenarios/shots.scn"

# auto_shots N FIRST OTHERS GENERATION: of a program that collects each second, 21 times, whose snapshots last
# so many ns.  One is taken at the end.
auto_shots () {
  begin "heapshot=auto: $1 shots"
  {
    echo "walk $2"
    echo "collect 1"
    echo "walk $3"
    echo "repeat i 20"
    echo "clock 1000000000"
    echo "collect $4"
    echo "end"
    echo "shutdown"
  } >"$work/auto.scn"
  host_run 0 "proflog:output=$log,heapshot=auto" --scripted-clock "$scenarios/world.scn" \
    "$scenarios/heap.scn" "$work/auto.scn"
  module_was_loaded
  quiet
  check heap_start=$1 heap_end=$1
}

# Each second, if they take no time.
auto_shots 22 0 0 1
# Of minor collections only the first one has a snapshot.
auto_shots 2 0 0 0
# The first one takes 0.2 s, which is no more than a twentieth of the time from 4 s on: until then the
# interval is doubled, after one second and after two.  It remains 4 s, or a quarter of the time until that is longer:
# the next are after 4.2, 6.2, 9.2, 13.2 and 17.2 s.
auto_shots 7 200000000 0 1
# The others take as long: after 4 s, 8.2 s, ... they had a twentieth of the time.
auto_shots 7 200000000 200000000 1

begin "a large heap"
record alloc,heapshot "$scenarios/large-heap.scn"
check same=heap_object,heap_reference,alloc heap_object=120001 heap_object:Late.B=60000 \
  heap_reference=60000

begin "heap snapshots on several threads"
record heapshot,format=1 "$scenarios/shots-race.scn"
check same=heap_object,gc_event heap_start=120 heap_end=120 heap_object=72000

# The writer gets no further than the pipe has room meanwhile; what is left at the end is written.
begin "a heap snapshot that something is lost of has no end, the next one has"
{
  sed '/^collect/,$d; s/ 60000$/ 200000/' "$scenarios/large-heap.scn"
  echo "collect 1"
  echo "print shot"
  echo "await $work/go"
  echo "heap last"
  echo "collect 1"
  echo "shutdown"
} >"$work/lossy.scn"
mkfifo "$work/fifo"
use_runtime_dir
for options in format=1 format=17,maxframes=0; do
  rm -f "$work/go" "$log"
  exec 6<>"$work/fifo"
  "$host" --module "$module" --profile="proflog:nodefaults,output=$work/fifo,heapshot,memory=1M,spool=none,$options" \
    --truth "$truth" "$scenarios/world.scn" "$work/lossy.scn" >"$work/out" 2>"$work/err" &
  running=$!
  wait_for grep -qx shot "$work/out"
  exec 7<"$work/fifo"
  cat <&7 >"$log" 6>&- 7<&- &
  reader=$!
  exec 6>&- 7<&-
  # All that the first shot left is written then.
  "$proflog" ctl "$running" flush >"$work/reply" 2>&1 || fail "flush: $(cat "$work/reply")"
  touch "$work/go"
  wait "$running" || fail "exit status $?"
  wait "$reader"
  grep -q "lacks [0-9]* events .* as the output was too slow" "$work/err" || fail "nothing was lost"
  "$PWD/proflog" heap list --format csv "$log" >"$work/out" 2>"$work/err2" || fail "heap list"
  grep -q "^1,.*,cut\$" "$work/out" || fail "the first snapshot is not cut"
  grep -q "^2,.*,complete\$" "$work/out" || fail "the second snapshot is not complete"
done
