#!/bin/sh
# Parts of a log: threads, times, depths.  The figures of the stock log's parts are those that
# mprof-report 6.8 finds with --thread and --time.
. "${srcdir:-.}/tests/cli/lib.sh"
gzip -dc "$logs/stock-calls.mlpd.gz" >calls.mlpd || fail "cannot unpack"

# figure PATH: its value in the report of a log with these options is in $value.
figure ()
{
  path=$1
  shift
  run 0 report --format json "$@"
  grep -v 'warning: nothing was selected' err >other # a part may be empty
  quiet other
  read_json
  value=$(path=$path awk -F '\t' '$1 == ENVIRON["path"] { print $2 }' figures)
}

# is VALUE PATH OPTION... LOG
is ()
{
  wanted=$1
  shift
  figure "$@"
  test "$value" = "$wanted" || fail "$*: $value, not $wanted"
}

# sums PATH LOG PART...: the figures of the parts add up to that of the whole.
sums ()
{
  path=$1 log=$2
  shift 2
  sum=0
  for part; do
    figure "$path" "$part" "$log"
    sum=$((sum + value))
  done
  is "$sum" "$path" "$log"
}

# ---- threads ----
worker=0x7f8e405fb6c0
is 516 calls.total --thread=$worker calls.mlpd
is 516 calls.total "--thread=$(printf '%d' $worker)" calls.mlpd
is 5425 calls.total --thread=Main calls.mlpd
is 0 calls.total '--thread=no such thread' calls.mlpd
ids=$("$proflog" report --reports=threads --format csv --fields id calls.mlpd | sed 1d | sort -u)
test "$(echo "$ids" | wc -l)" = 7 || fail "not seven ids: $ids"
# shellcheck disable=SC2086 # ids are words
for path in calls.total log.events log.blocks jit.methods gc.moves; do
  sums $path calls.mlpd $(printf -- '--thread=%s ' $ids)
done
run 0 report --reports=threads --format csv --fields name '--thread=Main,Prof*Sampl*' calls.mlpd
test "$(sort out | tr '\n' ' ')" = 'Main Profiler Sampler name ' || fail "other threads: $(cat out)"

# A sample is an event of the thread that it was taken of, though another one logs it: of all threads
# and of one alone.
gzip -dc "$logs/stock-samples.mlpd.gz" >samples.mlpd || fail "cannot unpack"
"$proflog" dump --format csv samples.mlpd | awk -F , '
  $5 == "sample-hit" { hits++; sub (/.*""thread"":""/, ""); sub (/"".*/, ""); count[$0]++; next }
  NR > 1 && $5 !~ /^(file-header|buffer)$/ { count[$3]++ }
  END { for (id in count) print id, count[id]; if (hits != 299) print hits, "hits" }' | sort >expected
# rows OPTION...: how many events the threads have, by id.
rows ()
{
  run 0 report --reports=threads --format csv --fields id,events "$@" samples.mlpd
  awk -F , 'NR > 1 { count[$1] += $2 } END { for (id in count) print id, count[id] }' out | sort
}
rows >got
same got expected
while read -r id events; do
  rows --thread="$id" >got
  echo "$id $events" >row
  same got row
  is "$events" log.events --thread="$id" samples.mlpd
done <expected

# mprof-report's --thread has no effect on these.
gzip -dc "$logs/stock-handles.mlpd.gz" >handles.mlpd || fail "cannot unpack"
gzip -dc "$logs/stock-alloc.mlpd.gz" >alloc.mlpd || fail "cannot unpack"
for mode in handles alloc; do
  ids=$("$proflog" report --reports=threads --format csv --fields id $mode.mlpd | sed 1d | sort -u)
  test "$(echo "$ids" | wc -l)" -gt 2 || fail "few ids: $ids"
  paths='gc.handles[normal].created gc.handles[weak].created gc.handles[normal].destroyed'
  test $mode = handles || paths='allocations.objects allocations.bytes gc.moves'
  for figure in $paths; do
    # shellcheck disable=SC2086,SC2046 # ids are words
    sums "$figure" $mode.mlpd $(printf -- '--thread=%s ' $ids)
    test "$sum" -gt 0 || fail "$mode: no $figure"
  done
done

# ---- times ----
is 4 calls.total --time-range=0.01~0.05 calls.mlpd
is 4 calls.total --time-range=10ms-50ms calls.mlpd
# 8 calls were just before the first buffer's time.
is 4932 calls.total --time-range=1ns~8ms calls.mlpd
for beginning in '' 0 0ms 0% ' 0 '; do
  is 4940 calls.total "--time-range=$beginning~8ms" calls.mlpd
done
is 2 calls.unmatched_leaves --time-range=0.01~0.05 calls.mlpd
for path in calls.total log.events jit.methods exceptions.throws; do
  sums $path calls.mlpd --time-range=~3ms --time-range=3ms~5ms --time-range=5000us~1 \
    --time-range=1s~
  sums $path calls.mlpd --time-range=~0.3% --time-range=0.3%~90% --time-range=90%~
done
# A method that another announces late has the time that it was seen at.
for path in log.events jit.methods; do
  sums $path "$logs/all-v03.mlpd" --time-range=~8571571ns --time-range=8571571ns~
done

# ---- heap snapshots ----
# One keeps its number and, next to the one before, its changes.
hs=$logs/stock-heapshot.mlpd.gz
gzip -dc "$hs" >heapshot.mlpd || fail "cannot unpack"
is 2 'heapshots[2].index' --time-range=4ms~6ms heapshot.mlpd
is null 'heapshots[2].types[Probe.Held].bytes_delta' --time-range=4ms~6ms heapshot.mlpd
is 25 'heapshots[2].types[Probe.Held].objects_delta' --time-range=~6ms heapshot.mlpd
is null 'heapshots[3].types[Probe.Held].objects_delta' --time-range=6ms~ heapshot.mlpd
is -2 'heapshots[4].types[Probe.Held].objects_delta' --time-range=6ms~ heapshot.mlpd
run 0 report --reports=heapshots --time-range=4ms~6ms heapshot.mlpd
says out 'Heap snapshot 2'
says out 'The heap snapshot before this one is not in the selection.'
grep -q 'Heap snapshot [13]' out && fail "another snapshot"
run 0 report --reports=heapshots heapshot.mlpd
grep -q 'is not in the selection' out && fail "all heap snapshots are selected"
# Of logs that need not be read whole, too.
is 2 'heapshots[2].index' --time-range=30ms~ "$logs/all-v03.mlpd"
is null 'heapshots[2].types[All.Node].bytes_delta' --time-range=30ms~ "$logs/all-v03.mlpd"
cp "$logs/all-v03.mlpd" shots.mlpd

# ---- what can be read in any order, and what cannot, is reported the same ----
for option in --thread=Main --thread=$worker --time-range=10%~50% --time-range=2ms~4ms; do
  "$proflog" report --format json $option calls.mlpd >plain
  "$proflog" report --format json $option "$logs/stock-calls.mlpd.gz" >packed
  "$proflog" report --format json $option - <"$logs/stock-calls.mlpd.gz" >piped
  cat calls.mlpd | "$proflog" report --format json $option - >through
  for file in plain packed piped through; do
    # The name differs.
    sed -e '0,/^    "name":/{/^    "name":/d}' $file >$file.figures
  done
  for file in packed piped through; do
    same plain.figures $file.figures
  done
done

for option in --time-range=30ms~ --time-range=~30ms --thread=0x7f0030000000; do
  "$proflog" report --format json $option shots.mlpd | grep -v '"\(name": "\(shots\|-"\)\|blocks\)' >plain
  "$proflog" report --format json $option - <shots.mlpd | grep -v '"\(name": "\(shots\|-"\)\|blocks\)' >piped
  same piped plain
done

# ---- the same of logs with several domains, whose roots and names come and go ----
# Rows of equal figures stay in their places, too, although names are reported in another order.
for log in domains dynamic finalizers; do
  gzip -dc "$logs/stock-$log.mlpd.gz" >part.mlpd || fail "cannot unpack"
  for option in --thread=Main --thread=Finalizer --time-range=10%~20% --time-range=95%~; do
    "$proflog" report --format json --traces $option part.mlpd | grep -v '"name": "part' >plain
    cat part.mlpd | "$proflog" report --format json --traces $option - | grep -v '"name": "-"' >piped
    test "$(wc -l <plain)" -gt 100 || fail "no report"
    same piped plain
  done
done

# An address that stood for a type of one domain, and after that was unloaded for one of another.
# bytes HEX...
bytes ()
{
  for byte; do
    # shellcheck disable=SC2059 # the byte is the format
    printf "\\$(printf %03o "0x$byte")"
  done
}
zeros='00 00 00 00 00 00'
# buffer LENGTH THREAD TIME, which is a multiple of 256: addresses count from 0x1000.
buffer ()
{
  # shellcheck disable=SC2086 # bytes are words
  bytes 01 4c 50 4d "$1" 00 00 00 00 "$3" $zeros 00 10 $zeros 00 00 $zeros "$2" 00 $zeros 00 00 $zeros
}
{
  # shellcheck disable=SC2086
  bytes 01 5a 50 4d 03 00 11 08 00 00 $zeros 00 00 $zeros 00 00 00 00 00 00 00 00 01 00 00 00 00 00
  bytes 15 00 00 00 && printf 'log:nodefaults,alloc\000'
  bytes 02 00 00 00 78 00 02 00 00 00 79 00
  buffer 0e 11 01
  bytes 22 01 01 00 10 41 00 # class A at 0x1000
  bytes 22 01 07 20 81 60 00 # its vtable at 0x1020 in domain 1
  buffer 05 22 02
  bytes 00 01 20 00 08 # an object of that vtable, of 8 bytes
  buffer 0e 11 03
  bytes 22 01 01 08 10 42 00 # class B at 0x1008
  bytes 22 01 07 20 82 60 08 # the vtable in domain 2
  buffer 05 22 04
  bytes 00 01 20 00 10
} >reused.mlpd
run 0 check --strict reused.mlpd
for option in '' --thread=0x22; do
  run 0 report --format json $option reused.mlpd
  read_json
  expect 'allocations.types[A].bytes' 8
  expect 'allocations.types[B].bytes' 16
done
for option in --time-range=200ns~600ns --time-range=600ns~; do
  run 0 report --format json $option reused.mlpd
  read_json
  expect allocations.objects 1
done
expect 'allocations.types[B].bytes' 16

# Two types of one name, of two images.
{
  # shellcheck disable=SC2086
  bytes 01 5a 50 4d 03 00 11 08 00 00 $zeros 00 00 $zeros 00 00 00 00 00 00 00 00 01 00 00 00 00 00
  bytes 15 00 00 00 && printf 'log:nodefaults,alloc\000'
  bytes 02 00 00 00 78 00 02 00 00 00 79 00
  buffer 32 11 01
  bytes 22 01 02 10 61 2e 64 6c 6c 00 00 # image a.dll at 0x1010
  bytes 22 01 02 18 62 2e 64 6c 6c 00 00 # b.dll at 0x1018
  bytes 22 01 01 00 10 53 00             # class S of the one
  bytes 22 01 01 08 18 53 00             # and of the other
  bytes 22 01 07 20 81 60 00             # their vtables
  bytes 22 01 07 28 81 60 08
  buffer 0a 22 02
  bytes 00 01 20 00 08 # an object of 8 bytes of the one
  bytes 00 01 28 08 18 # and of 24 of the other
} >same.mlpd
run 0 check --strict same.mlpd
for option in --quiet --thread=0x22; do
  run 0 report --reports=alloc -f csv $option same.mlpd
  printf 'bytes,objects,image,name\n24,1,b.dll,S\n8,1,a.dll,S\n' >expected
  same out expected
  run 0 report --reports=alloc -f csv $option - <same.mlpd
  same out expected
  run 0 report --reports=alloc --filter '^S$' $option same.mlpd
  says out '1  S [a.dll]'
  says out '1  S [b.dll]'
done
run 0 report --reports=alloc -n1 same.mlpd
grep -q 'S \[' out && fail "one row is distinguished from nothing"
run 0 report --reports=alloc -f csv --sort image --fields image same.mlpd
printf 'image\na.dll\nb.dll\n' >expected
same out expected

# ---- what is not requested is not read: it may be anything ----
# spoil THREAD: of all buffers but this thread's only the headers stay.
spoil ()
{
  cp calls.mlpd spoilt.mlpd
  "$proflog" dump calls.mlpd | awk -v thread="$1" '
    $4 == "buffer" && $3 != thread { sub ("length=", "", $6); print $1 + 48, $6 }' >bodies
  test -s bodies || fail "no buffers"
  while read -r offset length; do
    tr '\0' '\377' </dev/zero | dd of=spoilt.mlpd bs=1 seek="$offset" count="$length" conv=notrunc \
      iflag=fullblock 2>/dev/null
  done <bodies
}
main=0x7f8e4518bbc0
"$proflog" report --format json --thread=$main calls.mlpd >intact
spoil $main
run 0 report --format json --thread=$main --strict spoilt.mlpd
quiet err
# Names that others announced are missing, sums are not.  Whether a method waits is known by its name.
for key in '"total"' '"events"' '"calls"'; do
  grep -F "$key" out | grep -v wait_ns | sed 's/"name".*//' | sort >got
  grep -F "$key" intact | grep -v wait_ns | sed 's/"name".*//' | sort >expected
  test -s expected || fail "nothing has $key"
  same got expected
done
run 4 report --strict spoilt.mlpd

# ---- depth: what is deeper counts for its caller ----
is 1 calls.total --depth 1 --thread=$worker calls.mlpd
is 516 calls.total --depth 100 --thread=$worker calls.mlpd
start='(wrapper runtime-invoke) object:runtime_invoke_void__this__ (object,intptr,intptr,intptr)'
figure "calls.methods[$start].total_ns" --thread=$worker calls.mlpd
test "$value" -gt 0 || fail "no time"
is "$value" "calls.methods[$start].total_ns" --depth 1 --thread=$worker calls.mlpd
is "$value" "calls.methods[$start].self_ns" --depth 1 --thread=$worker calls.mlpd

# ---- dump ----
run 0 dump --thread=$worker --format csv calls.mlpd
test "$(sed 1,2d out | cut -d , -f 3 | sort -u)" = $worker || fail "other threads"
run 0 dump --time-range=10ms~50ms calls.mlpd
test "$(awk 'NR > 1 && ($2 < 0.01 || $2 >= 0.05)' out | wc -l)" = 0 || fail "other times"
test "$(grep -c method-enter out)" = 4 || fail "not the four calls"
done_checks
