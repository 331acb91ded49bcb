#!/bin/sh
# The Haskell modules call what they are named after: their log of every event is the one of the C
# program.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc hsc2hs
modules=$sources/../../haskell/Proflog
headers=$sources/../../include

mkdir Proflog
for module in EventlogWriter EventlogEvents; do
  hsc2hs -I"$headers" -o "Proflog/$module.hs" "$modules/$module.hsc" >out 2>err || fail "hsc2hs $module"
done
"$top_builddir/haskell/print-eventlog-events" --calls >Calls.hs
cp "$sources/../eventlog/TestHaskell.hs" .
ghc -v0 -Wall -O0 -threaded -o test-haskell TestHaskell.hs "-L$top_builddir/.libs" \
  "-optl-Wl,-rpath,$top_builddir/.libs" -lproflog-eventlog >out 2>err || fail "the modules do not compile"
quiet err
./test-haskell theirs.eventlog >out 2>err || fail "the program ended with $?"
"$top_builddir/tests/eventlog/post-all" ours.eventlog full >out 2>err || fail "post-all ended with $?"

# events LOG: without offsets and times.
events ()
{
  "$proflog" dump "$1" >out 2>err || fail "$1 cannot be read"
  grep -v ' block-marker ' out | sed 's/^ *[0-9]* [0-9.]* //'
}
events ours.eventlog >ours
events theirs.eventlog >theirs
test "$(grep -c create-thread ours)" = 2 || fail "there are no events"
same ours theirs
done_checks
