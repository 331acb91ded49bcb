#!/bin/sh
# Logs of every data version, tests/logs/all-v*.mlpd, read by mprof-report, from 13 on by the managed
# reader, and by proflog: the same events, and the figures of tests/logs/all.figures.
. "${srcdir:-.}/tests/mono/lib.sh"
need mprof-report
. "$sources/agree.sh"

find_dump_counts
make_all=$top_builddir/tests/logs/make-all

# agree_with_mprof VERSION: its events of $log are ours, its figures those that are expected.
agree_with_mprof ()
{
  read_mprof
  if grep -q unhandled "$work/mprof.debug"; then fail "mprof-report does not know an event"; fi
  cp "$work/ours" "$work/ours.printed"
  unwritten="$unwritten_by_mprof|$unwritten_by_us"
  # Its statistics have no monitors before data version 14.
  test "$1" -lt 14 && unwritten="$unwritten|^(bytes|min|max):monitor\$"
  # From 16 on it takes the event after an image's unloading, the name of a thread, for its id.
  test "$1" -ge 16 && drop_lines '^[a-z]*:metadata(\.unload|\.name|-thread|-thread\.name)	' mprof ours.printed
  agree mprof-report "$work/mprof" proflog "$work/ours.printed" . "$unwritten"

  # It makes nothing of the monitor events of data version 13.
  cp "$work/expected" "$work/expected.printed"
  test "$1" = 13 && drop_lines '^monitors\.' mprof.figures expected.printed
  agree mprof-report "$work/mprof.figures" "the program" "$work/expected.printed" "$mprof_figures" \
    '^log\.data_version$|^monitors\.objects|^samples\.methods' announced
}

# agree_with_managed VERSION POINTER-SIZE: it does not know coverage, so of a log without any.
agree_with_managed ()
{
  "$make_all" "$1" "$2" no-coverage >"$work/plain.mlpd" || fail "make-all fails"
  log=$work/plain.mlpd
  read_our_events
  cp "$log" "$work/unpacked"
  read_managed
  unwritten="$unwritten_by_managed|$unwritten_by_us"
  test "$1" -lt 16 && unwritten="$unwritten|$unwritten_before_16"
  agree "the managed reader" "$work/managed" proflog "$work/ours" . "$unwritten"
}

# What it does not state before data version 16, but for the module version id that it makes up.
unwritten_before_16='^sum:((alloc|heap-object)\.klass|heap-root\.(collections|roots\.(type|extra))'
unwritten_before_16="$unwritten_before_16|sample-hit\.sample_type|metadata-image\.mvid)\$"

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
  read_our_events
  test "$(figure bytes "$work/ours")" = "$(wc -c <"$log")" || fail "the parts of the log are not the whole"
  if grep -q '^damage	' "$work/ours"; then fail "proflog finds damage"; fi
  read=$((read + 1))
  test "$version" -le $others_know || continue
  agree_with_mprof "$version"
  test -n "$managed_reader" && test "$version" -ge 13 && agree_with_managed "$version" "$size"
done
test "$read" -ge 19 || fail "only $read logs"
