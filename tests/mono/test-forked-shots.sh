#!/bin/sh
# Heap snapshots by a child process (heapshot-fork): they have what the program had, which does not notice the child;
# a child does not outlive the program, and one that does not go on is replaced.
. "${srcdir:-.}/tests/mono/lib.sh"
compile forked-shots
cd "$work" || exit 1

# The references of nodes in the snapshot SHOT, event by event.
references_in ()
{
  awk -v wanted="$1" '
    $4 == "heap-start" { shot++ }
    shot == wanted && $4 == "heap-object" && / "Probe\.Node" / {
      list = $0
      sub (/.* references=\[/, "", list)
      sub (/\].*/, "", list)
      sum += split (list, each, ",")
    }
    END { print sum + 0 }' dump
}

# expect_shots: each snapshot has the objects and references that the program counted.
expect_shots ()
{
  shots=$(sed -n 's/^shot:\([0-9]*\):.*/\1/p' "$truth")
  test -n "$shots" || fail "the program counted nothing"
  for shot in $shots; do
    n=$(sed -n "s/^heapshots\[\([0-9]*\)\]\.index	$shot\$/\1/p" "$figures")
    nodes=$(printed "shot:$shot:Probe.Node")
    expect "heapshots[$n].complete" true
    expect "heapshots[$n].types[Probe.Node].objects" "$nodes"
    expect "heapshots[$n].types[Probe.Node].bytes" "$((40 * nodes))"
  done
}

# counts OPTIONS FORKS: in the log and in the program.  FORKS is 1 if there are children.
counts ()
{
  record 7 "heapshot=ondemand,$1" forked-shots count 3
  quiet "$work/stderr"
  expect_shots
  test "$(printed waits:seen)" = 0 || fail "$1: the program found a child that it had not started"
  test "$(printed waits:other)" = 0 || fail "$1: a wait for any child failed otherwise"
  # It was there, and had nothing open that the program had closed.
  test "$(printed pipes:ended)" = "$2" || fail "$1: the program saw $(printed pipes:ended) pipes end"
}

counts heapshot-fork 1
"$proflog" dump "$log" >dump || fail "proflog dump ended with $?"
for shot in 1 2 3; do
  references=$(references_in "$shot")
  test "$references" = "$(printed "references:$shot")" || fail "$references references in the snapshot $shot"
done
counts heapshot-fork,format=1 1
counts heapshot-fork,alloc 0
counts heapshot-fork,heapshot-on-shutdown 1
test "$(grep -c '^heapshots\[[0-9]*\]\.index	' "$figures")" = 4 || fail "not four snapshots"
# The stock reader finds as many in each.
if has mprof-report; then
  mprof-report --reports=heapshot "$log" >judged 2>&1
  for shot in 1 2 3; do
    nodes=$(printed "shot:$shot:Probe.Node")
    grep -q "^[[:space:]]*$((40 * nodes))[[:space:]]*${nodes}[[:space:]].* Probe.Node" judged \
      || { grep Probe judged; fail "mprof-report: not $nodes nodes in the snapshot $shot"; }
  done
fi

# begin_program: it runs, and has stopped the child of a snapshot, $child.
begin_program ()
{
  rm -f requests "$log"
  mkfifo requests || fail "no FIFO"
  profiled "heapshot=ondemand,heapshot-fork,memory=256M,output=$log" forked-shots stop >out 2>err <requests &
  watched=$!
  exec 4>requests
  wait_for grep -q '^child' out
  child=$(sed -n 's/^child //p' out)
  kill -0 "$child" || fail "there is no child"
}

has_ended ()
{
  ! kill -0 "$child" 2>/dev/null
}

# The program is killed: its child does not stay.
begin_program
"$proflog" ctl >listed 2>err || fail 'ctl'
grep -q '  recorded .*forked-shots.exe' listed || fail 'the program is not listed'
grep "^ *$child " listed && fail 'the child is listed as a program'
kill -KILL "$watched"
wait "$watched" 2>/dev/null
watched=
kill -CONT "$child" || fail "the child ended though it was stopped"
wait_for has_ended
exec 4>&-

# A child that does not go on: it is ended, and another snapshot is taken without one.
begin_program
wait_for has_ended
echo >&4
wait "$watched"
test $? = 7 || { cat err; fail "the program ended otherwise"; }
watched=
says out 'shots done'
says err 'heapshot-fork: 1 heap snapshot came to no end'
"$proflog" report --reports=heapshots --format json "$log" >report.json 2>report.err
"$json_paths" <report.json >"$figures"
last=$(sed -n 's/^heapshots\[\([0-9]*\)\][.]complete	.*/\1/p' "$figures" | sort -n | tail -n 1)
test "$last" -ge 2 || fail 'there is one snapshot only'
expect "heapshots[$((last - 1))].complete" false
expect "heapshots[$last].complete" true
expect "heapshots[$last].types[Probe.Node].objects" 500000
echo "$checks figures agree"
