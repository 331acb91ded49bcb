#!/bin/sh
# Heap shots: when, and what is in them.
. "${srcdir:-.}/tests/host/host-lib.sh"

# shots N OPTIONS SCENARIO: so many shots of the heap of heap.scn.
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

begin "a large heap"
record alloc,heapshot "$scenarios/large-heap.scn"
check same=heap_object,heap_reference,alloc heap_object=120001 heap_object:Late.B=60000 \
  heap_reference=60000

begin "heap shots on several threads"
record heapshot "$scenarios/shots-race.scn"
check same=heap_object,gc_event heap_start=120 heap_end=120 heap_object=72000
