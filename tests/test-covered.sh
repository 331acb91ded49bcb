#!/bin/sh
# Each source file has a test of its name or one that tests/covered-by.txt names (scripts/check-covered), and the check
# sees what is wrong.
set -eu
sources=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL: $*"
  exit 1
}

"$sources/scripts/check-covered" "$sources" || fail 'files and tests/covered-by.txt do not agree'

# A tree of three files: one has a test of its name, one is in a row of its own, one in a row with a star.
mkdir -p "$work/scripts" "$work/docs" "$work/tests/unit" "$work/tests/cli"
cp "$sources/scripts/check-covered" "$work/scripts"
for folder in agent decoder profiler eventlog ghc host replay; do mkdir "$work/$folder"; done
touch "$work/tests/unit/test-bytes.c" "$work/tests/cli/test-cli-cut.sh" "$work/decoder/bytes.c" "$work/decoder/words.c" \
  "$work/decoder/cmd-cut.c"
rows='decoder/words.c  tests/unit/test-bytes
decoder/cmd-*.c  tests/cli/test-cli-*.sh   # the commands'
echo "$rows" >"$work/tests/covered-by.txt"
"$work/scripts/check-covered" || fail 'a good tree is refused'

# sees TEXT -- the check fails on the tree, and says so.
sees() {
  if "$work/scripts/check-covered" >"$work/found"; then
    fail "not seen: $1"
  fi
  grep -q -e "$1" "$work/found" || fail "no line '$1' but: $(cat "$work/found")"
}

touch "$work/decoder/cmd-new.c"
sees '^decoder/cmd-new\.c: it has no test of its name, and tests/covered-by\.txt names none$'
rm "$work/decoder/cmd-new.c"

echo 'decoder/old.c tests/unit/test-bytes' >>"$work/tests/covered-by.txt"
sees '^tests/covered-by\.txt:3: no file needs this row$'

echo "$rows" | sed 's/test-bytes/test-words/' >"$work/tests/covered-by.txt"
sees '^tests/covered-by\.txt:1: there is no test tests/unit/test-words$'
