#!/bin/sh
# Samples at the highest rate change nothing: the C# compiler, and a program that starts a thousand threads,
# throws, collects and starts children, end as they do without, PROFLOG_SAMPLE_RUNS times each (default 3).
. "${srcdir:-.}/tests/mono/lib.sh"

compile storm
compiler=$(find /usr/lib/mono -name mcs.exe | head -n 1)
test -n "$compiler" || fail "no mcs.exe"

# run PROFILE COMMAND...: its status, output and standard error.
run ()
{
  profile=$1
  shift
  rm -f "$log" "$work/out.exe"
  LD_LIBRARY_PATH=$module_dir timeout 120 mono $profile "$@" >"$work/result" 2>&1
  echo "status $?" >>"$work/result"
}

# unchanged COMMAND...: it ends as it does without the module, and has samples.
unchanged ()
{
  run "" "$@"
  mv "$work/result" "$work/alone"
  hits=0
  for run in $(seq "${PROFLOG_SAMPLE_RUNS:-3}"); do
    run "--profile=proflog:sample=10000,format=17,output=$log" "$@"
    diff "$work/alone" "$work/result" || fail "run $run differs: $*"
    read_figures
    hits=$((hits + $(figure cpu.hits "$figures")))
  done
  cat "$work/alone"
  echo "$run runs, $hits hits"
  test "$hits" -gt $((100 * run)) || fail "too few hits"
}

unchanged "$compiler" -nologo -nowarn:414,649 -out:"$work/out.exe" "$sources/programs/storm.cs"
unchanged "$programs/storm.exe"
