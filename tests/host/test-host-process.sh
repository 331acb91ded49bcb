#!/bin/sh
# Ends of the process, children, a second init.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "children"
record alloc "$scenarios/fork.scn"
check same=alloc alloc=4 alloc:System.String=4 monitor=0 gc_event=0
[ "$(grep "^child" "$truth" | tr '\n' ' ')" = "child 0 child 4 child 137 child 8 " ] \
  || fail "$(grep child "$truth")"

# ThreadSanitizer cannot start threads in such a child; AddressSanitizer waits there for ever for a lock
# of its malloc that another thread had when it was forked.
if [ "${SANITIZER:-no}" = no ]; then
  begin "a child with threads"
  record alloc "$scenarios/fork-threads.scn"
  check same=alloc alloc=2 gc_event=0
  grep -qx "child 6" "$truth" || fail "$(grep child "$truth")"
fi

begin "exit without shutdown"
host_run 5 "proflog:output=$log,alloc" "$scenarios/world.scn" "$scenarios/exit-plain.scn"
module_was_loaded
quiet
check alloc=10001

begin "a second init"
cd "$work" || exit
host_run 0 "proflog:output=$log,alloc" "$scenarios/world.scn" "$scenarios/second-init.scn"
module_was_loaded
one_line twice
[ ! -e second.mlpd ] || fail "a second log"
check same=alloc alloc=2 method_enter=0

begin "after the shutdown"
record alloc "$scenarios/shutdown-twice.scn"
check alloc=1

begin "the program ends while another thread collects"
i=0
while [ $i -lt 10 ]; do
  record heapshot,format=1 "$scenarios/collecting-exit.scn"
  check "heap_object>=1"
  i=$((i + 1))
done

begin "heap snapshot at the end while threads run"
record alloc,heapshot-on-shutdown,format=1 "$scenarios/heap.scn" "$scenarios/firing.scn"
check heap_start=1 heap_object=1004 same=alloc,exception_throw
