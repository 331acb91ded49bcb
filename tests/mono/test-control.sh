#!/bin/sh
# A program that is controlled while it runs: its log equals what it counted between the requests.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"

# The truth that the program reported last.
take_truth ()
{
  tail -n 200 "$work/out" | grep -v '^done' | tail -n 4 >"$truth"
  test "$(wc -l <"$truth")" = 4 || fail "the program reported no truth"
}

finish ()
{
  end_steps
  quiet "$work/stderr"
  take_truth
  read_figures
}

# The truth and the log, while the program runs.
look ()
{
  step print
  take_truth
  cp "$log" "$work/now.mlpd"
  "$top_builddir/tests/host/check-log" "$work/now.mlpd" cut || fail "the log is not in order"
  "$proflog" report --format json "$work/now.mlpd" >"$work/report.json" 2>/dev/null \
    || fail "the log cannot be read"
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
}

# All but the figures of what was not recorded.
expect_all_but ()
{
  grep -v "^$1" "$truth" >"$work/less" && mv "$work/less" "$truth"
  expect_truth
}

# Threads that are idle have their events in buffers that are nearly empty.
for version in 1 17; do
  begin alloc,format=$version
  step "count 100"
  step "count 20"
  step "count 3"
  ctl 0 flush
  if test $version = 17; then # the version that has names of threads
    ctl 0 status
    grep -q '^  id 0x[0-9a-f]*  Main$' "$work/reply" || { cat "$work/reply"; fail "no thread is Main"; }
  fi
  look
  expect_all_but calls
  step "count 1000"
  step "count 400"
  ctl 0 flush
  look
  expect_all_but calls
  step "count 50"
  finish
  expect_all_but calls
done

# What is flushed and what is not, when the program is killed.
begin calls,finalization,format=17
step "count 10"
ctl 0 flush
step "count 20"
step "count 40"
step "count 80"
step print
take_truth
kill_program
"$proflog" repair "$log" -o "$work/whole.mlpd" 2>/dev/null || fail "the log is not repaired"
read_figures "$work/whole.mlpd"
expect_all_but objects

begin calls
step "count 10"
ctl 0 flush
step "count 200"
look
finish
expect_all_but objects

# Within 50 ms and what a busy machine takes, without being asked.
begin alloc,flush=50ms
step "count 100"
waited=0
look
until test "$(figure "allocations.types[Probe.Item].objects")" = 100; do
  waited=$((waited + 1))
  test "$waited" -lt 300 || fail "nothing came into the log"
  sleep 0.1
  look
done
expect_all_but calls
finish
expect_all_but calls

begin alloc
step "count 100"
ctl 0 stop
look
expect_all_but calls
step "skip 50"
step "skip 1000"
ctl 0 start
step "count 7"
step "count 4"
ctl 0 stop
step "skip 9"
finish
expect_all_but calls

begin calls,paused
step "skip 30"
ctl 0 start
step "count 5"
step "count 11"
ctl 0 stop
step "skip 13"
step "skip 13"
step "skip 13"
ctl 0 start
step "count 6"
finish
expect_all_but objects
expect_names

# Each class by itself; allocations are armed, calls are not.
begin nodefaults,arm=alloc
step "skip 1"
completed ()
{
  "$proflog" --complete ctl "$pid" "$1" '' | paste -s -d ' ' >"$work/words"
  test "$(cat "$work/words")" = "$2" || fail "ctl $1 is completed by: $(cat "$work/words")"
}
ctl 0 status
completed enable "$(sed -n 's/^can be enabled: //p' "$work/reply")"
completed disable ''
ctl 0 enable alloc
completed disable alloc
step "count 12"
ctl 3 enable calls
grep -q "calls cannot be recorded" "$work/reply" || fail "$(cat "$work/reply")"
ctl 0 disable alloc
step "skip 40"
ctl 0 enable exception
step "count 14"
finish
expect "allocations.types[Probe.Item].objects" 12
expect "exceptions.types[Probe.Trouble].throws" 14

begin "nodefaults,arm=calls"
step "skip 40"
ctl 0 enable calls
step "count 12"
step "count 13"
finish
expect "calls.methods[Probe.Control:Work (Probe.Item)].calls" 25
expect "allocations.types[Probe.Item].objects" 0

# Heap snapshots when they are requested, and no others.
begin gc
step "keep 100"
ctl 0 heapshot
grep -qx "heap shots: 1" "$work/reply" || fail "$(cat "$work/reply")"
look
shot=$(sed -n 's/^heapshots\[\([0-9]*\)\]\.index	.*/\1/p' "$figures" | head -n 1)
expect "heapshots[$shot].types[Probe.Kept].objects" 100
step "keep 50"
ctl 0 heapshot
step "keep 1"
finish
test "$(grep -c '^heapshots\[[0-9]*\]\.index	' "$figures")" = 2 || fail "not two heap snapshots"
expect "heapshots[$((shot + 1))].types[Probe.Kept].objects" 150

# However often snapshots are requested, the program runs for most of the time.
begin gc
step "keep 100000"
for _ in 1 2 3 4 5 6; do
  ctl 0 heapshot
done
finish
"$proflog" dump --format csv "$log" | awk -F , '
  $5 == "heap-start" { if (shots++ && $4 - end < 4 * (end - start)) short++; start = $4 }
  $5 == "heap-end" { end = $4 }
  END { if (shots != 6 || short) { print shots, "snapshots,", short + 0, "too early"; exit 1 } }' \
  || fail "snapshots on request leave the program no time"

# Two logs, each complete in itself, are what was counted in all.
begin alloc
step "count 10"
ctl 0 output "$work/second.mlpd"
step "count 4"
step "count 2"
end_steps
take_truth
read_figures
expect "allocations.types[Probe.Item].objects" 10
read_figures "$work/second.mlpd"
expect "allocations.types[Probe.Item].objects" 6
expect "exceptions.types[Probe.Trouble].throws" 6
expect_names
test "$(printed objects:Probe.Item)" = 16 || fail "the program counted otherwise"

# Names that are announced again are counted once.
begin alloc
step "count 5"
look
ctl 0 flush
look
classes=$(figure metadata.classes)
ctl 0 sync
ctl 0 sync
look
test "$classes" -gt 100 || fail "only $classes classes"
expect metadata.classes "$classes"
expect_all_but calls
step "count 5"
finish
expect_all_but calls

echo "$checks figures agree"
