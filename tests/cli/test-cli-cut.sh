#!/bin/sh
# proflog cut: parts of an eventlog, with what they need to be a log.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/eventlog-lines.sh"
header=$(($(wc -c <"$eventlog") - 267 - 90 - 133 - 2))

# cut_to ARGUMENT...: the part has the events in `expected`, and is whole.
cut_to ()
{
  "$proflog" cut "$@" >part 2>err || fail "proflog cut $*: status $?"
  quiet err
  run 0 dump --strict part
  quiet err
  lines out >got
  same got expected
  head -c "$header" part | cmp -s - header || fail "the header is another one"
}
head -c "$header" "$eventlog" >header

# All of it is the log.
"$proflog" cut "$eventlog" >part || fail "status $?"
same part "$eventlog"

# Times: what is announced stays, and a block that has nothing else is gone.  The first block is left
# with 24 + 27 + 20 + 10 + 10 + 68 + 10 + 22 + 14 bytes.
tail -n 5 events >announced
{
  echo '0.000900000 - block-marker block_size=205 end_time=3100000 cap=0'
  grep -e thread-label -e '^0.0020' -e '^0.0021' events
  cat announced
} >expected
cut_to --time-range 2ms~3ms "$eventlog"
cat "$eventlog" | "$proflog" cut --time-range 2ms~3ms - >other || fail "status $?"
same other part
gzip -c "$eventlog" | "$proflog" cut --time-range '66.6%~95%' - >other || fail "status $?"
"$proflog" cut --time-range '66.6%~95%' "$eventlog" >part || fail "status $?"
same other part

# A capability: 24 + 27 for the label, 90 as they were.
{
  echo '0.000900000 - block-marker block_size=51 end_time=3100000 cap=0'
  grep thread-label events
  grep -A 4 'cap=1$' events
  cat announced
} >expected
cut_to --cap 1 "$eventlog"
grep -A 4 'cap=1$' events >expected
cut_to --cap 1 --no-context "$eventlog"

# A thread: those that name it.  24 + 14; 24 + 14 + 20.
{
  echo '0.000900000 - block-marker block_size=38 end_time=3100000 cap=0'
  grep 'create-thread thread=2' events
  echo '0.000900000 - block-marker block_size=58 end_time=3100000 cap=1'
  grep -e 'run-thread thread=2' -e 'stop-thread thread=2' events
} >expected
cut_to --thread 2 --no-context "$eventlog"

# Events by name, pattern and tag; without others.  user-msg has 17 bytes, wall-clock-time 26,
# program-args 32.
{
  echo '0.000900000 - block-marker block_size=122 end_time=3100000 cap=0'
  grep ' gc-' events
  echo '0.000900000 - block-marker block_size=39 end_time=3100000 cap=1'
  grep ' tag=300 ' events
} >expected
cut_to --no-context --event 'gc-*' --event 300 "$eventlog"
cut_to --no-context --event 'gc-*,300' "$eventlog"
cut_to --no-context --event 'gc-*,300,user-msg' --no-event 19 "$eventlog"
{
  sed '/^0.000900000.*=90 /,$d' events
  echo '0.000900000 - block-marker block_size=73 end_time=3100000 cap=1'
  grep -A 4 'cap=1$' events | grep -v -e block-marker -e user-msg
  echo '0.000400000 - block-marker block_size=75 end_time=3200000 cap=65535'
  grep -e capset-create -e rts-id events
} >expected
cut_to --no-event user-msg,wall-clock-time,program-args "$eventlog"

# Texts and sizes, as in a dump.
{
  echo '0.000900000 - block-marker block_size=41 end_time=3100000 cap=1'
  grep hello events
} >expected
cut_to --no-context --filter hel "$eventlog"

# What is nothing.
"$proflog" cut --no-context --thread 77 "$eventlog" >part 2>err || fail "status $?"
says err "nothing was selected: none of 20 events"
{ cat header; printf '\377\377'; } >expected
same part expected
run 2 cut --event nothing-of-the-kind "$eventlog" -o result
says err "--event nothing-of-the-kind: there is no such event"
run 2 cut --event 65535 "$eventlog" -o result
run 2 cut --event '' "$eventlog" -o result
run 2 cut --depth 2 "$eventlog" -o result
run 3 cut --event gc-start "$small" -o result
says err "is a log of Mono"
run 2 cut "$eventlog" "$eventlog" -o result
test ! -e result || fail "something was written"

# A damaged log: what can be read is cut, with a warning.
# 40 bytes less: the end mark, program-args, the end of rts-identifier.
head -c -40 "$eventlog" >damaged
run 4 cut --strict damaged -o result
says err "warning: the log ends at offset"
run 0 cut -q --force damaged -o result
quiet err
run 0 dump --strict result
lines out >got
{
  sed '/block-marker block_size=133/,$d' events
  echo '0.000400000 - block-marker block_size=66 end_time=3200000 cap=65535'
  grep -e capset-create -e wall-clock events
} >expected
same got expected
# What is a state machine of tasks stays one: some are made and go at other times, and one number
# stands for several.  The time of a part is that of its events.
for range in 30%~60% 0%~20% 70%~100% 20ms~30ms; do
  for log in ghc-blocks-N2 ghc-collect-nonmoving; do
    "$proflog" cut --time-range $range "$logs/$log.eventlog.gz" >part 2>err || fail "status $?"
    run 0 validate tasks part
    run 0 validate taskpool part
  done
done
"$proflog" cut --time-range 30ms~60ms "$logs/ghc-blocks-N2.eventlog.gz" >part || fail "status $?"
run 0 stats --format json part
read_json
start=$(sed -n 's/^time\.start_ns\t//p' figures)
total=$(sed -n 's/^time\.total_ns\t//p' figures)
test "$start" -ge 30000000 && test "$start" -lt 31000000 || fail "the part begins at $start ns"
test "$total" -gt 28000000 && test "$total" -le 30000000 || fail "the part has $total ns"
expect time.allocation_rate null
# Of no capability nothing is known of the time.
"$proflog" cut --event 'capset-*' "$logs/ghc-blocks-N2.eventlog.gz" >part || fail "status $?"
run 0 stats --format json part
read_json
expect time.total_ns null
run 0 stats part
! grep -q Total out || fail "a time is reported that the part does not state"

# The reference tool shows of a part what it shows of those times.
if has ghc-events; then
  gzip -dc "$logs/ghc-blocks-N2.eventlog.gz" >real
  "$proflog" cut --no-context --time-range 20ms~30ms real >part || fail "status $?"
  LC_ALL=C.UTF-8 ghc-events show real >shown 2>err || fail "ghc-events does not read the log"
  awk -F : '/^Events:/ { begun = 1 } begun && $1 ~ /^[0-9]+$/ && $1 >= 20000000 && $1 < 30000000' \
    shown >expected
  test "$(wc -l <expected)" -gt 50 || fail "few events in these times"
  LC_ALL=C.UTF-8 ghc-events show part >shown 2>err || fail "ghc-events does not read the part"
  awk -F : '/^Events:/ { begun = 1 } begun && $1 ~ /^[0-9]+$/' shown >got
  same got expected
fi
done_checks
