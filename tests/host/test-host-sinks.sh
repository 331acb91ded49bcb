#!/bin/sh
# The log goes to sockets and commands: whole where they read, and without harm where they do not.
. "${srcdir:-.}/tests/host/host-lib.sh"

peer=$PWD/tests/host/log-peer
socket=$work/socket
use_runtime_dir

# to OUTPUT OPTIONS SCENARIO...: status 0.
to () {
  output=$1 options=$2
  shift 2
  host_run 0 "proflog:output=$output${options:+,}$options" "$scenarios/world.scn" "$@"
  module_was_loaded
}

no_spool () {
  set -- "$work/runtime"/proflog-*.spool
  [ ! -e "$1" ] || fail "the spool is left"
}

whole () {
  quiet
  no_spool
  check same=alloc alloc=$all
}

# ---- sockets ----

# listening [BYTES]: the peer listens; its output is the log.
listening () {
  "$peer" listen "$socket" "$@" >"$log" </dev/null &
  reader=$!
  wait_for [ -S "$socket" ]
}

for options in "" zip; do
  begin "a socket that somebody listens at${options:+, $options}"
  listening
  to "unix:$socket" "alloc,overflow=block${options:+,$options}" "$parallel"
  wait "$reader"
  rm "$socket"
  whole
done

begin "no one listens"
to "unix:$socket" "" "$scenarios/nothing.scn"
one_line "output 'unix:$socket': No such file or directory; the program runs unprofiled"
listening
kill "$reader"
wait "$reader" 2>/dev/null || :
to "unix:$socket" "" "$scenarios/nothing.scn"
one_line "output 'unix:$socket': Connection refused; the program runs unprofiled"
rm "$socket"

begin "the reader goes"
listening 1000
to "unix:$socket" alloc "$parallel"
wait "$reader"
rm "$socket"
incomplete "$socket" "[A-Z].*"
[ "$lost" -gt $((all * 7 / 8)) ] || fail "only $lost events are lost"

begin "a socket that waits for its reader"
"$peer" connect "$work/s$$" >"$log" </dev/null &
reader=$!
to "unix-listen:$work/s$$" alloc,overflow=block "$parallel"
wait "$reader"
[ ! -e "$work/s$$" ] || fail "the socket is left"
whole

begin "its reader comes late"
{ cat "$scenarios/world.scn" "$scenarios/busy.scn" && printf 'print ready\nsleep 600000\n'; } >"$work/late.scn"
(
  umask 0
  exec "$host" --module "$module" --profile="proflog:output=unix-listen:$socket,alloc,memory=64M" \
    --truth "$truth" "$work/late.scn" >"$work/out" 2>"$work/err"
) &
running=$!
wait_for [ -S "$socket" ]
wait_for grep -q ready "$work/out"
[ "$(stat -c %a "$socket")" = 600 ] || fail "the mode of the socket is $(stat -c %a "$socket")"
# Another user gets nothing, even if the socket's mode was changed.
if [ "$(id -u)" = 0 ] && has setpriv; then
  cp "$peer" "$work/peer"
  chmod 711 "$work" && chmod 777 "$socket"
  setpriv --reuid=65534 --clear-groups "$work/peer" connect "$socket" >"$work/got" </dev/null 2>/dev/null || :
  [ ! -s "$work/got" ] || fail "another user reads the log"
  one_line "refused a reader: it belongs to user 65534"
fi
"$peer" connect "$socket" 300000 >"$log" </dev/null
kill -9 "$running"
wait "$running" 2>/dev/null || :
"$check_log" "$log" cut "alloc>=1000" || fail "the log is wrong"
rm -f "$work/runtime"/*

# A program that is killed leaves its socket: the case before this one did.
begin "a socket that is left, and one at which somebody listens"
[ -S "$socket" ] || fail "no socket is left"
"$peer" connect "$socket" >"$log" </dev/null &
reader=$!
to "unix-listen:$socket" alloc,overflow=block "$parallel"
wait "$reader"
whole
listening
to "unix-listen:$socket" "" "$scenarios/nothing.scn"
one_line "the path exists already; the program runs unprofiled"
"$peer" connect "$socket" 0 </dev/null
wait "$reader"
[ ! -s "$log" ] || fail "something was sent"
rm "$socket"

begin "no one comes"
to "unix-listen:$socket" alloc "$parallel"
[ ! -e "$socket" ] || fail "the socket is left"
grep -q "log $socket is incomplete: the output accepted no data for [0-9]* ms after 0 bytes; the rest is in $work/runtime/" \
  "$work/err" || fail "it is not reported"
mv "$work/runtime"/proflog-*.spool "$log.spool"
: >"$log"
check same=alloc alloc=$all
rm -f "$log.spool"
to "unix-listen:$socket" alloc,crash-buffer=none "$parallel"
one_line "after 0 bytes; [0-9]* events are lost, and those that wait in memory\$"

begin "the path exists already"
echo precious >"$socket"
to "unix-listen:$socket" "" "$scenarios/nothing.scn"
one_line "the path exists already; the program runs unprofiled"
[ "$(cat "$socket")" = precious ] || fail "it was changed"
rm "$socket"

begin "names of sockets"
to "unix-listen:$work/$(printf '%0200d' 0)" "" "$scenarios/nothing.scn"
one_line "the path of a socket has 1 to 107 bytes; the program runs unprofiled"
to "unix:" "" "$scenarios/nothing.scn"
one_line "the path of a socket has 1 to 107 bytes"

each=200000
[ "${SANITIZER:-no}" = no ] || each=60000
write_flood $each

mkfifo "$work/go"
# stalling OPTIONS SCENARIO: into a socket whose reader takes the first of it only.
stalling ()
{
  "$peer" listen "$socket" +1000 >/dev/null <"$work/go" &
  reader=$!
  exec 6>"$work/go"
  wait_for [ -S "$socket" ]
  to "unix:$socket" "$@"
  exec 6>&-
  wait "$reader"
  rm "$socket"
}

begin "a reader that stalls"
stalling alloc,memory=1M "$work/flood.scn"
incomplete "$socket" "the output accepted no data for [0-9]* ms"
[ "$lost" -gt 1000 ] || fail "only $lost events are lost"
kib=$(du -k "$work/runtime" | cut -f 1)
[ "$kib" -le $((1024 + 128 * 9 + 300)) ] || fail "$kib KiB are in the spool"
rm -f "$work/runtime"/*

# More than two seconds are reported then: those before the end count.
begin "the end does not wait again for a reader that has stalled"
{ cat "$work/flood.scn"; echo "sleep 2500"; } >"$work/later.scn"
stalling alloc,memory=1M "$work/later.scn"
grep -q "is incomplete: the output accepted no data for \(2[1-9]\|[3-9][0-9]\|[0-9]\{3,\}\)[0-9][0-9] ms" "$work/err" \
  || fail "the time before the end does not count: $(cat "$work/err")"
rm -f "$work/runtime"/*

begin "killed: what the reader got and the spool come to all"
listening
host_run 137 "proflog:output=unix:$socket,alloc,overflow=block" "$scenarios/world.scn" \
  "$scenarios/busy.scn" "$(
    printf 'kill 9\nsleep 10000\n' >"$work/end.scn"
    echo "$work/end.scn"
  )" 2>/dev/null
wait "$reader"
rm "$socket"
mv "$work/runtime"/proflog-*.spool "$log.spool"
check same=alloc,monitor,exception_throw
rm "$log.spool"

# ---- commands ----

# command TEXT: the shell script that "|$work/command" is.
command () {
  printf '#!/bin/sh\n%s\n' "$1" >"$work/command"
  chmod +x "$work/command"
}

begin "a command"
to "|cp /dev/stdin $log" alloc,overflow=block "$parallel"
whole

begin "quotes, backslashes, %"
# The options take one away, the command the other.
to "'|sh -c \"cat >\\\\\"\$0\\\\\"\" \"$work/a b.%p\"'" alloc,overflow=block "$parallel"
mv "$work/a b.$(sed -n 's/^pid //p' "$truth")" "$log"
whole
to "'|cp /dev/stdin $work/c\\\\ %%\\\\\\'d'" "" "$scenarios/nothing.scn"
[ -f "$work/c %'d" ] || fail "no file has that name"

for zip in zip zip=gzip zip=zstd; do
  begin "a command, $zip"
  [ $zip != zip=zstd ] || grep -q '^#define HAVE_ZSTD 1' "$PWD/config.h" || continue
  to "|cp /dev/stdin $log" "alloc,overflow=block,$zip" "$parallel"
  whole
done

begin "a command that does not end well"
command "cat >$log; exit 3"
to "|$work/command" alloc,overflow=block "$parallel"
one_line "the command '$work/command' ended with status 3\$"
check same=alloc
command "cat >$log; kill -TERM \$\$"
to "|$work/command" alloc,overflow=block "$parallel"
one_line "the command '$work/command' was ended by signal 15\$"
check same=alloc

begin "no such command"
to "|$work/none -x" "" "$scenarios/nothing.scn"
one_line "output '|$work/none -x': No such file or directory; the program runs unprofiled"
to "|none-of-the-kind" "" "$scenarios/nothing.scn"
one_line "output '|none-of-the-kind': No such file or directory; the program runs unprofiled"
to "| " "" "$scenarios/nothing.scn"
one_line "a command is missing"
to "|cp \\'a" "" "$scenarios/nothing.scn"
one_line "a quote is not closed"

begin "a command that ends at once"
to "|false" alloc "$parallel"
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line"
grep -q -e "Broken pipe after [0-9]* bytes; [0-9]* events are lost; the command 'false' ended with status 1\$" \
  -e "Broken pipe; the program runs unprofiled\$" "$work/err" || fail "that it does not read is not reported"

begin "a command that ends early"
to "|head -c 100000" alloc "$parallel"
incomplete "|head -c 100000" "Broken pipe"
[ "$(head -c 100000 "$work/out" | od -An -tx1 -N4)" = " 01 5a 50 4d" ] || fail "it got no log"
no_spool

begin "a command that reads nothing"
command "echo \$\$ >$work/pid; exec sleep 10000"
to "|$work/command" alloc,memory=1M "$work/flood.scn"
kill "$(cat "$work/pid")"
incomplete "|$work/command" "the output accepted no data for [0-9]* ms"
grep -q "; the command '$work/command' is still running and reads nothing\$" "$work/err" \
  || fail "it is not reported that the command runs"
rm -f "$work/runtime"/*

begin "a command that does not end"
command "cat >$log; echo \$\$ >$work/pid; exec sleep 10000"
to "|$work/command" alloc,overflow=block "$parallel"
kill "$(cat "$work/pid")"
one_line "the command '$work/command' still runs 5000 ms after the end of the log"
check same=alloc

begin "a command gets none of our files, and is in a process group of its own"
command "ls -l /proc/\$\$/fd >$work/fds; cut -d ' ' -f 5 /proc/\$\$/stat >$work/group; cat >/dev/null"
to "|$work/command" "" "$scenarios/nothing.scn"
grep -q "0 -> pipe:" "$work/fds" || fail "its input is no pipe"
! grep -q "spool" "$work/fds" || fail "it has the spool"
[ "$(cat "$work/group")" != "$(cut -d ' ' -f 5 /proc/$$/stat)" ] || fail "it is in ours"

begin "a command and rotation"
to "|cat" rotate=1M "$scenarios/nothing.scn"
one_line "rotate: output '|cat' is not a file that other files could follow"
