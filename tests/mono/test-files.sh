#!/bin/sh
# The files of one log (rotate=) are one log to every command: heap snapshots that were taken in different
# files are compared, sums are those that the program counted, and a missing file is named.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/mono/control-program.sh"

# read_all: the figures of the report over all files.
read_all ()
{
  "$proflog" report --format json "$work"/log.*.mlpd >"$work/report.json" 2>"$work/report.err" \
    || { cat "$work/report.err"; fail "proflog report failed"; }
  test ! -s "$work/report.err" || { cat "$work/report.err"; fail "proflog report complains"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "not one report in JSON"
}

# Each heap snapshot is in a file of its own.
rm -f "$work"/log.*
begin "alloc,exception,calls,heapshot=ondemand,gcroot,counter,rotate=1M,format=17"
for round in 1 2 3 4; do
  step "keep 2000"
  ctl 0 heapshot
  step "count 15000"
done
end_steps
cp "$work/out" "$truth"
number=$(ls "$work"/log.*.mlpd | wc -l)
with_shots=$(for file in "$work"/log.*.mlpd; do "$proflog" heap list "$file" -q 2>/dev/null | grep -c '^ *1 '; done \
  | grep -c 1)
test "$number" -ge 5 && test "$with_shots" -ge 3 || fail "$number files, $with_shots with heap snapshots"
read_all
expect "allocations.types[Probe.Item].objects" "$(told objects:Probe.Item)"
expect "exceptions.types[Probe.Trouble].throws" "$(told throws:Probe.Trouble)"
cat "$figures" | grep -i "exceptions\|heapshots\[\|Probe" | head -50
"$proflog" heap list "$work"/log.*.mlpd
"$proflog" heap leaks "$work"/log.*.mlpd
"$proflog" report "$work"/log.*.mlpd | head -80
