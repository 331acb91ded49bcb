#!/bin/sh
# Programs with a fault have a finding about it, whose figures are those of the report; a program without has
# none.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"

# finds ID NAME WAY ARGUMENT [RTS OPTION...]: the finding is there, in one of six runs: where threads run is the
# kernel's choice.
finds ()
{
  expected_id=$1 name=$2 way=$3 argument=$4
  shift 4
  for _ in 1 2 3 4 5 6; do
    record "$name" "$way" Findings "$argument" +RTS "$@"
    run 0 report --format json "$name.eventlog"
    same_findings out
    ! grep -qx "$expected_id" ids || return 0
  done
  fail "$argument: the findings are: $(cat ids)"
}

# With one capability nothing but the main thread can run a spark.
finds sparks-fizzle fizzle threaded fizzle -l -N1
finds parallel-gc-without-effect collect threaded collect -l -N2 -A256k
finds idle-capabilities work threaded work -l -N2 -A64m -qg
says out 'Thread '
# Where they wait for the one that has work, in its collections, they are idle, too; unless it is they that collect, which
# the kernel's scheduler decides.
finds 'idle-capabilities\|parallel-gc-without-effect' fill threaded fill -l -N2 -A4m
# Sparks that are too small, by their durations.
finds small-sparks small threaded tiny -lf -N2
# The work is done one thread at a time, whatever runs them.
finds mvar-contention lock threaded lock -l -N2
# So it is in a program of half a second, and with values instead of MVars.
finds mvar-contention convoy threaded convoy -l -N2
# A busy machine may leave one capability without a thread to run: that is said instead, with the same cause.
finds 'black-holes\|idle-capabilities' shared threaded shared -l -N2
grep -q 'Threads waited .* for values that other' out || fail "the cause is missing: $(cat ids)"
finds unevaluated-thunks lazy threaded lazy -l -hT -i0.01

record nothing threaded Findings nothing +RTS -l -N2
run 0 report --format json nothing.eventlog
same_findings out
test "$findings" = 0 || fail "a healthy program has the findings $(cat ids)"
done_checks
