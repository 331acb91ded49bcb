#!/bin/sh
# Heap profiles by place: kinds of closures, sums by module, type and function, filters, trees; the input states them.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# Of 15 samples the last two are the largest.  Type 15 is a thunk, 2 a constructor, 9 a function, 99 unknown.
{
  cat <<'END'
0 1000000 heap-begin 8
0 1000000 table 16|2|Entry|insert|Data.Cache|src/Cache.hs:10:3-20
0 1000000 table 32|15|Entry|update|Data.Cache|src/Cache.hs:12:3-20
0 1000000 table 48|15|Int|sum|Main|app/Main.hs:7:1-9
0 1000000 table 64|9||go|Main|
0 1000000 table 80|99|Text|render|Page|src/Page.hs:1:1-4
END
  for n in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
    cat <<END
0 1${n}000000 heap-sample 0
0 1${n}000001 band ${n}00000 0x10
0 1${n}000001 band 300000 0x20
0 1${n}000001 band 50000 0x30
0 1${n}000001 band 20000 0x40
0 1${n}000001 band 7000 0x50
0 1${n}000001 band 900 0x60
END
  done
} | python3 "$tests/cli/make-eventlog.py" tables.eventlog || fail 'no log'
run 0 report --reports=heap_profiles --format json tables.eventlog
read_json
expect 'heap_profiles[1].bands[insert: Entry].closure' CONSTR
expect 'heap_profiles[1].bands[go: t_info].closure' FUN
expect 'heap_profiles[1].bands[render: Text].closure' 99
expect 'heap_profiles[1].bands[0x60].closure' null
expect 'heap_profiles[1].sums[Data.Cache].peak_bytes' 1800000
expect 'heap_profiles[1].sums[Data.Cache].growth_bytes' 1400000
expect 'heap_profiles[1].sums[Data.Cache].bands' 2
expect 'heap_profiles[1].sums[Main].peak_bytes' 70000
expect 'heap_profiles[1].sums[Entry].by' type
expect 'heap_profiles[1].sums[THUNK].peak_bytes' 350000
expect 'heap_profiles[1].sums[insert].by' function

# The last sample is whole, as the log ends.
run 0 top --once tables.eventlog
says out '1.5 MB   79.9%    1.5 MB  insert: Entry'

# Rows that have rows of their own, as points, are in SQL, too.
run 0 query tables.eventlog 'SELECT count(*), sum(max_bytes) FROM heap_profiles_bands' --format csv
says out '6,1877900'

# A small picture of each band beside its name: one grows with the samples, the others stay.
run 0 report --reports=heap_profiles tables.eventlog
says out '▁▂▂▃▃▄▄▅▅▆▆▇▇██  CONSTR'
says out '███████████████  THUNK'
run 0 report -o pictures.html tables.eventlog
says pictures.html '<td class="drawing">▁▂▂▃▃▄▄▅▅▆▆▇▇██</td>'

# What a module's bands grow by is stated: none of them leads.
{
  echo '0 1000000 heap-begin 8'
  for band in 1 2 3 4 5; do
    echo "0 1000000 table $((16 * band))|1|Entry$band|insert$band|Data.Cache|src/Cache.hs:$band:3-20"
  done
  echo '0 1000000 table 160|1|Text|render|Page|src/Page.hs:1:1-4'
  for n in $(seq 20); do
    at=$((n * 100000000))
    printf '0 %d heap-sample 0\n' $at
    for band in 1 2 3 4 5; do
      printf '0 %d band %d 0x%x\n' $at $((n * 1000000)) $((16 * band))
    done
    printf '0 %d band 3000000 0xa0\n' $at
  done
} | python3 "$tests/cli/make-eventlog.py" module.eventlog || fail 'no log'
run 0 report --format json module.eventlog
same_findings out
grep -q growing-heap ids || fail "the findings are: $(cat ids)"
says out 'Most of that is of the module Data.Cache, which had 5.0 MB at the beginning and has 100.0 MB.'

# A filter finds places, too.
run 0 report --reports=heap_profiles --filter 'Main\.hs' --format csv tables.eventlog
grep -c '^heap_profiles.bands,' out >rows || :
same_lines rows 1
says out 'sum: Int'
run 0 report --reports=heap_profiles --exclude 'src/' --format csv tables.eventlog
grep '^heap_profiles.bands,' out | sed 's/.*,//' | sort >rows
same_lines rows 0x60 'go: t_info' 'sum: Int'
run 0 report --reports=heap_profiles -n3 tables.eventlog
says out 'CONSTR'
says out 'Sums of bands'

# On the page a long place leaves room for the name.
{
  echo '0 1000000 heap-begin 8'
  echo '0 1000000 table 16|2|Entry|insert|A.Very.Long.Name.Of.A.Module|src/A/Very/Long/Name/Of/A/Module.hs:1:1-9'
  echo '0 2000000 heap-sample 0'
  echo '0 2000001 band 5000 0x10'
} | python3 "$tests/cli/make-eventlog.py" long.eventlog || fail 'no log'
run 0 report -o long.html long.eventlog
says long.html 'class="text long">A.Very.Long.Name'

# Trees: what is alive at the end, by module, function and place.
run 0 flame --cost live --format folded tables.eventlog
sort out >rows
same_lines rows '0x60 900' 'Data.Cache;insert;Entry CONSTR src/Cache.hs:10:3-20 1500000' \
  'Data.Cache;update;Entry THUNK src/Cache.hs:12:3-20 300000' 'Main;go;t_info FUN 20000' \
  'Main;sum;Int THUNK app/Main.hs:7:1-9 50000' 'Page;render;Text 99 src/Page.hs:1:1-4 7000'

# Stacks of cost centres, the innermost first; the second sample is the largest, the others are after that.
python3 "$tests/cli/make-eventlog.py" stacks.eventlog <<'END' || fail 'no log'
0 1000000 heap-begin 1
0 1000000 centre 1 MAIN MAIN
0 1000000 centre 2 main Main
0 1000000 centre 3 parse Parser
0 2000000 heap-sample 0
0 2000001 stack 1000 2 1
0 3000000 heap-sample 0
0 3000001 stack 5000 2 1
0 3000001 stack 7000 3 2 1
0 4000000 heap-sample 0
0 4000001 stack 6000 3 2 1
0 4000001 stack 3000 1
END
run 0 flame --cost peak --format folded stacks.eventlog
sort out >rows
same_lines rows 'MAIN;main 5000' 'MAIN;main;parse 7000'
run 0 flame --cost live --format folded stacks.eventlog
sort out >rows
same_lines rows 'MAIN 3000' 'MAIN;main;parse 6000'
run 0 report --reports=heap_profiles --format json stacks.eventlog
read_json
expect 'heap_profiles[1].sums[Parser].peak_bytes' 7000
run 0 flame --cost live -o live.svg stacks.eventlog
says live.svg 'Bytes of the last sample of the heap profile'
run 3 flame --cost live "$logs/ghc-collect.eventlog.gz"
says err "it has no sample of a heap profile; 'proflog run --heap=10ms' records one"
run 3 flame --cost temporary stacks.eventlog
says err 'only logs of Mono have such stacks'

# A program that ended before the first sample.
echo '0 1000000 heap-begin 7' | python3 "$tests/cli/make-eventlog.py" short.eventlog || fail 'no log'
run 0 report short.eventlog
says out 'proflog run --heap=10ms'
run 2 run --heap=0 ./nothing
says err 'a time from 1ms to 1h is needed'
done_checks
