#!/bin/sh
# The object files of the build hold to the plan of the tree (scripts/check-calls), and the check sees each kind of
# violation.
set -eu
sources=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL: $*"
  exit 1
}

"$sources/scripts/check-calls" "${top_builddir:-.}" "$sources" || fail 'the build breaks scripts/include-rules'

# A tree of two rooms.
mkdir -p "$work/scripts" "$work/decoder/core" "$work/decoder/heap"
cp "$sources/scripts/check-calls" "$sources/scripts/check-calls.awk" "$sources/scripts/include-rules.awk" \
  "$work/scripts"
mkdir "$work/docs"
rules='room decoder/core:
room decoder/heap: decoder/core'
echo "$rules" >"$work/scripts/include-rules"
: >"$work/docs/architecture.md"

# file NAME CALLED...: a function of the file's name, which calls these.
file() {
  name=$1
  shift
  {
    for called; do echo "void $called (void);"; done
    function=$(basename "$name" | tr - _)
    echo "void $function (void); void $function (void) {"
    for called; do echo "$called ();"; done
    echo '}'
  } >"$work/$name.c"
  "${CC:-cc}" -c -o "$work/$name.o" "$work/$name.c" || fail "$name.c does not compile"
}

# sees TEXT -- the check fails on the tree, and says so.
sees() {
  if "$work/scripts/check-calls" "$work" "$work" >"$work/found"; then
    fail "not seen: $1"
  fi
  grep -q -e "$1" "$work/found" || fail "no line '$1' but: $(cat "$work/found")"
}

file decoder/core/bytes
file decoder/heap/graph bytes
"$work/scripts/check-calls" "$work" "$work" || fail 'a good tree is refused'

file decoder/core/bytes graph
sees '^call: decoder/core/bytes\.c uses graph of decoder/heap/graph\.c; decoder/core may use: nothing else$'

file decoder/core/bytes words
file decoder/core/words bytes
sees '^circle: decoder/core has 2 files in circles, scripts/include-rules says 0$'
sees '^    decoder/core/words\.c uses bytes of decoder/core/bytes\.c$'

# Names: those of a file that is used, unless the room's prefix is named, or the rules allow one.
file decoder/core/bytes
file decoder/core/words word_next
echo 'void word_next (void); void word_next (void) { }' >"$work/decoder/core/texts.c"
"${CC:-cc}" -c -o "$work/decoder/core/texts.o" "$work/decoder/core/texts.c"
sees '^name: word_next of decoder/core/texts\.c$'
echo '- **`decoder/core`** has words.  Prefix: `word_`.' >"$work/docs/architecture.md"
"$work/scripts/check-calls" "$work" "$work" || fail 'a prefix that is named is refused'
: >"$work/docs/architecture.md"
echo 'misnamed 1' >>"$work/scripts/include-rules"
"$work/scripts/check-calls" "$work" "$work" || fail 'a symbol that is allowed is refused'

# A main may use what it ties together.
echo "$rules" >"$work/scripts/include-rules"
file decoder/core/texts
file decoder/core/words
file decoder/core/word-main graph
sees '^call: decoder/core/word-main\.c uses graph'
echo 'main: decoder/heap' >>"$work/scripts/include-rules"
"$work/scripts/check-calls" "$work" "$work" || fail 'a main may not use what it ties together'

rm "$work"/decoder/*/*.o
! "$work/scripts/check-calls" "$work" "$work" 2>/dev/null || fail 'a tree without object files passes'
