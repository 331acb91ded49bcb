# lib.sh -- what the tests with the real Mono share.  Sourced by each of them.
#
# A program under tests/mono/programs counts what it does and prints "key value" lines: the truth.
# A test records it and compares its log with that.  A module that does not load is silent, so a
# test fails unless its log exists and holds what the program counted.
. "${srcdir:-.}/tests/lib.sh"
unset LANG LANGUAGE MONO_ENV_OPTIONS MONO_GC_PARAMS PROFLOG_MODULE_DIR 2>/dev/null
sources=$tests/mono
programs=$top_builddir/tests/mono/programs
figures=$work/figures
judged=$work/judged

need mono mcs
test -x "$proflog" || fail "$proflog is not built"
test -f "$module" || fail "$module is not built"

# compile NAME: programs/NAME.exe is there and new.  Tests may run side by side.
compile ()
{
  compiled=$1 exe=$programs/$1.exe
  shift
  if test ! -f "$exe" || test -n "$(find "$sources/programs/$compiled.cs" -newer "$exe")"; then
    mkdir -p "$programs"
    mcs -nologo -nowarn:414,649 -out:"$work/$compiled.exe" "$@" "$sources/programs/$compiled.cs" >"$work/mcs.out" 2>&1 \
      || { cat "$work/mcs.out"; fail "$compiled.cs does not compile"; }
    mv -f "$work/$compiled.exe" "$exe.$$" && mv -f "$exe.$$" "$exe" || fail "$exe cannot be written"
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

# run_options OPTION...: what `proflog run OPTION...` has the module record, all but its output.
run_options ()
{
  "$proflog" run "$@" --force -o "$work/run-options.mlpd" sh -c 'echo "$MONO_ENV_OPTIONS"' 2>/dev/null \
    | sed -n 's/^--profile=proflog:\([^ ]*\),output=.*/\1/p' | grep . || fail "run $*: no options"
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

# read_figures [LOG]: the figures of our report, a line each: path, tab, value.  The log must also have the
# properties of each log of ours: order within threads, names before their use.
read_figures ()
{
  check_log "${1:-$log}"
  "$top_builddir/tests/host/check-log" "${1:-$log}" || fail "the log is not in order"
  "$proflog" report --format json "${1:-$log}" >"$work/report.json" 2>"$work/report.err"
  status=$?
  test "$status" = 0 || { cat "$work/report.err"; fail "proflog report ended with $status"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
  # A spool stays after some ends (docs/reliability.md), also if the log has all that is in it.
  grep -v 'was read, too: .* 0 buffers and 0 names were not in the log$' "$work/report.err" >"$work/complaints"
  test ! -s "$work/complaints" || { cat "$work/complaints"; fail "proflog report complains"; }
  expect damage.truncated false
  expect damage.skipped_bytes 0
  expect damage.lost_events 0
}

# record STATUS OPTIONS PROGRAM [ARGUMENT...]: the program ends with STATUS and states the truth;
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
    || fail "$1 ended with $status, not $record_status"
  grep -q '^proflog' "$work/stderr" && fail "the module complains"
  read_figures
}

# counted N: the Nth of the numbers that a program writes into the file $counts.
counted ()
{
  od -An -tu8 -v -j $((($1 - 1) * 8)) -N 8 "$counts" | tr -d ' '
}

# figure PATH [FILE]: its value; numbers of several entries of one name are added up, 0 if none.
figure ()
{
  path=$1 awk -F '\t' '
    $1 == ENVIRON["path"] { if ($2 ~ /^-?[0-9]+$/) sum += $2; else text = $2 }
    END { if (text != "") print text; else printf "%.0f\n", sum }' "${2:-$figures}"
}

# expect PATH VALUE: the report has exactly this.
expect ()
{
  expected_of_report=$(figure "$1")
  test "$expected_of_report" = "$2" || fail "$1 is $expected_of_report, not $2"
  checks=$((checks + 1))
}

# printed KEY: what the program printed for it.
printed ()
{
  key=$1 awk '{ value = $NF; line = $0; sub(/ [^ ]*$/, "", line) }
              line == ENVIRON["key"] { print value; found = 1 }
              END { exit !found }' "$truth" || fail "the program does not print '$1'"
}

# Compares every figure that the program reported with the report, and fails if it reported none.
expect_truth ()
{
  test -s "$truth" || fail "the program reported nothing"
  before=$checks
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
  test "$checks" -gt "$before" || fail "nothing of what the program reported is a figure"
}

# Every class and method has its name.
expect_names ()
{
  # Native code may have none.
  ! grep -v '^cpu\.' "$figures" | grep -E '\[[^]]*(unresolved|unknown|0x[0-9a-f]{4,})' || fail "names are missing"
}
