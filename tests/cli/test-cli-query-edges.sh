#!/bin/sh
# proflog query at its edges: bounds that no time reaches, conditions that cursors cannot use, logs that are gone,
# damaged inside their compression or come through a pipe, and what has no number.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/query-lib.sh"
need_built SQLITE proflog-query

# ask SQL LOG...: its rows, without the line of names, in rows.
ask ()
{
  sql=$1
  shift
  run 0 query --format csv "$@" "$sql"
  tail -n +2 out >rows
}

gunzip -c "$logs/stock-threads.mlpd.gz" >threads.mlpd || fail "there is no log"
gunzip -c "$logs/ghc-blocks-N2.eventlog.gz" >blocks.eventlog || fail "there is no log"
gunzip -c "$logs/stock-heapshot.mlpd.gz" >shots.mlpd || fail "there is no log"
some=0

# ---- bounds ----

# Of more than 64 bits, at their ends, before all, after all, and of both clocks.
bounds ()
{
  for time in time_ns elapsed_ns; do
    same_rows "$1" "$2" "$time > 1e19" "$time > -1e19 AND $time < 1e19" "$time < -1e19" "$time >= -9223372036854775807" \
      "$time <= 9223372036854775807"
  done
  same_rows "$1" "$2" "elapsed_ns > 1000000 AND time_ns > 1" "elapsed_ns < 1e18 AND time_ns < 3e6" \
    "elapsed_ns > 1000000 AND time_ns > 9e18" "elapsed_ns < 0"
}
bounds threads.mlpd calls
bounds blocks.eventlog run_thread
# With the file of an index, which states what buffers and blocks have.
run 0 info --index threads.mlpd
run 0 info --index blocks.eventlog
thread=$("$proflog" query --format csv threads.mlpd "SELECT thread FROM events GROUP BY 1 ORDER BY count(*) LIMIT 1" | tail -n 1)
same_rows threads.mlpd events "thread = $thread" "thread = $thread AND kind = 'thread-name'" "thread = 1" \
  "kind = 'thread-name' AND time_ns > 9e18" "kind = 'nothing'"
bounds threads.mlpd events
bounds blocks.eventlog run_thread
same_rows blocks.eventlog events "kind = 'run-thread'" "kind = 'nothing'" "kind = 'gc-start' AND cap = 1" "cap = 70000"

# Conditions of columns that have none of a cursor's, and with operators that are none of its.
same_rows threads.mlpd events "time_ns <> 5" "time_ns BETWEEN 5 AND 4" "time_ns LIKE '1%'" "thread > $thread" \
  "kind > 'method'" "log LIKE 'threads%'" "time_ns IN (1, 2)" "time_ns = x'41'"
ask "SELECT count(*) FROM events WHERE rowid >= 0" threads.mlpd
mv rows numbered
ask "SELECT count(*) FROM events" threads.mlpd
same rows numbered
# The other side of a join is known before its rows, or is not.
ask "SELECT count(*) FROM gc_pauses a, gc_event b WHERE b.time_ns >= a.time_ns" "$logs/all-v17.mlpd"
mv rows joined
ask "SELECT count(*) FROM gc_pauses a, (SELECT * FROM gc_event LIMIT -1 OFFSET 0) b WHERE b.time_ns >= a.time_ns" \
  "$logs/all-v17.mlpd"
same rows joined
test "$some" -ge 5000 || fail "only $some rows were compared"

# ---- snapshots ----

same_rows shots.mlpd heap_objects "object = 9223372036854775807" "object = 0" "shot = 4294967297"
# One that is not there is not searched again, nor are those after it.
ask "SELECT (SELECT count(*) FROM heap_objects WHERE shot = n) FROM (SELECT 9 AS n UNION ALL SELECT 9 UNION ALL SELECT 8
  UNION ALL SELECT 3 UNION ALL SELECT 9)" shots.mlpd
count=$("$proflog" query --format csv shots.mlpd "SELECT count(*) FROM heap_objects WHERE shot = 3" | tail -n 1)
same_lines rows 0 0 0 "$count" 0

# ---- what has no number, and what is not text ----

numbers="SELECT 9e999 AS a, -9e999 AS b, 1.5 AS c, '' AS d, x'' AS e"
run 0 query --format csv threads.mlpd "$numbers"
same_lines out a,b,c,d,e ',,1.5,,'
run 0 query --format json threads.mlpd "$numbers"
sed -n '/"c"/p' out >row
same_lines row '    { "a": null, "b": null, "c": 1.5, "d": "", "e": "" }'
# Bytes of an event are bytes; numbers of it that are of other columns, too, have names of their own.
if test -x "$top_builddir/tests/eventlog/post-all"; then
  "$top_builddir/tests/eventlog/post-all" all.eventlog full >out || fail "no log of all events"
  ask "SELECT hex (bytes), typeof (bytes) FROM user_binary_msg" all.eventlog
  same_lines rows 010203,blob 010203,blob
  "$proflog" dump all.eventlog >dumped
  ask "SELECT count(*) FROM events WHERE cap IS NOT NULL AND kind <> 'block-marker'" all.eventlog
  same_lines rows "$(awk '$3 ~ /^[0-9]+$/ && $4 != "block-marker" { n++ } END { print n }' dumped)"
fi

# ---- a pipe ----

for sql in "SELECT value FROM figures WHERE key = 'log.events'" "SELECT count(*) FROM stacks" "SELECT count(*) FROM events"; do
  ask "$sql" threads.mlpd
  cp rows of_file
  "$proflog" query --format csv - "$sql" <threads.mlpd >out 2>err || fail "$sql of a pipe"
  tail -n +2 out >rows
  same rows of_file
done

# ---- words and scripts ----

# A log whose name has blanks is no statement.
cp threads.mlpd 'a log'
echo 'SELECT log FROM blocks LIMIT 1;' >script
"$proflog" query --format csv 'a log' <script >out 2>err || fail "a log with a blank"
same_lines out log 'a log'
echo 'SELECT 1 AS a; SELECT nocolumn;' >bad
run 3 query --file bad threads.mlpd
says err 'no such column: nocolumn'
run 3 query --file nowhere threads.mlpd
says err 'nowhere: No such file'
run 3 query -o nowhere/out threads.mlpd 'SELECT 1'
says err nowhere
run 2 query
says err 'log'

# ---- damage inside a compression ----

# It is a row of `damage`, and counts wherever rows are read.
head -c 2000 "$logs/stock-threads.mlpd.gz" >cut.mlpd.gz
head -c 4000 "$logs/ghc-blocks-N2.eventlog.gz" >cut.eventlog.gz
for log in cut.mlpd.gz cut.eventlog.gz; do
  "$proflog" dump --format json $log >dumped 2>err
  damages=$(grep -c '"item":"damage"' dumped)
  test "$damages" -ge 1 || fail "$log is not damaged"
  ask "SELECT count(*) FROM damage" $log
  says err 'SELECT * FROM damage'
  same_lines rows "$damages"
  ask "SELECT count(*) FROM events WHERE kind = 'nothing'" $log
  says err 'SELECT * FROM damage'
  run 4 query --strict $log 'SELECT count(*) FROM blocks'
done

# ---- logs that are gone ----

# Each table says so.  SQLite's own program has no sanitizer.
extension=$top_builddir/.libs/libproflog-sqlite.so
if test "${SANITIZER:-no}" = no && has sqlite3; then
  for table in events blocks method_enter calls damage heap_objects heap_refs figures logs gc_pauses calls_methods stacks \
    run_thread 'method_enter WHERE method_name IS NULL' 'calls WHERE method_name IS NULL'; do
    for log in "$small" blocks.eventlog; do
      case "$table $log" in run_thread*mlpd | [!r]*eventlog) continue ;; esac
      cp "$log" gone && chmod u+w gone
      sqlite3 :memory: ".load $extension" "SELECT proflog_open ('gone')" ".shell rm gone" "SELECT count(*) FROM $table" \
        >out 2>err && fail "$table of a log that is gone: $(cat out)"
      says err gone
    done
  done
fi

# ---- the limit of time ----

# Each of these runs on within one step of SQLite, or for ever.
if test -x "$top_builddir/proflog-query"; then
  for sql in "SELECT sum(length(hex(randomblob(20000000)))) FROM events, events, events" \
    "SELECT instr(printf('%.*c', 100000000, 'x'), printf('%.*c', 1000000, 'x') || 'y')" \
    "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t"; do
    began=$(date +%s)
    run 3 query --timeout 1s "$small" "$sql"
    says err 'proflog query: the statement takes longer than --timeout'
    test $(($(date +%s) - began)) -lt 20 || fail "$sql was not ended"
  done
  run 0 query --timeout 20s "$small" "SELECT 1"

  # What is no log is refused also where the statement reads no table.
  : >empty
  echo hello, world >foreign
  for file in empty foreign; do
    run 3 query "$file" "SELECT 1"
    says err "proflog query: $file: "
  done
fi

# ---- files of tables ----

# Logs of one name have different ones; a log that does not say when it began has no date.
if test -x "$top_builddir/proflog-query"; then
  mkdir one two
  cp "$logs/all-v17.mlpd" one/app.mlpd
  cp "$logs/all-v01.mlpd" two/app.mlpd
  run 0 query --parquet lake one/app.mlpd two/app.mlpd
  find lake -path '*kind=figures/*' -name 'app.mlpd*.parquet' -printf '%f\n' | sort >names
  test -s names || find lake -name 'app.mlpd*.parquet' -printf '%f\n' | sort -u >names
  same_lines names app.mlpd.2.parquet app.mlpd.parquet
  "$proflog" query --parquet piped - <threads.mlpd >out 2>err || fail "tables of a pipe"
  test -n "$(find piped -name 'stdin.parquet')" || fail "no table of a pipe"
fi
# A head is what the statement names it, and does nothing to the terminal.
run 0 query threads.mlpd "SELECT 1 AS \"a$(printf '\033[31m\342\200\256')b\""
says out 'a?[31m?b'
! LC_ALL=C grep -q "$(printf '[\033\342]')" out || fail 'a head acts on the terminal'
done_checks
