#!/bin/sh
# Collections: moves, and threads that are stopped inside the module.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "moves"
record gcmove "$scenarios/moves.scn"
check same=gc_event,gc_move gc_event=306 gc_event:0/0=50 gc_event:9/1=1

begin "threads stopped anywhere"
record alloc "$scenarios/collecting.scn"
check same=alloc,gc_event,gc_move,exception_throw,monitor alloc=40020 gc_event=480

begin "threads stopped anywhere, with heap snapshots"
record alloc,heapshot,format=1 "$scenarios/collecting.scn"
check same=alloc,gc_event,gc_move,heap_object,exception_throw heap_start=40 \
  heap_end=40 heap_object:Late.A=40000
