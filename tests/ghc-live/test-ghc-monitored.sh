#!/bin/sh
# A Haskell program switches its own log by Proflog.Program, whether its runtime has threads or not; without
# a log that does nothing.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
tree=$sources/../..
unset PROFLOG_GHC
use_runtime_dir
cp "$tree/haskell/proflog-main.c" "$tree/examples/monitored.hs" .

commands="mark first
stop
mark unseen
start
mark second
disable user
mark left out
enable user
mark third
enable no-such-class
work 2
output $work/second.eventlog
mark fourth
sync
flush
quit"

# marks LOG: their texts.
marks ()
{
  "$proflog" dump "$1" >dumped 2>dump.err || fail "$1 cannot be read"
  sed -n 's/.* user-marker .*marker="\([^"]*\)".*/\1/p' dumped
}

# The numbers are those that i * i mod 7 adds up to.
printf '%s\n' ok ok ok ok 'not done' 4003 ok ok ok >expected
printf '%s\n' 'not done' 'not done' 'not done' 'not done' 'not done' 4003 'not done' 'not done' 'not done' \
  >expected.without
printf '%s\n' first second third work >first.expected
printf '%s\n' fourth >second.expected
for way in -threaded ''; do
  # shellcheck disable=SC2086
  ghc -v0 -Wall -Wno-deprecated-flags $way -O0 -eventlog -no-hs-main "-I$tree/include" \
    "-i$tree/haskell" -outputdir "out$way.o" -o monitored monitored.hs proflog-main.c "-L$top_builddir/.libs" \
    "-optl-Wl,-rpath,$top_builddir/.libs" -lproflog-ghc >out 2>err || { cat err >&2; fail "it does not compile"; }
  quiet err
  echo "$commands" | PROFLOG_GHC=output=first.eventlog ./monitored >printed 2>err || fail "ended with $?"
  quiet err
  same expected printed
  marks first.eventlog >first.marks
  same first.expected first.marks
  marks second.eventlog >second.marks
  same second.expected second.marks
  rm first.eventlog second.eventlog
  echo "$commands" | ./monitored >printed 2>err || fail "without a log it ended with $?"
  quiet err
  same expected.without printed
done
done_checks
