#!/bin/sh
# proflog repair, of logs of Mono: whole, cut at every place, damaged, with a spool.
. "${srcdir:-.}/tests/cli/lib.sh"

# repair STATUS ARGUMENT...: the result is in whole.
repair ()
{
  expected_status=$1
  shift
  run_into whole "$expected_status" repair "$@"
}

# events LOG: its events, without their offsets; the damage is reported elsewhere.
events ()
{
  "$proflog" dump --format csv "$1" 2>/dev/null | cut -d , -f 2- \
    | grep -v ',buffer,"\|,damage,"'
}

# What is whole stays as it is, compressed or not.
for log in "$small" "$logs"/all-v*.mlpd; do
  repair 0 --strict "$log"
  same whole "$log"
  says err "nothing to repair"
done
gzip -c "$small" | "$proflog" repair -q - >whole 2>err || fail "status $?"
same whole "$small"
quiet err

# --quiet is of damage of the compression, too.
gzip -c "$logs/all-v17.mlpd" | head -c 1000 >short.mlpd.gz
repair 0 short.mlpd.gz
says err "kept"
repair 0 -q short.mlpd.gz
quiet err

# Cut anywhere after the file's header of 32 bytes: what is read of the cut log is in the whole one,
# and that is not damaged.
size=$(wc -c <"$small")
at=32
while test "$at" -lt "$size"; do
  head -c "$at" "$small" >cut
  repair 0 -q cut
  quiet err
  "$proflog" dump --strict whole >dumped 2>err || fail "cut at $at: not whole: $(cat err)"
  quiet err
  events cut >expected
  events whole >got
  same got expected
  at=$((at + 7))
done
test "$(wc -l <expected)" -gt 20 || fail "hardly any events"
repair 4 --strict cut
says err "the log ends at offset $(wc -c <cut)"

# Damage in the middle of a buffer: it ends there, the next one is retained.
head -c 32 "$small" >damaged
length=$(od -An -tu4 -j 36 -N 4 "$small" | tr -d ' ')
head -c $((32 + 48 + length / 2)) "$small" | tail -c +33 >>damaged
head -c $((length - length / 2)) /dev/zero | tr '\0' '\377' >>damaged
tail -c +$((32 + 48 + length + 1)) "$small" >>damaged
repair 4 --strict damaged
says err "are lost"
says err "kept"
# The result states that it lacks something, once, also if it is repaired again.
run 4 dump --strict whole
same_lines err 'proflog: whole: warning: the log was made of a damaged one, whose damaged bytes it lacks'
mv out dumped
for again in repair cut anonymize 'convert --data-version 17' merge; do
  run 0 $again -q -o again --force whole
  run 1 check again
  test "$(grep -c 'the log was made of a damaged one' out)" = 1 || fail "$again: $(cat out)"
done
# So does an eventlog, which does not call it an error of writing, and a log of Mono that is made of that.
for log in damaged whole; do
  run 0 convert -q --force -o again.eventlog $log
  run 1 check again.eventlog
  test "$(grep -c 'the log was made of a damaged one' out)" = 1 || fail "$log: $(cat out)"
  ! grep -q 'could not be written' out || fail "$(cat out)"
  run 0 convert --to mono -q --force -o again again.eventlog
  run 1 check again
  test "$(grep -c 'the log was made of a damaged one' out)" = 1 || fail "$log: $(cat out)"
done
for command in cut anonymize 'convert --data-version 17' merge; do
  run 0 $command -q -o again --force damaged
  run 1 check again
  test "$(grep -c 'the log was made of a damaged one' out)" = 1 || fail "$command: $(cat out)"
  run 0 info --format json again
  says out '"completeness": "no"'
done
events damaged >expected
events whole >got
same got expected

# What stays as it is need not wait for the end of the log: it is written while more may come, and so
# it is not in memory.
cp whole mended
tail -c +33 "$small" | head -c -48 >buffers
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
  cat buffers buffers >twice && mv twice buffers
done
test "$(wc -c <buffers)" -gt 2000000 || fail "a log of $(wc -c <buffers) bytes is not large"
{
  head -c 32 "$small"
  cat buffers
  waits=0
  until test -s streamed || test $((waits += 1)) -gt 600; do sleep 0.1; done
  test -s streamed && echo >in-time
  tail -c +33 damaged
} | "$proflog" repair --strict - >streamed 2>err
status=$?
test "$status" = 4 || fail "status $status"
test -e in-time || fail "nothing was written before the end of the log"
{ head -c 32 "$small"; cat buffers; tail -c +33 mended; } >expected
same streamed expected

# What is no log.
echo no log >no-log
repair 3 no-log -o result
says err "not a profiler log: it begins with the bytes 6e 6f 20 6c"
head -c 20 "$small" >headless
repair 3 headless -o result
test ! -e result || fail "something was written"
repair 2 "$small" "$small"
says err "one log at a time, but 2 are given"
cp "$small" copy
repair 2 copy -o copy
says err "is an input"
repair 0 copy -o result
same result "$small"
done_checks
