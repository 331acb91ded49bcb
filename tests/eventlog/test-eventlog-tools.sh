#!/bin/sh
# ghc-events reads what the writer of eventlogs writes, every event, and says the same as proflog.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc-events
LC_ALL=C.UTF-8

# without_blocks FILE: 0.17 leaves out the markers of blocks that proflog shows.
without_blocks ()
{
  awk '/^[0-9]+: (cap [0-9]+: )?event block: cap / { getline; next } { print }' "$1"
}

# known FILE: without what 0.17 says of three events, of which it knows the first forms only.
known ()
{
  sed -i -e '/: nonmoving heap census /d' -e '/: nonmoving segments pruned: /d' \
    -e '/: free segments of the non-moving heap /d' -e 's/, itbl: 0$//' "$1"
}

# compare LOG EVENTS: both tell the same, and so many events.
compare ()
{
  ghc-events show "$1" >theirs 2>err || fail "ghc-events cannot read $1"
  "$proflog" show "$1" >shown 2>err || fail "proflog cannot read $1"
  without_blocks shown >ours
  n=$(sed '1,/^Events:$/d' theirs | grep -c .)
  test "$n" = "$2" || fail "$1: ghc-events finds $n events, not $2"
  known theirs
  known ours
  same theirs ours
  checks=$((checks + 1))
}

# cut_segments FILE: FILE.1, FILE.2 are the logs that it has.
cut_segments ()
{
  second=$(grep -abo hdrb "$1" | sed -n 's/:.*//; 2p')
  head -c "$second" "$1" >"$1.1"
  tail -c "+$((second + 1))" "$1" >"$1.2"
}

"$top_builddir/tests/eventlog/post-all" all >counts 2>err || fail "post-all ended with $?"
quiet err
cut_segments all
compare all.1 "$(sed -n 1p counts)"
compare all.2 "$(sed -n 2p counts)"
run 0 dump all
quiet err
# What is said of some by hand.
ghc-events show all.1 >theirs
for line in 'creating thread 3' 'running thread 3' 'starting GC' 'finished GC' 'text' \
  'assigned cap 1 to capset 3' 'capset 3: args: ["one","two"]' 'memory returned (mblocks): current(3) needed(3) returned(3)'; do
  says theirs "$line"
done

"$top_builddir/examples/write-eventlog" example 2>err || fail "the example ended with $?"
# Of two capabilities: 1000 rounds of 3 events, 10 collections of 3, 2 of the thread; and what is said of
# the program: 6 events, and 3 of each capability.
compare example 6076
for machine in threads threadpool threadrun taskpool tasks sparks; do
  ghc-events validate "$machine" example >verdict 2>err || fail "ghc-events cannot validate"
  says verdict 'Valid event log'
done
run 0 validate all example
run 0 stats example
done_checks
