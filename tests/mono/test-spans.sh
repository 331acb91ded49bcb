#!/bin/sh
# Spans that a program begins and ends itself, on eight threads and across the thread pool: what the log has of each
# is what the program counted, and the costs of all spans and of the time outside are those of the program.
# PROFLOG_SPANS is how many are recorded as fast as it goes (1,000,000), PROFLOG_SPAN_KILLS how often it is killed.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/mono/agree.sh"
need python3 mprof-report
compile spans "$sources/../../managed/proflog.cs"
spans=${PROFLOG_SPANS:-1000000}
kills=${PROFLOG_SPAN_KILLS:-3}
export PROFLOG_MODULE_DIR="$module_dir"
recorded=$log

# expect_spans OPTIONS: the figures of the log, and the truth.
expect_spans ()
{
  record 0 "$1" spans
  for name in request query crossing; do
    expect "spans.names[$name].count" "$(printed "spans:$name")"
    expect "spans.names[$name].unfinished" 0
  done
  expect 'spans.names[crossing].across_threads' "$(printed spans:crossing)"
  expect 'spans.names[query].across_threads' 0
  expect spans.unfinished 0
  # All that is allocated in a query or a crossing is of the program; exceptions have objects of their own.
  expect 'spans.names[query].own_objects' "$(printed inside:query)"
  expect 'spans.names[crossing].own_objects' "$(printed inside:crossing)"
  expect 'spans.names[request].own_exceptions' "$(printed thrown:request)"
  for cost in objects bytes; do
    inside=0
    for name in request query crossing; do
      inside=$((inside + $(figure "spans.names[$name].own_$cost")))
    done
    test $((inside + $(figure "spans.outside_$cost"))) = "$(figure "allocations.$cost")" || fail "$1: the sum of $cost"
    checks=$((checks + 1))
  done
  test $(($(figure 'spans.names[request].own_exceptions') + $(figure spans.outside_exceptions))) \
    = "$(figure exceptions.throws)" || fail "$1: the sum of exceptions"
  python3 - "$work/report.json" <<'END_OF_SUM' || fail "$1: the sum of time"
import json, sys
report = json.load(open(sys.argv[1]))
inside = sum(row['own_ns'] for row in report['spans']['names'])
whole = sum(row['end_ns'] - row['start_ns'] for row in report['threads'])
difference = inside + report['spans']['outside_wall_ns'] - whole
print('in spans', inside, 'outside', report['spans']['outside_wall_ns'], 'all', whole, 'difference', difference)
sys.exit(abs(difference) > 1000000)
END_OF_SUM
}

expect_spans alloc,exception,monitor,gc,format=17
for class in Inside Within Across; do
  "$proflog" report --reports=allocations --format csv --limit 0 --span "$(
    case $class in Inside) echo request ;; Within) echo 'q*' ;; Across) echo crossing ;; esac)" "$log" >"$work/out" \
    || fail "--span for $class"
  objects=$(awk -F, -v name="Probe.$class" '$NF == name { print $2 }' "$work/out")
  test "$objects" = "$(printed "inside:$(
    case $class in Inside) echo request ;; Within) echo query ;; Across) echo crossing ;; esac)")" \
    || { cat "$work/out"; fail "--span: $objects of $class"; }
  checks=$((checks + 1))
done
"$proflog" report --reports=allocations --format csv --span 1000000 "$log" >"$work/out"
grep -q ',7,.*Probe.Across$' "$work/out" || { cat "$work/out"; fail '--span of an id'; }
"$proflog" report --reports=spans --format csv --span request --slowest 10% "$log" | grep -c '^spans.slowest.*,request$' >"$work/out"
test "$(cat "$work/out")" = 100 || fail '--slowest: the slowest of a tenth are a hundred rows at most'
"$proflog" report --span nothing "$log" >"$work/out" 2>&1 && fail 'a span that is not there'
grep -q "the log has no span 'nothing'; there are '" "$work/out" || fail 'no names'
"$proflog" report --slowest 1% "$log" >"$work/out" 2>&1 && fail '--slowest without --span'
"$proflog" export -f chrome -o "$work/trace.json" --force "$log" || fail 'export'
for name in request query crossing; do
  test "$(tr '{' '\n' <"$work/trace.json" | grep '"ph":"B"' | grep -c "\"name\":\"$name\"")" -ge "$(printed "spans:$name")" \
    || fail "slices of $name in the trace"
done
cp "$log" "$work/whole.mlpd"
"$proflog" anonymize --force -o "$work/hidden.mlpd" "$log" || fail anonymize
grep -qa crossing "$work/hidden.mlpd" && fail 'the name is not hidden'
test "$("$proflog" report --reports=spans --format csv "$work/hidden.mlpd" | grep -c '^spans.names,')" = 3 || fail 'hidden names'

# Readers that do not know spans.
mprof-report --verbose --reports=counters,thread "$log" >"$work/out" 2>&1 || fail 'mprof-report'
grep -qE 'Span: |99999[0-3]|99998[89]' "$work/out" && fail 'mprof-report shows spans'
if test -n "$managed_reader"; then
  compile_log_counts
  cp "$log" "$work/unpacked"
  read_managed
  checks=$((checks + 1))
fi

# Samples of the wall clock: processor time and waits.
expect_spans sample-real,alloc,exception,gc,counter
test "$(figure 'spans.names[request].own_wait_ns')" -gt 0 || fail 'no wait of a request, which sleeps'

# Nothing of it is seen where it is not recorded: no module, a module that records nothing, an older data version.
mono "$exe" 20 >"$work/plain" 2>"$work/err" || fail 'without the module'
test ! -s "$work/err" || fail "without the module: $(cat "$work/err")"
LD_LIBRARY_PATH=$module_dir mono "$exe" 20 >"$work/out" 2>"$work/err" || fail 'not recorded'
test ! -s "$work/err" && cmp -s "$work/plain" "$work/out" || fail "not recorded: $(cat "$work/err")"
rm -f "$log"
profiled "alloc,format=1,output=$log" spans 20 >"$work/out" 2>"$work/err" || fail 'data version 1'
test ! -s "$work/err" && cmp -s "$work/plain" "$work/out" || fail "data version 1: $(cat "$work/err")"

# As fast as it goes.
rm -f "$log"
profiled "gc,format=17,output=$log" spans fast "$spans" >"$work/out" || fail fast
cat "$work/out"
read_figures
expect spans.count "$spans"
test "$("$proflog" report --reports=spans --format csv "$log" | grep -c '^spans.slowest')" = 100 || fail 'slowest'

# Each span that ended is in the log of a program that is killed.
for i in $(seq "$kills"); do
  rm -f "$log" "$work/count"
  profiled "gc,format=17,output=$log" spans endless "$work/count" >"$work/out" 2>&1 &
  pid=$!
  sleep "0.$((i * 2 + 3))"
  child=$(pgrep -P "$pid" 2>/dev/null | head -n 1)
  kill -9 "${child:-$pid}" 2>/dev/null
  wait "$pid" 2>/dev/null
  ended=$(od -An -tu8 -N 8 "$work/count" | tr -d ' ')
  "$proflog" report --reports=spans --format json "$log" >"$work/report.json" 2>/dev/null || fail 'killed: report'
  "$json_paths" <"$work/report.json" >"$figures"
  counted=$(figure spans.count)
  test "$ended" -gt 0 || fail 'killed before the first span'
  test "$counted" -ge "$ended" && test "$counted" -le $((ended + 1)) || fail "killed: $counted of $ended spans"
  checks=$((checks + 1))
done

# A program that was started without the module.
rm -f "$log" "$work/count"
LD_LIBRARY_PATH=$module_dir mono "$exe" endless "$work/count" >"$work/out" 2>&1 &
pid=$!
sleep 0.5
"$proflog" attach "$pid" -o "$log" --force 2>"$work/err" || fail "attach: $(cat "$work/err")"
sleep 0.5
kill -9 "$pid"
wait "$pid" 2>/dev/null
test ! -s "$work/out" || fail "attach: $(cat "$work/out")"
"$proflog" report --reports=spans --format json "$log" >"$work/report.json" 2>/dev/null || fail 'attach: report'
"$json_paths" <"$work/report.json" >"$figures"
test "$(figure 'spans.names[endless].count')" -gt 0 || fail 'attach: no spans'
