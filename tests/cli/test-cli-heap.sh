#!/bin/sh
# proflog heap, of snapshots whose graphs are known (tests/logs/make-heap.c), of the small log, and of
# snapshots that are cut.
. "${srcdir:-.}/tests/cli/lib.sh"

make_heap=$top_builddir/tests/logs/make-heap
test -x "$make_heap" || fail "$make_heap is not built"

# Five objects of 24, 32, 40, 48, 24 bytes, each refers to the next at offset 16; a static field of
# Heap.Class0 holds the first.
first=0x7f0000000000
third=0x7f0000000038
"$make_heap" chain 5 >chain.mlpd
run 0 heap histogram --format csv --sort name --reverse chain.mlpd
quiet err
same_lines out 'retained_bytes,bytes,objects,image,name' '144,32,1,,Heap.Class7' \
  '24,24,1,,Heap.Class28' '72,48,1,,Heap.Class21' '112,40,1,,Heap.Class14' '168,24,1,,Heap.Class0'
run 0 heap dominators --format csv chain.mlpd 1
same_lines out 'address,type,bytes,retained_bytes,dominator' "$first,Heap.Class0,24,168," \
  "0x7f0000000018,Heap.Class7,32,144,$first" "$third,Heap.Class14,40,112,0x7f0000000018" \
  "0x7f0000000060,Heap.Class21,48,72,$third" '0x7f0000000090,Heap.Class28,24,24,0x7f0000000060'
cp out dominators
for order in 'dominators 1 chain.mlpd' 'dominators --shot 1 chain.mlpd' 'dominators chain.mlpd'; do
  # shellcheck disable=SC2086 # words
  run 0 heap --format csv $order
  same out dominators
done
"$proflog" heap dominators --format csv - <chain.mlpd >out || fail "a pipe cannot be read"
same out dominators
run 0 heap dominators chain.mlpd --limit 2
says out 'Dominator tree of heap snapshot 1'
says out '     168   100.0     24        1  Heap.Class0 0x7f0000000000'
says out '     144    85.7     32        1    Heap.Class7 0x7f0000000018'
says out 'Smaller branches are hidden'
run 0 heap dominators chain.mlpd
says out '      24    14.3     24        1          Heap.Class28 0x7f0000000090'

# An address inside of an object is that object's.
run 0 heap paths chain.mlpd 0x7f0000000040 --format csv
same_lines out 'address,bytes,offset,type' "$first,24,,Heap.Class0" '0x7f0000000018,32,16,Heap.Class7' \
  "$third,40,16,Heap.Class14"
run 0 heap paths chain.mlpd Heap.Class14
says out 'static: Static Fields of Heap.Class0'
says out '   40        1        Heap.Class14'
run 0 heap paths chain.mlpd Heap.Class2 --format json # no class is called that: two have it in theirs
says out '"objects": 2'
says out '{ "bytes": 48, "objects": 1, "root_kind": "static", "root_name": "Static Fields of Heap.Class0",'
run 0 heap refs chain.mlpd $third --format json
says out '{ "address": "0x7f0000000018", "offset": 16, "bytes": 32, "retained_bytes": 144, "type": "Heap.Class7" }'
says out '{ "address": "0x7f0000000060", "offset": 16, "bytes": 48, "retained_bytes": 72, "type": "Heap.Class21" }'
run 0 heap object chain.mlpd $third --format json
says out '"retained_bytes": 112'
says out '"dominator": "0x7f0000000018"'
says out '"references_in": 1'
run 0 heap object chain.mlpd $first
says out 'No other object alone keeps it alive.'
says out 'static  Static Fields of Heap.Class0'
run 0 heap unreachable chain.mlpd
says out 'Roots lead to all objects.'
run 0 heap chain.mlpd --format csv --fields index,objects,bytes,references,roots,state
same_lines out 'index,objects,bytes,references,roots,state' '1,5,168,4,1,complete'
run 0 heap histogram chain.mlpd --by size --format csv
same_lines out 'retained_bytes,bytes,objects,name' '168,48,2,16-31' '144,120,3,32-63'
run 0 heap histogram chain.mlpd --by assembly --format csv
same_lines out 'retained_bytes,bytes,objects,name' '168,168,5,(unknown)'
run 0 heap histogram chain.mlpd --filter 'Class[07]$' --format csv --fields name
same_lines out name Heap.Class0 Heap.Class7

# References in several records; each data version states the same graph.
for version in 3 12 13 14 15 16 17; do
  "$make_heap" fan 1000 $version >fan.mlpd
  run 0 heap histogram --format json fan.mlpd
  says out '"references": 999'
  says out '"dangling_references": 0'
  "$make_heap" random 500 $version 7 >random.mlpd
  run 0 heap dominators --format csv random.mlpd
  test -f all || cp out all
  same out all
done
test "$(wc -l <all)" -gt 300 || fail "few objects are reached"
# What those state that state no roots: all is reached.
for version in 1 2; do
  "$make_heap" random 500 $version 7 >random.mlpd
  run 0 heap histogram random.mlpd
  says out 'The log contains no roots: objects without references to them count as roots.'
  run 0 heap histogram --format json random.mlpd
  says out '"roots_assumed": true'
  says out '"unreachable_objects": 0'
done
# The small log: a node of 24 bytes that refers to itself and to an array of 4096.
run 0 heap dominators --format csv "$small"
same_lines out 'address,type,bytes,retained_bytes,dominator' '0x7f9f100,Small.Node,24,4120,' \
  '0x7f9f118,System.Byte[],4096,4096,0x7f9f100'
run 0 heap paths "$small" System.Byte
says out 'assumed'

# A snapshot that is cut: 200 objects of more, which refer to what is not there.
"$make_heap" random 20000 >whole.mlpd
head -c 200000 whole.mlpd >cut.mlpd
run 0 heap histogram --format json cut.mlpd
says err 'heap snapshot 1 is cut: objects and references are missing'
says out '"complete": false'
grep -q '"dangling_references": [1-9]' out || fail "no reference leads to what is not there"
run 4 heap histogram --strict cut.mlpd
says out 'Dangling references'
run 0 heap cut.mlpd
says out 'cut'

# One of which bytes in the middle are missing.
{ head -c 100000 whole.mlpd; tail -c +101001 whole.mlpd; } >hole.mlpd
run 0 heap hole.mlpd --format csv --fields index,state
same_lines out index,state 1,damaged
run 0 heap histogram --format json hole.mlpd
says err 'heap snapshot 1 is damaged'
says out '"complete": false'
says out '"reason": "the log is damaged between its start and its end"'
run 3 heap growth hole.mlpd
says err 'none of the heap snapshots is complete'
says err '1 of 1 heap snapshots are left out'
# Checks that cannot be made fail.
run 1 heap leaks --exit-code whole.mlpd
says err 'whole.mlpd: leaks cannot be judged: 1 complete heap snapshot, 3 are needed'
run 1 heap growth --exit-code whole.mlpd
says err 'whole.mlpd: growth cannot be judged: 1 complete heap snapshot, 2 are needed'
run 0 heap leaks whole.mlpd
run 3 heap growth "$logs/stock-threads.mlpd.gz" --fail-above 5%
says err 'the log has no heap snapshots'

# One without objects, as a runtime writes it that cannot list them, is not complete, and shows nothing.
"$make_heap" chain 0 >empty.mlpd
run 0 heap empty.mlpd --format csv --fields index,objects,state
same_lines out index,objects,state 1,0,empty
run 0 report --reports heapshots --format json empty.mlpd
says out '"complete": false'
says out '"reason": "it has no objects: the program'"'"'s runtime could not list them"'
run 0 heap leaks empty.mlpd
same_lines out 'Leaks cannot be judged: heap snapshot 1 is empty.'
run 1 heap leaks --exit-code empty.mlpd
says err 'leaks cannot be judged: heap snapshot 1 is empty'
run 3 heap growth empty.mlpd
says err 'none of the heap snapshots is complete'
run 1 heap growth --fail-above 5% empty.mlpd
run 4 heap dominators --strict empty.mlpd
says err 'heap snapshot 1 is empty'

# Nor is a part of one compared.
gzip -dc "$logs/stock-heapshot.mlpd.gz" | head -c 80000 >part.mlpd
run 0 heap part.mlpd --format csv --fields index,state
last=$(tail -1 out)
test "${last#*,}" = cut || fail "the last snapshot is not cut: $last"
run 1 heap diff --exit-code part.mlpd 1 "${last%,*}"
says err "the difference cannot be judged: heap snapshot ${last%,*} is cut"

# Names choose rows by the class, in all formats alike, and what has no names is reported.
for format in text markdown; do
  run 0 heap dominators chain.mlpd --filter '^Heap.Class28$' --limit 1 --format $format
  says out 'Heap.Class28 0x7f0000000090'
done
run 2 heap paths chain.mlpd Heap.Class14 --filter Class
says err 'paths to a class are not chosen by names'
run 2 heap chain.mlpd --exclude Class
says err 'heap snapshots have no names'
run 0 heap paths chain.mlpd $third --filter 'Class7' --format csv
same_lines out 'address,bytes,offset,type' '0x7f0000000018,32,16,Heap.Class7'

# Mistakes.
run 3 heap histogram chain.mlpd 1 --time-range 1h~
says err 'heap snapshot 1 is outside of the time range'
run 3 heap histogram chain.mlpd 2
says err 'there is no heap snapshot 2: the log has 1'
run 3 heap object chain.mlpd 0x7f0000009000
says err 'heap snapshot 1 has no object at 0x7f0000009000'
run 3 heap paths chain.mlpd NoSuchClass
says err "no object of a class 'NoSuchClass'"
run 3 heap refs chain.mlpd Heap.Class0
says err 'not an address of an object'
run 3 heap histogram nothing.mlpd
says err 'nothing.mlpd'
run 2 heap paths chain.mlpd
says err 'the address of an object, or a class is needed'
run 2 heap histogram chain.mlpd x
says err 'the number of a heap snapshot is needed'
run 2 heap histogram chain.mlpd 1 1
says err "'1' makes no sense here"
run 2 heap histogram chain.mlpd --by colour
says err 'there are class, assembly and size'
run 2 heap dominators chain.mlpd --by size
says err 'it is for histogram'
run 2 heap histogram
says err 'histogram: no log given'
run 2 heap histogram chain.mlpd --sort colour
run 3 heap paths "$logs/small.eventlog" 0x10
says err 'is an eventlog of GHC'
done_checks
