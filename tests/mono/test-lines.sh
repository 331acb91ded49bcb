#!/bin/sh
# proflog run --lines: samples have the source lines of their frames, in proportion to the processor time that
# the program's own clock gives for each line; readers that do not know lines find the same hits.
. "${srcdir:-.}/tests/mono/lib.sh"

source=$sources/programs/lines.cs
mcs -debug -nologo -out:"$work/lines.exe" "$source" >"$work/out" 2>&1 || fail "lines.cs does not compile"

# line_of MARK: where the source has it.
line_of ()
{
  grep -n "// $1\$" "$source" | cut -d : -f 1
}

# rows OPTION...: "hits total line name" of the lines of the source, by a report.
rows ()
{
  "$proflog" report --lines --format csv --fields hits,total,file,line,name "$@" "$log" >"$work/lines.csv" \
    || fail "report --lines $* ended with $?"
  tr -d '\r' <"$work/lines.csv" | awk -F , '
    NR > 1 && $3 ~ /(^|\/)lines\.cs$/ { print $1, $2, $4, $5 }' >"$work/rows"
}

# figure_of COLUMN LINE
figure_of ()
{
  awk -v column="$1" -v line="$2" '$3 == line { sum += $column } END { print sum + 0 }' "$work/rows"
}

"$proflog" run --lines --sample=250 -o "$log" mono "$work/lines.exe" 40000000 >"$truth" 2>"$work/err" \
  || fail "the program failed"
read_figures
hits=$(figure cpu.hits)
interval=$(figure cpu.interval_ns)
test "$hits" -gt 100 || fail "$hits hits"
rows
for name in first second sort; do
  line=$(line_of "hot $name")
  used=$(awk -F '\t' -v name="$name" '$2 == name { print $3 }' "$truth")
  sampled=$(($(figure_of 1 "$line") * interval))
  echo "line $line: $sampled ns sampled, $used ns by the clock"
  # Of short parts, a few hits more or less count.
  awk -v a="$sampled" -v b="$used" -v one="$interval" '
    BEGIN { d = a - b; if (d < 0) d = -d; exit d > 0.1 * b + 6 * one }' \
    || { cat "$work/rows"; fail "the hits of line $line are not its time"; }
done

# The line of a caller has hardly any hits of its own (the callee is compiled there), but the total of what it
# called.
line=$(line_of 'calls Two')
test "$(figure_of 1 "$line")" -le 6 || fail "a call has hits"
both=$(($(figure_of 1 "$(line_of 'hot first')") + $(figure_of 1 "$(line_of 'hot second')")))
test "$(figure_of 2 "$line")" -ge "$both" || fail "the total of a call is not that of its lines"
grep -q 'Probe.Lines:Two' "$work/rows" || fail "the lines have no methods"

# A part of the log has the lines of its hits: none of the finalizer's thread is in the program.
rows --thread=Main
test "$(figure_of 1 "$(line_of 'hot first')")" -gt 0 || fail "the main thread has no lines"
rows --thread=Finalizer 2>/dev/null
test "$(figure_of 1 "$(line_of 'hot first')")" = 0 || fail "the finalizer's thread has lines"

# Nothing is damaged for others, and nothing takes the lines for a counter.
"$proflog" check --strict "$log" >"$work/out" || fail "proflog check ended with $?"
test "$(figure 'counters.counters[999997].values')" = 0 || fail "the lines are a counter"
if has mprof-report; then
  mprof-report --reports=sample "$log" >"$work/judged" 2>&1 || fail "mprof-report ended with $?"
  judged=$(awk '/Unmanaged hits:|Managed hits:/ { sum += $3 } END { print sum }' "$work/judged")
  test "$judged" = "$hits" || { cat "$work/judged"; fail "mprof-report has $judged hits, not $hits"; }
fi

# Without --lines, and of a program without debug information, there are none.
rm -f "$log"
"$proflog" run --sample=250 -o "$log" mono "$work/lines.exe" 10000000 >"$truth" 2>"$work/err" || fail "the program failed"
rows
test ! -s "$work/rows" || fail "there are lines that nobody requested"
rm -f "$log" "$work"/lines.*db
"$proflog" run --lines --sample=250 -o "$log" mono "$work/lines.exe" 10000000 >"$truth" 2>"$work/err" || fail "the program failed"
rows
test ! -s "$work/rows" || fail "there are lines without debug information"
"$proflog" report --lines "$log" 2>"$work/err" | grep -q "^Nothing in the log of: Lines (.*'proflog run --lines', of 'mcs -debug')$" \
  || fail "nothing names what gives lines"

# Where the options stand in the environment, too.
mcs -debug -nologo -out:"$work/lines.exe" "$source" >"$work/out" 2>&1 || fail "lines.cs does not compile"
"$proflog" run --lines --children -o "$work/child.%p.mlpd" mono "$work/lines.exe" 10000000 >"$truth" 2>"$work/err" \
  || fail "the program failed"
mv "$work"/child.*.mlpd "$log"
rows
test "$(figure_of 1 "$(line_of 'hot first')")" -gt 0 || fail "no lines with --children"
