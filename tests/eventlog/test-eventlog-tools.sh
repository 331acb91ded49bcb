#!/bin/sh
# ghc-events reads what the writer of eventlogs writes, every event, and gives the same as proflog.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc-events nm
LC_ALL=C.UTF-8

# without_blocks FILE: 0.17 leaves out the markers of blocks that proflog shows.
without_blocks ()
{
  awk '/^[0-9]+: (cap [0-9]+: )?event block: cap / { getline; next } { print }' "$1"
}

# known FILE: without three events, of which 0.17 knows the first forms only.
known ()
{
  sed -i -e '/: nonmoving heap census /d' -e '/: nonmoving segments pruned: /d' \
    -e '/: free segments of the non-moving heap /d' -e 's/, itbl: 0$//' "$1"
}

# compare LOG EVENTS: both state the same, and this many events.
compare ()
{
  ghc-events show "$1" >theirs 2>err || fail "ghc-events cannot read $1"
  "$proflog" show --raw-text "$1" >shown 2>err || fail "proflog cannot read $1"
  without_blocks shown >ours
  n=$(sed '1,/^Events:$/d' theirs | grep -c .)
  test "$n" = "$2" || fail "$1: ghc-events finds $n events, not $2"
  known theirs
  known ours
  same theirs ours
  checks=$((checks + 1))
}

# cut_segments FILE: FILE.1, FILE.2 and so on are the logs that it has; $segments: how many.
cut_segments ()
{
  file=$1
  set -- $(LC_ALL=C grep -abo hdrb "$file" | sed 's/:.*//') "$(wc -c <"$file")"
  segments=0
  while test $# -gt 1; do
    segments=$((segments + 1))
    tail -c "+$(($1 + 1))" "$file" | head -c $(($2 - $1)) >"$file.$segments"
    shift
  done
}

# shows LOG LINE...: ghc-events finds these events and no others.
shows ()
{
  log=$1
  shift
  printf '%s\n' "$@" >expected
  ghc-events show "$log" >shown 2>err || fail "ghc-events cannot read $log"
  sed '1,/^Events:$/d' shown | grep . >found
  same expected found
}

"$top_builddir/tests/eventlog/post-all" all >counts 2>err || fail "post-all ended with $?"
quiet err
cut_segments all
compare all.1 "$(sed -n 1p counts)"
compare all.2 "$(sed -n 2p counts)"
run 0 dump all
quiet err
# The lines of some, by hand.
ghc-events show all.1 >theirs
for line in 'creating thread 3' 'running thread 3' 'starting GC' 'finished GC' 'text' \
  'assigned cap 1 to capset 3' 'capset 3: args: ["one","two"]' 'memory returned (mblocks): current(3) needed(3) returned(3)'; do
  says theirs "$line"
done

# ---- each function ----

# What post-segments posts, and what a restart and a sync announce again.
"$top_builddir/tests/eventlog/post-segments" segments >out 2>err || fail "post-segments ended with $?"
quiet err
cut_segments segments
test "$segments" = 3 || fail "$segments logs instead of 3"
shows segments.1 '10: cap 0: creating thread 1' '20: cap 0: running thread 1' '30: cap 1: one'
shows segments.2 '50: cap 0: creating thread 1' '60: cap 1: two' '80: cap 0: creating thread 1'
shows segments.3 '90: cap 2: three'
# They are read as one when they are one.
run 0 merge segments -o whole
quiet err
shows whole '10: cap 0: creating thread 1' '20: cap 0: running thread 1' '30: cap 1: one' \
  '50: cap 0: creating thread 1' '60: cap 1: two' '80: cap 0: creating thread 1' '90: cap 2: three'
shows segments.eventlog '10: cap 0: four'
shows segments.descriptor '10: five'
# Events that it has no words for it shows with those of the header.
shows segments.callback '10: cap 0: gc' \
  '20: cap 0: never written: declared to show that the writer is 7.8.3 or later'

# Ten threads: each one's messages are there, in turn, and none twice.
"$top_builddir/tests/eventlog/post-segments" many threads >counts 2>err || fail "ten threads: $?"
quiet err
cut_segments many
test "$segments" = 6 || fail "$segments logs instead of 6"
for n in 1 2 3 4 5 6; do
  ghc-events show "many.$n" >shown 2>err || fail "ghc-events cannot read log $n of ten threads"
  quiet err
  sed -n 's/^[0-9]*: cap [0-3]: \([0-9]* [0-9]*\)$/\1/p' shown >>messages
done
awk '$2 != next_of[$1]++ { exit 1 } END { for (t = 0; t < 10; t++) print t, next_of[t] + 0 }' messages >found \
  || fail "messages of ten threads are missing"
same counts found
run 0 check many

# No function of the library, or of the header, is left out here.
nm -D --defined-only "$top_builddir/.libs/libproflog-eventlog.so" | sed -n 's/.* T \([^@]*\).*/\1/p' | sort >functions
nm -u "$top_builddir/tests/eventlog/post-all.o" "$top_builddir"/tests/eventlog/post_segments-post-segments.o \
  | sed -n 's/^ *U \(eventlog_\)/\1/p' | sort -u >called
grep -v -x eventlog_post_block_marker functions >expected # which none may post
grep -v -x eventlog_post_block_marker called >found
same expected found
sed 's/^enum eventlog_class eventlog/eventlog/' "$sources/../../include/proflog/eventlog-writer.h" \
  | grep -o '\beventlog_[a-z_]* (' | sed 's/ (//' | sort -u >declared
grep -v '^eventlog_post_' functions >expected
grep -v -x -e eventlog_post_ -e eventlog_take declared >found
same expected found

"$top_builddir/examples/write-eventlog" example 2>err || fail "the example ended with $?"
# Of two capabilities: 1000 rounds of 3 events, 10 collections of 3, 2 of the thread; and about
# the program: 6 events, and 3 of each capability.
compare example 6076
for machine in threads threadpool threadrun taskpool tasks sparks; do
  ghc-events validate "$machine" example >verdict 2>err || fail "ghc-events cannot validate"
  says verdict 'Valid event log'
done
run 0 validate all example
run 0 stats example
done_checks
