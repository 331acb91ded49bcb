# conform.sh -- what the conformance tests share: logs of the stock profiler, or of ours in its data
# version, read by three readers that know nothing of each other.  Sourced by each of them.
#
# They must agree about every event: how many of each kind, how many bytes, and the sums of every
# field.  And they must agree about every figure that two of them report.  Whatever they differ in is
# written down in agree.sh.

. "${srcdir:-.}/tests/mono/lib.sh"
need mprof-report
. "$sources/agree.sh"

find_dump_counts

test -n "$managed_reader" || { leave_out libmono-profiler is not installed, which has Mono.Profiler.Log; exit 77; }
compile_log_counts

# record OPTIONS PROGRAM [ARGUMENT...]: records the program with the profiler $recorder into $log.
recorder=log
record ()
{
  record_options=$1
  shift
  recorded="$recorder, $record_options: $*"
  echo "$recorded"
  compile "$1"
  rm -f "$log"
  record_program=$1
  shift
  # With samples the stock profiler hangs at the program's end now and then; the runtime's watchdog
  # (mono-hang-watchdog) kills the process after 30 s.
  for attempt in 1 2 3; do
    LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      timeout 60 mono "--profile=$recorder:$record_options,output=$log" "$programs/$record_program.exe" "$@" \
      >"$truth" 2>"$work/stderr"
    status=$?
    test "$status" = 137 && test $recorder = log || break
    echo "the stock profiler hung at the end, attempt $attempt"
    rm -f "$log"
  done
  test "$status" = 0 || fail "$record_program ended with $status"
  test -s "$log" || test $recorder = log \
    || fail "no log came"
  test -s "$log" || missing_stock "no log came: the stock profiler is not installed (libmono-profiler)"
}

# read_ours: the same from proflog, into ours and $figures.
read_ours ()
{
  read_our_events
  timeout 120 "$proflog" report --format json "$log" >"$work/report.json" || fail "proflog report fails"
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
  add_thread_counts "$figures"
  add_sample_figures "$figures"
}

# conform_to_managed OPTIONS PROGRAM [ARGUMENT...]: records, and holds ours against the managed reader.
conform_to_managed ()
{
  record "$@"
  read_others
  # Ours have an empty buffer after each, and end with one; the managed reader does not report these.
  if test $recorder != log; then
    awk -F '\t' -v OFS='\t' '$1 == "buffers" { $2 = 2 * $2 + 1 } { print }' "$work/managed" >"$work/managed.own" \
      && mv "$work/managed.own" "$work/managed" || fail "buffers cannot be counted"
  fi
  read_ours
  test "$(figure bytes "$work/ours")" = "$(wc -c <"$work/unpacked")" || fail "the parts of the log are not the whole"
  agree "the managed reader" "$work/managed" proflog "$work/ours" . "$unwritten_by_managed|$unwritten_by_us"
  agree "the managed reader" "$work/managed.figures" proflog "$figures" "$managed_figures" "$no_key"
}

# conform OPTIONS PROGRAM [ARGUMENT...]: records, and holds the three readers against each other.
conform ()
{
  conform_to_managed "$@"
  others_agree
  agree mprof-report "$work/mprof" proflog "$work/ours" . "$unwritten_by_mprof|$unwritten_by_us"
  agree mprof-report "$work/mprof.figures" proflog "$figures" "$mprof_figures" "$no_key" "$names"
}

# without_code_sizes: the stock profiler reads the size of a method's code late, on a thread of its own.
# Of methods that were freed by then, with a domain or as dynamic ones, it may write a size out of freed
# memory.  Other readers add those up, proflog leaves them out; what the events say is compared all the
# same.
without_code_sizes ()
{
  managed_figures=$(echo "$managed_figures" | sed 's/|code_bytes//')
  mprof_figures=$(echo "$mprof_figures" | sed 's/|code_bytes//')
}

# holds KEY...: the log has such events, so that the mode was what it should be.
holds ()
{
  for key; do
    test "$(figure "$key" "$work/managed")" != 0 || fail "no $key"
  done
}
