#!/bin/sh
# The commands of the tutorial's page on a Haskell program print what it shows.
. "${srcdir:-.}/tests/lib.sh"
need python3 ghc
COLUMNS=80 PATH=$top_builddir:$PATH
export COLUMNS PATH
tutorial=$tests/../docs/tutorial

mkdir "$work/haskell"
cp "$tutorial"/programs/*.hs "$work/haskell"
python3 "$tutorial/run-page.py" "$tutorial/haskell.md" "$work/haskell" >"$work/out" 2>"$work/err" || fail "haskell.md"
