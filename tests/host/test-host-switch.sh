#!/bin/sh
# Recording that is stopped and started, classes that are enabled and disabled, heap snapshots on demand.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# program COUNT...: in each step this many allocations, exceptions, calls; it waits in between.
program () {
  at=0
  for times; do
    at=$((at + 1))
    cat <<END
repeat i $times
  fire gc_allocation nodes[\$i]
  fire exception_throw exceptions[0]
  fire monitor_contention locks[0]
  fire method_enter Step 0
  fire method_leave Step 0
end
print "at step $at"
await $work/step$at
END
  done
  echo shutdown
}

go_to () {
  touch "$work/step$(($1 - 1))"
  until_printed "at step $1"
}

begin "stop and start, calls of a threshold"
rm -f "$work"/step*
start_host calls=1s "fire method_enter Main 0
$(program 1 2 4 8 16 32)"
until_printed "at step 1"
ctl 0 stop
for step in 2 3 4; do
  go_to $step
done
ctl 0 start
go_to 5
ctl 0 disable calls
go_to 6
touch "$work/step6"
stop_host
# Main is open at the stop: no call is as long as 1 s, but other events were recorded in it; each call of Step
# ends before the next event.
check method_enter:"$Main"=1 method_leave:"$Main"=1 method_enter=1 method_leave=1
"$proflog" report --reports=calls --format json "$log" >"$work/report.json"
says "$work/report.json" '"skipped": 17,'
quiet

# The steps are numbers that no sum of others is.
begin "stop and start"
rm -f "$work"/step*
start_host alloc,calls "$(program 1 2 4 8 16 32)"
until_printed "at step 1"
ctl 0 stop
grep -qx "recording: no" "$work/reply" || fail "$(cat "$work/reply")"
cp "$log" "$work/now.mlpd"
"$check_log" "$work/now.mlpd" cut alloc=1 method_enter=1 method_leave=1 exception_throw=1 \
  || fail "not all is in the log after a stop"
ctl 0 status -v
grep -qx "recording: no" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "classes: alloc calls gc gcmove exception monitor" "$work/reply" \
  || fail "$(cat "$work/reply")"
ctl 0 stop
go_to 2
ctl_json 0 start
grep -q '^{"ok":true,"recording":true,"classes":\["alloc","calls",' "$work/reply" \
  || fail "$(cat "$work/reply")"
go_to 3
ctl 0 start
ctl 0 stop
go_to 4
ctl 0 start
go_to 5
go_to 6
touch "$work/step6"
stop_host
check alloc=53 method_enter=53 method_leave=53 exception_throw=53 monitor=53
quiet

begin "paused"
rm -f "$work"/step*
start_host alloc,calls,paused "$(program 1 2 4)"
until_printed "at step 1"
ctl 3 heapshot
grep -q "recording is stopped" "$work/reply" || fail "$(cat "$work/reply")"
ctl 0 start
go_to 2
ctl 0 stop
go_to 3
touch "$work/step3"
stop_host
check alloc=2 method_enter=2 method_leave=2 exception_throw=2 monitor=2
begin "paused to the end"
record alloc,calls,heapshot,paused "$scenarios/heap.scn" "$scenarios/shots.scn"
"$check_log" "$log" alloc=0 gc_event=0 heap_start=0 "metadata_class>=4" || fail "the log is wrong"

begin "enable and disable"
rm -f "$work"/step*
start_host nodefaults,arm=alloc+calls "$(program 1 2 4 8 16)"
until_printed "at step 1"
ctl 2 enable
ctl 2 enable alloc nosuch
grep -q "there is no class 'nosuch'" "$work/reply" || fail "$(cat "$work/reply")"
ctl 2 enable sample-real
grep -q "its samples are of the class sample" "$work/reply" || fail "$(cat "$work/reply")"
ctl 3 enable gchandle
grep -q "gchandle cannot be recorded in the log's data version 1; .*format=17" "$work/reply" \
  || fail "$(cat "$work/reply")"
ctl 0 status -v
grep -qx "classes: none" "$work/reply" || fail "$(cat "$work/reply")"
grep -qx "can be enabled: alloc calls gc gcmove exception monitor" "$work/reply" \
  || fail "$(cat "$work/reply")"
ctl 0 enable alloc
grep -qx "classes: alloc" "$work/reply" || fail "$(cat "$work/reply")"
go_to 2
ctl 0 enable calls monitor
go_to 3
ctl 0 disable alloc
go_to 4
ctl 0 disable alloc calls
go_to 5
touch "$work/step5"
stop_host
check alloc=6 method_enter=12 method_leave=12 exception_throw=0 monitor=28

begin "roots while the program collects"
start_host format=17,gcroot "thread collects
start collects
  forever
    collect 0
    collect 1
  end
end
await $work/go"
for i in 1 2 3 4 5 6 7 8 9 10; do
  ctl 0 disable gcroot
  ctl 0 enable gcroot
done
stop_host

begin "armed and never enabled"
rm -f "$work"/step*
start_host arm=alloc,arm=calls "$(program 3)"
touch "$work/step1"
stop_host
check alloc=0 method_enter=0 exception_throw=3

begin "what may be armed"
host_run 7 "proflog:output=$log,arm=alloc+nosuch" "$scenarios/exit-7.scn"
one_line "arm=alloc+nosuch: not classes"

# A thread is in methods when recording stops; it leaves some of them, and enters others.
begin "open calls end where recording stops"
rm -f "$work"/step*
start_host calls "fire method_enter Main 0
fire method_enter Work 0
fire method_enter Step 0
print \"at step 1\"
await $work/step1
fire method_leave Step 0
fire method_leave Work 0
fire method_enter Work 0
print \"at step 2\"
await $work/step2
fire method_leave Work 0
fire method_enter Step 0
fire method_enter Concat 0
fire method_leave Concat 0
fire method_exception_leave Step exceptions[0]
fire method_leave Main 0
shutdown"
until_printed "at step 1"
ctl 0 stop
touch "$work/step1"
until_printed "at step 2"
ctl 0 start
touch "$work/step2"
stop_host
check method_enter=5 method_leave=4 method_exc_leave=1
"$proflog" dump "$log" >"$work/dump"
awk '/method-(enter|leave|exc-leave)/ { print $4 }' "$work/dump" | tr '\n' ' ' >"$work/order"
[ "$(cat "$work/order")" = "method-enter method-enter method-enter method-leave method-leave \
method-leave method-enter method-enter method-leave method-exc-leave " ] \
  || fail "$(cat "$work/order")"

begin "heap snapshots on demand"
start_host "" "heap nodes leaves
thread finalizer
start finalizer
  finalize
  finalize
end
fire gc_allocation nodes[1]
await $work/go
shutdown"
ctl 0 heapshot
grep -qx "heap shots: 1" "$work/reply" || fail "$(cat "$work/reply")"
cp "$log" "$work/now.mlpd"
"$check_log" "$work/now.mlpd" cut heap_start=1 heap_end=1 heap_object=2000 \
  || fail "the heap snapshot is not in the log"
ctl_json 0 heapshot
grep -q '^{"ok":true,"heap_shots":2,' "$work/reply" || fail "$(cat "$work/reply")"
stop_host
check heap_start=2 heap_end=2 heap_object=4000 same=heap_object

begin "names are announced again"
rm -f "$work"/step*
start_host alloc "$(program 3 4)"
until_printed "at step 1"
ctl 0 sync
ctl 0 sync
go_to 2
touch "$work/step2"
stop_host
check same=alloc alloc=7
"$proflog" report --format json "$log" >"$work/report.json"
classes=$(grep -o '"classes_loaded":[0-9]*' "$work/report.json" || :)
again=$("$proflog" dump --format csv "$log" | grep -c metadata-class)
[ "$again" -ge 10 ] || fail "only $again classes are announced: $classes"
quiet

begin "settings"
rm -f "$work"/step*
start_host alloc "fire gc_allocation nodes[1]
print \"at step 1\"
await $work/step1
collect 1
fire gc_allocation nodes[1]
print \"at step 2\"
await $work/go
collect 1
shutdown"
until_printed "at step 1"
ctl 2 set
ctl 2 set maxframes=3
grep -q "maxframes cannot be changed .*; flush, reannounce, memory, block-timeout and heapshot can" \
  "$work/reply" || fail "$(cat "$work/reply")"
ctl 2 set flush=soon
grep -q "flush=soon: not a time" "$work/reply" || fail "$(cat "$work/reply")"
ctl 2 set flush=1s,output=/nowhere
ctl 0 set heapshot=1gc
ctl 0 set memory=2M
ctl 0 status -v
grep -qx "bytes waiting limit: 2097152" "$work/reply" || fail "$(cat "$work/reply")"
ctl 0 set patience=0s
ctl 0 set flush=20ms
touch "$work/step1"
until_printed "at step 2"
i=0
until cp "$log" "$work/now.mlpd" && "$check_log" "$work/now.mlpd" cut alloc=2 heap_start=1 \
  >"$work/checked" 2>&1; do
  i=$((i + 1))
  [ $i -lt 500 ] || fail "it is not flushed: $(cat "$work/checked")"
  sleep 0.02
done
ctl 0 set flush=0s
ctl 0 set heapshot=off
ctl 0 set reannounce=1ms
sleep 0.3
ctl 0 set sync=0ms
stop_host
check same=alloc alloc=2 heap_start=1
again=$("$proflog" dump --format csv "$log" | grep -c metadata-class)
[ "$again" -ge 20 ] || fail "only $again classes are announced"
quiet

begin "another output"
rm -f "$work"/step* "$work"/second.mlpd*
start_host alloc,calls "$(program 3 4 5 8)"
until_printed "at step 1"
ctl 2 output
ctl 3 output "$log"
grep -q "there is $log" "$work/reply" || fail "$(cat "$work/reply")"
ctl 3 output "$work/no/such/folder"
grep -q "No such file" "$work/reply" || fail "$(cat "$work/reply")"
peer "output |/no/such/command  with blanks
"
grep -q -F "output '|/no/such/command  with blanks': No such file" "$work/reply" || fail "$(cat "$work/reply")"
(cd "$work" && ctl 0 output second.mlpd)
grep -qx "log: $work/second.mlpd" "$work/reply" || fail "$(cat "$work/reply")"
"$check_log" "$log" alloc=3 method_enter=3 || fail "the first log is wrong"
[ ! -e "$log.spool" ] && [ -f "$work/second.mlpd.spool" ] || fail "the spool is not beside the log"
go_to 2
go_to 3
ctl 0 flush
ctl 0 output "$work/third.mlpd"
"$check_log" "$work/second.mlpd" alloc=9 method_enter=9 method_leave=9 exception_throw=9 \
  || fail "the second log is wrong"
go_to 4
touch "$work/step4"
stop_host
"$check_log" "$work/third.mlpd" alloc=8 method_enter=8 exception_throw=8 || fail "the third log is wrong"
"$check_log" "$log" alloc=3 || fail "the first log has changed"
quiet

begin "killed after a change of the output"
rm -f "$work"/step* "$work"/*.mlpd*
start_host alloc "$(program 500 4 5)"
until_printed "at step 1"
# What was flushed lies farther behind in the first log than the second is long.
ctl 0 flush
ctl 0 output "$work/second.mlpd"
go_to 2
go_to 3
kill -9 "$pid"
wait "$pid" 2>/dev/null || :
running=
"$check_log" "$log" alloc=500 || fail "the first log is wrong"
"$check_log" "$work/second.mlpd" alloc=9 || fail "the second log is wrong"

# How a command ended is stated when it has ended, be it long after the log went on elsewhere, or at the end.
for when in later 'at the end'; do
  begin "a command that fails, $when"
  rm -f "$work"/*.mlpd "$work/ends"
  printf '#!/bin/sh\ncat >/dev/null\nwhile test ! -e "%s"; do sleep 0.02; done\nexit 3\n' "$work/ends" >"$work/command"
  chmod +x "$work/command"
  start_host "output=|$work/command" "await $work/go"
  ctl 0 output "$work/else.mlpd"
  [ ! -s "$work/err" ] || fail "something on stderr before it ended"
  if [ "$when" = later ]; then
    touch "$work/ends"
    wait_for [ -s "$work/err" ]
    stop_host
  else
    touch "$work/go"
    sleep 0.1
    touch "$work/ends"
    stop_host
  fi
  one_line "^proflog: the command '$work/command' ended with status 3$"
done

begin "a command that is gone when the log goes on elsewhere"
rm -f "$work"/*.mlpd
printf '#!/bin/sh\nhead -c 100 >/dev/null\nexit 4\n' >"$work/command"
start_host "alloc,output=|$work/command,spool=none,buffer=64k" "repeat i 400000
  fire gc_allocation nodes[0]
end
await $work/go"
wait_for status_has "problem: Broken pipe"
ctl 0 output "$work/else.mlpd"
stop_host
printf 'proflog: %s\n' "log |$work/command has no end: Broken pipe" "the command '$work/command' ended with status 4" \
  >"$work/wanted"
same "$work/err" "$work/wanted"

# Of sixteen commands that have not ended, the oldest is waited for before another one is left.
begin "a command too many that does not end"
rm -f "$work"/*.mlpd "$work/ends"
printf '#!/bin/sh\ncat >/dev/null\nwhile test ! -e "%s"; do sleep 0.1; done\n' "$work/ends" >"$work/command"
start_host "output=|$work/command" "await $work/go"
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  ctl 0 output "|$work/command $number"
done
[ ! -s "$work/err" ] || fail "something on stderr before the last one"
# Whether the reply comes in time depends on the machine: both wait for 5 s.
"$proflog" ctl "$pid" output "$work/else.mlpd" >"$work/reply" 2>&1 || :
wait_for [ -s "$work/err" ]
touch "$work/ends"
stop_host
one_line "^proflog: the command '$work/command' still runs 5000 ms after the end of the log$"
