#!/bin/sh
# Runs that differ by known amounts, on a clock that the scenario sets: proflog diff, and budgets of diff and
# report, with their files.
. "${srcdir:-.}/tests/host/host-lib.sh"
need python3

# run_program NAME NODES LEAVES THROWS PAUSE_MS WAIT_MS CALL_MS: NAME.mlpd is the log of a program that allocates
# so many nodes of 40 bytes and leaves of 32, throws so often, has one pause, waits once for a lock, and
# calls a method once.
run_program () {
  cat >"$work/$1.scn" <<END
stack Work Main
repeat i $2
  fire gc_allocation nodes[\$i]
end
repeat i $3
  fire gc_allocation leaves[\$i]
end
repeat i $4
  fire exception_throw exceptions[1]
end
fire gc_event 6 0 1
fire gc_event 10 0 1
fire gc_event 7 0 1
fire gc_event 0 0 1
clock ${5}000000
fire gc_event 5 0 1
fire gc_event 8 0 1
fire gc_event 9 0 1
fire gc_event 11 0 1
fire monitor_contention locks[1]
clock ${6}000000
fire monitor_acquired locks[1]
fire method_enter Work 0
clock ${7}000000
fire method_leave Work 0
shutdown
END
  host_run 0 "proflog:output=$work/$1.mlpd,alloc,calls" --scripted-clock "$scenarios/world.scn" "$work/$1.scn"
  quiet
}

# proflog_in STATUS ARGUMENT...: in the folder of the logs; into out and err.
proflog_in () {
  wanted=$1 status=0
  shift
  (cd "$work" && "$proflog" "$@" >out 2>err) || status=$?
  [ "$status" = "$wanted" ] || fail "proflog $*: status $status instead of $wanted"
}

# is PATH VALUE: of the JSON in out.
is () {
  "$json_paths" <"$work/out" >"$work/figures" || fail "no JSON"
  path=$1 awk -F '\t' '$1 == ENVIRON["path"] { print $2; found = 1 } END { exit !found }' "$work/figures" \
    >"$work/value" || fail "there is no $1"
  [ "$(cat "$work/value")" = "$2" ] || fail "$1 is $(cat "$work/value") instead of $2"
}

begin "two runs"
run_program old 10 6 4 2 8 5
run_program new 25 0 9 7 6 5
proflog_in 0 diff --format json old.mlpd new.mlpd
is schema proflog.diff/1
is 'figures[exceptions.throws].base' 4
is 'figures[exceptions.throws].now' 9
is 'figures[exceptions.throws].change' 5
is 'figures[exceptions.throws].change_percent' 125
is 'figures[exceptions.throws].spread' null
is 'figures[allocations.bytes].base' 592 # 10 * 40 + 6 * 32
is 'figures[allocations.bytes].now' 1000
is 'figures[gc.pause_p99_ns].change' 5000000
is 'figures[monitors.wait_total_ns].change' -2000000
is 'figures[monitors.wait_total_ns].change_percent' -25
is 'figures[log.duration_ns].change' 3000000
is 'allocations_types_bytes[Program.Node].change_bytes' 600
is 'allocations_types_bytes[Program.Node/Leaf].base_bytes' 192
is 'allocations_types_bytes[Program.Node/Leaf].now_bytes' 0
is 'allocations_types_bytes[Program.Node/Leaf].change_percent' -100
is 'allocations_types_objects[Program.Node].change' 15
is 'calls_methods_self_ns[Program.Node:Work (int)].change_ns' 0
is 'exceptions_types_throws[System.Exception].now' 9
is 'monitors_objects_wait_total_ns[System.Object].change_ns' -2000000
is 'gc_generations_pause_total_ns[0].now_ns' 7000000

begin "the largest change is the first, and what did not change is not shown"
proflog_in 0 diff old.mlpd new.mlpd
awk '/^Allocated bytes by type/ { getline; getline; print }' "$work/out" | grep -q '600.*+150.0.*Program.Node$' \
  || fail "the first type is not Program.Node"
! grep -q 'Program.Node:Work' "$work/out" || fail "an unchanged method is shown"
says "$work/out" "One run on each side"
proflog_in 0 diff old.mlpd old.mlpd
says "$work/out" "No figure differs."
proflog_in 0 diff --reports=exceptions old.mlpd new.mlpd
! grep -q 'Program.Node' "$work/out" || fail "another section is shown"
says "$work/out" exceptions.throws
proflog_in 0 diff --filter Leaf --format json old.mlpd new.mlpd
is 'allocations_types_bytes[Program.Node/Leaf].change_bytes' -192
! grep -q '"Program.Node"' "$work/out" || fail "--filter lets a type through"

begin "groups"
run_program a1 8 1 4 2 1 5
run_program a2 12 1 9 2 1 5
run_program a3 10 1 5 3 1 5
run_program b1 20 1 8 2 1 5
run_program b2 30 1 3 2 1 5
proflog_in 0 diff --format json a1.mlpd a2.mlpd a3.mlpd -- b1.mlpd b2.mlpd
is 'allocations_types_objects[Program.Node].base' 10
is 'allocations_types_objects[Program.Node].base_runs' 3
is 'allocations_types_objects[Program.Node].base_min' 8
is 'allocations_types_objects[Program.Node].base_max' 12
is 'allocations_types_objects[Program.Node].now' 25 # of 20 and 30
is 'allocations_types_objects[Program.Node].now_runs' 2
is 'allocations_types_objects[Program.Node].change' 15
is 'allocations_types_objects[Program.Node].spread' few # three and two are apart by chance in one of five cases
is 'allocations_types_objects[Program.Node].chance' 0.2
is 'figures[exceptions.throws].base' 5
is 'figures[exceptions.throws].now' 5 # of 3 and 8: rounded down
is 'figures[exceptions.throws].spread' within
is 'runs.base[2]' a3.mlpd
# Options may follow, too; a type that no run of one side has is 0 there.
proflog_in 0 diff a1.mlpd a3.mlpd -- old.mlpd new.mlpd --format csv --reports=allocations
says "$work/out" '32,2,32,32,96,2,0,192,64,200,1,within,Program.Node/Leaf'
proflog_in 2 diff a1.mlpd a2.mlpd b1.mlpd
says "$work/err" "two logs are compared, and 3 given; groups of logs have '--' between them"
proflog_in 2 diff a1.mlpd
proflog_in 2 diff a1.mlpd a2.mlpd --
says "$work/err" "there is no log after '--'"
proflog_in 3 diff a1.mlpd none.mlpd

begin "budgets of a comparison"
proflog_in 0 diff -o /dev/null --fail-above exceptions.throws=+125% --fail-above exceptions.throws=9 \
  --fail-above exceptions.throws=+5 old.mlpd new.mlpd
[ ! -s "$work/err" ] || fail "a budget that is kept is reported"
proflog_in 1 diff -o /dev/null --fail-above exceptions.throws=+124.9% old.mlpd new.mlpd
says "$work/err" "new.mlpd: exceptions.throws is 9, above its budget of 8.996: +124.9% from 4"
proflog_in 1 diff --format json --fail-above 'allocations.types[Program.Node].objects=24' \
  --fail-above 'allocations.types[Program.Node/Leaf].bytes=0' --fail-above gc.pause_p99_ns=7ms old.mlpd new.mlpd
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one budget is exceeded"
says "$work/err" "allocations.types[Program.Node].objects is 25, above its budget of 24"
is 'budgets[0].verdict' exceeded
is 'budgets[0].value' 25
is 'budgets[1].verdict' within
is 'budgets[2].verdict' within
is 'budgets[2].most' 7000000
proflog_in 1 diff -o /dev/null --fail-above exceptions.throws=+0% a1.mlpd a3.mlpd -- b1.mlpd
says "$work/err" "exceptions.throws is 8, above its budget of 4.500: +0% from 4.500"

begin "budgets of a report"
# The check of first-use: exceptions over their budget, and a JUnit file with one failure.
cat >"$work/budgets" <<'END'
# of one run
exceptions.throws = 8

gc.pause_p99_ns = 5ms    # the pause of 7 ms
allocations.bytes = 1K
END
proflog_in 1 report --budgets budgets --fail-above calls.total=1 --junit junit.xml old.mlpd new.mlpd
[ "$(wc -l <"$work/err")" = 2 ] || fail "not two budgets are exceeded"
says "$work/err" "proflog report: new.mlpd: exceptions.throws is 9, above its budget of 8"
says "$work/err" "proflog report: new.mlpd: gc.pause_p99_ns is 7.00 ms (7000000 ns), above its budget of 5.00 ms (5000000 ns)"
cat >"$work/junit.py" <<'END'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
suite = root.find('testsuite')
assert root.tag == 'testsuites' and len(suite) == int(suite.get('tests')) == int(root.get('tests')), 'tests'
for kind in 'failure', 'error':
    assert len(suite.findall('testcase/' + kind)) == int(suite.get(kind + 's')), kind
for case in suite:
    print(case.get('classname'), case.get('name'), *[child.tag for child in case])
    for child in case:
        print(child.get('message'))
END
python3 "$work/junit.py" "$work/junit.xml" >"$work/cases" || fail "junit.xml is not right"
cat >"$work/expected" <<'END'
old.mlpd calls.total=1
old.mlpd exceptions.throws = 8
old.mlpd gc.pause_p99_ns = 5ms
old.mlpd allocations.bytes = 1K
new.mlpd calls.total=1
new.mlpd exceptions.throws = 8 failure
exceptions.throws is 9, above its budget of 8
new.mlpd gc.pause_p99_ns = 5ms failure
gc.pause_p99_ns is 7.00 ms (7000000 ns), above its budget of 5.00 ms (5000000 ns)
new.mlpd allocations.bytes = 1K
END
same "$work/cases" "$work/expected"
proflog_in 3 report --budgets budgets --junit junit.xml old.mlpd
says "$work/err" "junit.xml"
proflog_in 0 report --budgets budgets --junit junit.xml --force --reports=log old.mlpd
# No heap snapshot is in the log: that is no success.
rm "$work/junit.xml"
proflog_in 1 report --fail-above heapshots.bytes=1M --junit junit.xml old.mlpd
says "$work/err" "heapshots.bytes: the log has no such figure, so its budget of 1M cannot be checked"
[ "$(python3 "$work/junit.py" "$work/junit.xml" | head -1)" = "old.mlpd heapshots.bytes=1M error" ] || fail "no error"

begin "wrong budgets"
proflog_in 2 report --fail-above exceptions.throw=3 old.mlpd
says "$work/err" "no report has the figure exceptions.throw; did you mean exceptions.throws?"
proflog_in 2 report --fail-above 'allocations.types[X].byte=3' old.mlpd
says "$work/err" "did you mean allocations.types[NAME].bytes?"
proflog_in 2 report --fail-above exceptions.throws old.mlpd
says "$work/err" "KEY=LIMIT is needed"
proflog_in 2 report --fail-above exceptions.throws=many old.mlpd
proflog_in 2 report --fail-above exceptions.throws=-1 old.mlpd
proflog_in 2 report --fail-above gc.pause_max_ns=5 old.mlpd
says "$work/err" "a time is needed"
proflog_in 2 report --fail-above allocations.bytes=5% old.mlpd
says "$work/err" "percents are relative to the base: +5%"
proflog_in 2 report --fail-above allocations.bytes=+5% old.mlpd
says "$work/err" "use 'proflog diff'"
proflog_in 2 report --junit junit.xml old.mlpd
printf 'exceptions.throws=1\n\nno such key=1\n' >"$work/wrong"
proflog_in 2 diff --budgets wrong old.mlpd new.mlpd
says "$work/err" "wrong:3: "
proflog_in 2 diff --budgets none old.mlpd new.mlpd
proflog_in 0 report --fail-above help
grep -q -x -F 'allocations.types[NAME].bytes' "$work/out" || fail "no cell is listed"

begin "hostile names"
cat >"$work/hostile.scn" <<'END'
image evil /home/<b>/evil.dll
class Evil evil "</failure>|]].x=1 & <script>" "Evil'</testcase>`*_|"
objects evils Evil 0x7f0001000000 24 100
fire image_loaded evil
fire class_loaded Evil
stack Main
fire gc_allocation evils[1]
fire gc_allocation evils[2]
shutdown
END
host_run 0 "proflog:output=$work/evil.mlpd,alloc" "$scenarios/world.scn" "$work/hostile.scn"
control=$(printf '\001\033\303\250\377')
mv "$work/evil.mlpd" "$work/<evil> & \"$control.mlpd"
proflog_in 0 diff --format json old.mlpd "<evil> & \"$control.mlpd"
name=$("$json_paths" <"$work/out" | sed -n 's/^allocations_types_objects\[\(.*Evil.*\)\]\.now\t2$/\1/p')
[ -n "$name" ] || fail "the type has no row"
proflog_in 1 diff --format md --fail-above "allocations.types[$name].objects=1" --junit evil.xml old.mlpd \
  "<evil> & \"$control.mlpd"
! grep -E '(^|[^\\])<' "$work/out" || fail "a name is markup"
# Each row of a table has as many cells as its head.
awk '/^\|/ { line = $0; gsub (/\\./, "", line); n = gsub (/\|/, "", line); if (last && n != last) exit 1; last = n }
     !/^\|/ { last = 0 }' "$work/out" || fail "a name is a cell"
python3 "$work/junit.py" "$work/evil.xml" >"$work/cases" || fail "evil.xml is not XML"
grep -q -F "allocations.types[$name].objects is 2, above its budget of 1" "$work/cases" \
  || fail "the name is not in evil.xml: $(cat "$work/cases")"
