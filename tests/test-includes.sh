#!/bin/sh
# The plan of the tree holds (scripts/check-includes), and the check sees each kind of violation.
set -eu
sources=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL: $*"
  exit 1
}

"$sources/scripts/check-includes" "$sources" || fail "the tree breaks scripts/include-rules"

# Each room has its paragraph.
sed -n 's/^room \([a-z/]*\):.*/\1/p' "$sources/scripts/include-rules" | while read -r room; do
  case $room in
  docs | haskell | bench | examples) ;;
  *) grep -q "^- \*\*\`$room\`\*\*" "$sources/docs/architecture.md" ||
    fail "docs/architecture.md has no paragraph for $room" ;;
  esac
done

# A copy of what the check reads, in which one thing at a time is wrong.
copy() {
  chmod -R u+w "$work"
  rm -rf "$work/tree"
  mkdir "$work/tree"
  (cd "$sources" && find agent decoder profiler eventlog ghc host replay docs haskell bench examples \
    tests scripts -type f \( -name '*.[ch]' -o -name '*.def' -o -path 'scripts/*' \) |
    tar -cf - -T -) | tar -xf - -C "$work/tree"
  chmod -R u+w "$work/tree"
}

# sees TEXT -- the check fails on the copy and prints a line that matches.
sees() {
  if "$work/tree/scripts/check-includes" "$work/tree" >"$work/found"; then
    fail "not seen: $1"
  fi
  grep -q -e "$1" "$work/found" || fail "no line '$1' but: $(cat "$work/found")"
}

# after_config FILE LINE -- adds the line after the include of config.h.
after_config() {
  sed "s|^#include \"config.h\"\$|&\n$2|" "$work/tree/$1" >"$work/new"
  mv "$work/new" "$work/tree/$1"
}

copy
after_config decoder/heap/heap-diff.c '#include "decoder/command/cli.h"'
sees '^decoder/heap/heap-diff\.c:[0-9]*: include: "decoder/command/cli.h" is not allowed; decoder/heap may include: decoder/core$'

copy
after_config eventlog/eventlog-post.c '#include <glib.h>'
sees '^eventlog/eventlog-post\.c:[0-9]*: include: <glib.h> is for '

copy
printf '#include "decoder/heap/heap-paths.h"\n' >>"$work/tree/decoder/heap/heap-graph.c"
sees 'include: these units include each other in a circle'

copy
sed '/^#include "config.h"$/d' "$work/tree/agent/clock.c" >"$work/new"
mv "$work/new" "$work/tree/agent/clock.c"
sees '^agent/clock\.c:[0-9]*: config: '

copy
printf '\nint\nclock_misplaced (int value)\n{\n  return value;\n}\n' >>"$work/tree/agent/warn.c"
sed 's|^#endif$|int clock_misplaced (int value);\n&|' "$work/tree/agent/clock.h" >"$work/new"
mv "$work/new" "$work/tree/agent/clock.h"
sees '^agent/clock\.h:[0-9]*: place: clock_misplaced is defined in agent/warn\.c$'

# The header of a family has no source file of its name.
copy
printf '\nint\nedit_misplaced (int value)\n{\n  return value;\n}\n' >>"$work/tree/agent/warn.c"
sed 's|^#endif$|int edit_misplaced (int value);\n&|' "$work/tree/decoder/edit/edit.h" >"$work/new"
mv "$work/new" "$work/tree/decoder/edit/edit.h"
sees '^decoder/edit/edit\.h:[0-9]*: place: edit_misplaced is defined in agent/warn\.c$'

copy
{
  printf '\nstatic void\ntoo_long (void)\n{\n'
  yes '  ;' | head -n 101
  printf '}\n'
} >>"$work/tree/agent/warn.c"
sees '^agent/warn\.c:[0-9]*: function: too_long has 101 lines; 100 are allowed$'
