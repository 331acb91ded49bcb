#!/bin/sh
# Children that the program forks: they never write to its log, and have logs of their own if that is
# requested.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# children PATTERN: the logs of children; the program's own is not one of them.
children () {
  found=$(ls "$work"/$1 2>/dev/null | grep -vxF "$log" | sort -t . -k 2n) || :
}

# child_of TYPE: the log of the child that recorded objects of this type.
child_of () {
  for file in $found; do
    "$check_log" "$file" "alloc:$1>=1" >"$work/out" 2>&1 && { echo "$file"; return; }
  done
  fail "no child's log has a $1"
}

# check_child TYPE EXPECTATION...: compares its log with what the scenario does.
check_child () {
  child=$(child_of "$1")
  shift
  "$check_log" "$child" "$@" || fail "$child is wrong"
}

begin "children have no logs unless that is requested"
record alloc "$scenarios/fork-follow.scn"
check same=alloc alloc=3 alloc:System.String=3
children '*.mlpd'
[ -z "$found" ] || fail "there are $found"

begin "a fork after the end of the log"
cat >"$work/late.scn" <<END
fire gc_allocation nodes[1]
shutdown
fork
end
END
record alloc "$work/late.scn"
grep -qx "child 0" "$truth" || fail "the child ended otherwise: $(grep child "$truth")"

# ThreadSanitizer cannot start threads in such a child; and another thread of the parent may have had the
# lock of AddressSanitizer's malloc, for which the child would wait for ever.
[ "${SANITIZER:-no}" = no ] || exit 0

begin "logs of their own"
record alloc,follow-fork "$scenarios/fork-follow.scn"
check same=alloc alloc=3 alloc:System.String=3
[ "$(grep "^child" "$truth" | tr '\n' ' ')" = "child 6 child 137 child 7 child 8 " ] \
  || fail "$(grep child "$truth")"
children 'log.*.mlpd'
[ "$(echo "$found" | wc -l)" = 4 ] || fail "not four logs: $found"
check_child Program.Node alloc=3 alloc:Program.Node=3
pid=${child#"$work/log."}
"$proflog" info "$child" | grep -q "Process.* ${pid%.mlpd}\$\|Process id.* ${pid%.mlpd}" \
  || fail "it is not of process ${pid%.mlpd}: $("$proflog" info "$child")"
"$proflog" info "$child" | grep -q 'Complete  *yes' || fail "it is not complete"
check_child Program.Node/Leaf alloc=3 alloc:Program.Node/Leaf=3
# What ends without a word leaves a spool.
check_child System.Object alloc=20000
[ -f "$child.spool" ] || fail "no spool of the child that was killed"
check_child System.Exception alloc=1
[ -f "$child.spool" ] || fail "no spool of the child that ended by _exit"
[ "$(ls "$work"/*.spool | wc -l)" = 2 ] || fail "$(ls "$work"/*.spool)"
rm -f "$work"/log.*

for more in format=17 zip buffer=1M "paused,arm=alloc"; do
  begin "the same with $more"
  record "alloc,follow-fork,$more" "$scenarios/fork-follow.scn"
  children 'log.*.mlpd'
  if [ "$more" = "paused,arm=alloc" ]; then
    [ -z "$found" ] || fail "there was nothing to record, and there are $found"
    continue
  fi
  check same=alloc alloc=3
  [ "$(echo "$found" | wc -l)" = 4 ] || fail "not four logs: $found"
  check_child Program.Node alloc=3
  check_child System.Object alloc=20000
  rm -f "$work"/log.*
done

begin "several files each"
host_run 0 "proflog:output=$log,alloc,follow-fork,rotate=1M" "$scenarios/world.scn" \
  "$scenarios/fork-follow.scn"
quiet
log=$work/log.0001.mlpd
check same=alloc alloc=3
children 'log.*.0001.mlpd'
[ "$(echo "$found" | wc -l)" = 4 ] || fail "not four logs: $found"
check_child Program.Node alloc=3
log=$work/log.mlpd
rm -f "$work"/log.*

begin "where names have the process id anyway"
for output in "$work/%p-log.mlpd" "+$work/log"; do
  host_run 0 "proflog:output=$output,alloc,follow-fork" "$scenarios/world.scn" \
    "$scenarios/fork-follow.scn"
  quiet
  [ "$(ls "$work" | grep -c 'log.*[0-9]$\|-log.mlpd$')" = 5 ] || fail "$(ls "$work")"
  rm -f "$work"/*log*
done

begin "what a child cannot have"
for output in '#7' '|cat'; do
  host_run 0 "proflog:output=$output,alloc,follow-fork" "$scenarios/world.scn" 7>"$work/seven"
  one_line "follow-fork: output '.*': a child process cannot share it.*; the program runs unprofiled"
done

host_run 0 "proflog:output=$log,format=eventlog,follow-fork" "$scenarios/world.scn"
one_line "format=eventlog cannot record follow-fork; use format=17 or auto; the program runs unprofiled"

begin "threads of a child"
record alloc,follow-fork "$scenarios/fork-threads.scn"
check same=alloc alloc=2
children 'log.*.mlpd'
check_child Program.Node alloc=2
rm -f "$work"/log.*

begin "a child is controlled"
rm -f "$XDG_RUNTIME_DIR"/* # of children that were killed
start_host alloc,follow-fork "fork
fire gc_allocation nodes[1]
print \"the child is there\"
await \"$work/go\"
fire gc_allocation nodes[2]
shutdown
exit 0
end
shutdown"
until_printed "the child is there"
child=$(basename "$(ls "$XDG_RUNTIME_DIR"/proflog-*.control | grep -v "proflog-$pid.control")")
child=${child#proflog-}
child=${child%.control}
ctl_of "$child" 0 status
grep -qx "log: $work/log.$child.mlpd" "$work/reply" || fail "$(cat "$work/reply")"
ctl_of "$child" 0 flush
"$check_log" "$work/log.$child.mlpd" cut alloc=1 || fail "nothing was flushed"
ctl 0 status -v
grep -qx "log: $log" "$work/reply" || fail "$(cat "$work/reply")"
stop_host
"$check_log" "$work/log.$child.mlpd" alloc=2 || fail "the child's log is wrong"
[ -z "$(ls "$XDG_RUNTIME_DIR")" ] || fail "left: $(ls "$XDG_RUNTIME_DIR")"

begin "a child whose folder is gone"
: >"$work/out"
mkdir "$work/place"
cat >"$work/orphan.scn" <<END
print "moves"
await $work/moved
fork
  fire gc_allocation nodes[1]
  exit 3
end
END
"$host" --module "$module" --profile="proflog:output=$work/place/log.mlpd,alloc,follow-fork" --truth "$truth" \
  "$scenarios/world.scn" "$work/orphan.scn" "$scenarios/nothing.scn" >"$work/out" 2>"$work/err" &
running=$! watched=$!
wait_for grep -qx moves "$work/out"
mv "$work/place" "$work/moved"
status=0
wait "$running" || status=$?
running= watched=
[ "$status" = 0 ] || fail "exit status $status"
one_line "^proflog: output '$work/place/log\.[0-9]*\.mlpd': No such file or directory; the child [0-9]* runs unprofiled$"
named=$(sed "s/.*log\.\([0-9]*\)\.mlpd.*child \([0-9]*\) .*/\1 \2/" "$work/err")
[ "${named% *}" = "${named#* }" ] || fail "the child is not the one of the log: $(cat "$work/err")"
grep -qx "child 3" "$truth" || fail "$(grep child "$truth")"
