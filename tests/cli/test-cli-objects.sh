#!/bin/sh
# --find and --track: their values, and their rows of the small log (tests/logs/make-small.c).
. "${srcdir:-.}/tests/cli/lib.sh"

objects='report --reports=objects --format csv --fields time,event,object,to,from,shot,bytes,name'
head=time_ns,event,object,to,from,shot,bytes,name
bytes=System.Byte[]
# shellcheck disable=SC2086 # lists of words
{
  # The array is 4096 bytes; another thread names its class later.  It is followed, too.
  for find in S:25 S:4K T:Byte 'T:[]'; do
    run 0 $objects --find "$find" "$small"
    same_lines out 'table,time_ns,object,bytes,name' "objects.found,71,0x7fa0118,4096,$bytes" '' \
      "table,index,$head" \
      "objects.followed.events,1,71,allocated,0x7fa0118,,,,4096,$bytes" \
      'objects.followed.events,1,420,moved,0x7fa0118,0x7f9f118,,,,' \
      'objects.followed.events,1,460,referenced,0x7f9f118,,0x7f9f100,1,,Small.Node' \
      "objects.followed.events,1,460,heap-shot,0x7f9f118,,,1,4096,$bytes"
  done
  # Requested by the address that it is moved to.
  run 0 $objects --track 0x7f9f100 "$small"
  grep '^objects.followed' out >got
  same_lines got "objects.followed.events,1,70,allocated,0x7fa0100,,,,24,Small.Node" \
    'objects.followed.events,1,420,moved,0x7fa0100,0x7f9f100,,,,' \
    'objects.followed.events,1,460,heap-shot,0x7f9f100,,,1,24,Small.Node' \
    'objects.followed.events,1,460,referenced,0x7f9f100,,0x7f9f100,1,,Small.Node'
  mv got alone
  # A pipe is read as often as it takes.
  # shellcheck disable=SC2002 # it is to be a pipe
  cat "$small" | "$proflog" $objects --track 0x7f9f100 - | grep '^objects.followed' >got
  same got alone
  gzip -c "$small" >small.gz
  run 0 $objects --track 0x7f9f100 small.gz
  grep '^objects.followed' out >got
  same got alone
  # By the log's end the lock is no longer in the heap.
  run 0 $objects --track 0x7fa0008 "$small"
  grep '^objects.followed' out >got
  same_lines got 'objects.followed.events,1,90,lock,0x7fa0008,,,,,contention' \
    'objects.followed.events,1,290,lock,0x7fa0008,,,,,done' \
    'objects.followed.events,1,490,collected,0x7fa0008,,,1,,'
  # Both kinds of --find count, and the other selections do.
  run 0 $objects --find T:Node --find S:25 "$small"
  grep -q found, out && fail "a node of 25 bytes"
  run 0 $objects --find S:1 --exclude Byte "$small"
  grep -q -F -e "$bytes" out && fail "a type that is excluded"
  run 0 $objects --find S:1 --time-range 0~71ns small.gz
  test "$(grep -c found, out)" = 1 || fail "not the one object of this time"
  run 0 $objects --find S:1 --thread 0x7f22 "$small"
  grep -q found, out && fail "an object of another thread"
}

run 0 report --format json --find S:1 --track 0x10,0x7fa0100 "$small"
read_json
expect objects.matching 2
expect objects.not_listed 0
expect objects.complete true
expect 'objects.not_met[0]' 0x10
expect allocations.objects 2
for format in text markdown; do
  run 0 report --format $format --find S:1 --traces "$small"
  says out 'to 0x7f9f100'
  says out 'Small.Program:Work (int)'
done
# It is shown whatever else is requested, and not without being requested.
run 0 report --reports=alloc --track 0x10 "$small"
says out 'Never seen'
says out 0x10
run 0 report "$small"
grep -q '^Objects' out && fail "objects that no one requested"

# wrong OPTION TEXT
wrong ()
{
  run 2 report "$1" "$2" "$small"
  quiet out
  says err "proflog report: $1 $2: "
}
wrong --find Node
wrong --find S:big
wrong --find S:
wrong --find T:
wrong --track Node
wrong --track 0x10,zz
wrong --track ''
# Other commands have no use for them.
for command in dump info check; do
  run 2 $command --find T:Node "$small"
  says err "there is no option '--find'"
done
# Without --find or --track: which options there are.
run 0 report --reports=objects "$small"
says out '--find'
says out '--track'
grep -q 'Nothing in the log' out && fail "objects are reported as missing"
run 0 report --reports=jit "$small"
grep -q -e --find out && fail "objects are listed"
done_checks
