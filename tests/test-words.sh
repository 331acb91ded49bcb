#!/bin/sh
# The tree has no phrase that "Words" in HACKING.md replaces (scripts/check-words), and the check finds one.
sources=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-words.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
fail ()
{
  echo "FAIL: $*" >&2
  exit 1
}

"$sources/scripts/check-words" "$sources" || fail 'there are such phrases'
for folder in agent bench completions debian decoder docs eventlog examples ghc haskell host include profiler python \
  replay scripts tests; do
  mkdir "$work/$folder"
done
printf 'There are many more.\nA thread runs on a capability.\n' | tee "$work/README.md" >"$work/ChangeLog"
printf '/* The words "what to type". */\nint type; /* MLPD_LOAD_..., as the event has it */\n' >"$work/decoder/good.c"
"$sources/scripts/check-words" "$work" || fail 'a good tree is refused'
echo '/* Nobody reads it any more. */' >"$work/decoder/one.c"
echo 'The program runs on.' >"$work/docs/two.md"
cat >"$work/profiler/three.c" <<'END'
/* three.c -- what a counter has. */
/* ---- what is read ---- */
/* What a counter is. */
/* Finds out what a counter is. */
/* Prints what was found of a log, and what there is. */
int most;   /* at most so many */
int number; /* ... and its number */
END
if "$sources/scripts/check-words" "$work" >"$work/found"; then
  fail 'a bad tree is accepted'
fi
wanted='decoder/one.c:1 docs/two.md:1 '
for line in 1 2 3 4 5 6 7; do
  wanted="${wanted}profiler/three.c:$line "
done
test "$(sort "$work/found" | cut -d : -f 1,2 | tr '\n' ' ')" = "$wanted" || fail "$(cat "$work/found")"
echo 'the words are those of HACKING'
