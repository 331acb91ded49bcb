#!/bin/sh
# Nothing of any thread is lost, however it ends.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "1,000 short threads"
record alloc "$scenarios/short-threads.scn"
check same=alloc,monitor alloc=3000 alloc:System.String=2000 alloc:Program.Node=1000 monitor=1000

begin "8 threads at once"
record alloc "$parallel"
check same=alloc alloc=$all alloc:Late.A=$((all / 2)) alloc:Late.B=$((all / 4)) alloc:Late.C=$((all / 4))

begin "8 threads at once, with zip and without backtraces"
record alloc,zip,maxframes=0 "$parallel"
check same=alloc alloc=$all

begin "threads that give names at once"
record alloc,clauses "$scenarios/naming.scn"
check same=alloc,exception_clause,method_jit,metadata_image alloc=4000 alloc:Plugin.Class3=500 \
  "frames:alloc:Program.Node:Main (string[]);Plugin.Class3:Run ()=1000" \
  "method_jit:0x502000 100 Plugin.Class2:Run ()=500" \
  "metadata_image:load /home/user/plugin-4.dll=500"

begin "threads that live at the end"
record alloc "$scenarios/alive.scn"
check alloc=20003 alloc:System.String=20000 alloc:Program.Node=2 alloc:Program.Node/Leaf=1 \
  monitor=1 "frames:alloc:=20003"

begin "threads that fire during the shutdown"
record alloc "$scenarios/firing.scn"
[ "$(grep -c "^running alloc" "$truth")" = 3 ] || fail "not three threads that ran on"
check same=alloc,monitor,exception_throw

begin "threads that fire while the process exits"
host_run 5 "proflog:output=$log,alloc" "$scenarios/world.scn" "$scenarios/firing-exit.scn"
module_was_loaded
quiet
check same=alloc

# Closing a file that was once made shorter takes long enough for threads to run on.
begin "the log is closed by the system when the process exits, not before"
{ echo "open-at-exit $log"; cat "$scenarios/firing-exit.scn"; } >"$work/exit.scn"
for options in alloc alloc,zip; do
  host_run 5 "proflog:output=$log,$options" "$scenarios/world.scn" "$work/exit.scn"
  quiet
  grep -qx "open at exit" "$work/out" || fail "it was closed"
  check same=alloc
done
{ echo "open-at-exit $log"; echo "shutdown"; } >"$work/exit.scn"
record alloc "$work/exit.scn"
[ ! -s "$work/out" ] || fail "it is open after the runtime's shutdown"

begin "events after the end of a thread"
record alloc "$scenarios/reborn.scn"
check same=alloc alloc=10
