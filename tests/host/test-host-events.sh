#!/bin/sh
# Each event of data version 1 reaches the log as it was fired.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "everything but calls and heap snapshots"
record alloc,clauses "$scenarios/events.scn"
check same=alloc,gc_event,gc_resize,gc_move,metadata_class,metadata_image,method_jit \
  same=exception_throw,exception_clause,monitor \
  alloc=9 "alloc:System.String=5" "alloc:Program.Node=3" "alloc:Program.Node/Leaf=1" \
  gc_event=12 gc_event:0/0=1 gc_event:5/1=1 gc_resize:0x400000=1 gc_resize:0x180000000=1 \
  exception_throw=1 "exception_throw:0x7f0000400000 System.Exception=1" \
  "exception_clause:2/0 Program.Node:Work (int)=1" \
  "exception_clause:0/1 Program.Node:Main (string[])=1" \
  monitor=4 "monitor:1 0x7f0000500000 System.Object=1" "monitor:2 0x7f0000500000=1" \
  "monitor:3 0x7f0000500010=1" \
  "metadata_image:load /home/user/app.exe=1" "metadata_image:load-error /home/user/broken.dll=1" \
  "metadata_class:load-error Program.Unfinished=1" "metadata_class:load Program.Node/Leaf=1" \
  "method_jit:0x401000 120 Program.Node:Main (string[])=1" \
  heap_start=0 heap_object=0 method_enter=0 method_leave=0

begin "the defaults leave allocations out"
record "" "$scenarios/events.scn"
check same=gc_event,gc_resize,exception_throw,monitor \
  alloc=0 exception_clause=0 gc_move=0 \
  heap_start=0 method_enter=0 gc_event=12 monitor=4

for group in "nogc gc_event gc_resize" "nogcmove gc_move" "nomonitor monitor" \
  "clauses,noexception exception_throw exception_clause"; do
  set -- $group
  option=$1
  shift
  begin "$option"
  record "alloc,$option" "$scenarios/events.scn"
  check same=alloc,metadata_class,method_jit $(printf '%s=0 ' "$@")
done

begin "nodefaults leaves all but names out"
record nodefaults "$scenarios/events.scn"
check same=metadata_class,metadata_image,method_jit alloc=0 gc_event=0 gc_resize=0 gc_move=0 \
  exception_throw=0 exception_clause=0 monitor=0 heap_start=0 method_enter=0

begin "an option after nodefaults"
record nodefaults,monitor "$scenarios/events.scn"
check same=monitor gc_event=0 exception_throw=0

begin "zip"
record alloc,zip "$scenarios/events.scn"
[ "$(od -An -tx1 -N2 "$log")" = " 1f 8b" ] || fail "not gzip"
gzip -t "$log" || fail "gzip does not like it"
check same=alloc,gc_event,monitor alloc=9
