#!/bin/sh
# proflog query: tables have what dump and report print, conditions that cursors get change no answer, and
# statements can do nothing but read, within their limits.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/query-lib.sh"
need_built SQLITE proflog-query

# ask SQL LOG...: its rows, without the line of names, in rows.
ask ()
{
  sql=$1
  shift
  run 0 query --format csv "$@" "$sql"
  quiet err
  tail -n +2 out >rows
}

# answer SQL LOG VALUE: the only value.
answer ()
{
  ask "$1" "$2"
  same_lines rows "$3"
}

# ---- every column ----

# With a sanitizer each command takes long: there are fewer logs, tables and bounds, and so fewer results.
set -- "$logs"/all-v*.mlpd "$logs"/stock-*.mlpd.gz "$logs"/ghc-*.eventlog.gz
versions='*' tables='events method_enter method_leave blocks metadata_class' every=1
stacks_of='stock-calls stock-alloc stock-exceptions stock-monitors stock-samples module-calls module-alloc'
least=500000 least_methods=120 least_rows=20000 least_stacks=700
if test "${SANITIZER:-no}" != no; then
  set -- "$logs/all-v01.mlpd" "$logs/all-v17.mlpd" "$logs/stock-monitors.mlpd.gz" "$logs/ghc-heap-hT.eventlog.gz"
  versions='[01][17]' tables='events method_enter blocks' every=4 stacks_of='stock-calls stock-alloc stock-monitors'
  least=5000 least_methods=30 least_rows=10000 least_stacks=300
fi
if has python3; then
  python3 "$tests/cli/query-columns.py" "$proflog" "$@" >compared 2>err || fail "query-columns.py: $(tail -n 1 err)"
  test "$(cat compared)" -gt "$least" || fail "only $(cat compared) values were compared"
fi

# ---- what is computed: the figures of reports ----

methods=0
for log in "$logs"/all-v$versions.mlpd "$logs"/stock-calls.mlpd.gz; do
  run_into report 0 report --reports calls --format csv --limit 0 --fields total,self,calls,name "$log"
  sed -n '/^total_ns,self_ns,calls,name$/,$p' report | tail -n +2 | sort >expected
  ask "SELECT sum(total_ns), sum(self_ns), count(*), coalesce(method_name, 'unresolved method 0x' || printf('%x', method))
    FROM calls GROUP BY method, method_name" "$log"
  sort rows >sorted
  same sorted expected
  methods=$((methods + $(wc -l <expected)))
done
test "$methods" -ge "$least_methods" || fail "calls of only $methods methods were compared"
for log in "$logs/stock-alloc.mlpd.gz" "$logs/all-v17.mlpd"; do
  run_into report 0 report --reports allocations --format json "$log"
  "$json_paths" <report >figures
  answer "SELECT sum(size) FROM alloc" "$log" "$(sed -n 's/^allocations.bytes	//p' figures)"
  answer "SELECT sum(bytes) FROM allocations_types" "$log" "$(sed -n 's/^allocations.bytes	//p' figures)"
  answer "SELECT value FROM figures WHERE key = 'allocations.objects'" "$log" \
    "$(sed -n 's/^allocations.objects	//p' figures)"
done
log=$logs/ghc-blocks-N2.eventlog.gz
run_into dumped 0 dump "$log"
answer "SELECT count(*) FROM run_thread" "$log" "$(grep -c ' run-thread ' dumped)"
answer "SELECT count(*) FROM blocks" "$log" "$(grep -c ' block-marker ' dumped)"
answer "SELECT count(*) FROM stop_thread WHERE status_name = 'yielding'" "$log" \
  "$(grep ' stop-thread ' dumped | grep -c 'status=yielding')"

# ---- conditions ----

# value SQL LOG: the answer.
value ()
{
  ask "$@" && cat rows
}

gunzip -c "$logs/stock-calls.mlpd.gz" >calls.mlpd || fail "there is no log"
gunzip -c "$logs/ghc-blocks-N2.eventlog.gz" >blocks.eventlog || fail "there is no log"
some=0
middle=$(value "SELECT (min(time_ns) + max(time_ns)) / 2 FROM method_enter" calls.mlpd)
later=$(value "SELECT max(time_ns) * 0.75 + min(time_ns) * 0.25 FROM method_enter" calls.mlpd)
thread=$(value "SELECT thread FROM method_enter GROUP BY 1 ORDER BY count(*) DESC LIMIT 1" calls.mlpd)
method=$(value "SELECT method FROM method_enter GROUP BY 1 ORDER BY count(*) DESC LIMIT 1" calls.mlpd)
for table in $tables; do
  same_rows calls.mlpd $table "time_ns < $middle" "time_ns >= $middle AND time_ns <= $later" "elapsed_ns > 50000000" \
    "thread = $thread" "thread = $thread AND time_ns > $middle" "thread = 1.5" "log = 'calls.mlpd'" "log = 'x'" \
    "time_ns > 'x'" "time_ns IS NULL" "time_ns = $middle"
done
same_rows calls.mlpd events "kind = 'exception-throw'" "kind = 'nothing'" "kind = 1" "kind = 'method-jit' AND elapsed_ns < 1e8"
same_rows calls.mlpd method_enter "method = $method" "method = $method AND time_ns > $middle"
same_rows calls.mlpd calls "method = $method" "thread = $thread" "time_ns > $middle" "method = $method AND time_ns < $middle"
for table in events run_thread stop_thread blocks; do
  same_rows blocks.eventlog $table "cap = 1" "time_ns < 60000000" "cap = 0 AND time_ns BETWEEN 2e7 AND 4e7" "elapsed_ns > 100000000"
done
# A log of many short buffers: bounds in each part of it, at first events of buffers.
gunzip -c "$logs/stock-threads.mlpd.gz" >threads.mlpd || fail "there is no log"
ask "SELECT min(e.time_ns) FROM events e JOIN (SELECT offset + size AS first FROM blocks WHERE length > 0) b ON e.offset = b.first
  GROUP BY b.first / (SELECT max(offset) / 12 FROM blocks)" threads.mlpd
test "$(wc -l <rows)" -ge 10 || fail "only $(wc -l <rows) bounds"
sed -n "1~${every}p" rows >bounds
while read -r bound; do
  same_rows threads.mlpd events "time_ns <= $bound" "time_ns >= $bound" "time_ns = $bound"
done <bounds
# Objects of snapshots, by address; a snapshot that is not there.
gunzip -c "$logs/stock-heapshot.mlpd.gz" >shots.mlpd || fail "there is no log"
object=$(value "SELECT object FROM heap_objects WHERE shot = 3 ORDER BY retained_bytes DESC LIMIT 1" shots.mlpd)
for table in heap_objects heap_refs; do
  same_rows shots.mlpd $table "shot = 2" "shot = 9" "shot = 0" "shot = -1" "object = $object" "object = $object AND shot = 3" \
    "object = 1" "shot = 1.5"
done
test "$some" -ge "$least_rows" || fail "only $some rows were compared"

# ---- several logs, pipes, scripts ----

ask "SELECT log, count(*) FROM events GROUP BY 1 ORDER BY 2" calls.mlpd blocks.eventlog
test "$(wc -l <rows)" = 2 || fail "not two logs: $(cat rows)"
cp rows both
"$proflog" query --format csv - 'SELECT count(*) FROM events' <calls.mlpd >out 2>err || fail "query of a pipe"
test "$(tail -n 1 out)" = "$(sed -n 's/^calls.mlpd,//p' both)" || fail "of a pipe: $(cat out)"
cat >script <<'END'
-- two statements
SELECT 1 AS a;
SELECT 'x;y' AS b, NULL AS c, 1.5 AS d, -3 AS e, x'00ff' AS f;
END
run_into plain 0 query --format json --file script calls.mlpd
run_into piped 0 query --format json calls.mlpd <script
same plain piped
sed -n '/"b"/p' plain >row
same_lines row '    { "b": "x;y", "c": null, "d": 1.5, "e": -3, "f": "00ff" }'
run 0 query calls.mlpd "SELECT 1 AS one, 'a' AS two UNION ALL SELECT NULL, 'bc'"
same_lines out 'one  two' '  1  a' '  -  bc'
# Any names of columns.
names="1 AS 'a,b', 2 AS 'x\"y', 3 AS '<i>|z', char (10) || 'z' AS c"
run 0 query --format csv calls.mlpd "SELECT $names"
same_lines out '"a,b","x""y",<i>|z,c' '1,2,3,\u000az'
run 0 query --format json calls.mlpd "SELECT $names"
read_json
expect 'rows[0].x"y' 2
run 0 query --format html calls.mlpd "SELECT $names"
grep -q '<i>' out && fail "a name is HTML"
run 0 query --format json calls.mlpd 'SELECT 1 WHERE 0'
same_lines out '{' '  "schema": "proflog.query/1",' '  "rows": []' '}'
run 0 query --format markdown calls.mlpd "SELECT kind, count(*) AS n FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
grep -q '^| method-enter | 5988 |' out || fail "Markdown: $(cat out)"

# ---- on a terminal ----

# typed LINE...: what is on the terminal is in screen.
typed ()
{
  printf '%s\n' "$@" | HOME=$work XDG_STATE_HOME=$work TERM=dumb \
    script -qec "'$proflog' query calls.mlpd" screen >typed 2>&1 || fail "script: $(cat typed)"
  checks=$((checks + 1))
}

if has script; then
  typed '.tables method*' '.schema metho' '.schema method_enter' '.schema gc_pauses' 'SELECT count(*) AS n' 'FROM method_enter;' \
    'SELECT nocolumn;' '.mode json' 'SELECT 1 AS one;' '.mode x' '.nothing' '.quit'
  for text in 'method_exc_leave  *a method was left' "there is no table 'metho'; .tables" 'elapsed_ns  *INTEGER' \
    'gc_pauses: pauses of Mono logs' '^  pause_ns' \
    '^5988' 'no such column: nocolumn' '"one": 1' '.mode: there are text, json' "there is no command '.nothing'"; do
    grep -q -e "$text" screen || fail "the terminal has no $text: $(cat screen)"
  done
fi

if has script; then
  # The rows come after their statement, not at the end; of several statements all do.
  typed 'SELECT 11 AS a;' 'SELECT 22 AS a;'
  tr -d '\r' <screen | sed -n 's/^proflog> SELECT/SELECT/p; /^[0-9 ][0-9]*$/p' >order
  same_lines order 'SELECT 11 AS a;' '11' 'SELECT 22 AS a;' '22'
  TERM=dumb script -qec "'$proflog' query --no-pager calls.mlpd 'SELECT 11 AS a; SELECT 22 AS a'" screen >typed 2>&1
  grep -q '^11' screen && grep -q '^22' screen || fail "not both: $(cat screen)"
  # shows_row NUMBER: it comes, if need be after the statement is typed again: what is typed before the prompt is
  # there may be lost.
  shows_row ()
  {
    tries=0
    until tr -d '\r' <screen | grep -q "^ *$1\$" || test "$tries" = 600; do
      test $((tries % 50)) != 0 || echo "SELECT $1 AS a;"
      tries=$((tries + 1))
      sleep 0.1
    done
  }
  # Ctrl-C ends the statement, or what is typed of one, not the command, once its prompt is there.  (It would end
  # the shell that 'script' starts.)
  : >screen
  {
    wait_for grep -q 'proflog> ' screen
    echo 'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c;'
    tries=0
    until grep -q 'proflog query: interrupted' screen || test $((tries += 1)) = 600; do
      sleep 0.1
      printf '\003'
    done
    shows_row 33
    for interrupt in 1 2 3; do
      printf 'SELECT nothing\n'
      sleep 0.2
      printf 'FROM nowhere\003'
      sleep 0.2
      printf '\003'
      shows_row $((interrupt + 50))
    done
  } | TERM=dumb script -qfec "exec '$proflog' query calls.mlpd" screen >typed 2>&1 || fail "script ended with $?"
  tr -d '\r' <screen >lines
  for row in 'proflog query: interrupted' ' *33' ' *51' ' *52' ' *53'; do
    grep -q "^$row\$" lines || grep -q "^^C$row\$" lines || fail "Ctrl-C: $(cat lines)"
  done
  checks=$((checks + 1))
fi

# ---- as an extension of SQLite ----

extension=$top_builddir/.libs/libproflog-sqlite.so
# SQLite's own program has no sanitizer.
if test "${SANITIZER:-no}" = no && has sqlite3; then
  sqlite3 -csv :memory: ".load $extension" "SELECT proflog_open ('calls.mlpd'), proflog_open ('blocks.eventlog')" \
    "SELECT log, count(*) FROM events GROUP BY 1 ORDER BY 2" "SELECT count(*) FROM gc_pauses" \
    "SELECT calls FROM calls_methods WHERE name = 'Probe.Calls:Slow ()'" >out 2>err || fail "sqlite3: $(cat err)"
  { echo mono,ghc; cat both; printf '0\n3\n'; } >expected
  same out expected
  sqlite3 :memory: ".load $extension" "SELECT proflog_open ('nolog')" >out 2>err && fail "there is no nolog"
  says err 'nolog: No such file'
  # A log that can no longer be read has no stacks, which is not the same as none.
  cp calls.mlpd gone.mlpd
  sqlite3 :memory: ".load $extension" "SELECT proflog_open ('gone.mlpd')" ".shell rm gone.mlpd" \
    "SELECT count(*) FROM stacks" >out 2>err && fail "stacks of a log that is gone: $(cat out)"
  says err 'gone.mlpd: its stacks cannot be read'
fi

# ---- what is refused ----

# refused STATUS MESSAGE ARGUMENT...
refused ()
{
  expected=$1 message=$2
  shift 2
  run "$expected" query "$@"
  says err "$message"
}

touch there
for sql in "CREATE TABLE t (a)" "CREATE TEMP TABLE t (a)" "CREATE VIEW v AS SELECT 1" "INSERT INTO events VALUES (1)" \
  "DELETE FROM events" "DROP TABLE events" "ATTACH 'new.db' AS n" "VACUUM INTO 'new.db'" "PRAGMA journal_mode = wal" \
  "PRAGMA writable_schema = 1" "BEGIN" "SELECT load_extension ('./x.so')" "SELECT hex (fts3_tokenizer ('simple'))" "SELECT fts3_tokenizer ('simple', x'41')" "SELECT sqlite_log (1, 'x')" "SELECT writefile ('new.db', 'x')" \
  "SELECT readfile ('/etc/passwd')" "SELECT edit ('x')" "SELECT fts3_tokenizer ('x', 'y')" \
  "PRAGMA temp_store_directory = '.'" "ALTER TABLE events ADD COLUMN x"; do
  run 3 query calls.mlpd "$sql"
  test -s err || fail "$sql: no message"
done
test "$(ls)" != "" && test ! -e new.db || fail "a file was written"
refused 3 'longer than --timeout' --timeout 200ms calls.mlpd \
  'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'
refused 3 'more memory than --max-memory' --max-memory 8M calls.mlpd \
  'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 4000000) SELECT length (group_concat (n)) FROM c'
# A function that was refused memory does not go on to the last row, or to the end of its text.
for costly in 'SELECT length (group_concat (hex (randomblob (100000)))) FROM events, (SELECT 1 FROM events LIMIT 40)' \
  "SELECT length (printf ('%.*c', 2147483647, 'x'))"; do
  began=$(date +%s%N)
  refused 3 'more memory than --max-memory' --max-memory 20M calls.mlpd "$costly"
  took=$((($(date +%s%N) - began) / 1000000))
  test "$took" -lt 4000 || fail "refused after $took ms: $costly"
done
for format in text csv json; do
  refused 3 'more memory than --max-memory' --max-memory 8M --format $format calls.mlpd 'SELECT zeroblob (100000000)'
done
refused 3 'no such table: method_entr; did you mean method_enter?' calls.mlpd 'SELECT * FROM method_entr'
refused 3 'nolog.mlpd' nolog.mlpd 'SELECT 1'
refused 2 'a log is needed' 'SELECT 1 '
refused 2 'exclude each other' --file script calls.mlpd 'SELECT 1'

# ---- stacks ----

# Of each kind, the folded stacks and their values are what export prints; a kind that a log lacks has none.
same_stacks ()
{
  for kind in samples calls allocations locks exceptions; do
    run 0 query --format json "$1" "SELECT folded || ' ' || value AS line, kind, json_valid (frames) AS valid, json_array_length (frames) - depth AS more
      FROM stacks WHERE kind = '$kind' AND value > 0"
    read_json
    sed -n 's/^rows\[[^]]*\]\.line	//p' figures | sort >got
    if "$proflog" export -q --format folded --source "$kind" "$1" >folded 2>err; then
      sort folded >expected
      same got expected
      found=$((found + $(wc -l <got)))
      grep -v '\.valid	1$\|\.more	0$\|\.line	\|\.kind	'"$kind"'$\|^schema\|^columns' figures >wrong
      test ! -s wrong || fail "$1: frames of $kind: $(head -n 3 wrong)"
    else
      test ! -s got || fail "$1 has stacks of $kind, and none to export"
    fi
  done
}
found=0
for log in $stacks_of; do
  same_stacks "$logs/$log.mlpd.gz"
done
for log in ghc-ticks ghc-blocks ghc-heap-hc; do
  same_stacks "$logs/$log.eventlog.gz"
done
same_stacks "$logs/all-v17.mlpd"
test "$found" -ge "$least_stacks" || fail "only $found stacks"
# All kinds at once, of several logs; the numbers are those of the program.
run 0 query --format csv "$logs/stock-exceptions.mlpd.gz" "$logs/ghc-ticks.eventlog.gz" \
  "SELECT kind, unit, sum(count) AS n FROM stacks WHERE kind <> 'calls' GROUP BY log, kind ORDER BY kind"
throws=$(sed -n 's/^figure:exceptions.throws	//p' "$logs/stock-exceptions.counts")
ticks=$("$proflog" dump "$logs/ghc-ticks.eventlog.gz" | grep -c ' prof-sample-cost-centre ')
same_lines out kind,unit,n "exceptions,throws,$throws" "samples,ns,$ticks"
objects=$(sed -n 's/^count:alloc	//p' "$logs/stock-alloc.counts")
run 0 query --format csv "$logs/stock-alloc.mlpd.gz" "SELECT sum(count) AS n FROM stacks WHERE kind = 'allocations'"
same_lines out n "$objects"

# ---- damage ----

head -c 60000 calls.mlpd >cut.mlpd
overwrite cut.mlpd 30000 xxxxxxxx
run_into dumped 0 dump --format json cut.mlpd
run 0 query --format csv cut.mlpd 'SELECT count(*) FROM damage'
says err 'SELECT * FROM damage'
tail -n 1 out >rows
same_lines rows "$(grep -c '"item":"damage"' dumped)"
run 4 query --strict cut.mlpd 'SELECT count(*) FROM method_enter'
done_checks
