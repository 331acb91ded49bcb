#!/bin/sh
# What threads have recorded comes into the log without their doing, and nothing comes twice.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# The log as it is, while the program runs.
check_now () {
  cp "$log" "$work/now.mlpd"
  "$check_log" "$work/now.mlpd" cut "$@" || fail "the log is wrong"
}

# step N COMMANDS: a part of a program that then waits to go on.
step () {
  printf '%s\nprint "at step %d"\nawait %s\n' "$2" "$1" "$work/step$1"
}

go_to () {
  touch "$work/step$(($1 - 1))"
  until_printed "at step $1"
}

fresh_steps () {
  rm -f "$work"/step*
}

# Threads that record in between, in one buffer each; one is idle.
calls_on () {
  cat <<END
on $1
  stack Step Work Main
  fire method_enter Main 0
  fire method_enter Work 0
  repeat i 50
    fire method_enter Step 0
    fire exception_throw exceptions[0]
    fire method_leave Step 0
    fire gc_allocation nodes[\$i]
  end
  fire method_leave Work 0
  fire method_leave Main 0
end
END
}

fresh_steps
begin "flush"
start_host alloc,calls "thread one
thread two
$(calls_on one)
$(step 1 "fire gc_allocation leaves[1]")
$(step 2 "$(calls_on two)")
$(step 3 "$(calls_on one)")
$(step 4 "$(calls_on one)
$(calls_on two)")
finish one
fire gc_allocation leaves[2]
shutdown"
until_printed "at step 1"
check_now alloc=0
ctl 0 flush
grep -q "^bytes written: [1-9]" "$work/reply" || fail "$(cat "$work/reply")"
check_now alloc=51 alloc:Program.Node=50 method_enter=52 method_leave=52 exception_throw=50
ctl 0 flush
cmp "$log" "$work/now.mlpd" || fail "nothing happened, yet something was written"
go_to 2
ctl_json 0 flush
check_now alloc=101 method_enter=104 exception_throw=100
go_to 3
ctl 0 flush
check_now alloc=151 method_enter=156 method_leave=156
ctl 0 flush
go_to 4
ctl 0 flush
check_now alloc=251 method_enter=260 method_leave=260 exception_throw=250
touch "$work/step4"
stop_host
check same=alloc,method_enter,method_leave,exception_throw alloc=252 method_enter=260
quiet

# Each moment at which it may be killed: all that was recorded is there, flushed or not.
for at in 1 2 3 4; do
  fresh_steps
  begin "killed behind a flush and $at steps"
  start_host alloc,calls "thread one
thread two
$(calls_on one)
$(step 1 "fire gc_allocation leaves[1]")
$(step 2 "$(calls_on two)")
$(step 3 "$(calls_on one)")
$(step 4 "$(calls_on one)")"
  until_printed "at step 1"
  ctl 0 flush
  i=2
  while [ $i -le $at ]; do
    go_to $i
    [ $i = $at ] || ctl 0 flush
    i=$((i + 1))
  done
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || :
  running=
  [ -f "$log.spool" ] || fail "no spool is left"
  "$check_log" "$log" alloc=$((50 * at + 1)) method_enter=$((52 * at)) \
    method_leave=$((52 * at)) || fail "the log is wrong"
  rm -f "$log.spool"
done

fresh_steps
begin "flush of a compressed log"
start_host alloc,zip "$(step 1 "fire gc_allocation leaves[1]")
fire gc_allocation leaves[2]
shutdown"
until_printed "at step 1"
ctl 0 flush
gzip -dc <"$log" >"$work/now.mlpd" 2>/dev/null || :
"$check_log" "$work/now.mlpd" cut alloc=1 || fail "the log is wrong"
touch "$work/step1"
stop_host
check same=alloc alloc=2

begin "flush while threads record and collect"
turns=60
[ "${SANITIZER:-no}" = no ] || turns=15
start_host alloc,heapshot,format=1 "heap nodes leaves
image late /home/user/late.dll
class A late Late A
objects as A 0x7f0001000000 24 100000
parallel t 6
  stack Work Main
  repeat i $turns
    fire gc_allocation as[\$i]
    fire method_enter Work 0
    repeat k 400
      fire gc_allocation nodes[\$k]
      fire exception_throw exceptions[0]
    end
    collect 1
  end
end
print done
await $work/go
shutdown"
flushes=0
until grep -qx "done" "$work/out"; do
  kill -0 "$pid" 2>/dev/null || fail "the program ended"
  "$proflog" ctl "$pid" flush >"$work/reply" 2>&1 || grep -q "in the middle" "$work/reply" \
    || fail "$(cat "$work/reply")"
  flushes=$((flushes + 1))
done
ctl 0 flush
check_now alloc=$((turns * 6 * 401)) heap_start=$((turns * 6)) heap_end=$((turns * 6))
stop_host
check same=alloc,exception_throw,heap_object alloc=$((turns * 6 * 401))
echo "$flushes flushes"

# The smallest period: threads fill buffers, end and drop some while these are flushed.
begin "flush=1ms"
record alloc,flush=1ms "$parallel"
check same=alloc alloc=$all
record alloc,flush=1ms "$scenarios/short-threads.scn"
check same=alloc
record heapshot,format=1,flush=1ms "$scenarios/shots-race.scn"
check same=heap_object
record alloc,flush=1ms "$scenarios/naming.scn"
check same=alloc
# Objects of classes that get their names when the snapshot has ended: until then they are kept back.
cat >"$work/unnamed.scn" <<END
image late /home/user/late.dll
class A late Late A
objects as A 0x7f0001000000 24 100000
heap as
repeat k 10
  fire image_unloading late
  collect 1
end
shutdown
END
record heapshot,format=1,flush=1ms "$work/unnamed.scn"
check same=heap_object heap_object=1000000
record calls,flush=1ms "$scenarios/calls.scn"
check same=method_enter
record gcmove,flush=1ms "$scenarios/moves.scn"
check same=gc_move

begin "flush=20ms without a request"
start_host_without alloc,nocontrol,flush=20ms "fire gc_allocation leaves[1]
await $work/go
fire gc_allocation leaves[1]
shutdown"
for i in $(seq 1000); do
  cp "$log" "$work/now.mlpd"
  ! "$check_log" "$work/now.mlpd" cut alloc=1 >/dev/null 2>&1 || break
  sleep 0.02
done
check_now alloc=1
stop_host
check same=alloc alloc=2

# A reader that stalls makes threads drop buffers, some of which are being flushed.
begin "dropped while it is flushed"
mkfifo "$work/fifo"
exec 6<>"$work/fifo"
host_run 0 "proflog:output=$work/fifo,alloc,maxframes=0,memory=1M,flush=1ms,nocontrol" \
  "$scenarios/world.scn" "$parallel"
exec 6>&-
rm -f "$XDG_RUNTIME_DIR"/*
for i in 1 2 3; do
  (sleep 0.0$i; exec cat "$work/fifo") >"$log" &
  reader=$!
  host_run 0 "proflog:output=$work/fifo,alloc,maxframes=0,memory=1M,flush=1ms,nocontrol" \
    "$scenarios/world.scn" "$parallel" <>"$work/fifo"
  wait $reader
  "$check_log" "$log" alloc\>=1000 || fail "the log is wrong"
done
