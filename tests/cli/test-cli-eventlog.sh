#!/bin/sh
# Eventlogs of GHC: dumps in every format, from everywhere, of what is chosen.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$(dirname "$small")/../cli/eventlog-lines.sh"

run 0 dump "$eventlog"
quiet err
lines out >got
same got events
grep -q '^ *0 header types=[0-9]*$' out || fail "no header"
tail -n 1 out | grep -q ' end$' || fail "no end"
cp out whole

# From standard input, in bits, compressed, by another name.
{ head -c 33 "$eventlog"; sleep 0.1; tail -c +34 "$eventlog"; } | "$proflog" dump - >out 2>err \
  || fail "status $?"
quiet err
same out whole
gzip -c "$eventlog" >packed.mlpd
run 0 dump packed.mlpd
same out whole
"$proflog" dump - <packed.mlpd >out 2>err || fail "status $?"
same out whole

# For programs.
run 0 dump --format json "$eventlog"
sed -n 2,3p out | tail -n 1 >line && mv line out
read_json
expect item event
expect cap 0
expect time_ns 1000000
expect kind create-thread
expect tag 0
expect fields.thread 1
run 0 dump --format csv "$eventlog"
test "$(head -n 1 out)" = offset,size,cap,time_ns,kind,fields || fail "wrong columns"
says out ',20,1,1600000,stop-thread,"{""thread"":2,""status"":7,""status_name"":""mvar"",""info"":0}"'
run 0 dump --format csv "$small" "$eventlog" "$eventlog"
test "$(grep -c '^log,offset,' out)" = 2 || fail "the columns of each format are to be told once"

grep -F small.eventlog, out | grep -q ',gc-start,{}$' || fail "no event of the eventlog"
run 0 dump --format json "$small" "$eventlog"
grep -q '^{"log":"[^"]*small.eventlog","item":"end",' out || fail "no name in a line"
run 0 dump "$eventlog" "$small"
test "$(head -n 1 out)" = "log \"$eventlog\"" || fail "no name before the first line"

# What is chosen.
# chosen PATTERN ARGUMENT...: the events that are dumped are those of the pattern.
chosen ()
{
  pattern=$1
  shift
  run 0 dump "$@"
  lines out >got
  grep -E "$pattern" events >expected
  same got expected
}
chosen '^0\.002' --time-range 2ms~3ms "$eventlog"
chosen '^0\.00(2|3)' --time-range '60%~' "$eventlog"
cat "$eventlog" | "$proflog" dump --time-range '60%~' - >out 2>err || fail "status $?"
lines out >got
same got expected
chosen 'thread=2' --thread 2 "$eventlog"
chosen 'thread=1' --thread 'main*' "$eventlog"
cat packed.mlpd | "$proflog" dump --thread 'main*' - >out 2>err || fail "status $?"
lines out >got
same got expected
chosen 'hello|RTS"' --filter 'hello|RTS$' "$eventlog"
chosen '65536' --min-bytes 60000 "$eventlog"
run 0 dump --thread 9 "$eventlog"
says err "nothing was chosen: none of 23 events"

# What is not for eventlogs.
run 2 dump --depth 2 "$eventlog"
says err "it has no calls"
run 2 check "$eventlog"
says err "is an eventlog of GHC"

# Damage.
head -c -40 "$eventlog" >cut.eventlog
run 0 dump cut.eventlog
says err "inside an event: 38 bytes are missing there"
says out "damage reason=truncated"
run 4 dump --strict cut.eventlog
run 3 dump /dev/null
says err "is empty"
printf 'hello' >hello
run 3 dump hello
says err "not a GHC eventlog"
done_checks
