# lib.sh -- what the tests with the real Mono share.  Sourced by each of them.
#
# A program under tests/mono/programs counts what it does and prints "key value" lines: the truth.
# A test records it and compares its log with that.  A module that does not load is silent, so a
# test fails unless its log exists and holds what the program counted.
#
# Environment: PROFLOG_REQUIRE_MONO=1 makes a missing tool a failure instead of a skipped test.

set -u
LC_ALL=C
export LC_ALL
unset LANG LANGUAGE MONO_ENV_OPTIONS MONO_GC_PARAMS PROFLOG_MODULE_DIR 2>/dev/null

test_name=$(basename "$0" .sh)
top_builddir=$PWD
sources=$(cd "${srcdir:-.}" && pwd)/tests/mono
proflog=$top_builddir/proflog
json_paths=$top_builddir/tests/mono/json-paths
module_dir=$top_builddir/.libs
programs=$top_builddir/tests/mono/programs

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
    test "${PROFLOG_REQUIRE_MONO:-0}" = 1 && fail "$tool is not installed"
    echo "SKIP: $tool is not installed"
    exit 77
  done
}

need mono mcs
test -x "$proflog" || fail "$proflog is not built"
test -f "$module_dir/libmono-profiler-proflog.so" || fail "the module is not in $module_dir"

work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-$test_name.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
log=$work/log.mlpd
truth=$work/truth
figures=$work/figures
judged=$work/judged
count_checked=0

# compile NAME: programs/NAME.exe is there and new.  Tests may run side by side.
compile ()
{
  exe=$programs/$1.exe
  if test ! -f "$exe" || test -n "$(find "$sources/programs/$1.cs" -newer "$exe")"; then
    mkdir -p "$programs"
    mcs -nologo -nowarn:414,649 -out:"$work/$1.exe" "$sources/programs/$1.cs" >"$work/mcs.out" 2>&1 \
      || { cat "$work/mcs.out"; fail "$1.cs does not compile"; }
    mv -f "$work/$1.exe" "$exe.$$" && mv -f "$exe.$$" "$exe" || fail "$exe cannot be written"
  fi
}

# profiled OPTIONS PROGRAM [ARGUMENT...]: runs it under the module, as users do by hand.
profiled ()
{
  profiled_options=$1 profiled_program=$2
  shift 2
  LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    mono "--profile=proflog:$profiled_options" "$programs/$profiled_program.exe" "$@"
}

# The log is there, and begins with the magic number of a log, of gzip or of zstd.
check_log ()
{
  test -s "${1:-$log}" || fail "no log came"
  case $(od -An -N4 -tx1 "${1:-$log}" | tr -d ' ') in
    015a504d | 1f8b* | 28b52ffd) ;;
    *) fail "${1:-$log} is not a log" ;;
  esac
}

# read_figures [LOG]: what our report says, a line for each figure: path, tab, value.  The log must
# also keep what every log of ours keeps: order within threads, names before their use.
read_figures ()
{
  check_log "${1:-$log}"
  "$top_builddir/tests/host/check-log" "${1:-$log}" || fail "the log is not in order"
  "$proflog" report --format json "${1:-$log}" >"$work/report.json" 2>"$work/report.err"
  status=$?
  test "$status" = 0 || { cat "$work/report.err"; fail "proflog report ended with $status"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
  test ! -s "$work/report.err" || { cat "$work/report.err"; fail "proflog report complains"; }
  expect damage.truncated false
  expect damage.skipped_bytes 0
  expect damage.lost_events 0
}

# record STATUS OPTIONS PROGRAM [ARGUMENT...]: the program ends with STATUS and tells the truth;
# its log's figures are read.
record ()
{
  record_status=$1 record_options=$2
  shift 2
  compile "$1"
  rm -f "$log"
  profiled "$record_options,output=$log" "$@" >"$truth" 2>"$work/stderr"
  status=$?
  test "$status" = "$record_status" \
    || { cat "$work/stderr"; fail "$1 ended with $status, not $record_status"; }
  grep -q '^proflog' "$work/stderr" && { cat "$work/stderr"; fail "the module complains"; }
  read_figures
}

# figure PATH [FILE]: its value; numbers of several entries of one name are added up, 0 if none.
figure ()
{
  path=$1 awk -F '\t' '
    $1 == ENVIRON["path"] { if ($2 ~ /^-?[0-9]+$/) sum += $2; else text = $2 }
    END { if (text != "") print text; else printf "%d\n", sum }' "${2:-$figures}"
}

# expect PATH VALUE: the report says exactly this.
expect ()
{
  expected_of_report=$(figure "$1")
  test "$expected_of_report" = "$2" || fail "$1 is $expected_of_report, not $2"
  count_checked=$((count_checked + 1))
}

# told KEY: what the program printed for it.
told ()
{
  key=$1 awk '{ value = $NF; line = $0; sub(/ [^ ]*$/, "", line) }
              line == ENVIRON["key"] { print value; found = 1 }
              END { exit !found }' "$truth" || fail "the program does not tell '$1'"
}

# Compares every figure that the program told with the report, and fails if it told none.
expect_truth ()
{
  test -s "$truth" || fail "the program told nothing"
  before=$count_checked
  while read -r line; do
    key=${line% *} value=${line##* }
    case $key in
      objects:*) expect "allocations.types[${key#*:}].objects" "$value" ;;
      bytes:*) expect "allocations.types[${key#*:}].bytes" "$value" ;;
      calls:*) expect "calls.methods[${key#*:}].calls" "$value" ;;
      throws:*) expect "exceptions.types[${key#*:}].throws" "$value" ;;
      contentions | acquired | failed) expect "monitors.$key" "$value" ;;
    esac
  done <"$truth"
  test "$count_checked" -gt "$before" || fail "nothing of what the program told is a figure"
}

# Every class and method has its name.
expect_names ()
{
  ! grep -E '\[[^]]*(unresolved|unknown|0x[0-9a-f]{4,})' "$figures" || fail "names are missing"
}
