#!/bin/sh
# JSON is JSON, has all documented keys, and says what tests/logs/make-small.c wrote.
. "${srcdir:-.}/tests/cli/lib.sh"

run 0 report --format json "$small"
read_json
# The key figures, worked out from the events.  Times count from the first time base.
while read -r path value; do
  test -n "$path" && expect "$path" "$value"
done <<'END'
schema proflog.report/1
log.data_version 1
log.pid 4711
log.pointer_size 8
log.start_time 1278000000000
log.arguments null
log.architecture unknown
log.operating_system unknown
log.duration_ns 900
log.blocks 4
log.events 32
damage.truncated false
damage.skipped_bytes 0
damage.skipped_blocks 0
damage.lost_events 0
jit.methods 2
jit.code_bytes 520
jit.helpers 0
jit.helper_bytes 0
gc.handles[normal].created 0
gc.handles[pinned].max 0
gc.finalizers.objects 0
gc.resizes 1
gc.max_heap_bytes 4194304
gc.moves 2
gc.generations[1].collections 1
gc.generations[1].total_ns 40
gc.generations[1].max_ns 40
gc.generations[1].pause_total_ns 100
gc.generations[1].pause_max_ns 100
allocations.objects 2
allocations.bytes 4120
allocations.types[Small.Node].objects 1
allocations.types[Small.Node].bytes 24
allocations.types[System.Byte[]].objects 1
allocations.types[System.Byte[]].bytes 4096
calls.total 2
exceptions.throws 1
exceptions.clauses[catch].count 1
monitors.contentions 2
monitors.acquired 1
monitors.failed 1
monitors.wait_total_ns 220
monitors.wait_max_ns 200
monitors.objects[0x7fa0008].wait_total_ns 200
monitors.objects[0x7fa0048].failed 1
metadata.images 1
metadata.assemblies 1
metadata.classes 2
metadata.domains 1
metadata.contexts 0
metadata.coverage.statements 0
cpu.hits 0
cpu.managed 0
cpu.unmanaged 0
cpu.unresolved 0
heapshots[1].time_ns 460
heapshots[1].objects 2
heapshots[1].bytes 4120
heapshots[1].classes 2
heapshots[1].roots 0
heapshots[1].types[Small.Node].objects 1
heapshots[1].types[Small.Node].bytes 24
heapshots[1].types[Small.Node].objects_delta 1
heapshots[1].types[Small.Node].bytes_delta 24
END
expect 'calls.methods[Small.Program:Main (string[])].total_ns' 860
expect 'calls.methods[Small.Program:Main (string[])].self_ns' 838
expect 'calls.methods[Small.Program:Work (int)].total_ns' 22
expect 'calls.methods[Small.Program:Work (int)].calls' 1
expect 'exceptions.types[(type not in the log)].throws' 1
expect log.bytes "$(wc -c <"$small")"
# Lists of which version 1 has nothing.
for list in '"roots": []' '"native": []' '"counters": []' '"messages": []'; do
  says out "$list"
done
grep -q -F '{ "id": "0x7f11", "start_ns": 10, "end_ns": 900, "events": 29, "name": null }' out \
  || fail "thread 0x7f11"
grep -q -F '{ "id": "0x7f22", "start_ns": 100, "end_ns": 130, "events": 3, "name": null }' out \
  || fail "thread 0x7f22"

run 0 info --format json "$small"
read_json
expect schema proflog.info/1
expect content.threads 2
expect content.heapshots 1
expect content.complete true
expect 'kinds[heap-object].events' 3

# Each line of a dump is an object: the header, 4 buffers, 32 events.
run 0 dump --format json "$small"
test "$(wc -l <out)" = 37 || fail "$(wc -l <out) lines"
cp out lines
while read -r line; do
  printf '%s\n' "$line" >out
  read_json
  grep -q '^item	' figures || fail "no item"
  grep -q '^offset	[0-9]' figures || fail "no offset"
done <lines
# Offsets rise from item to item without a gap.
sed 's/.*"offset":\([0-9]*\),"size":\([0-9]*\).*/\1 \2/' lines \
  | awk '$1 != at { exit 1 } { at = $1 + $2 }' || fail "the offsets have gaps"

# Names of any bytes: no UTF-8, quotes, control characters.
sed 's/Small\.Node/Sm\xff\x01l.N"\\e/; s/small\.exe/sm\xe2\x82\xc2\x9bexe/' "$small" >odd
test "$(wc -c <odd)" = "$(wc -c <"$small")" || fail "sed changed the length"
for command in report info; do
  run 0 $command --format json odd
  read_json
done
run 0 dump --format json odd
cp out lines
while read -r line; do
  printf '%s\n' "$line" >out
  read_json
done <lines
# Text that would be read backwards is not.
sed 's/Small\.Node/A\xe2\x80\xaeedoN!!/' "$small" >reversed # U+202E
test "$(wc -c <reversed)" = "$(wc -c <"$small")" || fail "sed changed the length"
for format in text markdown html csv json; do
  run 0 report -q --format $format --limit 0 reversed
  case $format in
    csv | json) says out 'A\u202eedoN!!' ;;
    *) says out 'A?edoN!!' ;;
  esac
  ! grep -q "$(printf '\342\200\256')" out || fail "$format has a sign of direction"
  test $format != html || ! grep -q 'u202e' out || fail "the page's script has a sign of direction"
done
run 0 dump -q reversed
says out 'A\u202eedoN!!'
# A line of stacks has one stack, and each name is read as it is.
for format in folded callgrind; do
  sed 's/Main (string/Ma\xe2\x80\xa8\xe2\x80\xaetrin/' "$logs/all-v17.mlpd" >lines.mlpd
  run 0 export --format $format --source calls lines.mlpd
  ! LC_ALL=C grep -q "$(printf '\342\200')" out || fail "$format has a sign of direction, or of a line"
done
sed 's/All.Worker:Run/\xe2\x80\xa8\xe2\x80\xaeker:Run/' "$logs/all-v17.mlpd" >lines.mlpd
run 0 export --format heaptrack lines.mlpd
says out 's ??ker:Run ()'
! LC_ALL=C grep -q "$(printf '\342\200')" out || fail "heaptrack has a sign of direction, or of a line"
# In text nothing of this reaches the terminal.
for command in report dump; do
  run 0 $command odd
  tr -d '\012\040-\176\200-\377' <out >control
  test ! -s control || fail "control characters"
  says out Program
done
done_checks
