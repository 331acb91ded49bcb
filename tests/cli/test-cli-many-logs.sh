#!/bin/sh
# Many logs: folders that stand for the logs in them, and sums over logs.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# ---- folders ----

mkdir -p fleet/host=a/pid=1 fleet/host=b fleet/.hidden fleet/empty
cp "$logs/stock-alloc.mlpd.gz" fleet/host=a/pid=1/x.mlpd.gz
cp "$logs/small.eventlog" fleet/host=b/y.eventlog
cp "$small" fleet/host=b/.z.mlpd
cp "$small" fleet/.hidden/z.mlpd
echo text >fleet/notes.txt
: >fleet/host=a/x.mlpd.spool
ln -s ../host=b fleet/host=a/loop
ln -s "$small" fleet/linked.mlpd
mkfifo fleet/pipe.mlpd

# Logs by the order of their paths; also below a folder given with a slash or with other words.
run 0 info --format json fleet
grep '"name": "fleet' out | sed 's/^ *"name": "//; s/",$//' >names
same_lines names fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd
run 0 report --by log --reports=sums --format csv fleet/ "$small"
sed '1d; s/.*,//' out >names
same_lines names fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd "$small"
for command in 'check -q' dump stats 'export --format chrome' validate; do
  # shellcheck disable=SC2086 # words
  "$proflog" $command fleet/host=b fleet/linked.mlpd >got 2>/dev/null
  # shellcheck disable=SC2086
  "$proflog" $command fleet/host=b/y.eventlog fleet/linked.mlpd >listed 2>/dev/null
  same got listed
done
if test -x "$top_builddir/proflog-query"; then
  run 0 query --format csv fleet 'SELECT DISTINCT log FROM events ORDER BY 1'
  same_lines out log fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd
fi
run 3 report fleet/empty
says err 'fleet/empty: no log in this folder (files seen: 0)'
rm fleet/host=b/y.eventlog
run 3 report fleet/host=b
says err 'fleet/host=b: no log in this folder (files seen: 0)'
mkdir texts
echo text >texts/a.txt
echo text >texts/b.mlpd.txt
run 3 info texts
says err 'files seen: 2'
cp "$logs/small.eventlog" fleet/host=b/y.eventlog

# A command of one log.
for command in 'cut -o part' 'flame -o f.html' 'repair -o r' 'export --format folded' 'heap list'; do
  # shellcheck disable=SC2086
  "$proflog" $command fleet >out 2>err && fail "$command reads a folder"
  grep -q 'one log\|Is a directory' err || fail "$command of a folder"
done
run 0 cut --time-range ~1s fleet/host=a/pid=1 -o part.mlpd
run 0 merge all.eventlog fleet/host=b

# Files of one log are one log in a folder, too.
mkdir rotated
gzip -dc "$logs/stock-calls.mlpd.gz" >whole.mlpd
python3 "$tests/cli/split-log.py" whole.mlpd rotated/app 3 || fail "cannot split"
run 0 report --by log --reports=sums --format csv rotated
sed '1d; s/.*,//' out >names
same_lines names 'rotated/app.*.mlpd'

# Groups of diff.
mkdir old new
cp "$logs/stock-alloc.mlpd.gz" old/a.mlpd.gz
cp "$logs/stock-calls.mlpd.gz" old/b.mlpd.gz
cp "$logs/stock-alloc.mlpd.gz" new/c.mlpd.gz
for groups in 'old new' 'old -- new' 'old/a.mlpd.gz old/b.mlpd.gz -- new' 'old new/c.mlpd.gz'; do
  # shellcheck disable=SC2086
  run 0 diff --format json $groups
  test -s first || cp out first
  same out first
done
read_json
expect 'runs.base[1]' old/b.mlpd.gz

# ---- sums over many logs ----

# merged BY LOG...: each cell of the tables of all sections is what the reports of the single logs, and the
# programs' own counters, have.
sections=cpu,waits,jit,gc,allocations,calls,exceptions,monitors,threads,heapshots,marks,counters,sparks,caps
sections=$sections,log_writing,scheduling,heap_profiles,time_profile,ticky,kinds,log,damage,time,heap,metadata,tasks
merged ()
{
  by=$1
  shift
  cells=$(python3 "$tests/cli/merged-tables.py" "$proflog" "$by" "$sections" "$@" 2>err) || fail "sums by $by: $(cat err)"
  checks=$((checks + cells))
}
merged all "$logs"/stock-*.mlpd.gz
merged log "$logs"/*.mlpd.gz "$logs"/*.mlpd "$logs"/ghc-*.eventlog.gz
merged pid "$logs"/*.mlpd.gz "$logs"/ghc-*.eventlog.gz
n=0
for log in "$logs"/stock-*.mlpd.gz "$logs"/ghc-*.eventlog.gz; do
  n=$((n + 1))
  folder=lake/host=box$((n % 3))/version=1.$((n % 2))
  mkdir -p "$folder"
  cp "$log" "$folder"
done
lake=$(find "$PWD/lake" -type f | sort)
# shellcheck disable=SC2086 # words
merged host $lake
# shellcheck disable=SC2086
merged version $lake

# What the runtime of GHC printed about the same runs.
set -- "$logs/ghc-collect" "$logs/ghc-collect-N2" "$logs/ghc-collect-G3" "$logs/ghc-collect-sequential"
for run; do
  cat "$run.stats"
done >stats
set -- "$1.eventlog.gz" "$2.eventlog.gz" "$3.eventlog.gz" "$4.eventlog.gz"
run 0 report --by all --reports=sums,gc --format json "$@"
read_json
for generation in 0 1; do
  printed=$(awk -v gen=$generation '$1 == "Gen" && $2 == gen { n += $3 } END { print n }' stats)
  expect "gc.generations[$generation].collections" "$printed"
done
allocated=$(awk '/bytes allocated in the heap/ { gsub (",", "", $1); n += $1 } END { printf "%.0f\n", n }' stats)
expect 'sums.rows[all logs].allocated_bytes' "$allocated"

# The first screen, and requested sections.
run 0 report --by host lake
says out Sums
says out 'Allocated types'
says out 'and '
run 0 report --by host --reports=exceptions --format csv lake
head -n 1 out >head
same_lines head table,throws,host,name
run 2 report --by host --reports=tree lake
says err 'it has no tables that can be added up over logs; there are sums, cpu, waits'
run 2 report --by host --reports=gcc lake
says err '--reports gcc: there is no such report'
run 2 report --by host --sort bytesx lake
run 0 report --by all --reports=allocations --sort objects --filter '^System.Str' --min-bytes 1K --format json lake
read_json
grep '^allocations.types.*objects' figures | cut -f 2 | sort -rn >sorted
grep '^allocations.types.*objects' figures | cut -f 2 >got
same got sorted
test -s got || fail "nothing after --filter"
grep '^allocations.types.*name' figures | cut -f 2 | grep -q -v '^System.Str' && fail "rows beside --filter"
run 0 report --by host lake -o lake.html
says lake.html 'Allocated types'

# ---- hosts and versions ----

# group_of BY LOG: what it is counted for.
group_of ()
{
  run 0 report --reports=sums --format json --by "$@"
  read_json
  sed -n 's/^sums\.rows\[.*\]\.name	//p' figures
}
mkdir -p 'paths/host=web%2F1/version=2.0' paths/version=9
cp "$logs/stock-calls.mlpd.gz" 'paths/host=web%2F1/version=2.0/a.mlpd.gz'
test "$(group_of host paths)" = web/1 || fail "host of a path"
test "$(group_of version paths)" = 2.0 || fail "version of a path"
test "$(cd 'paths/host=web%2F1' && "$proflog" report --by host --reports=sums --format csv version=2.0/a.mlpd.gz | sed '1d; s/.*,//')" = web/1 \
  || fail "host of a relative path"
test "$(group_of host "$logs/stock-calls.mlpd.gz")" = unknown || fail "host of no path"
test "$(group_of version "$logs/stock-calls.mlpd.gz")" = 'Mono log, data version 17' || fail "version of the format"
# An assembly that states a version, an eventlog that states its environment.
gzip -dc "$logs/stock-calls.mlpd.gz" | sed 's/calls, Version=0.0.0.0/calls, Version=3.1.4.1/' >paths/version=9/versioned.mlpd
test "$(group_of version paths/version=9/versioned.mlpd)" = 'calls 3.1.4.1' || fail "version of an assembly"
python3 - "$logs/small.eventlog" paths/environment.eventlog <<'END' || fail "no environment"
import sys
log = bytearray(open(sys.argv[1], "rb").read())
arguments = b"./a.out\0+RTS\0-l"
at = log.index(arguments)
log[at:at + len(arguments)] = b"HOSTNAME=box7\0A"
assert log[at - 16:at - 14] == b"\0\x1e"
log[at - 15] = 31
open(sys.argv[2], "wb").write(log)
END
"$proflog" dump paths/environment.eventlog | grep -q 'program-env.*HOSTNAME=box7' || fail "no environment in the log"
test "$(group_of host paths/environment.eventlog)" = box7 || fail "host of an environment"
if test -x "$top_builddir/proflog-query"; then
  pid=$(sed -n 's/^figure:log.pid	//p' "$logs/stock-calls.counts")
  run 0 query --format csv paths 'SELECT format, host, pid, version, events > 0 AS full FROM logs ORDER BY log'
  same_lines out format,host,pid,version,full eventlog,box7,,'GHC-9.0.2 rts_thr_l',1 "mlpd,web/1,$pid,2.0,1" \
    "mlpd,unknown,$pid,calls 3.1.4.1,1"
  run 0 query --parquet lake.parquet paths
  test -n "$(find lake.parquet/kind=logs -name 'host=web%2F1')" || fail "no folder of the host"
  test -n "$(find lake.parquet -name 'host=box7')" || fail "no folder of the eventlog's host"
fi

# ---- damaged and unreadable logs, memory ----

mkdir bad
cp "$logs/stock-alloc.mlpd.gz" bad/a.mlpd.gz
head -c 2000 "$logs/stock-calls.mlpd.gz" >bad/b.mlpd.gz
echo none >bad/c.mlpd
cp "$logs/small.eventlog" bad/d.eventlog
run 3 report --by log --reports=sums --format json bad
says err 'bad/b.mlpd.gz: warning'
says err 'bad/c.mlpd: not a profiler log'
says err '1 of 4 logs cannot be read, and are not in the sums'
read_json
expect sums.logs 3
expect sums.unreadable 1
expect sums.damaged 1
rm bad/c.mlpd
run 0 report --by log --reports=sums bad
run 4 report --by log --strict --reports=sums bad

# Memory is that of the sums: 2000 logs need as much as 200.  No more files than a few are open.
if test "${SANITIZER:-no}" = no; then
  mkdir few
  for i in $(seq 200); do cp "$small" "few/$i.mlpd"; done
  mkdir many
  for i in $(seq 10); do cp -r few "many/$i"; done
  cat >peak.py <<'END'
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
subprocess.run(sys.argv[1:], check=True, stdout=open("out", "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
  less=$(python3 peak.py "$proflog" report --by host --format json few) || fail "200 logs"
  more=$(python3 peak.py "$proflog" report --by host --format json many) || fail "2000 logs"
  read_json
  expect sums.logs 2000
  expect 'sums.rows[unknown].events' 64000
  test "$more" -le $((less + 2048)) || fail "200 logs need $less KiB, and 2000 logs $more KiB"
fi
done_checks
