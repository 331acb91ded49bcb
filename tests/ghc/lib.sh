# lib.sh -- what the tests with the real GHC and its tools share.  Sourced by each of them; they run
# in $work.
#
# Environment: PROFLOG_REQUIRE_GHC=1 makes a missing tool a failure instead of a skipped test.
sources=$(cd "${srcdir:-.}" && pwd)/tests/ghc
logs=$(cd "${srcdir:-.}" && pwd)/tests/logs
. "${srcdir:-.}/tests/cli/lib.sh"
unset GHCRTS 2>/dev/null

# A missing tool: skips the test, or fails where all must run.
need ()
{
  for tool; do
    command -v "$tool" >/dev/null && continue
    test "${PROFLOG_REQUIRE_GHC:-0}" = 1 && fail "$tool is not installed"
    echo "SKIP: $tool is not installed"
    exit 77
  done
}
