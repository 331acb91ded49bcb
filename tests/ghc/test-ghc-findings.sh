#!/bin/sh
# Programs with a fault have a finding about it, whose figures are those of the report; a program without has
# none.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"

# finds ID NAME WAY ARGUMENT [RTS OPTION...]: the finding is there.
finds ()
{
  expected_id=$1 name=$2 way=$3 argument=$4
  shift 4
  record "$name" "$way" Findings "$argument" +RTS "$@"
  run 0 report --format json "$name.eventlog"
  same_findings out
  grep -qx "$expected_id" ids || fail "$argument: the findings are: $(cat ids)"
}

# With one capability nothing but the main thread can run a spark.
finds sparks-fizzle fizzle threaded fizzle -l -N1
finds parallel-gc-without-effect collect threaded collect -l -N2 -A256k
# Next to no collections: where capabilities collect in parallel they are not idle.
finds idle-capabilities work threaded work -l -N2 -A64m -qg

record nothing threaded Findings nothing +RTS -l -N2
run 0 report --format json nothing.eventlog
same_findings out
test "$findings" = 0 || fail "a healthy program has the findings $(cat ids)"
done_checks
