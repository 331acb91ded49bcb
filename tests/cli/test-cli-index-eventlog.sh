#!/bin/sh
# --index of eventlogs: with the file beside the log all commands print what they print without, and read less.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built SQLITE proflog-query
. "$tests/cli/index-lib.sh"

# all_kinds LOG: statements on each kind, and on parts of the tables of all.
all_kinds ()
{
  # shellcheck disable=SC2046 # words
  set -- "$1" $("$proflog" query -q --format csv "$1" "SELECT DISTINCT replace (kind, '-', '_') FROM events" | tail -n +2)
  asked=$1
  shift
  for kind; do
    ask "SELECT * FROM $kind" "$asked"
  done
  for table in events blocks run_thread block_marker; do
    for condition in 'elapsed_ns BETWEEN 30000000 AND 60000000' 'elapsed_ns < 500000' 'time_ns > 100000000' \
      'cap = 0' 'cap = 1 AND elapsed_ns > 50000000' 'cap IS NULL'; do
      ask "SELECT * FROM $table WHERE $condition" "$asked"
    done
  done
  ask "SELECT count(*) FROM events WHERE kind = 'thread-label'" "$asked"
  ask "SELECT count(*) FROM events WHERE kind = 'unknown'" "$asked"
  ask "SELECT * FROM damage" "$asked"
  ask "SELECT * FROM blocks" "$asked"
  printed report --time-range 10%~60% "$asked"
  printed dump --cap 0 --time-range 10%~60% "$asked"
  printed dump --cap 1,none "$asked"
  printed dump --format json --time-range 30%~31% "$asked"
  printed dump --time-range 99%~100% --filter . "$asked"
  printed dump --thread 1 --time-range 10%~20% "$asked"
  printed dump --cap 77 "$asked"
}

set -- blocks-N2 heap-hT restart-N2 sparks-all
test "${SANITIZER:-no}" = no || set -- restart-N2
for name; do
  gzip -dc "$logs/ghc-$name.eventlog.gz" >"$name.eventlog"
  same_printed "$name.eventlog" all_kinds
  # With many blocks, and some bytes of them spoilt.
  if has python3; then
    python3 "$tests/cli/small-blocks.py" "$name.eventlog" "small-$name.eventlog" 7 || fail "small-blocks.py fails"
    same_printed "small-$name.eventlog" all_kinds
    size=$(stat -c %s "small-$name.eventlog")
    overwrite "small-$name.eventlog" $((size * 2 / 3)) "$bad"
    same_printed "small-$name.eventlog" all_kinds
  fi
done

# The first block is spoilt, but the file is as old and as large as before: only who reads it finds that.
gzip -dc "$logs/ghc-blocks-N2.eventlog.gz" >all.eventlog
third=$("$proflog" query --format csv all.eventlog "SELECT max(offset) FROM blocks" | tail -n 1)
sets='SELECT count(*) FROM capset_create'
cp all.eventlog used.eventlog
make_index used.eventlog
touch -r used.eventlog stamp
overwrite used.eventlog 30000 "$bad"
touch -r stamp used.eventlog
run 0 query --format csv used.eventlog "$sets"
quiet err
same_lines out 'count(*)' 2
touch -d '2001-01-01' used.eventlog
run 0 query --format csv used.eventlog "$sets"
says err 'cannot be read'
# It grows.
head -c "$third" all.eventlog >used.eventlog
make_index used.eventlog
length=$(stat -c %s used.eventlog.index)
tail -c +$((third + 1)) all.eventlog >>used.eventlog
overwrite used.eventlog 30000 "$bad"
run 0 query --format csv used.eventlog "$sets"
quiet err
run 0 query --index --format csv used.eventlog "$sets"
quiet err
same_lines out 'count(*)' 2
test "$(stat -c %s used.eventlog.index)" -gt "$length" || fail "the index of the eventlog was not extended"
# Neither is the index of the other format one of this.
cp all.eventlog used.eventlog
cp "$small" small.mlpd
make_index small.mlpd
cp small.mlpd.index used.eventlog.index
run 0 query --format csv used.eventlog "$sets"
quiet err
same_lines out 'count(*)' 2
done_checks
