#!/bin/sh
# Collections of eventlogs of which the runtime states only a part: their starts and ends without figures, as of GHC before
# 7.5 and of other writers, and slop below 0.  The input states the figures.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
ms=000000

# make_log NAME: an eventlog of the events in standard input.
make_log ()
{
  python3 "$tests/cli/make-eventlog.py" "$1" || fail "no log"
}

# collections CAPS TIME LENGTH: one of these capabilities, which starts at a time and lasts so long, in ms.
collections ()
{
  for cap in $1; do
    echo "$cap $2$ms gc start"
    echo "$cap $(($2 + $3))$ms gc end"
  done
}

# has_collections LOG NUMBER PARALLEL GC LONGEST LENGTH: all commands state these, in ms.
has_collections ()
{
  case=$1
  run 0 report --format json "$1"
  read_json
  expect gc.collections "$2"
  expect gc.parallel "$3"
  expect time.gc_ns "$4$ms"
  expect time.mutator_ns $(($6 - $4))$ms
  expect 'gc.generations[null].elapsed_ns' "$4$ms"
  expect 'gc.generations[null].pause_max_ns' "$5$ms"
  run 0 info "$1"
  says out "Collections          $2"
  run 0 stats "$1"
  says out "$(printf '  Gen  ?     %5d colls, %5d par ' "$2" "$3")"
  run 0 convert -q "$1" -o "$1.mlpd" --force
  run 0 report --reports=gc --format json "$1.mlpd"
  read_json
  expect 'gc.generations[0].collections' "$2"
  expect 'gc.generations[0].total_ns' "$4$ms"
  case=
}

# Two capabilities collect together 5 times; the collections last 1 to 5 ms.
{
  echo "0 0$ms msg begins"
  for n in 1 2 3 4 5; do
    collections '0 1' "${n}0" $n
  done
  echo "0 100$ms msg ends"
} >events
make_log together <events
has_collections together 5 5 15 5 100

# One of two capabilities collects, 4 times, while the other one waits.
{
  echo "0 0$ms run 1"
  echo "1 0$ms run 2"
  for n in 1 2 3 4; do
    collections 0 "${n}0" 3
  done
  echo "0 200$ms stop 1"
  echo "1 200$ms stop 2"
} >events
make_log alone <events
has_collections alone 4 0 12 3 200

# A writer without threads, whose last collection does not end: it has no length.
{
  echo "0 0$ms msg begins"
  for n in 1 2 3; do
    collections 0 "${n}0" 2
  done
  echo "0 60$ms gc start"
  echo "0 100$ms msg ends"
} >events
make_log cut <events
run 0 report --format json cut
read_json
expect gc.collections 3
expect time.gc_ns 6$ms
run 0 report --reports=gc cut
says out 'Without start or end 1'

# Slop below 0 does not count: of 5 collections of generation 1 two have none, and the largest is 40.  Those of
# generation 0 count for nothing.
{
  echo "0 0$ms run 1"
  for slop in 10 -50 40 -2 30; do
    n=$((${n:-0} + 1))
    collections 0 "${n}0" 2
    echo "0 ${n}2$ms collected 1 1000 $slop"
    collections 0 "${n}5" 2
    echo "0 ${n}7$ms collected 0 1000 $((-n))"
  done
  echo "0 300$ms stop 1"
} >events
make_log slop <events
run 0 stats slop
says out '40 bytes maximum slop'
says out '(slop below 0 in 2 collections does not count: +RTS -s takes it for nearly 2^64)'
run 0 report --format json slop
read_json
expect heap.max_slop_bytes 40
sed 's/collected \(.*\) -[0-9]*$/collected \1 7/' events | make_log slop
run 0 stats slop
says out '40 bytes maximum slop'
! grep -q 'below 0' out || fail 'slop below 0 where there is none'
done_checks
