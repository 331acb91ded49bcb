#!/bin/sh
# A flight recorder: the newest files of a log are kept, and saved as one log that is whole, by request and by
# itself.  PROFLOG_RECORDER_SECONDS is how long the service runs, and PROFLOG_SAVES how often it is saved.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/mono/service.sh"
use_runtime_dir
seconds=${PROFLOG_RECORDER_SECONDS:-5} saves=${PROFLOG_SAVES:-3}

# fits LOG: from its first exception to its last, the log has those that the program counted, but for the time
# between two of its counts, at the beginning and at the end.
fits ()
{
  "$proflog" dump -q --format json "$1" | sed -n 's/.*"time_ns":\([0-9]*\),"kind":"exception-throw".*/\1/p' >"$work/throws"
  sed -n 's/^at //p' "$work/out" | awk '
    NR == FNR { if (NR == 1) from = $1; to = $1; recorded++; next }
    $2 < from { before = $3 }
    $1 > from && after == "" { after = $3 }
    $2 < to { until = $3 }
    $1 > to && over == "" { over = $3 }
    END {
      print recorded " recorded, " until - after " to " over - before + 1 " counted"
      exit !(recorded > 50 && recorded >= until - after && recorded <= over - before + 1)
    }' "$work/throws" - >"$work/fits" || fail "$1: $(cat "$work/fits")"
  checks=$((checks + 1))
}

# save FILE [--last TIME]
save ()
{
  "$proflog" ctl "$pid" save "$@" >"$work/saved" 2>&1 || fail "save: $(cat "$work/saved")"
}

resident_kb ()
{
  awk '$1 == "VmRSS:" { print $2 }' "/proc/$pid/status"
}

# few LEAST MOST FILE...: so many files are there.
few ()
{
  least=$1 most=$2
  shift 2
  test $# -ge "$least" && test $# -le "$most" || fail "there are $# files: $*"
}

# ---- saved by request, while the service runs ----

recorded_with=rotate=1M,keep=3,alloc,output=$log
begins throw some clock
wait_for test -e "$work/log.0005.mlpd"
: >"$work/resident"
for number in $(seq "$saves"); do
  for _ in $(seq $((seconds / saves))); do
    sleep 1
    # One more while another is begun and the oldest is deleted.
    few 1 5 "$work"/log.[0-9]*.mlpd
    resident_kb >>"$work/resident"
  done
  save "$work/saved.mlpd"
  grep -q '^files: 4$' "$work/saved" || fail "saved: $(cat "$work/saved")"
  whole "$work/saved.mlpd"
  sleep 0.1 # another count after the last exception
  fits "$work/saved.mlpd"
  rm "$work/saved.mlpd"
done
"$proflog" ctl "$pid" stop >"$work/ctl" || fail 'stop'
sleep 1 # a thread may have been held up in its last event
"$proflog" ctl "$pid" flush >"$work/ctl" || fail 'flush'
few 4 4 "$work"/log.[0-9]*.mlpd
# All that is kept is saved, as its files have it.
save "$work/all.mlpd"
save "$work/last.mlpd" --last 1ms
"$proflog" ctl "$pid" save "$work/all.mlpd" >"$work/saved" 2>&1 && fail 'saved over a file'
says "$work/saved" 'File exists'
"$proflog" ctl "$pid" save "$work/none/x.mlpd" >"$work/saved" 2>&1 && fail 'saved nowhere'
says "$work/saved" 'No such file or directory'
test -z "$(find "$work" -name '*.part')" || fail 'an unfinished file is left'
figures_of ()
{
  "$proflog" report -q --format json "$@" | "$json_paths" | grep -E '^(exceptions\.throws|gc\.collections|allocations\.(objects|bytes))	'
}
figures_of "$work"/log.[0-9]*.mlpd >"$work/of-files"
figures_of "$work/all.mlpd" >"$work/of-saved"
same "$work/of-files" "$work/of-saved"
if has mprof-report; then
  mprof-report --verbose "$work/all.mlpd" >"$work/mprof" 2>&1 || fail 'mprof-report cannot read it'
  awk -f "$sources/mprof-paths.awk" "$work/mprof" | grep -E '^(exceptions\.throws|allocations\.(objects|bytes))	' | sort >"$work/judged"
  grep -v '^gc' "$work/of-saved" | sort >"$work/ours"
  same "$work/judged" "$work/ours"
fi
figures_of "$work/$(ls "$work" | grep '^log[.][0-9]*[.]mlpd$' | tail -n 1)" >"$work/of-files"
figures_of "$work/last.mlpd" >"$work/of-saved"
same "$work/of-files" "$work/of-saved"
ends
awk '{ all[NR] = $1 } END {
  quarter = int (NR / 4)
  for (i = 1; i <= quarter; i++) { if (all[i] > first) first = all[i]; if (all[NR + 1 - i] > last) last = all[NR + 1 - i] }
  print "resident memory of the first and the last quarter: " first " and " last " kB in " NR " s"
  exit !(NR < 600 || last <= first + 2048)
}' "$work/resident" || fail 'the resident memory grows'
rm -f "$work"/*.mlpd

# Files that are too old are deleted, also of a program that records little.
recorded_with=rotate=1s,keep=1s,output=$log
begins throw
wait_for test -e "$work/log.0003.mlpd"
wait_for sh -c "! test -e '$work/log.0001.mlpd'"
ends
rm -f "$work"/*.mlpd

# Compressed files, with heap snapshots of which none is divided, and one file that is not rotated.
for form in zip,rotate=1M,keep=2 zip=zstd,rotate=1M format=17,heapshot=200ms format=eventlog; do
  case $form in *zstd*) grep -q '^#define HAVE_ZSTD 1' "$top_builddir/config.h" || continue ;; esac
  recorded_with=$form,alloc,output=$log
  begins throw some keep clock
  least=$(thrown)
  sleep 1
  save "$work/saved.mlpd"
  most=$(thrown)
  whole "$work/saved.mlpd"
  case $form in
    *keep*) sleep 0.1; fits "$work/saved.mlpd" ;;
    *eventlog*) ;;
    *)
      throws=$(figures_of "$work/saved.mlpd" | sed -n 's/^exceptions.throws	//p')
      test "$throws" -ge "$least" && test "$throws" -le "$most" || fail "$form: $throws exceptions, not $least to $most"
      ;;
  esac
  ends
  rm -f "$work"/*.mlpd
done

# A reader that is too slow for the files goes on with those that are there, and states which it missed.
recorded_with=rotate=1M,keep=1,alloc,output=$log
begins throw some
"$proflog" follow "$pid" >"$work/followed" 2>"$work/err" </dev/null 7>&- &
follower=$!
wait_for test -s "$work/followed"
kill -STOP "$follower"
number=$(ls "$work" | sed -n 's/^log[.]0*\([0-9]*\)[.]mlpd$/\1/p' | tail -n 1)
wait_for test -e "$work/log.$(printf %04d $((number + 4))).mlpd"
kill -CONT "$follower"
wait_for grep -q 'of the log are missed: they are no longer there' "$work/err"
ends
kill -INT "$follower"
wait "$follower"
test "$(wc -l <"$work/err")" -lt 10 || fail 'a line for each file'
rm -f "$work"/*.mlpd "$work/followed"

# ---- saved by itself ----

# reason OPTION COMMAND...: after the command, the log was saved once, with a mark that names the reason.
reason ()
{
  option=$1
  shift
  recorded_with=format=17,rotate=1M,keep=3,alloc,save-on=$option,output=$log
  begins throw some keep
  "$@"
  wait_for test -e "$work/log.saved.0001.mlpd"
  whole "$work/log.saved.0001.mlpd"
  "$proflog" report -q --reports marks --format json "$work/log.saved.0001.mlpd" | "$json_paths" >"$work/marks"
  says "$work/marks" "proflog: save-on ${option%%:*}"
  "$proflog" ctl "$pid" status -v >"$work/status" || fail 'no status'
  says "$work/status" "last save: $work/log.saved.0001.mlpd"
  ends
  few 1 1 "$work"/log.saved.*.mlpd # save-every is a minute
  rm -f "$work"/*.mlpd
}

user_signal ()
{
  kill -USR2 "$pid"
  kill -USR2 "$pid"
}

reason exception:InvalidOperationException true
reason exception:System.InvalidOperationException true
reason pause:1ms "$proflog" ctl "$pid" heapshot
reason heap:1M true
reason signal user_signal
recorded_with=rotate=1M,keep=3,alloc,save-on=exception:OtherException,save-on=pause:1h,save-on=heap:1000G,save-on=signal,output=$log
begins throw some keep
sleep 0.5
ends
test ! -e "$work/log.saved.0001.mlpd" || fail 'saved without a reason'
rm -f "$work"/*.mlpd

# As often as save-every permits, to another name.
recorded_with="exception,save-on=exception:InvalidOperationException,save-every=300ms,save-to=$work/b 100%%.mlpd,output=$log"
begins throw
wait_for test -e "$work/b 100%.0003.mlpd"
ends
for file in "$work"/b*.mlpd; do
  whole "$file"
done
rm -f "$work"/*.mlpd

# To a directory that is not there: a line at the start and one at the first time, and the reason in the status.
recorded_with="exception,save-on=exception:InvalidOperationException,save-every=100ms,save-to=$work/none/s.mlpd,output=$log"
begins throw
wait_for test -s "$work/program-err"
sleep 0.5
"$proflog" ctl "$pid" status -v >"$work/status" || fail 'no status'
says "$work/status" "save problem: $work/none/s.0001.mlpd: No such file or directory"
mkdir "$work/none"
wait_for test -e "$work/none/s.0001.mlpd"
exec 7>&-
wait "$shell_pid"
printf '%s\n' "proflog: save-on: nothing can be saved in $work/none: No such file or directory" \
  "proflog: save-on=exception: $work/none/s.0001.mlpd: No such file or directory" >"$work/expected"
same "$work/expected" "$work/program-err"
rm -rf "$work"/*.mlpd "$work/none"

# ---- a ring in memory ----

ring ()
{
  find "$XDG_RUNTIME_DIR" -name 'proflog-*.ring.*'
}

# has_ring NUMBER: the ring has this file, or later ones.  Each is there for some hundredths of a second.
has_ring ()
{
  ring | sed -n 's/.*\.ring\.0*\([0-9]*\)\.mlpd$/\1/p' | awk -v least="$1" '$1 >= least { found = 1 } END { exit !found }'
}

cd "$work" || exit 1
recorded_with=output=ring:8M,alloc,save-on=signal
begins throw alloc clock
wait_for has_ring 10
sleep 0.2 # the oldest is deleted
number=$(ring | grep -c 'mlpd$')
test "$number" = 8 || test "$number" = 9 || fail "files of the ring: $(ring)"
test "$(ring | grep 'mlpd$' | xargs cat 2>/dev/null | wc -c)" -le $((9 << 20)) || fail 'the ring is too large'
kill -USR2 "$pid"
wait_for test -e "$work/proflog-$pid.saved.0001.mlpd"
whole "$work/proflog-$pid.saved.0001.mlpd"
sleep 0.1
fits "$work/proflog-$pid.saved.0001.mlpd"
ends
test -z "$(ring)" || fail "the ring is left: $(ring)"
begins throw alloc
wait_for has_ring 2
"$proflog" ctl "$pid" output "$work/mine.mlpd" >"$work/ctl" 2>&1 || fail "output: $(cat "$work/ctl")"
sleep 0.5
ends
test -z "$(ring)" || fail "the ring is left: $(ring)"
whole "$work/mine.mlpd" # which is the user's
begins throw alloc clock
wait_for has_ring 10
save "$work/earlier.mlpd"
kill -9 "$pid"
wait "$shell_pid"
exec 7>&-
watched=
"$proflog" check $(ring | grep 'mlpd$' | sort) >"$work/checked" 2>"$work/err" || fail "the ring of a killed program: $(cat "$work/checked")"
says "$work/err" 'was read, too: the program did not end normally'
says "$work/err" 'the log begins before'
whole "$work/earlier.mlpd" # and nothing is missing in it
! grep -q 'may lack' "$work/checked" || fail "$(cat "$work/checked")"
rm -f $(ring)

# ---- refused ----

# refused LINE OPTIONS: the program runs unprofiled, and its standard error has the line.
refused ()
{
  profiled "$2,output=$log" attached </dev/null >"$work/out" 2>"$work/program-err"
  test $? = 7 || fail "$2: another status"
  printf 'proflog: %s; the program runs unprofiled\n' "$1" >"$work/expected"
  same "$work/expected" "$work/program-err"
  test ! -e "$log" || fail "$2: there is a log"
}

refused 'keep needs rotate, such as rotate=64M' keep=3
refused 'keep=0: neither a number of files from 1 to 100000, nor a time from 1s on, such as 10min or 1h' rotate=1M,keep=0
refused 'save-on=exception:X needs the class exception' noexception,save-on=exception:X
refused 'save-on=pause needs the class gc' nogc,save-on=pause:10ms
echo "$checks checks"
