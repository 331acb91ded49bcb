#!/bin/sh
# --index: with the file beside the log all commands print what they print without, and read less; one that
# is stale, damaged or somebody else's is no index.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built SQLITE proflog-query
. "$tests/cli/index-lib.sh"

# ---- selections of all commands ----

selections ()
{
  for range in 0~40% 30%~70% 99%~100% 0.005~0.02; do
    for command in report info 'dump --format json' 'dump --order time' cut; do
      # shellcheck disable=SC2086 # lists of words
      printed $command --time-range "$range" "$1"
    done
  done
  for thread in "$first" 'Main*' "$first,$other"; do
    for command in report info dump cut show 'export --format chrome' 'flame --format folded'; do
      # shellcheck disable=SC2086
      printed $command --thread "$thread" "$1"
      # shellcheck disable=SC2086
      printed $command --thread "$thread" --time-range 10%~60% "$1"
    done
  done
  printed report --format json --time-range 20%~80% "$1"
  printed stats --time-range 20%~80% "$1"
  printed report "$1"
  printed heap histogram --time-range 20%~80% "$1"
  printed dump --time-range 10~11 "$1"
}

# take_threads LOG: those of its most events, in $first and $other.
take_threads ()
{
  run_into threads 0 query -q --format csv "$1" \
    "SELECT printf('0x%x', thread) AS id FROM events GROUP BY 1 HAVING id IS NOT NULL ORDER BY count(*) DESC LIMIT 2"
  first=$(sed -n 2p threads) other=$(sed -n 3p threads)
}

# With a sanitizer each command takes long: one log of many buffers here, and one of all kinds of events below.
set -- "$logs"/all-v01.mlpd "$logs"/all-v12.mlpd "$logs"/all-v17.mlpd "$logs"/stock-calls.mlpd.gz \
  "$logs"/stock-threads.mlpd.gz "$logs"/stock-samples.mlpd.gz \
  "$logs"/stock-heapshot.mlpd.gz "$logs"/module-alloc.mlpd.gz
test "${SANITIZER:-no}" = no || { set -- "$logs"/stock-samples.mlpd.gz; cp "$logs"/all-v17.mlpd .; }
for source; do
  name=$(basename "$source" .gz)
  case $source in *.gz) gzip -dc "$source" >"$name" ;; *) cp "$source" "$name" ;; esac
  take_threads "$name"
  same_printed "$name" selections
done

# ---- statements ----

kinds=$("$proflog" query --format csv all-v17.mlpd "SELECT DISTINCT replace (kind, '-', '_') FROM events ORDER BY 1" | tail -n +2)
test "$(echo "$kinds" | wc -l)" -gt 30 || fail "only these kinds: $kinds"

statements ()
{
  for kind in $kinds; do
    ask "SELECT * FROM $kind" "$1"
  done
  for table in events method_enter alloc blocks damage calls sample_hit method_jit metadata_class; do
    ask "SELECT * FROM $table" "$1"
    ask "SELECT * FROM $table WHERE elapsed_ns BETWEEN 3000000 AND 30000000" "$1"
    ask "SELECT * FROM $table WHERE elapsed_ns < 5000" "$1"
    ask "SELECT * FROM $table WHERE elapsed_ns > 20000000 LIMIT 500" "$1"
  done
  ask "SELECT kind, count(*), sum(event_size), max(fields) FROM events WHERE thread = $((first)) GROUP BY 1" "$1"
  ask "SELECT * FROM events WHERE kind = 'gc-event'" "$1"
  ask "SELECT * FROM events WHERE kind = 'metadata-thread' AND thread = $((other))" "$1"
  ask "SELECT * FROM events WHERE kind = 'no-kind'" "$1"
  ask "SELECT count(*) FROM method_enter JOIN method_leave USING (method, time_ns)" "$1"
  ask "SELECT method_name, count(*) FROM calls GROUP BY 1" "$1"
}

set -- all-v01.mlpd all-v12.mlpd all-v17.mlpd stock-calls.mlpd stock-threads.mlpd stock-samples.mlpd
test "${SANITIZER:-no}" = no || set -- all-v17.mlpd
for name; do
  take_threads "$name"
  same_printed "$name" statements
done

# ---- damaged logs ----

few ()
{
  for range in 0~30% 40%~60% 90%~100%; do
    printed report --time-range "$range" "$1"
    printed dump --time-range "$range" --thread "$first" "$1"
  done
  ask "SELECT kind, count(*), sum(offset) FROM events GROUP BY 1" "$1"
  ask "SELECT * FROM heap_root_register WHERE elapsed_ns BETWEEN 3000000 AND 30000000" "$1"
  ask "SELECT * FROM metadata_thread" "$1"
  ask "SELECT * FROM damage" "$1"
  ask "SELECT * FROM exception_throw" "$1"
}

# A few bytes of the middle of a log are others, and its end is cut off.
set -- 1 2 3 4 5 6
test "${SANITIZER:-no}" = no || { set -- 1 2; gzip -dc "$logs/stock-threads.mlpd.gz" >stock-threads.mlpd; }
size=$(stat -c %s stock-threads.mlpd)
take_threads stock-threads.mlpd
for seed; do
  name=damaged-$seed.mlpd
  head -c $((size - seed * 31)) stock-threads.mlpd >"$name"
  for place in 3 5 7; do
    overwrite "$name" $((size * place / 10 + seed * 97)) "$bad"
  done
  same_printed "$name" few
done

# ---- when it holds ----

# fresh: calls.mlpd is a log, with an index, of which a buffer was then spoilt that has neither names nor exceptions, but
# the file is as old and as large as before.
calls=$work/calls.mlpd
test -f stock-calls.mlpd || gzip -dc "$logs/stock-calls.mlpd.gz" >stock-calls.mlpd
spoilt=$("$proflog" query --format csv stock-calls.mlpd "WITH b AS MATERIALIZED (SELECT offset, length FROM blocks),
    e AS MATERIALIZED (SELECT offset, kind FROM events)
  SELECT b.offset FROM b WHERE NOT EXISTS (SELECT 1 FROM e WHERE e.offset BETWEEN b.offset AND b.offset + b.length + 47
    AND kind NOT IN ('method-enter', 'method-leave', 'heap-root-register')) AND length > 20 LIMIT 1" | tail -n 1)
case $spoilt in *[!0-9]* | '') fail "no buffer has neither names nor exceptions: $spoilt" ;; esac

spoil ()
{
  touch -r "$calls" stamp
  overwrite "$calls" $((spoilt + 49)) "$bad"
  touch -r stamp "$calls"
}

fresh ()
{
  rm -rf "$calls" "$calls.index"
  cp "${1:-stock-calls.mlpd}" "$calls"
  make_index "$calls"
  spoil
}

throws="SELECT count(*), count(fields) FROM events WHERE kind = 'exception-throw'"
# is_used / is_not_used: only a command that reads all of the log finds the damage.
is_used ()
{
  run 0 query --format csv "$calls" "$throws"
  quiet err
  tail -n 1 out >rows
  same_lines rows 26,26
}

is_not_used ()
{
  case=$1
  run 0 query --format csv "$calls" "$throws"
  says err '1 place cannot be read'
  tail -n 1 out >rows
  same_lines rows 26,26
  case=
}

"$proflog" query --format csv stock-calls.mlpd "$throws" | tail -n 1 >rows
throws_of_all=$(cat rows)
test "$throws_of_all" = 26,26 || fail "the log has other exceptions: $throws_of_all"
fresh
is_used
test "$(stat -c %a "$calls")" = "$(stat -c %a "$calls.index")" || fail "others may read the index than may read the log"
run 0 info --index "$calls" # it holds: it is not written again
is_used
touch -d '2001-01-01 00:00:00.000000001' "$calls"
is_not_used 'of another time'
run 0 info --index "$calls"
is_not_used 'written anew, with the damage'
ls "$work"/*.index.* 2>/dev/null && fail "a temporary file is left"

fresh
cp -p "$calls" new.mlpd
mv new.mlpd "$calls"
is_not_used 'of another file'

fresh
truncate -s 128000 "$calls"
touch -r stamp "$calls"
run 0 query --format csv "$calls" "$throws"
says err '2 places cannot be read'

fresh
touch -r "$calls" stamp
overwrite "$calls" 16 '\1' # the start of the program
touch -r stamp "$calls"
is_not_used 'another header'

# ---- a log that grew ----

# The first buffers, then all.
head -c 122547 stock-calls.mlpd >part.mlpd
fresh part.mlpd
length=$(stat -c %s "$calls.index")
tail -c +122548 stock-calls.mlpd >>"$calls"
is_used
test "$(stat -c %s "$calls.index")" = "$length" || fail "the index was written without --index"
run 0 query --index --format csv "$calls" "$throws"
quiet err
test "$(stat -c %s "$calls.index")" -gt "$length" || fail "the index was not extended"
touch -r "$calls" stamp
is_used
# The same as if it had been written at once, but for what was spoilt.
touch -d '2001-01-01' "$calls"
is_not_used 'extended'
# In the middle of a buffer: that is read by both.
head -c 125000 stock-calls.mlpd >part.mlpd
fresh part.mlpd
tail -c +125001 stock-calls.mlpd >>"$calls"
is_used
run 0 info --index "$calls"
is_used

# ---- damaged and hostile files ----

fresh
cp -p "$calls.index" good
length=$(stat -c %s good) step=7
test "${SANITIZER:-no}" = no || step=31
at=0
while test $at -lt "$length"; do
  cp good "$calls.index"
  byte=$(od -An -tu1 -j $at -N 1 good)
  overwrite "$calls.index" $at "\\0$(printf %o $((byte ^ 1 << at % 8)))"
  is_not_used "byte $at"
  at=$((at + step))
done
for length in 0 1 50 100 200 500 1000; do
  head -c $length good >"$calls.index"
  is_not_used "$length bytes"
done
{ cat good; echo; } >"$calls.index"
is_not_used 'a byte more'
cp good "$calls.index"
is_used
rm "$calls.index"
cp good elsewhere
ln -s elsewhere "$calls.index"
is_not_used 'a link'
rm "$calls.index"
mkfifo "$calls.index"
is_not_used 'a pipe'
rm "$calls.index"

# With checksums that fit: lengths, places and numbers that cannot be.
if has python3; then
  cat >forge.py <<'END'
import hashlib, struct, sys
data = bytearray (open ("good", "rb").read ()[:-32])
at, width, value = int (sys.argv[2]), int (sys.argv[3]), int (sys.argv[4], 0)
data[at : at + width] = value.to_bytes (width, "little")
open (sys.argv[1], "wb").write (data + hashlib.sha256 (data).digest ())
END
  witnesses=$(od -An -tu4 -j 12 -N 4 good)
  content=$((88 + 12 * witnesses))
  for forgery in '7 1 2' '8 4 2' '8 4 77' '12 4 0' '12 4 0xffffffff' "12 4 $((witnesses + 1))" '16 8 1' '24 8 1' '32 8 0' \
    '32 8 0xffffffffffffffff' '40 8 0' '48 8 0' '48 8 0xffffffffffffffff' '56 8 1' '88 8 1' \
    '88 8 0xffffffffffffffff' '96 4 0xffffffff' "$content 4 0" "$((content + 4)) 8 0" \
    "$((content + 4)) 8 0xffffffffffffffff" "$((content + 52)) 4 0xffffffff" "$((content + 52)) 4 0x00ffffff"; do
    # shellcheck disable=SC2086 # three words
    python3 forge.py "$calls.index" $forgery || fail "forge.py fails"
    is_not_used "forged: $forgery"
  done
fi

# ---- somebody else's ----

cp good "$calls.index"
is_used
chmod o+w "$calls.index"
is_not_used 'anybody may write it'
chmod o-w "$calls.index"
if test "$(id -u)" = 0; then
  chown 12345 "$calls.index"
  is_not_used "somebody else's"
  chown 12345 "$calls"
  is_used
  chown 0 "$calls.index"
  is_used
fi

# ---- where there can be none ----

run 0 info --index /dev/fd/3 3<stock-calls.mlpd
says err '/dev/fd/3.index: '
run 0 info --index "$logs/stock-calls.mlpd.gz"
says err 'no index is written: it is compressed'
run 0 info --index -q "$logs/stock-calls.mlpd.gz"
quiet err
run 0 info --index - <stock-calls.mlpd
says err 'no index is written'
run 0 report --index --time-range 0~1 "$logs/stock-calls.mlpd.gz" "$logs/stock-threads.mlpd.gz"
test "$(grep -c 'no index is written' err)" = 2 || fail "not once for each log: $(cat err)"
echo mine >all-v17.mlpd.index
run 0 info --index all-v17.mlpd
says err 'is no index: it is not replaced'
test "$(cat all-v17.mlpd.index)" = mine || fail "a file that is no index was replaced"
rm all-v17.mlpd.index
: >empty.mlpd
run 3 info --index empty.mlpd
test -e empty.mlpd.index && fail "an empty log has an index"
done_checks
