#!/bin/sh
# proflog fetch takes the eventlog from a program's socket and gives it commands.
. "${srcdir:-.}/tests/cli/lib.sh"
peer=$top_builddir/tests/cli/eventlog-socket-peer
gunzip -c "$logs/ghc-collect.eventlog.gz" >log || fail "there is no log"

# serve BYTES: a program that waits for this many bytes of commands.
serve ()
{
  "$peer" socket log "$1" >heard &
  program=$!
  wait_for test -S socket
}

serve 0
run 0 fetch socket
wait $program || fail "the program: $?"
same log out
quiet err

# As the protocol has it: four bytes, version 0, a name with its length before it, a number.
serve 31
run 0 fetch -c heap-census --command my:7 -o fetched socket
wait $program || fail "the program: $?"
same log fetched
quiet out
printf '\360\236\227\214\0\17eventlog-socket\5\360\236\227\214\0\2my\7' >expected
same expected heard

# One that sends nothing is waited for as long as that is wanted.
serve 100
run 0 fetch --time 0.1 socket
quiet out
kill $program
wait $program 2>/dev/null
run 3 fetch socket
says err 'socket: Connection refused'
run 3 fetch none
run 2 fetch
run 2 fetch -c nonsense socket
says err "there is no command 'nonsense'; there are start-logging"
run 2 fetch -c name:256 socket
run 2 fetch --time x socket
# An output that is there, or full.
: >there
rm -f socket
serve 0
run 3 fetch -o there socket
says err 'cannot write there: File exists'
kill $program 2>/dev/null
wait $program 2>/dev/null
test ! -s there || fail 'the file was written'
rm -f socket
serve 0
run 0 fetch --force -o there socket
wait $program || fail "the program: $?"
same log there
if test -c /dev/full; then
  rm -f socket
  serve 0
  "$proflog" fetch socket >/dev/full 2>err
  test $? = 3 || fail 'a full output is no error'
  says err 'cannot write to standard output: No space left on device'
  kill $program 2>/dev/null
  wait $program 2>/dev/null
fi
run 3 fetch "$(head -c 200 /dev/zero | tr '\0' x)"
says err 'File name too long'
run 0 fetch --help
says out start-heap-profile
done_checks
