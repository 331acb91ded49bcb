#!/bin/sh
# A Haskell program with a fault, recorded by the command of README: the first line of the report names the fault.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"
compile threaded Findings

# names PATTERN ARGUMENT [OPTION...]: `proflog run OPTION...` records the program, whose first finding has the pattern
# in one of three runs: where threads run is the kernel's choice.
names ()
{
  pattern=$1 argument=$2
  shift 2
  grep -q -F "proflog run ${*:+$* }-o" "$tests/../README.md" || fail "README does not have proflog run $*"
  for _ in 1 2 3; do
    "$proflog" run "$@" --force -o app.eventlog ./Findings-threaded "$argument" >out 2>err || fail "$argument: run"
    run 0 report app.eventlog
    test "$(head -n 1 out)" != Findings || ! sed -n 2p out | grep -Eq "$pattern" || return 0
  done
  fail "$argument: the first finding is another"
}

names 'threads wait for one another: each waited for an MVar' lock
names 'Only [0-9]+ of 2000 sparks were converted' fizzle
names 'were thunks, expressions that were not evaluated yet' lazy --heap
done_checks
