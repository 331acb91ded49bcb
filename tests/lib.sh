# lib.sh -- what all shell tests share.  Sourced from the top build folder, by the lib.sh of a folder
# or by a test itself.
#
# Environment: PROFLOG_REQUIRE lists tools, or is "all".  A test without such a tool fails; without
# another tool it is skipped, and says "left out: TOOL ...".  PROFLOG_READERS is the top build folder of a build
# without sanitizers: its programs read what the module of this build wrote, in a tenth of the time.
set -u
# The shell of 'script' as well.
LC_ALL=C SHELL=/bin/sh
export LC_ALL SHELL

test_name=$(basename "$0" .sh)
top_builddir=$PWD
tests=$(cd "${srcdir:-.}/tests" && pwd)
logs=$tests/logs
small=$logs/small.mlpd
proflog=$top_builddir/proflog
module_dir=$top_builddir/.libs
module=$module_dir/libmono-profiler-proflog.so
readers=${PROFLOG_READERS:-$top_builddir}
json_paths=$readers/tests/mono/json-paths
case=
checks=0

work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-$test_name.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
log=$work/log.mlpd
truth=$work/truth

# fail MESSAGE...: ends the test; shows the output of the last command.
fail ()
{
  echo "FAIL: ${case:+$case: }$*" >&2
  for file in "$work/out" "$work/err" "$work/stderr" "$work/page"; do
    test ! -s "$file" || { echo "--- ${file##*/}" >&2; head -c 4000 "$file" >&2; }
  done
  exit 1
}

# same_findings JSON: each figure of a finding is what the report has at the figure's path.  Their number is in
# $findings, and their ids, a line each, in $work/ids.
same_findings ()
{
  "$json_paths" --places <"$1" >"$work/places" || fail "$1 is not JSON"
  findings=$(awk -F '\t' -v ids="$work/ids" '
    { value[$1] = $2 }
    $1 ~ /^findings\[[0-9]+\]\.id$/ { n++; print $2 >ids }
    $1 ~ /^findings\[[0-9]+\]\.figures\[[0-9]+\]\.path$/ && $2 != "null" {
      figures[substr ($1, 1, length ($1) - 5)] = $2
    }
    END {
      for (figure in figures) {
        if (!(figures[figure] in value) || value[figures[figure]] != value[figure ".value"])
          print "differs:", figure, value[figure ".value"], figures[figure], value[figures[figure]]
      }
      print n + 0
    }' "$work/places") || fail "awk cannot read the findings"
  case $findings in *differs*) fail "$1: $findings" ;; esac
}

# leave_out TOOL FACT...: the test, or a part of it, cannot run for want of the tool; the caller skips it.
# scripts/check counts these lines by tool.
leave_out ()
{
  case " ${PROFLOG_REQUIRE:-} " in *" $1 "* | *" all "*) fail "$*" ;; esac
  echo "left out: $*"
}

# has TOOL...: whether these are installed.  The test leaves a part out if not.
has ()
{
  for tool; do
    command -v "$tool" >/dev/null && continue
    leave_out "$tool" is not installed
    return 1
  done
}

# need TOOL...: skips the test unless these are installed.
need ()
{
  has "$@" || exit 77
}

# need_library NAME: skips the test unless pkg-config finds it.
need_library ()
{
  pkg-config --exists "$1" || { leave_out "$1" is not installed; exit 77; }
}

# need_built LIBRARY PROGRAM...: skips the test unless configure found the library and the programs are built.
need_built ()
{
  library=$1
  shift
  for program; do
    test -x "$top_builddir/$program" && continue
    grep -q "^#define HAVE_$library 1" "$top_builddir/config.h" && fail "$program is not built"
    leave_out "$(echo "$library" | tr A-Z a-z)" "is not in this build, so $program is not built"
    exit 77
  done
}

# Whether the process $watched still runs, if there is one.
watched=
watched_runs ()
{
  test -z "$watched" || grep -q '^State:[^Z]*$' "/proc/$watched/status" 2>/dev/null
}

# wait_for COMMAND...: until it succeeds, while $watched runs; two minutes are enough on any machine.
wait_for ()
{
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    test $((tries % 50)) != 0 || watched_runs || fail "the program ended before: $*"
    test "$tries" -lt 6000 || fail "timed out: $*"
    sleep 0.02
  done
}

# use_runtime_dir: what programs keep for the user is in $work/runtime.
use_runtime_dir ()
{
  XDG_RUNTIME_DIR=$work/runtime
  export XDG_RUNTIME_DIR
  mkdir -m 700 "$XDG_RUNTIME_DIR"
}

# quiet [FILE]: it, or standard error of the last command, is empty.
quiet ()
{
  test ! -s "${1:-$work/err}" || fail "something on ${1:-stderr}"
}

# says FILE TEXT: the file contains the text.
says ()
{
  grep -q -F -e "$2" "$1" || fail "$1 does not say '$2'"
  checks=$((checks + 1))
}

# same FILE FILE: both are equal.
same ()
{
  cmp -s "$1" "$2" || { diff "$1" "$2" | head -20 >&2; fail "$1 and $2 differ"; }
  checks=$((checks + 1))
}
