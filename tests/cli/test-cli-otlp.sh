#!/bin/sh
# Files of OpenTelemetry, decoded by protoc with the published numbers of fields: times, threads and stacks of samples,
# and metrics of the runtime, are those of the log's construction and of the report.
. "${srcdir:-.}/tests/cli/lib.sh"
need protoc python3
day=$top_builddir/tests/logs/make-day

# decode FILE MESSAGE WHAT: as lines, in order.
decode ()
{
  protoc --decode="otlp.$2" -I "$tests/cli" "$tests/cli/otlp.proto" <"$1" >text 2>protoc.err || fail "protoc: $(cat protoc.err)"
  python3 "$tests/cli/read-otlp.py" "$3" <text >unsorted || fail "$1 is not of the protocol"
  LC_ALL=C sort unsorted
}

profiles () { decode "$1" ProfilesData "$2"; }
metrics () { decode "$1" MetricsData "$2"; }

# figure PATH LOG OPTION...: of the report.
figure ()
{
  path=$1
  shift
  "$proflog" report -q --format json "$@" | "$json_paths" | awk -F '\t' -v path="$path" '$1 == path { print $2 }'
}

# ---- samples of processor time ----

start=1278000000000000000 # of the log, ns since 1970
"$day" 30 100 200 truth >day.mlpd || fail 'no log'
run 0 export -f otlp day.mlpd -o day.otlp
profiles day.otlp resources >found
echo '{"process.pid": 4711, "process.runtime.name": "mono", "service.name": "day"}' >expected
same found expected
profiles day.otlp profiles | awk '{ print $1, $2, $5 }' >found
awk '$1 == "sample" { n++ } END { print "cpu nanoseconds", n; print "samples count", n }' truth >expected
same found expected
profiles day.otlp samples >values
# awk has no numbers of 64 bits.
awk '$1 == "cpu" { print $2, $3 }' values | sort >found
python3 -c "
for line in open('truth'):
    kind, begin, end = line.split()
    if kind == 'sample':
        print($start + int(begin), 10000000)" | sort >expected
same found expected
"$proflog" export -q -f folded day.mlpd | LC_ALL=C sort >expected
awk '$1 == "cpu" { value = $3; $1 = $2 = $3 = $4 = $5 = $6 = $7 = ""; sub(/^ +/, ""); sums[$0] += value }
  END { for (stack in sums) printf "%s %.0f\n", stack, sums[stack] }' values | LC_ALL=C sort >found
same found expected
profiles day.otlp types | awk '{ print $1 }' | sort -u >found
same_lines found dotnet

# A part of it.
run 0 export -f otlp --time-range=5s~9s day.mlpd -o part.otlp --force
profiles part.otlp samples | grep -c ^cpu >found
figure cpu.hits --time-range=5s~9s day.mlpd >expected
same found expected

# ---- metrics ----

run 0 export -f otlp-metrics day.mlpd -o day.metrics --force
metrics day.metrics metrics >found
awk '$1 == "pause" { n++; sum += $3 - $2 } END { printf "%d %.6f\n", n, sum / 1e9 }' truth >expected
awk '$1 == "dotnet.gc.collections" && $6 > n { n = $6 } $1 == "dotnet.gc.pause.time" && $6 > sum { sum = $6 }
  END { printf "%d %.6f\n", n, sum }' found >last
same last expected
grep '^dotnet.gc.collections {collection} {"gc.heap.generation":"gen[01]"} .* True$' found >out || fail "no collections: $(cat found)"
grep '^process.thread.count {thread} {} .* False$' found >out || fail "no threads: $(cat found)"

# ---- the wall clock: threads that ran, and waits ----

"$day" 20 30 100 truth wall >wall.mlpd || fail 'no log'
run 0 export -f otlp wall.mlpd -o wall.otlp --force
profiles wall.otlp samples >values
awk '$1 == "wait" { n++; sum += $3 - $2 } END { printf "%d %.0f\n", n, sum }' truth >expected
awk '$1 == "wait" { n++; sum += $3 } END { printf "%d %.0f\n", n, sum }' values >found
same found expected
awk '$1 == "sample" { n++ } END { print n }' truth >expected
grep -c ^samples values >found
same found expected
awk '$1 == "cpu" { sum += $3 } END { printf "%.0f\n", sum }' values >found
figure cpu.total_ns wall.mlpd >expected
same found expected

# ---- logs of both runtimes ----

for name in stock-samples.mlpd.gz ghc-ticks.eventlog.gz; do
  case=$name
  run 0 export -f otlp "$logs/$name" -o log.otlp --force
  profiles log.otlp samples >values
  "$proflog" export -q -f folded "$logs/$name" | LC_ALL=C sort >expected
  # Where the log states no time, stacks have their numbers.
  kind=cpu
  grep -q '^cpu ' values || kind=samples
  awk -v kind=$kind '$1 == kind { value = $3; $1 = $2 = $3 = $4 = $5 = $6 = $7 = ""; sub(/^ +/, ""); sums[$0] += value }
    END { for (stack in sums) printf "%s %.0f\n", stack, sums[stack] }' values | LC_ALL=C sort >found
  same found expected
done
case=
run 0 export -f otlp-metrics "$logs/ghc-collect-N2.eventlog.gz" -o log.metrics --force
metrics log.metrics metrics >found
awk '$1 == "ghc.gc.collections" { if ($6 > last[$3]) last[$3] = $6 } END { for (i in last) n += last[i]; print n }' found >last
figure gc.collections "$logs/ghc-collect-N2.eventlog.gz" >expected
same last expected
run 0 export -f otlp-metrics "$logs/stock-heapshot.mlpd.gz" -o log.metrics --force
metrics log.metrics metrics | awk '$1 == "dotnet.gc.last_collection.memory.committed_size" && $6 > most { most = $6 } END { printf "%.0f\n", most }' >found
figure gc.max_heap_bytes "$logs/stock-heapshot.mlpd.gz" >expected
same found expected

# Threads that were sampled have their names and numbers.
run 0 export -f otlp "$logs/stock-samples.mlpd.gz" -o log.otlp --force
profiles log.otlp samples | awk '$1 == "samples" { print $4, $5 }' | sort -u >found
test -s found || fail 'no threads'
while read -r name id; do
  hex=$(printf '0x%x' "$id")
  test "$(figure "cpu.threads[$hex].hits" "$logs/stock-samples.mlpd.gz")" != '' \
    || "$proflog" report -q --format json "$logs/stock-samples.mlpd.gz" | grep -q "\"id\": *\"*\($id\|$hex\)" \
    || fail "the report has no thread $id ($name)"
done <found
done_checks
