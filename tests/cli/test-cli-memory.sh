#!/bin/sh
# Memory that is not the program's data: what the runtime of GHC holds, needs and returns; the parts of the memory of a
# Mono program.  The input states the figures.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# make KIND: a program of 80 s.  It holds 100 MiB at first and 3 MiB more each second, of which 50 MB are live all the
# time; of KIND
#   slow        the collector needs 110 MiB of that, and returns 1 MiB each 10 s
#   scattered   it needs what there is, 60 MB are in blocks
#   full        all is in blocks
#   concurrent  all is in blocks, and the collector does not move data
#   live        all is live
#   steady      it holds 100 MiB
make ()
{
  python3 - "$1" <<'END' | python3 "$tests/cli/make-eventlog.py" log.eventlog
import sys
kind, mib = sys.argv[1], 1 << 20
for second in range (81):
    ns, held = second * 10 ** 9 + 1, 100 if kind == "steady" else 100 + 3 * second
    print (0, ns, "held", held * mib)
    print (0, ns + 1, "live", held * mib if kind == "live" else 50000000)
    print (0, ns + 2, "blocks", 60000000 if kind == "scattered" else held * mib)
    if second % 10 == 0:
        print (0, ns + 3, "return", held, 110 if kind == "slow" else held, 1)
    if kind == "concurrent":
        print (0, ns + 4, "concurrent begin")
        print (0, ns + 5, "concurrent end")
END
}

# Quarters begin after 0, 20, 40 and 60 s.
make slow || fail 'no log'
run 0 report --reports=memory --format json log.eventlog
read_json
expect memory.held_bytes $((340 << 20))
expect memory.blocks_bytes $((340 << 20))
expect memory.needed_bytes $((110 << 20))
expect memory.live_bytes 50000000
expect memory.returns 9
expect memory.returned_bytes $((9 << 20))
expect 'memory.quarters[0].least_held_bytes' $((100 << 20))
expect 'memory.quarters[1].least_held_bytes' $((160 << 20))
expect 'memory.quarters[3].least_held_bytes' $((280 << 20))
expect 'memory.quarters[3].held_bytes' $((340 << 20))
expect 'memory.quarters[3].needed_bytes' $((110 << 20))
expect 'memory.quarters[3].live_bytes' 50000000
run 0 report log.eventlog
says out 'Memory of the runtime'
says out '+RTS -Fd1'
run 0 report --reports=memory --format json --time-range 40s~ log.eventlog
read_json
expect 'memory.quarters[0].least_held_bytes' $((220 << 20))
run 0 report --reports=series --interval 20s --format csv log.eventlog
says out 'blocks_bytes,needed_bytes'

finding ()
{
  make "$1" || fail 'no log'
  run 0 report --format json log.eventlog
  same_findings out
  grep -c memory-not-returned out >rows || :
  same_lines rows "$2"
}
finding slow 1
finding scattered 1
says out 'scattered among free ones'
finding full 1
says out 'partly filled, as by pinned data'
finding concurrent 1
says out 'without --nonmoving-gc'
finding live 0
finding steady 0

# The page has them among the sizes of the heap.
make slow
run 0 report -o log.html --force log.eventlog
says log.html 'Blocks in use'
says log.html 'Needed memory'

# ---- Mono ----

mib ()
{
  expect "memory.$1_bytes" $(($2 << 20))
}

# The parts are those of memory-log.py; the rest is what no other has.
PYTHONDONTWRITEBYTECODE=1 python3 "$tests/cli/memory-log.py" log.mlpd || fail 'no log of Mono'
gzip -dc "$tests/cli/memory.mlpd.gz" | cmp - log.mlpd || fail "memory.mlpd.gz is another log than memory-log.py writes"
run 0 report --reports=memory --format json log.mlpd
read_json
mib resident 110
mib most_resident 160
mib heap 20
mib nursery 4
mib old 10
mib large 6
mib code 2
mib metadata 3
mib stacks 5
mib files 20
mib rest 60
expect memory.live_bytes null
expect memory.free_bytes null
quarter=0
while read -r least most heap rest; do
  expect "memory.quarters[$quarter].least_resident_bytes" $((least << 20))
  expect "memory.quarters[$quarter].resident_bytes" $((most << 20))
  expect "memory.quarters[$quarter].heap_bytes" $((heap << 20))
  expect "memory.quarters[$quarter].rest_bytes" $((rest << 20))
  quarter=$((quarter + 1))
done <<'END'
100 160 40 94
90 160 40 94
90 120 20 74
110 120 20 74
END
run 0 report --reports=memory --format json --time-range 2500ms~4500ms log.mlpd
read_json
mib resident 120
mib most_resident 120
mib stacks 1
expect 'memory.quarters[0].least_resident_bytes' $((90 << 20))
run 0 report log.mlpd
says out 'Memory of the process'
says out '... and 1 of the runtime' # which is no part of the memory

# Native memory: by the probability of docs/mlpd-format.md, a sample of 64 KiB stands for some 557,754 bytes.
one=$(awk 'BEGIN { s = 65536; printf "%.0f", s / (1 - exp (-s / 524288)) }')
run 0 report --reports=native --format json log.mlpd
read_json
expect native.live_bytes $((5 * one))
expect native.allocated_bytes $((8 * one))
expect native.samples 8
expect native.live_samples 5
expect 'native.methods[Shop.Image:Load (int)].live_bytes' $((5 * one))
expect 'native.methods[Shop.Image:Load (int)].allocated_bytes' $((7 * one))
expect 'native.methods[Shop.Image:Draw ()].live_bytes' 0
run 0 report log.mlpd
says out "$(awk -v n="$one" 'BEGIN { printf ") of %.1f MB that native code allocated below Shop.Image:Load are not freed", 7 * n / 1e6 }')"
run 0 report --reports=memory "$small"
says out 'Nothing in the log of: Parts of the memory'
if has mprof-report; then
  mprof-report --verbose --reports=counters log.mlpd >peer 2>&1 || fail 'mprof-report'
  says peer 'Memory: resident'
fi
run 0 export --format chrome -o trace.json log.mlpd
says trace.json 'Memory: files'
run 0 report -o log.html --force log.mlpd
says log.html '"is_memory":true'
done_checks
