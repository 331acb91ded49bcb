#!/bin/sh
# Eventlogs of GHC: dumps in every format, from everywhere, of what is chosen.
. "${srcdir:-.}/tests/cli/lib.sh"
eventlog=$(dirname "$small")/small.eventlog
test -f "$eventlog" || fail "there is no $eventlog"

# What make-eventlog.c writes.
cat >events <<'END'
0.000900000 - block-marker block_size=267 end_time=3100000 cap=0
0.001000000 0 create-thread thread=1
0.001100000 0 thread-label thread=1 label="main thread"
0.001200000 0 run-thread thread=1
0.001300000 0 create-thread thread=2
0.002000000 0 stop-thread thread=1 status=heap-overflow info=0
0.002000100 0 gc-start
0.002000900 0 gc-global-sync
0.002000950 0 gc-stats-ghc heap_capset=0 generation=1 copied=4096 slop=100 fragmentation=0 par_n_threads=1 par_max_copied=0 par_tot_copied=4096 par_balanced_copied=0
0.002000800 0 gc-end
0.002001000 0 heap-allocated heap_capset=0 bytes=65536
0.002100000 0 run-thread thread=1
0.003000000 0 stop-thread thread=1 status=finished info=0
0.000900000 - block-marker block_size=90 end_time=3100000 cap=1
0.001400000 1 run-thread thread=2
0.001500000 1 user-msg message="hello"
0.001600000 1 stop-thread thread=2 status=mvar info=0
0.001700000 1 unknown tag=300 description="something new" bytes="616263"
0.000400000 - block-marker block_size=133 end_time=3200000 cap=65535
0.000500000 - capset-create capset=0 capset_type=os-process
0.000600000 - wall-clock-time capset=1 seconds=1600000000 nanoseconds=5
0.000700000 - rts-identifier capset=0 identifier="GHC-9.0.2 rts_thr_l"
0.000800000 - program-args capset=0 arguments=["./a.out","+RTS","-l"]
END

# lines: the events in out, without their offsets.
lines ()
{
  sed -n 's/^ *[0-9][0-9]* \([0-9][0-9]*\.\)/\1/p' "$1"
}

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
