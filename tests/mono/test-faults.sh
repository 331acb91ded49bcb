#!/bin/sh
# However a program meets its end while its threads work, and whatever happens to them and to the log's directory
# meanwhile: status and output are those of the program alone, and the log has what the program counted in a file
# of its own.  So also with what `proflog run` records.  PROFLOG_FAULTS is how often each fault happens.
. "${srcdir:-.}/tests/mono/lib.sh"

runs=${PROFLOG_FAULTS:-1}
counts=$work/counts
compile faults
as_run=$(run_options --native --with alloc,exception) || exit 1
cd "$work" || exit 1 # the runtime leaves files about crashes where it is
ulimit -c 0

fresh ()
{
  rm -rf "$log" "$log.spool" "$work/d"
  head -c 4096 /dev/zero >"$counts"
}

# limited END COMMAND...: there is an end of memory for the program that is to meet it.
limited ()
{
  limited_end=$1
  shift
  if test "$limited_end" = memory; then
    (ulimit -v 1500000; timeout 120 "$@")
  else
    timeout 120 "$@"
  fi
}

# met END...: the program's status and output without us.  What the runtime prints about a crash differs from
# run to run.
met ()
{
  fresh
  limited "$1" mono "$programs/faults.exe" "$counts" "$@" >"$work/plain" 2>"$work/plain.err"
  plain_status=$?
  test "$(head -n 1 "$work/plain")" = working || fail "$*: the program did not come so far"
}

# same_output: that of the program, up to a crash.
same_output ()
{
  test "$plain_status" = 134 && { test "$(head -n 1 "$1")" = working; return; }
  cmp -s "$work/plain" "$1"
}

# compare END: the log has what was counted, and at most what the thread was about to count.
compare ()
{
  "$top_builddir/tests/host/check-log" "$log" || fail "$1: the log is not in order"
  "$proflog" check "$log" >"$work/checked" 2>&1 || { cat "$work/checked"; fail "$1: the log is not good"; }
  "$proflog" report --format json "$log" 2>"$work/report.err" | "$json_paths" >"$figures" \
    || { cat "$work/report.err"; fail "$1: the log cannot be read"; }
  expect damage.truncated false
  expect damage.skipped_bytes 0
  expect damage.lost_events 0
  throws=0
  for type in 1:First 3:Second 5:Third; do
    truth_count=$(counted "${type%:*}")
    throws=$((throws + $(counted $((${type%:*} + 1)))))
    objects=$(figure "allocations.types[Faults.${type#*:}].objects")
    test "$truth_count" -ge 3000 && test "$objects" -ge "$truth_count" && test "$objects" -le $((truth_count + 1)) \
      || fail "$1: $objects of Faults.${type#*:} in the log, $truth_count were counted"
    checks=$((checks + 1))
  done
  seen=$(figure 'exceptions.types[Faults.Thrown].throws')
  test "$seen" -ge "$throws" && test "$seen" -le $((throws + 3)) || fail "$1: $seen throws in the log, $throws were counted"
  checks=$((checks + 1))
}

# Where a stack overflows or memory ends, the runtime itself ends in one way or the other; a signal with which it
# suspends a thread may meet the program that exec has started, and ends that.
for end in 'signal 9' 'signal 11' 'signal 15' 'signal 2' stopped _exit exit exit-thread abort failfast unhandled \
           unhandled-thread overflow memory thread-abort unload fork exec; do
  # shellcheck disable=SC2086 # words
  met $end
  # Now and then the runtime itself aborts while domains are unloaded, or hangs in the child of a fork.
  case "$end $plain_status" in
    'unload 134') met unload ;;
    'fork 124') met fork ;;
  esac
  hangs=0
  all_options="alloc,exception $as_run alloc,exception,format=17,zip"
  case ${PROFLOG_FAULTS+long}$end in
    long* | signal\ 9 | exit | unhandled | unload) ;;
    *) all_options="alloc,exception $as_run" ;;
  esac
  for options in $all_options; do
    run=0
    while test "$run" -lt "$runs"; do
      run=$((run + 1))
      fresh
      export LD_LIBRARY_PATH="$module_dir"
      # shellcheck disable=SC2086 # words
      limited "${end%% *}" mono "--profile=proflog:$options,output=$log" "$programs/faults.exe" "$counts" $end \
        >"$work/out" 2>"$work/stderr"
      status=$?
      unset LD_LIBRARY_PATH
      case $end:$status in
        fork:124) # at most two in a row are the runtime's
          hangs=$((hangs + 1))
          test "$hangs" -le 2 || fail "fork, $options: the program hangs"
          run=$((run - 1))
          continue
          ;;
        overflow:1 | overflow:134 | memory:1 | memory:134 | exec:9 | exec:16[0-9]) ;;
        *:"$plain_status") same_output "$work/out" || { diff "$work/plain" "$work/out"; fail "$end: another output"; } ;;
        *) fail "$end, $options: it ended with $status, not $plain_status" ;;
      esac
      ! grep '^proflog' "$work/stderr" || fail "$end, $options: the module complains"
      compare "$end, $options"
    done
  done
done

# The log's directory changes while the program works.
for change in 'rm -rf d' 'mv d e' 'rm d/log.mlpd' 'chmod 0 d' 'truncate -s 3 d/log.mlpd'; do
  met wait </dev/null
  fresh
  mkdir "$work/d"
  rm -f "$work/in"
  mkfifo "$work/in"
  profiled "alloc,exception,output=$work/d/log.mlpd" faults "$counts" wait <"$work/in" >"$work/out" 2>"$work/stderr" &
  program=$!
  exec 9>"$work/in"
  for _ in $(seq 200); do
    ! grep -q working "$work/out" || break
    sleep 0.05
  done
  $change
  echo >&9
  exec 9>&-
  wait "$program" || fail "$change: it ended with $?"
  cmp -s "$work/plain" "$work/out" || fail "$change: another output"
  case $change in
    rm*)
      test "$(wc -l <"$work/stderr")" = 1 \
        && grep -q "^proflog: the log $work/d/log.mlpd was removed while the program ran: its [0-9]* bytes are lost$" \
          "$work/stderr" || { cat "$work/stderr"; fail "$change: no line states the loss"; }
      ;;
    truncate*)
      test "$(wc -l <"$work/stderr")" = 1 \
        && grep -q "^proflog: the log $work/d/log.mlpd was truncated while the program ran: its bytes 3 to [1-9][0-9]* are lost$" \
          "$work/stderr" || { cat "$work/stderr"; fail "$change: no line states the loss"; }
      ;;
    *)
      test ! -s "$work/stderr" || { cat "$work/stderr"; fail "$change: the module complains"; }
      chmod 700 "$work/d" 2>/dev/null
      mv "$work"/[de]/log.mlpd "$log"
      compare "$change"
      ;;
  esac
  rm -rf "$work/d" "$work/e"
done
echo "$checks figures agree"
