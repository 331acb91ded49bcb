#!/bin/sh
# proflog flame: the costs of stacks are those of reports; the page and the picture are whole, and nothing in
# a name is markup or a script.
. "${srcdir:-.}/tests/cli/lib.sh"

# sums_to EXPECTED LOG OPTION...
sums_to ()
{
  expected=$1
  shift
  run 0 flame -q --format folded "$@"
  sum=$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' out)
  test "$sum" = "$expected" || fail "$*: $sum, and the report has $expected"
  checks=$((checks + 1))
}

# figure SECTION PATH LOG OPTION...: of the report.
figure ()
{
  section=$1 path=$2
  shift 2
  "$proflog" report -q --format json --reports="$section" "$@" | "$json_paths" \
    | awk -F '\t' -v path="$path" '$1 == path { print $2 }'
}

# ---- costs ----

for log in module-calls stock-calls; do
  log=$logs/$log.mlpd.gz
  sums_to "$(figure calls calls.total "$log")" --cost calls "$log"
  nodes=$("$proflog" report -q --format json --reports=tree --limit 0 "$log" | "$json_paths" --places \
    | awk -F '\t' '$1 ~ /^tree\.nodes\[[0-9]+\]\.self_ns$/ { sum += $2 } END { printf "%.0f\n", sum }')
  sums_to "$nodes" --cost self "$log"
  sums_to "$nodes" "$log"
done
for log in module-alloc stock-alloc; do
  log=$logs/$log.mlpd.gz
  sums_to "$(figure alloc allocations.bytes "$log")" --cost alloc "$log"
done
log=$logs/stock-samples.mlpd.gz
sums_to "$(figure cpu cpu.hits "$log")" --cost time "$log"
sums_to "$(figure cpu cpu.hits "$log" --time-range=0~100ms)" --time-range=0~100ms "$log"
run 0 export -q --format folded "$logs/ghc-ticks.eventlog.gz"
cp out expected
run 0 flame -q -f folded "$logs/ghc-ticks.eventlog.gz"
same out expected

sums_to "$(figure monitors monitors.wait_total_ns "$logs/stock-monitors.mlpd.gz")" --cost lock "$logs/stock-monitors.mlpd.gz"
# The counts of the log's program.
sums_to "$(awk '$1 == "count:exception-throw" { print $2 }' "$logs/stock-exceptions.counts")" \
  --cost exception "$logs/stock-exceptions.mlpd.gz"
# The innermost frame is the type, which the log of the module states.
run 0 flame -q -f folded --cost exception "$logs/all-v17.mlpd"
same out - <<'END'
All.Program:Main (string[]);All.Program:Größe (int,int);All.Error 1
All.Error 1
END
run 0 flame -q -f folded --cost lock "$logs/all-v17.mlpd"
grep -q '^All.Program:Main (string\[\]);(type not in the log) 5001000$' out || fail "the wait of the main thread: $(cat out)"

# The type is the innermost frame, and the thread's first method the outermost.
run 0 flame -q -f folded --cost alloc "$logs/stock-alloc.mlpd.gz"
grep -q '^(wrapper runtime-invoke).*;Probe\.Alloc:Work ();.*;Probe\.Node [0-9]*$' out \
  || grep -q 'Probe\.Alloc:Work ().*;Probe\.Node [0-9]*$' out || fail "the stacks of Probe.Node: $(grep Node out | head -n 3)"

# What a log lacks is named with what records it.
run 3 flame --cost time "$logs/module-calls.mlpd.gz" -o none.html
says err "it has no samples; 'proflog run' takes one for each 10 ms of processor time"
run 3 flame --cost self "$logs/stock-alloc.mlpd.gz" -o none.html
says err "'proflog run --calls' records them"
run 3 flame --cost alloc "$logs/module-calls.mlpd.gz" -o none.html
says err "'proflog run --allocs' records them"
run 3 flame --cost lock "$logs/stock-alloc.mlpd.gz" -o none.html
says err "it has no waits for monitors: there were none, or they were not recorded"
for cost in live peak temporary; do
  run 3 flame --cost $cost "$logs/module-calls.mlpd.gz" -o none.html
  says err "it has no allocations; 'proflog run --allocs' records them"
done
run 3 flame --cost live "$logs/ghc-ticks.eventlog.gz" -o none.html
says err 'it has no sample of a heap profile'
# Each object is live or died, so no more live than were allocated.
for log in module-alloc stock-alloc; do
  all=$("$proflog" flame -q -f folded --cost alloc "$logs/$log.mlpd.gz" | awk '{ sum += $NF } END { print sum }')
  live=$("$proflog" flame -q -f folded --cost live "$logs/$log.mlpd.gz" | awk '{ sum += $NF } END { print sum }')
  test "$live" -gt 0 -a "$live" -le "$all" || fail "$log: $live of $all bytes live"
done
run 3 flame --cost exception "$logs/stock-alloc.mlpd.gz" -o none.html
says err "it has no exceptions: there were none, or they were not recorded"
run 3 flame --cost lock "$logs/ghc-ticks.eventlog.gz" -o none.html
says err 'only logs of Mono'
run 3 flame --cost alloc "$logs/ghc-ticks.eventlog.gz" -o none.html
says err 'only logs of Mono'
test ! -e none.html || fail "a page without stacks"
run 3 flame --cost leak "$logs/stock-alloc.mlpd.gz"
says err "it has no heap snapshot; 'proflog run --heapshot' records them"
run 3 flame --cost alloc --time-range 1h~2h "$logs/stock-alloc.mlpd.gz"
says err 'what is selected has no allocations'
run 2 flame --cost heat "$small"
says err 'there are time, wall, calls, self, alloc'
run 2 flame --format png "$small"
says err 'there are html, svg'

run 2 flame "$small" "$small" -o none.html
says err 'of one log, but 2 are given'

# ---- the page ----

run 0 flame --cost calls "$logs/module-calls.mlpd.gz" -o page.html
test "$(grep -c '<script' page.html)" = 3 && test "$(grep -o '</script>' page.html | wc -l)" = 3 || fail "scripts"
says page.html "default-src 'none'; script-src 'sha256-"
! grep -E 'https?://' page.html | grep -v -F 'http://www.w3.org/2000/svg' || fail "the page names an address"
sed -n '/^<script type="application\/json"/,/^<\/script>/p' page.html | sed '1d; $d' | "$json_paths" --places >data \
  || fail "its data are not JSON"
selves=$(awk -F '\t' '$1 ~ /^selves\[/ { sum += $2 } END { printf "%.0f\n", sum }' data)
test "$selves" = "$(figure calls calls.total "$logs/module-calls.mlpd.gz")" || fail "the page has $selves calls"

# A name that would be markup.
run 0 flame --cost calls "$logs/all-v17.mlpd" --force -o page.html
grep -q 'All.Program:Late&lt;T&gt;' page.html || fail "no name with brackets"
grep -q 'All.Program:Late\\u003cT>' page.html || fail "no name with brackets in the data"
! grep -q 'Late<T>' page.html || fail "a name is markup"

# ---- the picture ----

run 0 flame "$logs/module-calls.mlpd.gz" -o picture.svg
test "$(head -c 5 picture.svg)" = '<?xml' || fail "no picture"
test "$(grep -c '^<g><title>.*</title><rect .*/>.*</g>$' picture.svg)" = "$(grep -c '<g>' picture.svg)" || fail "lines"
# The whole is all of the time.
total=$("$proflog" flame -q -f folded "$logs/module-calls.mlpd.gz" | awk '{ sum += $NF } END { printf "%.1f ms", sum / 1e6 }')
grep -q "^<g><title>all ($total, 100.0 %)</title><rect x=\"0.00\" y=\"0\" width=\"1199.40\"" picture.svg \
  || fail "the whole is not $total: $(grep -m 1 '<g>' picture.svg)"
run 0 flame --format svg "$logs/module-calls.mlpd.gz"
same out picture.svg
# Its heading states the log, the cost, the sum and the selection; a name that is cut ends with an ellipsis.
says picture.svg ">module-calls.mlpd.gz: Time of calls without callees, $total</text>"
says picture.svg "<title>module-calls.mlpd.gz: Time of calls without callees, $total</title>"
run 0 flame --format svg --time-range=0~50% "$logs/module-calls.mlpd.gz"
heading=$(sed -n 's/^<title>[^;]*\(;.*\)<.title>.*/\1/p' out)
test -n "$heading" || fail "no selection in the heading"
run 0 flame --format svg --by-thread --time-range=0~50% "$logs/module-calls.mlpd.gz"
test "$(sed -n 's/^<title>[^;]*\(;.*\)<.title>.*/\1/p' out)" = "$heading" || fail "by thread the heading is without $heading"
cut=$(printf '\342\200\246')
grep -q "<text[^>]*>[^<]*$cut</text>" picture.svg || fail "no name is cut"
sed -n 's/^<g><title>\(.*\) ([^(]*)<.title>.*<text[^>]*>\(.*\)<.text>.*/\1\t\2/p' picture.svg \
  | awk -F '\t' -v cut="$cut" '{ part = $2; n += sub (cut "$", "", part) == 0 && $1 != part || index ($1, part) != 1 }
      END { exit n != 0 }' || fail "a label is neither a name nor the beginning of one with an ellipsis"
run 0 flame --format svg --time-range 10%~90% --thread "*" "$logs/module-calls.mlpd.gz"
says out '; --time-range 10%~90% --thread *</text>'

# ---- two logs ----

# The earlier one is an input, too.
cp "$logs/stock-calls.mlpd.gz" earlier.gz
run 2 flame --diff earlier.gz "$logs/module-calls.mlpd.gz" -f html -o ./earlier.gz --force
says err 'cannot be the output'
same earlier.gz "$logs/stock-calls.mlpd.gz"

# Both columns are those of the logs by themselves, as difffolded has them: the earlier log first.
one=$logs/stock-calls.mlpd.gz two=$logs/module-calls.mlpd.gz
for log in one two; do
  eval "path=\$$log"
  "$proflog" flame -q --cost calls -f folded "$path" | sort >"$log.folded"
done
run 0 flame --cost calls -f folded --diff "$one" "$two"
awk '{ n = $(NF - 1); NF -= 2; if (n) print $0, n }' out | sort >column; same column one.folded
awk '{ n = $NF; NF -= 2; if (n) print $0, n }' out | sort >column; same column two.folded
# Itself has not changed.
run 0 flame --cost calls -f folded --diff "$two" "$two"
test -z "$(awk '$NF != $(NF - 1)' out)" || fail "a log differs from itself"
run 0 flame --cost calls --diff "$two" "$two" -f svg
test "$(grep -c '<g>' out)" = "$(grep -c ', =)</title>' out)" || fail "a change of a log to itself"
says out '>- less than before</text>'
says out ', before '
# Changes are not cut.
run 0 flame --cost calls --diff "$one" "$two" -f svg
sed -n 's/.*<text[^>]*>\([+-][^<]*\)<.text>.*/\1/p' out | grep -v -E '^[+-] (more|less) than' >changes
test -s changes || fail "no changes"
! grep -v -E '^[+-][0-9.]+ ?%( |$)' changes || fail "a change is cut"

# The page has the data of both, the words and the legend.
before=$(awk '{ sum += $NF } END { print sum }' one.folded)
run 0 flame --cost calls --diff "$one" "$two" --force -o page.html
says page.html 'module-calls.mlpd.gz, compared with stock-calls.mlpd.gz'
says page.html 'new: not there before'
sed -n '/^<script type="application\/json"/,/^<\/script>/p' page.html | sed '1d; $d' | "$json_paths" --places >data
test "$(awk -F '\t' '$1 ~ /^before\[/ { sum += $2 } END { print sum }' data)" = "$before" || fail "the page has not $before before"

run 3 flame --cost calls --diff "$logs/stock-alloc.mlpd.gz" "$two" --force -o none.html
says err "stock-alloc.mlpd.gz: it has no recorded calls; 'proflog run --calls' records them"
run 3 flame --diff "$logs/ghc-ticks.eventlog.gz" "$logs/stock-samples.mlpd.gz" --force -o none.html
says err 'cannot be compared: Processor time of samples in hits, and Time of the time profile in ns'
# The last heap snapshot: all bytes that are reached, and below a class what its object retains.
log=$logs/stock-heapshot.mlpd.gz
"$proflog" heap dominators -q --format json --limit 0 "$log" | "$json_paths" --places >dominators || fail "no dominators"
"$proflog" flame -q --cost retained -f folded "$log" >retained || fail "no snapshot"
value () { awk -F '\t' -v path="$1" '$1 == path { print $2 }' dominators; }
reached=$(($(value shot.bytes) - $(value shot.unreachable_bytes)))
test "$(awk '{ sum += $NF } END { print sum }' retained)" = "$reached" || fail "the graph has not $reached bytes"
test "$(value 'nodes[0].type')" = Probe.Held || fail "another object retains most"
held=$(awk '/^\[static: Static Fields of Probe\.RootsOf\];Probe\.Held[; ]/ { sum += $NF } END { print sum }' retained)
test "$held" = "$(value 'nodes[0].retained_bytes')" || fail "Probe.Held has $held bytes, and retains $(value 'nodes[0].retained_bytes')"
run 3 flame --cost retained -f folded "$two"
says err "it has no heap snapshot; 'proflog run --heapshot' records them"
run 2 flame --cost retained --thread 1 -f folded "$log"

run 3 flame --diff "$work/nothing.mlpd" "$two" -o none.html
test ! -e none.html || fail "a page of a log that is not there"
# A name that ends in no format.
run 2 flame "$logs/all-v17.mlpd" -o picture.png
says err "no format is named 'png'"
test ! -e picture.png || fail 'picture.png was made'

# A terminal gets no page: it is in a file of the log's name.  Lines of text it gets.
if has script; then
  script -qec "'$proflog' flame '$logs/stock-calls.mlpd.gz'" /dev/null </dev/null >shown || fail 'no page at a terminal'
  says shown 'open stock-calls.html in a browser'
  grep -q '</html>' stock-calls.html || fail 'stock-calls.html is no page'
  script -qec "'$proflog' flame '$logs/stock-calls.mlpd.gz'" /dev/null </dev/null >shown && fail 'a page was replaced'
  says shown 'cannot write stock-calls.html: File exists'
  for try in 'flame --format svg:a picture to a terminal; use -o FILE.svg, or --format folded' \
    'export --format pprof:a file for other viewers (pprof) to a terminal; use -o FILE'; do
    script -qec "'$proflog' ${try%%:*} '$logs/stock-calls.mlpd.gz'" /dev/null </dev/null >shown && fail "$try: written"
    says shown "refusing to write ${try#*:}"
  done
  script -qec "'$proflog' flame --format folded '$logs/stock-calls.mlpd.gz'" /dev/null </dev/null >shown \
    || fail "no folded stacks"
  says shown 'Probe.Calls:Fib (int)'
fi
done_checks
