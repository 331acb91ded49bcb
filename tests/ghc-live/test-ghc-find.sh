#!/bin/sh
# GHC programs that run are listed, with their state, and with the line that mends it.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
use_runtime_dir
cat >Waits.hs <<'END'
import Control.Concurrent
import System.IO
main = putStrLn "waits" >> hFlush stdout >> getLine >>= putStrLn
END
programs_started=
trap 'kill -9 $programs_started 2>/dev/null; rm -rf "$work"' EXIT
mkfifo input

# start COMMAND...: it is in $pid; it ends when descriptor 7 is closed or has a line.
start ()
{
  : >printed
  "$@" <input >printed 2>program.err 7>&- &
  pid=$! watched=$!
  programs_started="$programs_started $pid"
  exec 7>input
  wait_for grep -q waits printed
}

stop ()
{
  echo end >&7
  exec 7>&-
  watched=
  wait "$pid" || fail "the program ended with $?"
}

# listed STATE COMMAND MEND
listed ()
{
  run 0 ctl
  grep -A 1 "^ *$pid  $1  *$2$" out | tail -n 1 >line
  grep -q -x " *$3" line || { cat out; fail "$2 is not listed as $1 with $3"; }
  checks=$((checks + 1))
}

# Without threads the file is recognised, with them a thread.
for way in "" -threaded stripped; do
  threads=-threaded
  test -n "$way" || threads=
  # shellcheck disable=SC2086
  ghc -v0 -O0 $threads -eventlog -rtsopts -outputdir o -o "waits$$" Waits.hs >out 2>err || fail "Waits.hs does not compile"
  test "$way" != stripped || strip "waits$$" || fail "strip"
  case="not profiled, $way"
  start "./waits$$"
  listed 'not profiled' "./waits$$" "proflog run ./waits$$"
  run 0 ctl --format json
  says out "{\"pid\":$pid,\"command\":\"./waits$$\",\"state\":\"not profiled\",\"runtime\":\"ghc\",\"mend\":\"proflog run ./waits$$\"}"
  run 3 ctl "waits$$" status
  says err "process $pid cannot be controlled: it is a GHC program that writes no log; start it with: proflog run ./waits$$"
  run 3 top "$pid"
  says err "start it with: proflog run ./waits$$"
  stop
done

case="arguments for a shell"
start "./waits$$" "it's one" two
listed 'not profiled' "./waits$$ it's one two" "proflog run ./waits$$ 'it'.*'s one' two"
mend=$(sed 's/^ *//' line)
stop
case="the line that mends it"
echo end | eval "'$proflog' ${mend#proflog }" >out 2>err || fail "the line does not run it"
says out end
ls "waits$$".*.eventlog >/dev/null 2>&1 || fail "no log came"

case="a log without control"
start "./waits$$" +RTS -l -RTS
listed 'no control' "./waits$$ +RTS -l -RTS" "proflog top $pid"
run 3 ctl "$pid" status
says err "process $pid cannot be controlled: it is a GHC program that is not linked with libproflog-ghc"
says err "'proflog top $pid' reads its log"
stop
done_checks
