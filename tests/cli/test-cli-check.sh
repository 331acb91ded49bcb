#!/bin/sh
# proflog check: what is wrong with a log, where; the exit status.
. "${srcdir:-.}/tests/cli/lib.sh"

whole=$logs/all-v17.mlpd

# Logs of every version, and of the stock profiler: nothing is wrong.
for log in "$logs"/all-v*.mlpd "$logs"/all-v*.mlpd.gz "$logs"/stock-*.mlpd.gz; do
  run 0 check "$log"
  quiet err
  grep -q '^  State *good$' out || fail "$log is not good"
done

# The buffers, as their headers have it.
run 0 check --verbose --format json "$whole"
read_json
expect schema proflog.check/1
expect log.state good
expect log.bytes "$(wc -c <"$whole")"
expect log.blocks 4
expect log.events 157
expect log.threads 3
expect log.damages 0
sed -n 's/^buffers\[[0-9]*\]\.\(offset\|length\)\t//p' figures | paste - - >buffers
offset=90
while test "$offset" -lt "$(wc -c <"$whole")"; do
  length=$(od -An -tu4 -j$((offset + 4)) -N4 "$whole" | tr -d ' ')
  printf '%s\t%s\n' "$offset" "$length"
  offset=$((offset + 48 + length))
done >expected
same expected buffers
run 0 check --format json "$whole"
read_json
grep -q '^buffers\[' figures && fail "good buffers without --verbose"

# The time base of the small log's third buffer is before the last event of the first, of the same
# thread.
run 1 check --format json "$small"
read_json
expect log.state doubtful
expect 'findings[buffer-time].offset' 392

# Cut within its third buffer, whose header is at 1274 and which ends at 1274 + 48 + 841.
head -c 2000 "$whole" >cut
run 1 check cut
quiet err
says out '163 bytes are missing'
run 1 check --format json cut
read_json
expect log.state damaged
expect log.truncated true
expect log.missing_bytes 163
expect log.damaged_blocks 1
expect buffers[0].offset 1274
grep -q '^buffers\[0\]\.state.damaged at ' figures || fail "the buffer is not damaged"
run 4 check --strict cut
run 1 check --strict "$small" # a warning is no damage

# A byte that begins no event, the first of the first buffer: all of it is skipped.
{ head -c 138 "$whole"; printf '\017'; tail -c +140 "$whole"; } >unknown
run 1 check --format json unknown
read_json
expect log.skipped_bytes 901
expect 'findings[damage].offset' 138
expect 'findings[damage].skipped_bytes' 901
expect 'buffers[0].damaged_at' 138

# A compressed log that ends early.
gzip -c "$whole" | head -c 700 >cut.gz
run 1 check cut.gz
says out 'Truncated            yes'

# A header without a process, with a flag: they are at 24 and 20.
{ head -c 20 "$small"; printf '\001\000\000\000\000\000\000\000'; tail -c +29 "$small"; } >header
run 1 check --format json header
read_json
grep -q '\.kind.no-process$' figures || fail "the process is there"
grep -q '\.kind.flags$' figures || fail "flags are good"

# What a buffer does not have is null: where it is damaged; an end mark, times.
run 1 check --verbose --format json "$small"
grep '"length": 0' out | grep -q '"start_ns": null, "end_ns": null' || fail "an end mark has times"
grep -q '"damaged_at": [0-9]' out && fail "damage in a good buffer"

# Damage at 10,001 places: 10,000 are listed, and all are counted.
{
  head -c 32 "$small"
  { printf '\001LPM\001\000\000\000' && head -c 40 /dev/zero && printf '\017'; } >bad
  cat bad bad bad bad bad bad bad bad bad bad >bad-10
  cat bad-10 bad-10 bad-10 bad-10 bad-10 bad-10 bad-10 bad-10 bad-10 bad-10 >bad-100
  cat bad-100 bad-100 bad-100 bad-100 bad-100 bad-100 bad-100 bad-100 bad-100 bad-100 >bad-1000
  for i in 0 1 2 3 4 5 6 7 8 9; do
    cat bad-1000
  done
  cat bad
  tail -c 48 "$small" # the end mark
} >damages
run 1 check damages
says out '... and 1 more damaged parts, which are counted only'
run 1 check --format json damages
grep -q '"damages": 10001,' out || fail "not 10001 damages"
grep -q '"damaged_blocks": 10001,' out || fail "not 10001 damaged buffers"
test "$(grep -c '"kind": "damage"' out)" = 10000 || fail "not 10000 of them listed"

# From anywhere: a pipe, a FIFO, compressed; what is no log or nothing at all.
run 0 check --format csv "$whole"
sed 's/^log,[^,]*,/log,/' out >expected
mkfifo fifo
for way in pipe fifo gzip; do
  case $way in
    pipe) "$proflog" check --format csv - <"$whole" >out 2>err || fail "$way: status $?" ;;
    fifo)
      cat "$whole" >fifo &
      run 0 check --format csv fifo
      wait $!
      ;;
    gzip)
      gzip -c "$whole" >whole.gz
      run 0 check --format csv whole.gz
      ;;
  esac
  sed 's/^log,[^,]*,/log,/' out >got
  same got expected
done
: >empty
run 3 check empty
says err 'is empty'
head -c 60 "$whole" >header-only
run 3 check header-only
says err 'inside a file header'
for log in "$whole" cut cut.gz damages; do
  for format in text json csv markdown; do
    "$proflog" check -q --format $format "$log" >out 2>err
    test $? -le 1 || fail "$log: $format"
    test -s out || fail "$log: no $format"
    quiet err
  done
done

# Several logs: the worst counts, and each is reported.
run 1 check --format csv "$whole" cut
test "$(grep -c '^log,' out)" = 2 || fail "not two logs"
run 3 check "$whole" cut missing
says err missing
printf 'no log at all, but some text that is long enough' >text
run 3 check text
quiet out
run 2 check
run 2 check --thread 1 "$whole"
run 2 check --nothing "$whole"
# Threads are counted as info does, whose ids are used again or not.
for log in "$logs"/*.mlpd "$logs"/stock-*.mlpd.gz; do
  "$proflog" info -f json "$log" >out 2>err
  read_json
  threads=$(sed -n 's/^content.threads	//p' figures)
  "$proflog" check -f json "$log" >out 2>err
  read_json
  test "$threads" -gt 0 || fail "$log: no threads"
  expect log.threads "$threads"
done
# --deep: the order of the events, too, which alone is wrong where two threads run at a time.
printf '%s\n' '0 1000 run 1' '0 2000 run 2' '0 3000 stop 2' | python3 "$tests/cli/make-eventlog.py" order.eventlog || fail "no log"
run 0 check order.eventlog
run 1 check --deep order.eventlog
says out 'State                good'
says out 'threads     invalid'
run 1 validate order.eventlog
sed -n '/^Machine/,$p' out >machines
run 1 check --deep order.eventlog
sed -n '/^Machine/,$p' out >deep
same machines deep
run 1 check --deep --format json "$small"
says out '"schema": "proflog.validate/1"'
run 2 check --deep - <"$small"
says err "it needs a file in place of '-'"
run 3 check --deep nothing.mlpd
done_checks
