#!/bin/sh
# The commands of the tutorial's pages on Mono programs print what the pages show.
. "${srcdir:-.}/tests/mono/lib.sh"
need python3
COLUMNS=80 PATH=$top_builddir:$PATH
export COLUMNS PATH
tutorial=$tests/../docs/tutorial

for page in slow leak locks service waits; do
  mkdir "$work/$page"
  cp "$tutorial"/programs/*.cs "$work/$page"
  python3 "$tutorial/run-page.py" "$tutorial/$page.md" "$work/$page" >"$work/out" 2>"$work/err" || fail "$page.md"
  tail -n 1 "$work/out"
done
