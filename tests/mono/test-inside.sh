#!/bin/sh
# A program that speaks to the module that records it, through Proflog.dll.
. "${srcdir:-.}/tests/mono/lib.sh"

library=$top_builddir/managed/Proflog.dll
test -f "$library" || fail "$library is not built"
mkdir "$work/bin"
cp "$library" "$work/bin"
mcs -nologo -r:"$library" -out:"$work/bin/inside.exe" "$sources/programs/inside.cs" >"$work/mcs.out" 2>&1 \
  || { cat "$work/mcs.out"; fail "inside.cs does not compile"; }
mcs -nologo -r:"$library" -out:"$work/bin/phases.exe" "$sources/../../examples/phases.cs" >"$work/mcs.out" 2>&1 \
  || { cat "$work/mcs.out"; fail "the example does not compile"; }
programs=$work/bin

# inside WHAT OPTIONS: its figures are read.
inside ()
{
  profiled "$2,output=$log" inside "$1" >"$truth" 2>"$work/stderr" \
    || fail "$2: the program was not answered as it should be"
  test ! -s "$work/stderr" || fail "$2: complaints"
  read_figures
  expect_truth
  expect 'heapshots[1].types[Probe.Held].objects' 500
  grep -q '^heapshots\[2\]' "$figures" || fail "there is no second heap snapshot"
  ! grep -q '^heapshots\[3\]' "$figures" || fail "there is a third heap snapshot"
}

inside recorded alloc,format=17
for mark in begin:1 turn:100 'a name with blanks, ü and "quotes":1'; do
  expect "counters[Mark: ${mark%:*}].last" "${mark##*:}"
  expect "counters[Mark: ${mark%:*}].updates" "${mark##*:}"
  expect "marks.names[${mark%:*}].count" "${mark##*:}"
done
! grep -q 'nobody listens' "$figures" || fail "a mark was set while nothing was recorded"
# The stock reader counts the same; it shows values in the order of the log, not of time.
if has mprof-report; then
  mprof-report --verbose --reports=counters "$log" >"$judged" 2>&1
  test "$(sed -n 's/^[[:space:]]*Mark: turn *: //p' "$judged" | sort -n | tail -n 1)" = 100 \
    || fail "mprof-report counts otherwise"
fi

# between OBJECTS TYPE RANGE [LOG]: so many objects of the type were allocated in the range.
between ()
{
  "$proflog" report --reports=alloc --format json --time-range "$3" "${4:-$log}" >"$work/part.json" \
    2>"$work/part.err" \
    || { cat "$work/part.err"; fail "no report of $3"; }
  "$json_paths" <"$work/part.json" >"$work/part" || fail "the report of $3 is not JSON"
  test "$(figure "allocations.types[Probe.$2].objects" "$work/part")" = "$1" || fail "$3 has not $1 of $2"
}
later='mark:a name with blanks, ü and "quotes"'
between 1000 Before "mark:begin~$later"
between 3000 After "mark:begin~$later"
between 0 Before "~mark:begin"
between 0 After "$later~"
between 0 After "mark:turn~mark:turn"
gzip -c "$log" >"$work/packed"
between 3000 After "mark:begin~$later" "$work/packed"
between 3000 After "mark:begin~$later" - <"$log"
test "$("$proflog" heap list --format csv --time-range "mark:begin~$later" "$log" | grep -c '^[12],')" = 2 \
  || fail "two heap snapshots are between the marks"
marks=$("$proflog" report --reports=marks --format csv --time-range "$later~mark:turn" "$log" \
  | grep -c '^marks.names,1,.*,mark,')
test "$marks" = 1 || fail "a mark ends the range, and is not in it: $marks marks"
"$proflog" report --time-range 'mark:end~' "$log" >"$work/out" 2>"$work/err"
test $? = 3 || fail "a mark that is not there was found"
grep -q "no mark 'end'; there are 'begin', 'a name with blanks, ü and \"quotes\"', 'turn'" "$work/err" \
  || { cat "$work/err"; fail "the marks are not listed"; }
inside v1 alloc

# Where no one reads the log, the program goes on.
profiled "alloc,spool=$work,output=unix-listen:$work/socket" inside unread >"$work/out" 2>"$work/err"
status=$?
test "$status" = 0 || { cat "$work/err"; fail "with an output that nobody reads it ended with $status"; }

# An eventlog has markers, and no heap snapshots.
profiled "format=eventlog,output=$log" phases >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "phases"; }
test "$("$proflog" dump "$log" | grep -c 'user-marker.*\(loaded\|cleared\)')" = 2 \
  || fail "the eventlog does not have the marks"
rm -f "$log"

# Without the module, and with one that no one asked to record.
mono "$programs/inside.exe" absent >"$truth" 2>"$work/stderr" \
  || fail "without the module it was answered"
LD_LIBRARY_PATH=$module_dir mono "$programs/inside.exe" absent >"$truth" 2>"$work/stderr" \
  || fail "by a module that does not record it was answered"
rm -f "$programs/output.mlpd"

# From outside, too.
use_runtime_dir
compile_from=$top_builddir/tests/mono/programs
test -f "$compile_from/killed.exe" || { programs=$compile_from; compile killed; }
programs=$compile_from
head -c 4096 /dev/zero >"$work/counts"
LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:format=17,output=$log" "$programs/killed.exe" \
  "$work/counts" idle >/dev/null 2>&1 &
pid=$!
tries=0
until "$proflog" ctl "$pid" mark the third wave >"$work/reply" 2>&1; do # several words are one name
  tries=$((tries + 1))
  test "$tries" -lt 600 || { cat "$work/reply"; kill -9 "$pid"; fail "no mark from outside"; }
  sleep 0.1
done
"$proflog" ctl "$pid" mark 'START one thing' >"$work/reply" || fail "no mark with blanks"
sleep 0.2
"$proflog" ctl "$pid" mark STOP one thing >"$work/reply" || fail "no mark"
"$proflog" ctl "$pid" flush >"$work/reply" || fail "no flush"
kill -9 "$pid"
wait "$pid" 2>/dev/null
"$proflog" dump "$log" 2>/dev/null | grep -q 'Mark: the third wave' || fail "the mark is not in the log"
"$proflog" report --reports=marks --format csv "$log" 2>/dev/null >"$work/report"
awk -F, '$1 == "marks.intervals" && $12 == "one thing" && $2 >= 190000000 && $4 == 1 { found = 1 }
         END { exit !found }' "$work/report" || { cat "$work/report"; fail "no interval of 0.2 s"; }
rm -f "$log" "$log.spool"

# The example of the manual.
programs=$work/bin
mono "$programs/phases.exe" >"$work/out" || fail "the example failed without the module"
profiled "format=17,alloc,output=$log" phases >"$work/out" 2>"$work/err" \
  || { cat "$work/err"; fail "the example failed"; }
"$proflog" report "$log" >"$work/report" 2>&1 || fail "no report"
grep -q 'Mark: loaded' "$work/report" || { cat "$work/report"; fail "the report has no mark of the example"; }
echo "$checks figures agree"
