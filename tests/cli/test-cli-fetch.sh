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
run 0 fetch --help
says out start-heap-profile
done_checks
