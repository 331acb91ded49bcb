#!/bin/sh
# Logs of every data version, tests/logs/all-v*.mlpd, read by mprof-report, from 13 on by the managed
# reader, and by proflog: the same events, and the figures of tests/logs/all.figures.
. "${srcdir:-.}/tests/mono/lib.sh"
need mprof-report
. "$sources/agree.sh"

dump_counts=$top_builddir/tests/mono/dump-counts
make_all=$top_builddir/tests/logs/make-all
test -x "$dump_counts" || fail "dump-counts is not built"

# events_of_ours: what is in $log, into ours.
events_of_ours ()
{
  "$proflog" dump --format json "$log" >"$work/dump" || fail "proflog dump fails"
  "$dump_counts" <"$work/dump" >"$work/ours" || fail "dump-counts fails"
}

# leave_out RE FILE...: those lines of files in $work are not compared.
leave_out ()
{
  re=$1
  shift
  for file; do
    grep -Ev "$re" "$work/$file" >"$work/rest"
    mv "$work/rest" "$work/$file"
  done
}

# agree_with_mprof VERSION: its events of $log are ours, its figures those that are expected.
agree_with_mprof ()
{
  mprof-report --debug --reports=stats "$log" >"$work/mprof.out" || fail "mprof-report fails"
  if grep -q unhandled "$work/mprof.out"; then fail "mprof-report does not know an event"; fi
  awk -f "$sources/mprof-counts.awk" "$work/mprof.out" >"$work/mprof" || fail "mprof-counts.awk fails"
  cp "$work/ours" "$work/ours.told"
  untold="$untold_by_mprof|$untold_by_us"
  # Its statistics have no monitors before data version 14.
  test "$1" -lt 14 && untold="$untold|^(bytes|min|max):monitor\$"
  # From 16 on it takes the event after an image's unloading, the name of a thread, for its id.
  test "$1" -ge 16 && leave_out '^[a-z]*:metadata(\.unload|\.name|-thread|-thread\.name)	' mprof ours.told
  agree mprof-report "$work/mprof" proflog "$work/ours.told" . "$untold"

  mprof-report --verbose "$log" >"$work/mprof.out" || fail "mprof-report fails"
  awk -f "$sources/mprof-paths.awk" "$work/mprof.out" >"$work/mprof.figures" || fail "mprof-paths.awk fails"
  # It makes nothing of the monitor events of data version 13.
  cp "$work/expected" "$work/expected.told"
  test "$1" = 13 && leave_out '^monitors\.' mprof.figures expected.told
  agree mprof-report "$work/mprof.figures" "the program" "$work/expected.told" "$mprof_figures" \
    '^log\.data_version$|^monitors\.objects|^samples\.methods' announced
}

# agree_with_managed VERSION POINTER-SIZE: it does not know coverage, so of a log without any.
agree_with_managed ()
{
  "$make_all" "$1" "$2" no-coverage >"$work/plain.mlpd" || fail "make-all fails"
  log=$work/plain.mlpd
  events_of_ours
  timeout 120 mono "$work/log-counts.exe" "$log" >"$work/managed.all" || fail "the managed reader fails"
  grep -v '^figure:' "$work/managed.all" >"$work/managed"
  untold="$untold_by_managed|$untold_by_us"
  test "$1" -lt 16 && untold="$untold|$untold_before_16"
  agree "the managed reader" "$work/managed" proflog "$work/ours" . "$untold"
}

# What it does not state before data version 16, but for the module version id that it makes up.
untold_before_16='^sum:((alloc|heap-object)\.klass|heap-root\.(collections|roots\.(type|extra))'
untold_before_16="$untold_before_16|sample-hit\.sample_type|metadata-image\.mvid)\$"

# The last data version that the other readers know.
others_know=17

if test -n "$managed_reader"; then
  compile_log_counts
else
  leave_out libmono-profiler is not installed, which has Mono.Profiler.Log
fi
read=0
for log in "$logs"/all-v*.mlpd; do
  recorded=$(basename "$log" .mlpd)
  version=${recorded#all-v}
  size=8
  case $version in *-32) size=4; version=${version%-32};; esac
  version=${version#0}
  echo "$recorded:"
  awk -F '\t' -v v="$version" '!/^#/ && v >= $2 && ($3 == "-" || v <= $3) { print $1 "\t" $4 }' "$logs/all.figures" \
    >"$work/expected"
  events_of_ours
  test "$(figure bytes "$work/ours")" = "$(wc -c <"$log")" || fail "the parts of the log are not the whole"
  if grep -q '^damage	' "$work/ours"; then fail "proflog finds damage"; fi
  read=$((read + 1))
  test "$version" -le $others_know || continue
  agree_with_mprof "$version"
  test -n "$managed_reader" && test "$version" -ge 13 && agree_with_managed "$version" "$size"
done
test "$read" -ge 19 || fail "only $read logs"
