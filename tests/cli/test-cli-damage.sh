#!/bin/sh
# Damaged logs are read as far as possible; what is missing is reported, and --strict makes it a status.
. "${srcdir:-.}/tests/cli/lib.sh"

size=$(wc -c <"$small")

# damaged FILE TEXT: every command reports it in a warning and in its output, and goes on.
damaged ()
{
  for command in report dump info; do
    run 0 $command "$1"
    says err "proflog: $1: warning: "
    says err "$2"
    cp out expected
    run 4 $command --strict "$1"
    says err "$2"
    same out expected
    run 0 $command -q "$1"
    quiet err
    same out expected
    run 4 $command -q --strict "$1"
    quiet err
    run 4 $command --format json --strict "$1"
    grep -q -e '"reason":"truncated"' -e '"reason":"unknown"' -e '"messages": \[$' out \
      || fail "not a word"
  done
  run 0 report "$1"
  grep -q '^Damage$' out || fail "no section about damage"
  run 0 info "$1"
  grep -q '^  Complete *no$' out || fail "it is complete"
  run 0 dump "$1"
  says out 'damage reason='
}

for command in report dump info; do
  run 0 $command --strict "$small"
  quiet err
done
run 0 info "$small"
grep -q '^  Complete *yes$' out || fail "it is not complete"
grep -q '^Damage$' out && fail "damage where there is none"

# A log of the stock profiler is complete if it states the end of the main thread, which is its last
# event; cut before the buffer of that, at a border, nothing is damaged and nothing can be known.
gzip -dc "$logs/stock-threads.mlpd.gz" >stock
run 0 info --strict stock
grep -q '^  Complete *yes$' out || fail "it is not complete"
"$proflog" dump stock >dumped
last=$(awk '$4 == "buffer" { at = $1 } END { print at }' dumped)
tail -n 1 dumped | grep -q ' metadata-thread action=unload ' || fail "it ends with something else"
head -c "$last" stock >cut-border
run 0 info --strict cut-border
quiet err
grep -q '^  Complete *unknown$' out || fail "it is known whether it is complete"
run 0 info --format json cut-border
read_json
expect content.complete false
expect content.completeness unknown
expect damage.truncated false
run 0 check cut-border
says out 'nothing states that the log is there up to its end'
run 0 check stock
grep -q 'nothing states' out && fail "it is not known to be complete"
run 0 info --format json stock
read_json
expect content.complete true
expect content.completeness yes
run 0 info "$logs/all-v01.mlpd"
grep -q '^  Complete *unknown$' out || fail "what has no mark is complete"

# The end mark is a buffer header of 48 bytes.  Of it 3 bytes are missing; all of it; all of it and
# 5 bytes of the last buffer.
run 0 report --reports=damage "$small"
printf 'Damage\n  None: all that the log has could be read.\n' >expected
same out expected
run 0 info --reports=damage --format md "$small"
says out 'None: all that the log has could be read.'
run 0 report --reports=gc "$small"
grep -q '^Damage$' out && fail "damage where it was not requested"
head -c $((size - 3)) "$small" >cut-3
run 0 report --reports=damage -q cut-3
grep -q '^  None' out && fail "no damage where there is some"
damaged cut-3 3
head -c $((size - 48)) "$small" >cut-48
damaged cut-48 'end mark'
head -c $((size - 48 - 5)) "$small" >cut-53
damaged cut-53 5
run 0 report --format json cut-53
read_json
expect damage.truncated true
expect damage.missing_bytes 5
expect log.bytes $((size - 53))
# The last event but one is there: the end of the heap snapshot.
expect 'heapshots[1].complete' true

# An event that there is not, at the first event (32 + 48): all of the first buffer is skipped,
# whose length stands at 36.  The buffers after it are read.
length=$(od -An -tu4 -j36 -N4 "$small" | tr -d ' ')
{ head -c 80 "$small"; printf '\017'; tail -c +82 "$small"; } >unknown
damaged unknown "$length bytes skipped"
run 0 report --format json unknown
read_json
expect damage.truncated false
expect damage.skipped_bytes "$length"
expect damage.skipped_blocks 1
expect calls.total 0
expect monitors.contentions 1
expect heapshots[1].objects 2

# A compressed log that ends early.
gzip -c "$small" >whole.gz
head -c $(($(wc -c <whole.gz) - 12)) whole.gz >cut.gz
run 0 report --format json cut.gz
says err warning
read_json
expect damage.truncated true
run 4 info --strict cut.gz

# Two logs joined: the first is read, the second is skipped as a whole, however the log comes.
damaged_by_another ()
{
  run 0 report --format json "$small"
  read_json
  grep -v -e '^log\.\(name\|bytes\)' -e '^damage\.' figures >alone
  run 0 report --format json "$1"
  says err "warning: another log begins at offset $size; it and everything after it are not read"
  says err "tail -c +$((size + 1)))"
  says err "($2 bytes skipped)"
  read_json
  expect damage.skipped_bytes "$2"
  expect damage.truncated false
  expect log.bytes $((size + $2))
  grep -v -e '^log\.\(name\|bytes\)' -e '^damage\.' figures >with
  same with alone
  run 1 check --format json "$1"
  read_json
  expect log.state damaged
  expect findings[damage].offset "$size"
  expect findings[damage].skipped_bytes "$2"
}
stock=$logs/all-v17.mlpd
cat "$small" "$small" >joined
damaged_by_another joined "$size"
tail -c +$((size + 1)) joined >parted
same parted "$small"
cat "$small" "$stock" "$small" >joined
damaged_by_another joined $((size + $(wc -c <"$stock")))
run 0 dump joined
test "$(grep -c ' file-header ' out)" = 1 || fail "more than one log is dumped"
says out 'damage reason=other-log'
for part in '--thread 0x1' '--time-range 0~50%'; do
  # shellcheck disable=SC2086
  run 4 report --strict $part joined
  says err "another log begins at offset $size"
done
gzip -c "$small" >one.gz
cat one.gz one.gz >joined.gz
damaged_by_another joined.gz "$size"

# Much damage does not flood the terminal: 200 buffers of a thread with an unknown event each.
head -c 32 "$small" >many
i=0
while test $i -lt 200; do
  printf '\001LPM\001\000\000\000' && head -c 40 /dev/zero && printf '\017'
  i=$((i + 1))
done >>many
run 4 report --strict many
test "$(wc -l <err)" -le 6 || fail "$(wc -l <err) lines of warnings"
says err ' more'
run 0 dump many
test "$(grep -c 'damage reason=unknown' out)" = 200 || fail "the dump does not state all"

# A log that ends in its header.  Of major version 0 it has 32 bytes; later ones have three texts
# after the fixed part, each with its length in 4 bytes.
cut_header ()
{
  head -c "$2" "$1" >cut-header
  run 3 report cut-header
  says err "the log ends at offset $2 inside a file header: $3 bytes are missing there"
}
cut_header "$small" 4 'at least 28'
cut_header "$small" 5 27
cut_header "$small" 31 1
whole=$logs/all-v17.mlpd
length_at ()
{
  od -An -tu4 -j"$1" -N4 "$whole" | tr -d ' '
}
fixed=38 # 4 + 4 * 1 + 2 * 8 + 3 * 4 + 2
first=$(length_at $fixed)
second=$(length_at $((fixed + 4 + first)))
cut_header "$whole" 20 "at least $((fixed - 20 + 3 * 4))"
cut_header "$whole" $fixed 'at least 12'
cut_header "$whole" $((fixed + 4)) "at least $((first + 8))"
cut_header "$whole" $((fixed + 4 + first - 1)) 'at least 9'
cut_header "$whole" $((fixed + 4 + first)) 'at least 8'
cut_header "$whole" $((fixed + 4 + first + 4)) "at least $((second + 4))"
done_checks
