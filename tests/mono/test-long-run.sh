#!/bin/sh
# Calls, allocations and exceptions at full rate for long: all are in the files of the log, which are read and
# removed one after the other, and the program's memory does not grow by more than without a profiler.
# PROFLOG_LONG_SECONDS is how long, 5 without it.
. "${srcdir:-.}/tests/mono/lib.sh"

seconds=${PROFLOG_LONG_SECONDS:-5}
compile longrun
program= reader=
trap 'kill $program $reader 2>/dev/null; rm -rf "$work"' EXIT

# is_read FILE: its figures are in `one`.  Not while its end is being written.
is_read ()
{
  "$proflog" report --format json "$1" 2>"$work/sum.err" | "$json_paths" >"$work/one" || fail "$1: $(cat "$work/sum.err")"
  ! grep -q 'is still writing it$' "$work/sum.err"
}

# sum FILE: adds its figures to those of the files before.
sum ()
{
  wait_for is_read "$1"
  test ! -s "$work/sum.err" || fail "$1: $(cat "$work/sum.err")"
  grep -qx 'content.complete	true' "$work/one" || grep -qx 'damage.lost_events	0' "$work/one" || fail "$1 is not whole"
  awk -F '\t' '
    $1 == "allocations.types[Probe.Item].objects" || $1 == "exceptions.types[Probe.Trouble].throws" \
      || $1 == "calls.methods[Probe.LongRun:Work (Probe.Item)].calls" { print }' "$work/one" >>"$work/sums"
  test "$(figure damage.lost_events "$work/one")" = 0 || fail "$1 lacks events"
  bytes=$((bytes + $(stat -c %s "$1")))
  files=$((files + 1))
  rm "$1"
}

# note_memory: adds the program's memory to the list $work/rss.  RssAnon is without the buffers, which are pages of the
# spool: of these as many stay as a busy disk once needed.
note_memory ()
{
  awk '/^VmRSS:/ { all = $2 } /^RssAnon:/ { print $2, all - $2 }' "/proc/$program/status" >>"$work/rss" 2>/dev/null
}

# quarters: the largest of the first quarter, after the start, and of the last one; and of the rest, the buffers among it.
quarters ()
{
  awk 'NR > 2 && NF == 2 { kb[++n] = $1; if ($2 > rest) rest = $2 }
    END { for (i = 1; i <= n; i++) { if (i <= n / 4 && kb[i] > first) first = kb[i]; if (i > n * 3 / 4 && kb[i] > last) last = kb[i] }
          print first + 0, last + 0, rest + 0 }' "$work/rss"
}

# A slower reader of files than the program writes them would need the disk: threads wait for the log instead.
LD_LIBRARY_PATH=$module_dir mono \
  "--profile=proflog:nodefaults,alloc,calls,exception,format=17,rotate=64M,memory=64M,overflow=block,output=$work/log.mlpd" \
  "$programs/longrun.exe" "$seconds" >"$truth" 2>"$work/stderr" &
program=$!
files=0 bytes=0
: >"$work/rss"
: >"$work/sums"
while kill -0 "$program" 2>/dev/null; do
  note_memory
  file=$work/log.$(printf %04d $((files + 1))).mlpd
  # The next file is there before this one has its end; then it has no spool.
  if test -e "$work/log.$(printf %04d $((files + 2))).mlpd" && test ! -e "$file.spool"; then
    sum "$file"
  else
    sleep 0.2
  fi
done
wait "$program" || fail "the program ended with $?"
program=
test ! -s "$work/stderr" || { cat "$work/stderr"; fail "the module complains"; }
while test -e "$work/log.$(printf %04d $((files + 1))).mlpd"; do
  sum "$work/log.$(printf %04d $((files + 1))).mlpd"
done
cp "$work/sums" "$figures"
expect_truth

read -r first last rest <<END
$(quarters)
END
calls=$(printed 'calls:Probe.LongRun:Work (Probe.Item)')
echo "$seconds s, $calls calls and as many leaves, $(printed objects:Probe.Item) objects, $files files with $bytes bytes;" \
  "at most $first kB of anonymous memory in the first quarter, $last kB in the last, and $rest kB of buffers and files"
# memory=64M, and the files of the runtime and of libraries.
test "$rest" -lt $((64 * 1024 + 32768)) || fail "buffers and files have $rest kB"

# A short run has its start in each quarter.  In a long one the runtime itself grows: by some MB for a million exceptions.
test "$seconds" -ge 60 || exit 0
: >"$work/rss"
mono "$programs/longrun.exe" "$seconds" "$(printed throws:Probe.Trouble)" >"$work/alone" &
program=$!
while kill -0 "$program" 2>/dev/null; do
  note_memory
  sleep 0.2
done
wait "$program" || fail "without a profiler the program ended with $?"
program=
read -r first_alone last_alone rest <<END
$(quarters)
END
echo "without a profiler, for as many exceptions, at most $first_alone kB and $last_alone kB"
test $((last - first)) -le $((last_alone - first_alone + 2048)) || fail "the program grows by $((last - first)) kB"
