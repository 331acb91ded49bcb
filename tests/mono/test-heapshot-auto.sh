#!/bin/sh
# proflog run --heapshot: when snapshots are taken, and that the program does what it does without.
. "${srcdir:-.}/tests/mono/lib.sh"
use_runtime_dir
compile control
compile hello
cd "$work" || exit 1

# begin_program LOG OPTION...: control.exe runs, and does what is written to descriptor 4.
begin_program ()
{
  program_log=$1
  shift
  rm -f requests
  mkfifo requests || fail "no FIFO"
  "$proflog" run -o "$program_log" "$@" mono "$programs/control.exe" >out 2>err <requests &
  watched=$!
  exec 4>requests
}

end_program ()
{
  exec 4>&-
  wait "$watched" || { cat err; fail "control.exe ended with $?"; }
  watched=
}

# The number of snapshots of the program, up to now.
shots_are ()
{
  test -s "$program_log" || return 1
  pid=$("$proflog" info --format json "$program_log" 2>/dev/null | "$json_paths" | sed -n 's/^log\.pid.//p')
  "$proflog" ctl --format json "${pid:-0}" status >status.json 2>/dev/null || return 1
  "$json_paths" <status.json >status
  test "$(figure heap_shots status)" -ge "$1"
}

# read_times LOG: when its snapshots began, in ms.
read_times ()
{
  "$proflog" report --reports=heapshots --format json "$1" >report.json 2>report.err || fail "no report of $1"
  quiet report.err
  "$json_paths" <report.json >"$figures"
  ! grep -q '^heapshots\[.*\]\.complete.false' "$figures" || fail "$1: a snapshot is not complete"
  sed -n 's/^heapshots\[[0-9]*\]\.time_ns.\([0-9]*\)$/\1/p' "$figures" | awk '{ printf "%d\n", $1 / 1e6 }' >times
}

# gaps_are_even: between a snapshot and the next are 1000 ms, or a quarter of the time of the program until then, but
# at least 100 ms; but for the one at the end.
gaps_are_even ()
{
  awk 'NR > 1 { least[NR] = $1 > 4000 ? 1000 : $1 > 400 ? $1 / 4 : 100; gap[NR] = $1 - last } { last = $1 }
       END { for (i = 2; i < NR; i++) if (gap[i] < least[i] - 10) exit 1 }' times \
    || { cat times; fail "too little time between two snapshots"; }
}

# A program that waits, without a collection: they are requested, and there is one at the end.
begin_program idle.mlpd --heapshot
for shot in 1 2 3; do
  echo keep 20000 >&4
  wait_for shots_are $shot
done
end_program
read_times idle.mlpd
test "$(wc -l <times)" -ge 4 || { cat times; fail "$(wc -l <times) snapshots"; }
gaps_are_even
# So a leak is found, and what holds it: roots have their kinds.
grep -q '^heapshots\[.*root_sources\[0\]\.source.domain' "$figures" || fail "roots have no kinds"
status=0
"$proflog" heap leaks --exit-code idle.mlpd >out 2>err || status=$?
test "$status" = 1 || fail "heap leaks --exit-code ended with $status"
quiet err
says out Probe.Kept
! grep -q assumed out || fail "a root of a kind that is assumed"

# One of 0.7 s that collects has three, and so a trend, which the end of the run names.
compile brief-growth
"$proflog" run --heapshot -o brief.mlpd mono "$programs/brief-growth.exe" 700 >out 2>err || fail brief-growth
read_times brief.mlpd
test "$(wc -l <times)" -ge 3 || { cat times; fail "0.7 s: $(wc -l <times) snapshots"; }
tr -s ' \n' '  ' <err >line
says line ' objects of Kept accumulate below Growing.all: '

# Two show what has grown, and that it is no trend yet.
"$proflog" run --heapshot=1gc -o two.mlpd mono "$programs/brief-growth.exe" 2 >out 2>err || fail brief-growth
"$proflog" heap leaks --format csv two.mlpd 2 >out || fail "two snapshots: heap leaks"
grep -q '^grown,[0-9]*,50,[0-9]*,100,Kept$' out || { cat out; fail "two snapshots: growth"; }
"$proflog" heap leaks two.mlpd 2 >out || fail "two snapshots: heap leaks"
tr -s ' \n' '  ' <out >line
says line 'from heap snapshot 1 to 2: that is growth, and no trend yet, which three snapshots make'

# A program that ends at once has one at its end.  What it prints is its own.
"$proflog" run --heapshot -o hello.mlpd mono "$programs/hello.exe" >out 2>err || fail hello
test "$(cat out)" = hello || fail "hello prints something else"
read_times hello.mlpd
test "$(wc -l <times)" -ge 1 || fail "hello: no snapshot at the end"
"$proflog" heap leaks hello.mlpd >out 2>err || fail "heap leaks of hello"
tr -s ' \n' '  ' <out >line
says line "'proflog run --heapshot' takes one in each second or two, --heapshot=100ms"
says line "'proflog ctl PID heapshot'"

# Paused, none is taken, not even at the end.
begin_program paused.mlpd --heapshot --paused
echo keep 1000 >&4
wait_for grep -q '^done' out
sleep 3
end_program
read_times paused.mlpd
test ! -s times || fail "a paused program has snapshots"

# On demand means only then.
begin_program demand.mlpd --heapshot=ondemand
echo keep 1000 >&4
wait_for shots_are 0
"$proflog" ctl "$pid" heapshot >ctl.out 2>&1 || { cat ctl.out; fail "ctl heapshot"; }
end_program
read_times demand.mlpd
test "$(wc -l <times)" = 1 || fail "on demand: $(wc -l <times) snapshots"

# The module's option: a time in any unit; the roots are there without another option.
for heapshot in heapshot=0.5s heapshot heapshot-on-shutdown heapshot=1h; do
  rm -f "$log"
  profiled "$heapshot,output=$log" hello >out 2>err || fail "$heapshot"
  quiet err
  "$proflog" info --format json "$log" | "$json_paths" >"$figures"
  expect log.data_version 17
  says "$figures" heap-root-register
done
for options in heapshot,nogcroot heapshot,format=1 nogcroot,heapshot=1s; do
  rm -f "$log"
  profiled "$options,output=$log" hello >out 2>err || fail "$options"
  quiet err
  "$proflog" info --format json "$log" | "$json_paths" >"$figures"
  expect log.data_version 1
done
echo "$checks figures agree"
