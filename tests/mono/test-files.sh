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
begin "alloc,exception,calls,heapshot=ondemand,gcroot,rotate=1M,format=17"
for round in 1 2 3 4; do
  step "keep 2000"
  ctl 0 heapshot
  step "count 15000"
  sleep 0.1 # growth of less than 250 ms is no trend
done
end_steps
cp "$work/out" "$truth"
number=$(ls "$work"/log.*.mlpd | wc -l)
with_shots=$(for file in "$work"/log.*.mlpd; do "$proflog" heap list "$file" -q 2>/dev/null | grep -c '^ *1 '; done \
  | grep -c 1)
test "$number" -ge 5 && test "$with_shots" -ge 3 || fail "$number files, $with_shots with heap snapshots"

read_all
items=$(printed objects:Probe.Item)
expect "allocations.types[Probe.Item].objects" "$items"
expect "exceptions.types[Probe.Trouble].throws" "$(printed throws:Probe.Trouble)"
expect "calls.methods[Probe.Control:Work (Probe.Item)].calls" "$(printed 'calls:Probe.Control:Work (Probe.Item)')"
expect "calls.methods[Probe.Control:Loop (object)].calls" 3
for shot in 1 2 3 4; do
  expect "heapshots[$shot].index" "$shot"
  expect "heapshots[$shot].types[Probe.Kept].objects" $((shot * 2000))
done
kept=$(printed kept)
expect "heapshots[4].types[Probe.Kept].objects" "$kept"

# Each file has its own collections.
collections=0
joined=$(figure gc.collections) joined_figures=$(cat "$figures")
for file in "$work"/log.*.mlpd; do
  "$proflog" report --format json "$file" | "$json_paths" >"$figures"
  collections=$((collections + $(figure gc.collections)))
done
test "$joined" -gt 0 && test "$joined" = "$collections" || fail "$joined collections, $collections in the files"

# The sentences of leaks name what was kept, in the snapshots of all files.
"$proflog" heap leaks "$work"/log.*.mlpd --exit-code >"$work/printed" 2>"$work/err"
test $? = 1 && test ! -s "$work/err" || { cat "$work/err" "$work/printed"; fail "no suspect"; }
# A stack may hold the array, too, and stacks are scanned conservatively.
grep -q 'of Probe.Kept accumulate below \(Probe.Control\.[a-z]*:\|Thread Stack of \)' "$work/printed" || { cat "$work/printed"; fail "leaks"; }
grep -q "there were 2000 in snapshot 1 .* and there are $kept in snapshot 4" "$work/printed" || { cat "$work/printed"; fail "shots"; }
"$proflog" heap diff "$work"/log.*.mlpd 1 4 --filter '^Probe.Kept$' --format json | "$json_paths" >"$figures"
expect 'types[Probe.Kept].new_objects' 6000
"$proflog" check "$work"/log.*.mlpd >"$work/printed" || { cat "$work/printed"; fail "check"; }

# Compressed, and in another order.
for file in "$work"/log.*.mlpd; do
  gzip -c "$file" >"$work/zip.${file#"$work"/log.}.gz"
done
"$proflog" report --format json $(ls -r "$work"/zip.*) 2>&1 | "$json_paths" >"$work/zipped" || fail "compressed files"
echo "$joined_figures" >"$work/joined"
for file in zipped joined; do
  grep -v -e '^log\.name' -e '^findings\[.*command' "$work/$file" >"$work/$file.figures"
done
cmp "$work/zipped.figures" "$work/joined.figures" || fail "other figures of compressed files"

# A file is missing, and another is cut.
mv "$work/log.0003.mlpd" "$work/elsewhere"
head -c -1000 "$work/log.0002.mlpd" >"$work/cut" && mv "$work/cut" "$work/log.0002.mlpd"
"$proflog" report --format json --strict "$work"/log.*.mlpd >"$work/report.json" 2>"$work/err"
test $? = 4 || fail "a missing file is no damage"
grep -q 'log\.0002\.mlpd is cut: ' "$work/err" || { cat "$work/err"; fail "a cut file"; }
grep -q 'log\.0003\.mlpd is missing' "$work/err" || { cat "$work/err"; fail "a missing file"; }
"$json_paths" <"$work/report.json" | grep -q '^damage\.messages.*log\.0003\.mlpd is missing' || fail "no message in JSON"
lost=$("$proflog" dump --filter Probe.Item "$work/elsewhere" 2>/dev/null | grep -c ' alloc ')
"$json_paths" <"$work/report.json" >"$figures"
left=$(figure "allocations.types[Probe.Item].objects")
test "$left" -le $((items - lost)) && test "$left" -gt $((items - lost - 1000)) \
  || fail "$left objects without $lost of $items"

# Counters change by differences, and each file begins with what they had come to before.
compile counters
rm -f "$work"/log.*
profiled "counter,rotate=1s,output=$log" counters 9 >"$truth" || fail "counters ended with $?"
test -f "$work/log.0003.mlpd" || fail "no third file with counters"
read_all
expect 'counters[Minor GC collections].last' "$(printed minor)"

# Killed: the last file goes on in its spool.
rm -f "$work"/log.*
begin "alloc,rotate=1M"
step "count 40000"
step print
cp "$work/out" "$truth"
kill_program
test -f "$work/log.0003.mlpd" || fail "no third file"
"$proflog" report --format json "$work"/log.*.mlpd 2>"$work/err" | "$json_paths" >"$figures"
grep -q 'log\.[0-9]*\.mlpd.*spool' "$work/err" || { cat "$work/err"; fail "no word of the spool"; }
expect "allocations.types[Probe.Item].objects" "$(printed objects:Probe.Item)"
expect damage.skipped_bytes 0
echo "$checks figures agree"
