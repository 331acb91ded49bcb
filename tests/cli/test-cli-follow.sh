#!/bin/sh
# Logs are followed while they are written: files that grow, become shorter or are replaced, pipes,
# several logs in one stream, to the end, a signal, or until no one reads.
. "${srcdir:-.}/tests/cli/lib.sh"
log=$logs/all-v17.mlpd
follower=
trap 'test -z "$follower" || kill -9 $follower 2>/dev/null; rm -rf "$work"' EXIT

# What dump prints of events, headers and damage, without the lines that state where buffers lie.
dump ()
{
  "$proflog" dump "$@" 2>/dev/null | awk '$2 != "buffer" && $4 != "buffer"'
}

# has_lines NUMBER: this many came.
has_lines ()
{
  test "$(wc -l <got)" -ge "$1"
}

until_lines ()
{
  wait_for has_lines "$1"
  checks=$((checks + 1))
}

# follow ARGUMENT...: in the background; what it prints is in got.
follow ()
{
  : >got
  "$proflog" follow "$@" >got 2>err </dev/null &
  follower=$!
}

# ended STATUS: it ends by itself, or after the signal that it got.
ended ()
{
  wait "$follower"
  status=$?
  follower=
  test "$status" = "$1" || fail "follow ended with $status, not $1"
  checks=$((checks + 1))
}

dump "$log" >all
lines=$(wc -l <all)
test "$lines" -gt 150 || fail "few lines in dump"

# A file that grows, to a signal.  Lines in order of time are those of the file in another order.
: >grows.mlpd
follow grows.mlpd
size=$(wc -c <"$log")
at=0
for end in 50 500 1111 2000 "$size"; do
  tail -c +$((at + 1)) "$log" | head -c $((end - at)) >>grows.mlpd
  at=$end
  sleep 0.05
done
until_lines "$lines"
kill -TERM "$follower"
ended 0
sort all >expected
sort got >sorted
same expected sorted
awk '$2 ~ /^[0-9.]+$/ { if ($2 + 0 < last) late++; last = $2 + 0 } END { exit late > 20 }' got \
  || fail "not in order of time"
says err "lines, held"

# One that is cut anew is another one, and so is one in its place.
cp "$log" grows.mlpd
follow grows.mlpd
until_lines "$lines"
cp "$logs/all-v01.mlpd" grows.mlpd
first=$(dump "$logs/all-v01.mlpd" | wc -l)
until_lines $((lines + first))
cp "$log" other.mlpd
mv other.mlpd grows.mlpd
until_lines $((2 * lines + first))
kill -TERM "$follower"
ended 0

# A stream of several logs, one of them cut; what is lost is reported.
dump "$logs/all-v01.mlpd" >second
{ head -c 1500 "$log"; cat "$logs/all-v01.mlpd"; } | "$proflog" follow - >got 2>err \
  || fail "follow of a pipe"
grep -c file-header got | grep -q -x 2 || fail "not two headers"
tail -n "$(grep -c . second)" got | sed 's/^ *[0-9]* //' | sort >sorted
sed 's/^ *[0-9]* //' second | sort >expected
same expected sorted
says err warning

# A FIFO, and the next writer of it.
mkfifo fifo
follow --reconnect fifo
cat "$log" >fifo
until_lines "$lines"
cat "$log" >fifo
until_lines $((2 * lines))
kill -TERM "$follower"
ended 0
follow fifo
cat "$log" >fifo
ended 0
until_lines "$lines"

# A connection that breaks is opened again while the process that listened there runs; the damage is reported.
gunzip -c "$logs/ghc-blocks-N2.eventlog.gz" >ghc.eventlog || fail "there is no eventlog"

# peer ARGUMENT...: tests/cli/breaking-peer, in the background.
peer ()
{
  rm -f socket # of the one before
  "$top_builddir/tests/cli/breaking-peer" socket ghc.eventlog "$@" &
  peer=$!
  wait_for test -S socket
}

peer 5005
follow unix:socket
ended 0
wait "$peer" || fail "the peer ended with $?"
says err "the connection closed before the end of the log; reconnecting"
test "$(grep -c 'header' got)" = 2 || fail "not two headers"
sed '1d; /header/,$!d' got | sort >sorted
dump ghc.eventlog | grep -v ' block-marker ' | sort >expected
same expected sorted
for command in follow top; do
  peer 5005 once
  run 0 "$command" unix:socket
  wait "$peer" || fail "the peer ended with $?"
done
# Nothing came: that is no broken connection.
peer 0
run 0 follow --timeout 20s unix:socket
quiet out
grep -q reconnecting err && fail "it connects again where it gets nothing"
kill "$peer"
wait "$peer" 2>/dev/null
rm socket
follower=

# Logs of GHC that follow each other, the first one cut inside an event.
{ head -c 5005 ghc.eventlog; cat ghc.eventlog; } | "$proflog" follow - >got 2>err || fail "follow of a pipe"
sed '1d; /header/,$!d' got | sed 's/^ *[0-9]* //' | sort >sorted
sed 's/^ *[0-9]* //' expected | sort >other
same other sorted
says err warning

# Capabilities, and no one, in the order of their times, however their blocks stand.
"$top_builddir/tests/eventlog/post-segments" turns.eventlog turns || fail "post-segments ended with $?"
run 0 follow turns.eventlog
sed -n 's/.* user-msg message="\(.*\)"/\1/p' out | tr '\n' ' ' >got
printf 'first second third fourth fifth sixth ' >other
same other got
"$proflog" dump turns.eventlog >out
sed -n 's/.* user-msg message="\(.*\)"/\1/p' out | tr '\n' ' ' >got
cmp -s other got && fail "the blocks are in the order of their times"

# A file that ends inside an event is waited for, and a source that stalls costs nothing but time.
lines=$(wc -l <"expected")
head -c 5005 ghc.eventlog >grows.eventlog
follow --show-latency grows.eventlog
until_lines 50
tail -c +5006 ghc.eventlog >>grows.eventlog
ended 0
until_lines "$lines"
lines=$(wc -l <all)
mkfifo stalls
exec 7<>stalls
follow stalls
head -c 2000 "$log" >&7
until_lines 20
cat "$log" | tail -c +2001 >&7
until_lines "$((lines - 1))"
kill -TERM "$follower"
ended 0
until_lines "$lines"
exec 7>&-

# A FIFO of a program of GHC: its runtime writes the head, and the rest when a buffer is full.  After two seconds the
# reader says why nothing comes, once, and reads on.
gunzip -c "$logs/ghc-collect.eventlog.gz" >slow.eventlog || fail "there is no eventlog"
mkfifo slow
exec 7<>slow
follow --timeout 30s slow
head -c 300 slow.eventlog >&7
wait_for grep -q 'no events for 2 s: the runtime of GHC writes its log in pieces of up to 2 MiB' err
says err 'eventlog-flush-interval'
tail -c +301 slow.eventlog >&7
until_lines 100
kill -TERM "$follower"
ended 0
exec 7>&-
test "$(grep -c 'no events for 2 s' err)" = 1 || fail "the reason is stated $(grep -c 'no events for 2 s' err) times"

# Nobody reads: no error, also when nothing comes.
"$proflog" follow "$log" 2>err | head -n 1 >out
test "$(wc -l <out)" = 1 || fail "no line"
quiet_status=$("$proflog" follow -q "$log" 2>err | { head -n 1 >out; :; }; echo $?)
test "$quiet_status" = 0 || fail "status $quiet_status"
mkfifo pipe
"$proflog" follow -q "$log" >pipe 2>err &
follower=$!
head -n 1 <pipe >out
ended 0
quiet err

# What passed is not printed, but for threads that live; new events are.
head -c 2000 "$log" >grows.mlpd
follow --start now grows.mlpd
until_lines 1
tail -c +2001 "$log" >>grows.mlpd
wait_for grep -q meta-sync-point got
kill -TERM "$follower"
ended 0
says got 'living thread 0x7f0030000000 "Main"'
says err "are not printed"
grep -q method-enter got && fail "what passed was printed"

# JSON, selections, compression, eventlogs.
run 0 follow --timeout 100ms --format jsonl --thread 'Worker*' "$log"
test "$(grep -c '"kind":' out)" -gt 5 || fail "few events of a thread"
grep '"item":"event"' out | grep -v sample-hit | grep -v '"thread":"0x7f0030000800","time_ns":[0-9]*,"kind":"[a-z-]*","fields":{.*},"held_ns":[0-9]*.*}$' \
  && fail "not of that thread, or not all members"
run 0 follow --timeout 100ms --filter Leaf "$log"
test "$(grep -c Leaf out)" = "$(dump --filter Leaf "$log" | grep -c Leaf)" || fail "--filter"
run 0 follow --timeout 100ms "$logs/all-v17.mlpd.gz"
sort out >sorted
sort all >expected
same expected sorted
run 0 follow "$logs/ghc-blocks-N2.eventlog.gz"
dump "$logs/ghc-blocks-N2.eventlog.gz" | grep -v ' block-marker ' | sort >expected
sort out >sorted
same expected sorted
"$proflog" follow --cap 1 - <"$logs/ghc-blocks-N2.eventlog.gz" >out 2>err || fail "--cap"
test "$(awk '$3 != 1 && $2 != "header" && $2 != "end"' out | wc -l)" = 0 || fail "not of that capability"

# Mistakes.
run 2 follow - -
run 2 follow --start later "$log"
run 2 follow --reorder-delay soon "$log"
run 2 follow --time-range 10%~ "$log"
run 3 follow nothing.mlpd
run 3 follow unix:nobody
run 3 follow 4194303
echo "no log, but text" >text
run 3 follow text
says err "not a profiler log"
done_checks
