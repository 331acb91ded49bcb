#!/bin/sh
# Damage of logs that are read as they grow: what waits for bytes that never come is read in the end, and has the
# figures that other commands have; warnings name what is wrong, as theirs do.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
trap 'kill -9 $follower 2>/dev/null; rm -rf "$work"' EXIT
follower=

# figure PATH: of figures.
figure ()
{
  awk -F '\t' -v path="$1" '$1 == path { print $2 }' figures
}

# name FILE: how many events info has is in $events, its warnings in expected.
name ()
{
  run 0 info --format json "$1"
  read_json
  events=$(figure 'logs[0].log.events')
  test "${events:-0}" -gt 0 || events=$(figure log.events)
  test "${events:-0}" -gt 0 || fail "info has no events: $(head figures)"
  grep warning err >expected
}

# agrees FILE DAMAGES: top and follow have the events of info, its warnings, and so many damages.
agrees ()
{
  name "$1"
  run 0 top --once --interval 300ms "$1"
  says out "events  0/s ($events)"
  says out "damaged places $2"
  same err expected
  run 0 top --once --interval 300ms --format jsonl "$1"
  says out "\"events_all\":$events,"
  says out "\"damages_all\":$2,"
  run 4 top --once --interval 300ms --strict -q "$1"
  quiet err
  run 0 follow --timeout 300ms --format json "$1"
  grep -c '"item":"damage"' out >got
  same_lines got "$2"
}

# ---- a length that is too large ----

gzip -dc "$logs/stock-threads.mlpd.gz" >len.mlpd || fail "there is no log"
overwrite len.mlpd 3016 '\020'
agrees len.mlpd 1
says err "the buffer at offset 3010 should end at 1051793, but something else begins at 3217"

# The file does not grow: what is there is read, without --timeout.
is_read ()
{
  test "$(grep -c '"item":"event"' got)" = "$events"
}

name len.mlpd
: >got
"$proflog" follow --format json len.mlpd >got 2>err </dev/null &
follower=$!
wait_for is_read
# It is still followed.
"$proflog" dump --format json "$logs/all-v17.mlpd" 2>/dev/null | grep -c '"item":"event"' >more
cp len.mlpd grows.mlpd
cat "$logs/all-v17.mlpd" >>len.mlpd
events=$((events + $(cat more)))
wait_for is_read
kill -TERM "$follower"
wait "$follower" || fail "follow ended with $?"
follower=
mv grows.mlpd len.mlpd

# A log with its end mark is complete, whatever a length in it states.
cp "$logs/all-v17.mlpd" end.mlpd
python3 - end.mlpd <<'EOF' || fail "there is no log"
import struct, sys
log = bytearray(open(sys.argv[1], "rb").read())
first = log.index(b"\x01LPM")
log[first + 6] |= 0x10
mark = struct.pack("<IIQQQQQ", 0x4D504C01, 0, 0, 0, 0, 0, 0)
if log[-48:-40] != mark[:8]:
    log += mark
open(sys.argv[1], "wb").write(log)
EOF
name end.mlpd
for command in follow top; do
  run 0 $command --format json end.mlpd
  says err "should end at"
done
says out "\"events_all\":$events,"

# ---- bits of an eventlog ----

python3 - "$logs/ghc-blocks-N2.eventlog.gz" flips.eventlog <<'EOF' || fail "there is no eventlog"
import gzip, random, sys
log = bytearray(gzip.open(sys.argv[1]).read())
random.seed(5)
for _ in range(3000):
    log[random.randrange(3000, len(log))] ^= 1 << random.randrange(8)
open(sys.argv[2], "wb").write(log)
EOF
run 0 dump --format json flips.eventlog
agrees flips.eventlog "$(grep -c '"item":"damage"' out)"
run 0 follow flips.eventlog

# ---- no damage ----

# A cut log misses its end, unless a process is writing it; then the page has what is there.
head -c 5000 len.mlpd >cut.mlpd
overwrite cut.mlpd 3016 '\000'
run 0 top --once --interval 300ms cut.mlpd
says err "the log ends at offset 5000 inside"
says out "damaged places 1"
exec 9>>cut.mlpd
run 0 top --once --interval 300ms cut.mlpd
exec 9>&-
quiet err
grep -q "damaged places" out && fail "what is still being written is damage"
{ cat cut.mlpd; sleep 2; } | run_into out 0 top --once --interval 300ms - || exit 1
quiet err
grep -q "damaged places" out && fail "what is to come is damage"

# ---- versions that are not known ----

cp "$logs/all-v17.mlpd" v18.mlpd
overwrite v18.mlpd 6 '\022'
run 0 info v18.mlpd
says err "data version 18; known are profiler versions 0 to 3 and data versions 1 to 17"
cp err expected
run 0 top --once --interval 300ms v18.mlpd
same err expected
run 0 top --timeout 300ms v18.mlpd
same err expected
run 0 follow --timeout 300ms v18.mlpd
says err "$(cat expected)"
run 4 top --once --interval 300ms --strict v18.mlpd
run 0 query v18.mlpd 'SELECT count(*) FROM events'
head -n 1 err >got
same got expected
says err 'SELECT * FROM damage'
run 4 query --strict v18.mlpd 'SELECT count(*) FROM events'
done_checks
