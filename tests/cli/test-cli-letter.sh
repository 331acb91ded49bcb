#!/bin/sh
# Logs of data version 1 as its published text has them (tests/logs/make-letter.c): what is read of them, and
# that no other log is taken for one.
. "${srcdir:-.}/tests/cli/lib.sh"

make_letter=$top_builddir/tests/logs/make-letter
test -x "$make_letter" || fail "$make_letter is not built"

# unit LOG UNIT [OPTION...]: `info` states this unit.
unit ()
{
  log=$1 expected=$2
  shift 2
  run 0 info --format json "$@" "$log"
  read_json
  expect log.object_unit "$expected"
}

# Differences in bytes and in units of 8 are the same objects; 5000 and 100 decide by themselves.
for count in 5000 100; do
  "$make_letter" 1 $count >bytes.mlpd
  "$make_letter" 8 $count >units.mlpd
  cmp -s bytes.mlpd units.mlpd && fail "the logs are the same"
  unit bytes.mlpd 1
  unit units.mlpd 8
  unit bytes.mlpd 8 --object-unit 8
  unit units.mlpd 1 --object-unit 1
  run 0 info bytes.mlpd
  says out 'Object unit, bytes   1'
  # figures_of LOG: those of its report that are not of its bytes.
  figures_of ()
  {
    run 0 report --format json --verbose "$1"
    read_json
    grep -v -e '^log\.\(name\|object_unit\|bytes\)' -e '^kinds' figures
  }
  figures_of units.mlpd >units.figures
  figures_of bytes.mlpd >bytes.figures
  test "$(wc -l <units.figures)" -ge 100 || fail "few figures"
  same bytes.figures units.figures
  for command in 'report --reports=objects --find S:1 --limit 30 LOG' 'heap histogram --format json LOG' \
    'report --reports=objects --track 0x7f0000000018 LOG' 'heap refs --format json LOG 0x7f0000000018'; do
    for log in units bytes; do
      # shellcheck disable=SC2046 # words
      run 0 $(echo "$command" | sed "s/LOG/$log.mlpd/")
      sed "s/$log.mlpd/LOG/g" out >$log.out
    done
    same bytes.out units.out
  done
  for log in units bytes; do
    run 0 dump $log.mlpd
    grep -o 'object=0x[0-9a-f]*' out >$log.out
  done
  test "$(wc -l <units.out)" -ge $((2 * count)) || fail "dump prints few objects"
  same bytes.out units.out
  # The objects: all in one snapshot, all of one type.
  run 0 report --format json bytes.mlpd
  read_json
  expect allocations.objects $count
  expect 'heapshots[1].objects' $count
  # The bare assembly and the bare domain are not lost, nor is the class after them.
  run 0 info --format csv --reports=kinds bytes.mlpd
  for kind in metadata-assembly metadata-domain metadata-class; do
    grep -q "^1,.*$kind" out || fail "no $kind"
  done
  # From a pipe and compressed.
  "$proflog" info --format json - <bytes.mlpd >out || fail "a pipe cannot be read"
  read_json
  expect log.object_unit 1
  gzip -c bytes.mlpd >bytes.mlpd.gz
  unit bytes.mlpd.gz 1
done

# Units of 8 of which each is a multiple of 8, too, as all objects have 64 bytes: they would overlap.
"$make_letter" 8 1000 64 >units.mlpd
unit units.mlpd 8
"$make_letter" 1 1000 64 >bytes.mlpd
unit bytes.mlpd 1
# Few objects show nothing.
"$make_letter" 1 4 64 >bytes.mlpd
unit bytes.mlpd 8
unit bytes.mlpd 1 --object-unit 1

# No other log has bytes.
for log in "$logs"/*.mlpd "$logs"/module-*.mlpd.gz "$logs"/stock-*.mlpd.gz; do
  "$proflog" info -q --format json "$log" >out || fail "info $log"
  read_json
  expect log.object_unit 8
done

run 2 report --object-unit 4 units.mlpd
says err '--object-unit'
test "$checks" -ge 60 || fail "only $checks checks"
done_checks
