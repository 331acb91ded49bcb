#!/bin/sh
# The Haskell modules call what they are named after: their log of every event is the one of the C
# program.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc hsc2hs nm
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

# There is one for each C function, but for the marker of blocks, which none may post, and for
# eventlog_post, whose events Haskell has no types for; and each is called here.
nm -D --defined-only "$top_builddir/.libs/libproflog-eventlog.so" | sed -n 's/.* T \([^@]*\).*/\1/p' \
  | grep -v -x -e eventlog_post -e eventlog_post_block_marker | sort >expected
sed -n 's/.*foreign import .*"\(eventlog_[a-z_0-9]*\)".*/\1/p' "$modules"/*.hsc | sort >found
same expected found
for module in EventlogWriter EventlogEvents; do
  sed -n '/^module/,/ where$/p' "$modules/$module.hsc" | tr -cs "A-Za-z0-9'" '\n' | grep '^[a-z]'
done | grep -v -x -e module -e pattern -e where | sort -u >exported
test "$(wc -l <exported)" -gt 130 || fail "few functions are exported"
cat TestHaskell.hs Calls.hs | tr -cs "A-Za-z0-9'" '\n' | sort -u >words
comm -23 exported words >left
test ! -s left || fail "not called: $(tr '\n' ' ' <left)"
checks=$((checks + 1))
done_checks
