# lib.sh -- what the tests with the real GHC and its tools share.  Sourced by each of them; they run
# in $work.
. "${srcdir:-.}/tests/cli/lib.sh"
sources=$tests/ghc
unset GHCRTS 2>/dev/null
