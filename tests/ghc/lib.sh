# lib.sh -- what the tests with the real GHC and its tools share.  Sourced by each of them.
#
# Environment: PROFLOG_REQUIRE_GHC=1 makes a missing tool a failure instead of a skipped test.
set -u
LC_ALL=C.UTF-8
export LC_ALL
unset GHCRTS 2>/dev/null

test_name=$(basename "$0" .sh)
top_builddir=$PWD
sources=$(cd "${srcdir:-.}" && pwd)/tests/ghc
logs=$(cd "${srcdir:-.}" && pwd)/tests/logs
proflog=$top_builddir/proflog
json_paths=$top_builddir/tests/mono/json-paths
checks=0

fail ()
{
  echo "FAIL: $*" >&2
  exit 1
}

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

test -x "$proflog" || fail "$proflog is not built"
work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-$test_name.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

done_checks ()
{
  test "$checks" -gt 0 || fail "nothing was checked"
  echo "$checks checks"
}
