#!/bin/sh
# proflog query: rows that are grouped by what has names come from the tables in groups, without a sorter; they are
# those that SQLite would make of all rows.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built SQLITE proflog-query

# group TABLE COLUMNS LOG...: as they are, and behind a subquery that a table does not see through.
group ()
{
  table=$1 columns=$2
  shift 2
  all="(SELECT * FROM $table LIMIT -1 OFFSET 0)"
  for statement in "SELECT $columns, count(*) FROM @ GROUP BY $columns" "SELECT DISTINCT $columns FROM @ ORDER BY $columns" \
    "SELECT $columns, count(*), count(${columns%%,*}), min(${columns%%,*}) FROM @ GROUP BY $columns HAVING count(*) > 1"; do
    run 0 query --format csv "$@" "$(echo "$statement" | sed "s/@/$table/")"
    tail -n +2 out >grouped
    run 0 query --format csv "$@" "$(echo "$statement" | sed "s/@/$all/")"
    tail -n +2 out >sorted
    same grouped sorted
    rows=$((rows + $(wc -l <grouped)))
  done
  run 0 query --format csv "$@" "EXPLAIN QUERY PLAN SELECT $columns, count(*) FROM $table GROUP BY $columns"
  ! grep -i 'b-tree' out || fail "$table by $columns: a sorter"
}

rows=0
calls=$logs/module-calls.mlpd.gz alloc=$logs/module-alloc.mlpd.gz heap=$logs/stock-heapshot.mlpd.gz ghc=$logs/ghc-blocks-N2.eventlog.gz
for columns in kind thread thread,kind kind,thread log,kind log; do
  group events $columns "$calls" "$alloc"
done
for columns in method method_name thread,method_name; do
  group method_enter $columns "$calls"
done
group calls method_name,caller_name "$calls"
for columns in klass vtable klass_name; do
  group alloc $columns "$alloc" "$calls"
done
group heap_objects type "$heap"
for columns in kind cap,kind; do
  group events $columns "$ghc"
done
for columns in cap status status_name; do
  group stop_thread $columns "$ghc"
done
group events kind,cap "$ghc" "$calls"
test "$rows" -gt 500 || fail "only $rows groups"

# By more than names, and what is no column, as ever.
run 0 query --format csv "$calls" 'SELECT method, min(time_ns), max(time_ns) FROM method_enter GROUP BY method'
mv out grouped
run 0 query --format csv "$calls" \
  'SELECT method, min(time_ns), max(time_ns) FROM (SELECT * FROM method_enter LIMIT -1 OFFSET 0) GROUP BY method'
same grouped out
run 0 query --format csv "$calls" 'SELECT kind, count(*) FROM events WHERE thread IS NULL OR kind = "method-enter" GROUP BY kind'
mv out grouped
run 0 query --format csv "$calls" \
  'SELECT kind, count(*) FROM (SELECT * FROM events LIMIT -1 OFFSET 0) WHERE thread IS NULL OR kind = "method-enter" GROUP BY kind'
same grouped out
run 3 query "$calls" 'SELECT method, min(rowid) FROM method_enter GROUP BY method'
says err 'rowid'
run 3 query --max-memory 1MB "$calls" "SELECT thread, kind, count(*) FROM events, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) GROUP BY thread, kind, i"
done_checks
