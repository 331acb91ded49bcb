# lib.sh -- what the tests of the command share.  Sourced by each of them.
set -u
LC_ALL=C
export LC_ALL

test_name=$(basename "$0" .sh)
top_builddir=$PWD
small=$(cd "${srcdir:-.}" && pwd)/tests/logs/small.mlpd
proflog=$top_builddir/proflog
json_paths=$top_builddir/tests/mono/json-paths
checks=0

fail ()
{
  echo "FAIL: $*" >&2
  for file in out err; do
    test -f "$work/$file" && { echo "--- $file" >&2; head -c 4000 "$work/$file" >&2; }
  done
  exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-$test_name.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$work" || exit 1
test -x "$proflog" || fail "$proflog is not built"
test -f "$small" || fail "there is no $small"

# run STATUS ARGUMENT...: proflog ends with this status; what it prints is in out and err.
run ()
{
  expected_status=$1
  shift
  "$proflog" "$@" >out 2>err
  status=$?
  test "$status" = "$expected_status" || fail "proflog $*: status $status, not $expected_status"
  checks=$((checks + 1))
}

# quiet FILE: nothing was printed there.
quiet ()
{
  test ! -s "$1" || fail "something on $1"
}

# says FILE TEXT: this was printed there.
says ()
{
  grep -q -F -e "$2" "$1" || fail "$1 does not say '$2'"
  checks=$((checks + 1))
}

# same FILE FILE
same ()
{
  cmp -s "$1" "$2" || { diff "$1" "$2" | head -20 >&2; fail "$1 and $2 differ"; }
  checks=$((checks + 1))
}

# read_json: the JSON in out, as lines of path, tab, value in figures.
read_json ()
{
  "$json_paths" <out >figures || fail "out is not JSON"
}

# expect PATH VALUE: a figure.
expect ()
{
  path=$1 value=$2 awk -F '\t' '
    $1 == ENVIRON["path"] { found = 1; if ($2 != ENVIRON["value"]) wrong = $2 }
    END { if (!found) print "nothing"; else if (wrong != "") print wrong }' figures >wrong
  test ! -s wrong || fail "$1 is $(cat wrong), not $2"
  checks=$((checks + 1))
}

done_checks ()
{
  echo "$checks checks"
}
