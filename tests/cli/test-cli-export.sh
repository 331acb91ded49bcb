#!/bin/sh
# proflog export: the formats of other viewers.  That these find in them what we do is tested in
# tests/peers.
. "${srcdir:-.}/tests/cli/lib.sh"

# Two objects: one of 24 bytes that refers to itself and to an array of 4096, and nothing else.
run 0 export --format heapsnapshot "$small"
cp out snapshot
says snapshot '"node_count":5,"edge_count":5'
says snapshot '"Small.Node"'
says snapshot '"System.Byte[]"'
says snapshot ',4096,'
run 0 export --format hprof --shot 1 "$small"
test "$(head -c 18 out)" = 'JAVA PROFILE 1.0.2' || fail 'no HPROF'
checks=$((checks + 1))
says out '[LSystem/Byte;'
run 0 export -f perfetto "$small" -o graph
grep -q -a 'Small.Node' graph || fail 'a class is missing'
checks=$((checks + 1))

# ---- code ----

# Each compiled method that `dump` lists, by address.
for dumped in "$small" "$logs/all-v01.mlpd" "$logs/all-v17.mlpd"; do
  run_into map 0 export --format perf-map "$dumped"
  "$proflog" dump --format json "$dumped" \
    | sed -n 's/.*"kind":"method-jit".*"code":"0x\([0-9a-f]*\)","size":\([0-9]*\),"name":"\([^"]*\)".*/\1 \2 \3/p' \
    | awk '$2 != 0 { start = $1; size = $2; sub (/^[^ ]* [^ ]* /, ""); printf "%s %x %s\n", start, size, $0 }' \
    | LC_ALL=C sort -u >dumped
  test -s dumped || fail "$dumped has no code"
  LC_ALL=C sort map | diff dumped - || fail "the map of $dumped is otherwise"
  LC_ALL=C sort -c map || fail "the map of $dumped is not in order"
  checks=$((checks + 1))
done
run 3 export --format perf-map "$logs/ghc-blocks.eventlog.gz"
says err 'only logs of Mono have compiled methods'

# ---- stacks ----

# stacks_of LOG OPTION...: the folded lines are in folded.  That speedscope has the same stacks, each with its
# weight, is checked: frames by number, the sum as end, the unit in unit.
stacks_of ()
{
  exported=$1
  shift
  run_into folded 0 export -q --format folded "$@" "$exported"
  run 0 export -q --format speedscope "$@" "$exported"
  "$json_paths" --places <out >figures || fail "speedscope of $exported is not JSON"
  awk -F '\t' '
    { split ($1, at, /[][]+/) }
    $1 ~ /^shared\.frames\[[0-9]+\]\.name$/ { name[at[2]] = $2 }
    $1 ~ /^profiles\[0\]\.samples\[[0-9]+\]\[[0-9]+\]$/ {
      if (!($2 in name)) bad = 1
      stack[at[4]] = (at[5] == 0 ? "" : stack[at[4]] ";") name[$2]
      stacks = at[4] + 1
    }
    $1 ~ /^profiles\[0\]\.weights\[[0-9]+\]$/ { weight[at[4]] = $2; sum += $2; weights = at[4] + 1 }
    $1 == "profiles[0].endValue" { end = $2 }
    $1 == "profiles[0].unit" { print $2 >"unit" }
    END {
      for (i = 0; i < stacks; i++) total[stack[i]] += weight[i] # of a time profile samples are in order
      for (s in total) printf "%s %d\n", s, total[s]
      if (bad || stacks != weights || sum != end) print "wrong:", bad, stacks, weights, sum, end
    }' figures | sort >listed
  sort folded >sorted
  same listed sorted
  sum=$(awk '!/^.+ [1-9][0-9]*$/ { print "not folded: " $0 } { sum += $NF } END { printf "%d\n", sum }' folded)
}

# sum_is LOG OPTION...: the sum is that of the report, in its unit: hits of running threads, or ns of work and of
# waiting, and of all nodes of the tree.
sum_is ()
{
  stacks_of "$@"
  shift
  run 0 report -q --format json --reports=cpu,tree "$@" "$exported"
  "$json_paths" --places <out | awk -F '\t' '
    { value[$1] = $2 }
    $1 ~ /^tree\.nodes\[[0-9]+\]\.self_ns$/ { nodes += $2 }
    END {
      if (value["tree.source"] == "calls") print nodes, "nanoseconds"
      else if (value["cpu.total_ns"] != 0) print value["cpu.total_ns"], "nanoseconds"
      else print value["cpu.running" in value ? "cpu.running" : "cpu.hits"], "none"
      work = value["cpu.total_ns"] + value["cpu.wait_ns"]
      if (value["cpu.source"] == "calls" && work != nodes) print "cpu has", work
    }' >expected
  echo "$sum $(cat unit)" >sum
  same sum expected
}

for mono in all-v10.mlpd all-v12.mlpd all-v13.mlpd all-v17.mlpd small.mlpd stock-calls.mlpd.gz stock-samples.mlpd.gz \
  module-calls.mlpd.gz; do
  sum_is "$logs/$mono"
done
sum_is "$logs/all-v17.mlpd" --source calls
for part in --thread=Main --time-range=30ms~31ms --thread='Worker*'; do
  sum_is "$logs/all-v17.mlpd" "$part"
done
sum_is "$logs/stock-samples.mlpd.gz" --time-range=0~100ms
test "$sum" -gt 20 -a "$sum" -lt 280 || fail "$sum of 299 hits in 100 of 300 ms"
sum_is "$logs/stock-calls.mlpd.gz" --time-range=0~40ms

# The samples of make-all.c: two with frames, two in native code without them.
stacks_of "$logs/all-v17.mlpd"
same_lines folded 'All.Program:Main (string[]);All.Program:Größe (int,int) 1' \
  'All.Program:Main (string[]);All.Program:Größe (int,int);All.Program:Leaf (int) 1' 'memcpy 1' '[unknown] 1'

# The stacks of the time profile, with GHC's own ticks (ghc-ticks.prof) of 1 ms.
stacks_of "$logs/ghc-ticks.eventlog.gz"
sort folded >sorted
same_lines sorted 'MAIN;other 14000000' 'MAIN;other;inner 28000000' 'MAIN;outer 15000000' \
  'MAIN;outer;inner 28000000'
same_lines unit nanoseconds
run 3 export -f folded --cap 7 "$logs/ghc-ticks.eventlog.gz"
says err 'it has no time profile of what is selected'
run 3 export -f folded "$logs/ghc-blocks.eventlog.gz" -o none
says err 'it has no time profile'
test ! -e none || fail 'a file without stacks'
run 3 export -f folded --thread 1 "$logs/ghc-ticks.eventlog.gz"
says err 'does not name threads'
run 3 export -f folded --source calls "$logs/ghc-ticks.eventlog.gz"
says err 'only logs of Mono have calls'
run 3 export -f hprof "$logs/ghc-ticks.eventlog.gz"
says err 'only logs of Mono have heap snapshots'
run 3 export -f speedscope "$logs/stock-alloc.mlpd.gz"
says err 'it has no samples and no recorded calls'
run 3 export -f folded --source samples "$small"
says err 'it has no samples;'
run 2 export -f folded --shot 1 "$small"
says err '--shot is for heap snapshots'
for option in --thread=1 --time-range=0~1s --cap=1; do
  run 2 export -f hprof "$option" "$small"
  says err 'are not for heap snapshots'
done
for format in hprof chrome; do
  run 2 export -f $format --source=calls "$small"
  says err '--source is for stacks'
done

# The samples of a time profile are in order: stacks follow each other as the events do, each for as long.
run 0 dump --format json --order time "$logs/ghc-ticks.eventlog.gz"
grep '"kind":"prof-sample-cost-centre"' out | sed 's/.*"stack":\(\[[0-9,]*\]\).*/\1/' | uniq -c |
  awk '{ if (!($2 in number)) number[$2] = ++n; print number[$2], $1 * 1000000 }' >wanted
run 0 export -q -f speedscope "$logs/ghc-ticks.eventlog.gz"
awk '/^"weights"/ { weights = 1 } /^\[/ { stack[++stacks] = $0; sub (/\].*/, "", stack[stacks]) }
  weights && /^[0-9]/ { sub (/[^0-9].*/, ""); weight[++w] = $0 }
  END { for (i = 1; i <= stacks; i++) { if (!(stack[i] in number)) number[stack[i]] = ++n; print number[stack[i]], weight[i] } }' out >found
same found wanted

# ---- traces ----

# What is in them is compared with reports in tests/peers; here that they are JSON, and the selection.
# events PHASE: how many of them are in out.
events ()
{
  "$json_paths" --places <out >figures || fail "the trace is not JSON"
  grep -c "^traceEvents\[[0-9]*\]\.ph	$1\$" figures
}

run 0 export -f chrome "$logs/all-v17.mlpd"
test "$(events B) $(events E) $(events i) $(events C)" = '18 18 8 17' || fail 'events of all-v17'
says out '"name":"All.Program:Größe (int,int)"'
says out '{"name":"Worker, no. 1: waits for locks"}'
run 0 export -f chrome --thread='Worker*' "$logs/all-v17.mlpd"
test "$(events B) $(events i)" = '2 2' || fail 'events of a thread'
run 0 export -f chrome --time-range=1000s~ "$logs/all-v17.mlpd"
says err 'nothing was selected: none of '
test "$(events B)" = 0 || fail 'events of another time'
run 0 export -f chrome "$logs/all-v17.mlpd" "$logs/ghc-blocks-N2.eventlog.gz" "$logs/all-v17.mlpd"
test "$(sed -n 's/.*"pid":\([0-9]*\),"name":"process_name".*/\1/p' out | sort -u | wc -l)" = 3 || fail 'processes'
run 0 export -f chrome - <"$logs/all-v17.mlpd"
says out '{"name":"standard input"}'
{ head -c 8 "$small"; head -c 8 /dev/zero; tail -c +17 "$small"; } >clockless.mlpd
run 3 export -f chrome clockless.mlpd "$small"
says err 'it has no time of day, which several logs in one trace need'
# With a heap snapshot, from a pipe, too; without one, and of an eventlog.
run 0 export -f perfetto "$logs/all-v17.mlpd" -o perfetto
cat "$logs/all-v17.mlpd" | run 0 export -f perfetto -
cmp -s out perfetto || test "$(wc -c <out)" -gt "$(wc -c <perfetto)" || fail 'perfetto from a pipe'
run 0 export -f perfetto --shot 1 "$logs/all-v17.mlpd"
run 3 export -f perfetto --shot 9 "$logs/all-v17.mlpd"
says err 'it has no heap snapshot 9'
run 2 export -f perfetto --shot 1 "$logs/all-v17.mlpd" "$small"
run 0 export -f perfetto "$logs/stock-calls.mlpd.gz"
run 0 export -f perfetto "$logs/small.eventlog"
head -c 2000 "$logs/all-v17.mlpd" >cut.mlpd
run 0 export -f chrome cut.mlpd
says err 'warning'
events B >/dev/null

# ---- formats ----

run 0 export --list
test "$(head -n 12 out | cut -d ' ' -f 1 | tr '\n' ' ')" = 'folded speedscope callgrind pprof otlp otlp-metrics chrome firefox heaptrack heapsnapshot hprof perfetto ' \
  && test "$(tail -n 1 out | cut -d ' ' -f 1)" = parquet \
  || fail 'the list'
test "$(awk 'length > 80' out)" = '' || fail 'long lines'
run 0 export --list -o list
run 0 export --list
same list out
run 2 export "$small"
says err 'there are folded, speedscope, callgrind, pprof, otlp, otlp-metrics, chrome, firefox, heaptrack, heapsnapshot, hprof'
run 2 export --format svg "$small"
says err '--format svg'
run 2 export --format hprof --shot 0 "$small"
says err '--shot 0'
run 3 export --format hprof --shot 2 "$small" -o none
says err 'it has no heap snapshot 2'
test ! -e none || fail 'a file without a shot'
# A node of 24 bytes with two references is an array, whose head has 24 already.
run 0 export --format hprof "$small" -o sizes
same_lines err "proflog export: $small: 1 object has another size in the output, as the format cannot express its own"
run 0 export -q --format hprof "$small" -o sizes2
quiet err
run 3 export --format hprof "$small" -o graph
says err 'graph'
run 2 export --format hprof "$small" "$small"
says err 'one log at a time, but 2 are given'
# Columns of the Firefox Profiler are lists without a comma too many.
for log in "$logs/stock-samples.mlpd.gz" "$logs/stock-calls.mlpd.gz"; do
  run 0 export --format firefox "$log" -o firefox.json
  "$json_paths" <firefox.json >paths || fail "the profile of ${log##*/} is not JSON"
  grep -q '^threads.*samples[.]time' paths || fail "the profile of ${log##*/} has no samples"
  rm firefox.json
done
# A thread of an eventlog has one name, its label, also before the label comes.
for name in ghc-blocks ghc-collect-N2; do
  run 0 dump -q "$logs/$name.eventlog.gz"
  sed -n 's/.* thread-label thread=\([0-9]*\) label="\(.*\)"$/Thread \1 \2/p' out | sort -u >labels
  run 0 export -q --format chrome "$logs/$name.eventlog.gz"
  sed -n 's/^{"ph":"B",.*"name":"\(Thread [^"]*\)".*/\1/p' out | sort -u >names
  test -s labels && test -s names || fail "$name: no names"
  while read -r label; do
    number=$(echo "$label" | cut -d ' ' -f 1,2)
    ! grep -x "$number" names || fail "$name: $label has no label at first"
    checks=$((checks + 1))
  done <labels
  grep -q -x -F -f labels names || fail "$name: no slice has a label"
done
# The name of the output has the format, too.
log=$logs/stock-calls.mlpd.gz
while read -r name format; do
  run 0 export -q "$log" -o "$name"
  run 0 export -q --format "$format" "$log" -o - >/dev/null
  same out "$name"
done <<'END'
a.speedscope.json speedscope
a.folded folded
a.pb pprof
a.chrome.json chrome
END
run 2 export "$log" -o a.json
says err '--format is needed, or -o FILE.FORMAT'
run 2 export --format dot "$log"
says err 'proflog heap paths --dot'

# What viewers take long for is said before it is all written; a sanitizer finds nothing in so many bytes more.
if test "${SANITIZER:-no}" = no; then
  set -- "$logs/module-calls.mlpd.gz"
  while test $# -lt 1024; do
    set -- "$@" "$@"
  done
  run_into /dev/null 0 export -f chrome "$@"
  says err 'the output has 200.0 MB; --min-time, --time-range or --thread makes it smaller'
  test "$(wc -l <err)" = 1 || fail "it is said again"
  run_into /dev/null 0 export -q -f chrome "$@"
  quiet err
fi

# Of slices that end, those of that time at least, in all formats that have any.
run 0 export -q -f chrome "$log"
awk -F '[:,}"]+' '
  /"ph":"B"/ { tid = $7; ts = $9; at = ++depth[tid]; begin[tid, at] = ts; line[tid, at] = $0 }
  /"ph":"E"/ {
    tid = $7; at = depth[tid]--
    if ($9 - begin[tid, at] < 99.9995) short++; else { print line[tid, at]; print }
  }
  END { for (tid in depth) while (depth[tid] > 0) print line[tid, depth[tid]--]; print short >"short" }' out \
  | sed 's/,$//' | sort >wanted
test "$(cat short)" -gt 100 -a "$(grep -c '"ph":"B"' wanted)" -gt 10 || fail "the log has no calls of both kinds"
run 0 export -f chrome --min-time 100us "$log"
same_lines err "proflog export: $(cat short) slices shorter than 100 us are left out"
grep -e '"ph":"B"' -e '"ph":"E"' out | sed 's/,$//' | sort >found
same wanted found
run 0 export -q -f chrome --min-time 100us "$log"
quiet err
for format in firefox perfetto; do
  run 0 export -f $format --min-time 100us "$log" -o less.$format
  says err "$(cat short) slices shorter than 100 us"
  run 0 export -f $format "$log" -o all.$format
  test "$(wc -c <less.$format)" -lt "$(wc -c <all.$format)" || fail "$format with all slices"
done
for format in folded heaptrack hprof parquet; do
  run 2 export -f $format --min-time 1ms "$log" -o none
  says err "--min-time is for slices of traces, and --format $format writes none"
done

# Tables, by the program of `query`.
run 2 export --format parquet "$log"
says err '-o DIR is needed'
run 2 export --format parquet --thread 1 "$log" -o lake
says err 'is for whole logs'
run 2 export --format folded --layout hive "$log"
says err '--layout is for tables'
run 2 export --format parquet --layout flat "$log" -o lake
if test -x "$top_builddir/proflog-query" && has python3; then
  gzip -dc "$log" >calls.mlpd
  mkdir rotated
  python3 "$tests/cli/split-log.py" calls.mlpd rotated/app 3 || fail "cannot split"
  cp "$logs/ghc-ticks.eventlog.gz" rotated
  log=$logs/stock-alloc.mlpd.gz
  run 0 query --parquet asked "$log" rotated
  run 0 export --format parquet --layout hive "$log" rotated -o lake
  diff -r asked lake >out || fail "other tables"
  run 0 export -f parquet -o again -- "$log" rotated
  diff -r asked again >out || fail "other tables without a layout"
  test "$(find lake -name '*.parquet' | wc -l)" -ge 20 || fail "few tables"
  find lake -path '*kind=calls_methods/date=*' -name 'app.\*.mlpd.parquet' >out
  test -s out || fail "files of one log are several"
  run 3 export --format parquet -o none nothing.mlpd
fi
# What a large trace becomes is told when it has 200 MB: of a log whose last buffer begins first, as of a thread that writes
# little.
cat >large.py <<'END'
import sys
sys.path.insert (0, sys.argv[1])
from mlpd_writer import Buffer, header, text, uleb
BASE, CALLS, BUFFERS = 0x10000, 20000, 125
names = Buffer (0, BASE, BASE, 0, BASE)
names.put (0x43, 2, names.at_method (BASE), names.address (BASE), uleb (64), text ('App.Program:Run ()'))
calls = Buffer (0, BASE, BASE, 0, BASE)
for i in range (CALLS):
    calls.put (0x23, 4 * i + 2, calls.at_method (BASE))
    calls.put (0x13, 4 * i + 4, calls.at_method (BASE))
with open (sys.argv[2], 'wb') as out:
    out.write (header (8, 'proflog:calls', 'x86-64', 'linux') + names.bytes ())
    for i in range (BUFFERS):
        calls.header = (4 * CALLS * i,) + calls.header[1:]
        out.write (calls.bytes ())
    late = Buffer (1, BASE + 64, BASE, 0, BASE)
    late.put (0x23, 3, late.at_method (BASE))
    late.put (0x13, 4 * CALLS * BUFFERS, late.at_method (BASE))
    out.write (late.bytes ())
END
PYTHONDONTWRITEBYTECODE=1 python3 large.py "$tests/cli" large.mlpd || fail 'no log'
"$proflog" export -f chrome large.mlpd 2>err | wc -c >bytes
guess=$(sed -n 's/.* becomes some \([0-9]*\)\.[0-9] MB;.*/\1/p' err)
megabytes=$(($(cat bytes) / 1000000))
test "${guess:-0}" -ge $((megabytes * 95 / 100)) || fail "of $megabytes MB: $(cat err)"
test "$guess" -le $((megabytes * 105 / 100)) || fail "of $megabytes MB: $(cat err)"
checks=$((checks + 2))
done_checks
