#!/bin/sh
# `proflog cut` of Mono logs: a part reads alone, and has the figures that the whole has of it.
. "${srcdir:-.}/tests/cli/lib.sh"

# figures_of LOG OPTION...: its report, without the log's own name and size.  Before data version 13 a part does
# not state when the whole ended, so rates differ.
figures_of ()
{
  read_log=$1 left_out='(bytes|blocks)'
  test "$(od -An -tu1 -j6 -N1 part.mlpd)" -ge 13 || left_out='(bytes|blocks|utilisation_permille|[a-z]*_per_second)'
  shift
  "$proflog" report -q --traces --format json "$@" "$read_log" | grep -Ev "\"$left_out\": |\"name\": \"[^\"]*\.mlpd"
}

# cut_is LOG OPTION...: with these options, the report of the part is that of the whole.
cut_is ()
{
  whole=$1
  shift
  rm -f part.mlpd
  run 0 cut "$@" "$whole" -o part.mlpd
  quiet out
  figures_of "$whole" "$@" >expected
  figures_of part.mlpd "$@" >got
  grep -q '"events": [1-9]' got || fail "$* of $whole has no events"
  same got expected
}
for log in "$logs"/all-v01.mlpd "$logs"/all-v06.mlpd "$logs"/all-v13.mlpd "$logs"/all-v17.mlpd "$small" \
  "$logs"/stock-heapshot.mlpd.gz "$logs"/stock-monitors.mlpd.gz; do
  cut_is "$log" --time-range 0ns~2s
done
for log in "$logs"/all-v01.mlpd "$logs"/all-v13.mlpd "$logs"/all-v17.mlpd; do
  cut_is "$log" --time-range 2ms~6ms
  cut_is "$log" --time-range 25ms~40ms
  cut_is "$log" --thread 0x7f0030000800
  cut_is "$log" --thread 0x7f0030000000 --time-range 2ms~30ms
done
cut_is "$logs/all-v17.mlpd" --thread 'Worker*'
cut_is "$logs/stock-heapshot.mlpd.gz" --time-range 2ms~60ms
# Values of counters are differences: the part has those of 1 s to 2.5 s, with what came before.
cut_is "$logs/all-v17.mlpd" --time-range 2s~2.5s
grep -q '"name": "User Time",.*"last": 20000000, ' got || fail "User Time is not 2 s"
grep -q '"name": "Heap, bytes",.*"last": 3145728, ' got || fail "the heap is not 3 MiB"

# By itself it has no other events, but for rates: names of the rest count as nothing.
run 0 cut --thread 0x7f0030000800 "$logs/all-v17.mlpd" -o worker.mlpd
run 0 report --format json worker.mlpd
read_json
expect log.events 14
expect metadata.classes 1
expect allocations.objects 2
expect allocations.bytes 1040
run 0 show worker.mlpd
says out '"Worker, no. 1": allocating System.Object at 0x7f0018000600, 16 bytes'
run 0 validate worker.mlpd
run 0 check worker.mlpd
# A part of a part.
run 0 cut --time-range 6.002ms~6.009ms worker.mlpd -o less.mlpd
figures_of "$logs/all-v17.mlpd" --thread 0x7f0030000800 --time-range 6.002ms~6.009ms >expected
figures_of less.mlpd --time-range 6.002ms~6.009ms >got
same got expected

# Snapshots have the numbers that they have in the whole.
run 0 cut --time-range 35ms~40ms "$logs/all-v17.mlpd" -o second.mlpd
run 0 report --format json second.mlpd
says out '"index": 2,'

# From a pipe, to standard output; several buffers of the reader's size.
"$proflog" cut --thread 0x7f0030000800 - <"$logs/all-v17.mlpd" >piped.mlpd || fail "status $?"
cmp piped.mlpd worker.mlpd || fail "a pipe has another part"

# What it does not do.
run 3 cut --filter Node "$small" -o no.mlpd
says err "it can be cut by --thread and --time-range only"
run 3 cut --event 'gc-*' "$small" -o no.mlpd
says err "it can be cut by --thread and --time-range only"
run 3 cut --cap 1 "$small" -o no.mlpd
says err "no capabilities"
test ! -e no.mlpd || fail "there is a file"
run 0 cut --thread 0x99 "$small" -o none.mlpd
says err "nothing was selected: none of 32 events"

# Damage: what is there.
head -c 450 "$small" >cut-off.mlpd
run 0 cut --thread 0x7f22 cut-off.mlpd -o part-of-cut.mlpd
says err "warning"
run 0 report --format json part-of-cut.mlpd
read_json
expect log.events 3
done_checks
