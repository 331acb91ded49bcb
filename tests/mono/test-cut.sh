#!/bin/sh
# A log that was cut anywhere is reported up to there, with a warning that says how much is missing.
. "${srcdir:-.}/tests/mono/lib.sh"

# cut_at BYTES: reports the first BYTES of the whole log.  Sets events, which never become fewer.
cut_at ()
{
  head -c "$1" "$work/whole" >"$work/cut"
  "$proflog" report --format json "$work/cut" >"$work/report.json" 2>"$work/report.err"
  status=$?
  if test "$1" -lt 32; then
    test "$status" = 3 || fail "cut at $1, in the file header: status $status, not 3"
    test -s "$work/report.err" || fail "cut at $1, in the file header: no message"
    return 0
  fi
  test "$status" = 0 || { cat "$work/report.err"; fail "cut at $1: status $status"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "cut at $1: the report is not JSON"
  cut_events=$(figure log.events)
  test "$cut_events" -ge "$events" || fail "cut at $1: $cut_events events, $events at a cut before it"
  test "$cut_events" -le "$all" || fail "cut at $1: $cut_events events of $all"
  events=$cut_events
  test "$(figure damage.truncated)" = true || fail "cut at $1: not seen"
  # What is missing of the buffer, or of its header.  Between two buffers it is the end mark.
  missing=$(awk -v cut="$1" '
    $1 < cut && cut < $2 { print (cut < $1 + 48 ? $1 + 48 : $2) - cut }' "$work/buffers")
  grep -q -w -e "${missing:-end mark}" "$work/report.err" \
    || { cat "$work/report.err"; fail "cut at $1: no warning that $missing bytes are missing"; }
  cuts=$((cuts + 1))
}

begin ()
{
  mv "$log" "$work/whole"
  size=$(wc -c <"$work/whole")
  all=$(figure log.events)
  events=0 cuts=0
  list_buffers >"$work/buffers"
}

# Where each buffer begins and ends, which follows from their headers.
list_buffers ()
{
  at=32
  while test "$at" -lt "$size"; do
    # shellcheck disable=SC2046
    set -- $(od -An -tu4 -j$((at + 4)) -N4 "$work/whole")
    echo "$at $((at + 48 + $1))"
    at=$((at + 48 + $1))
  done
  test "$at" = "$size" || fail "the last buffer ends at $at, the log at $size"
}

record 0 nodefaults,gc hello
begin
# The bytes around the start of each buffer, and steps between.
step=${PROFLOG_CUT_STEP:-$((size / 150 + 1))}
{
  seq 0 "$step" $((size - 1))
  head -n 3 "$work/buffers" | while read -r start end; do
    seq $((start - 2)) $((start + 60))
    seq $((end - 3)) "$end"
  done
  seq $((size - 40)) $((size - 1))
} | awk -v size="$size" '$1 >= 0 && $1 < size' | sort -n -u >"$work/places"
while read -r place; do
  cut_at "$place"
done <"$work/places"
test "$events" -ge $((all - 1)) && test "$cuts" -gt 100 || fail "$cuts cuts, $events of $all events"
echo "$cuts cuts of a log of $size bytes"

# What was counted up to the cut is there: cutting at half keeps about half of the objects.
record 0 alloc,maxframes=0 alloc 1 20000
total=$(figure allocations.objects)
begin
for tenth in 1 2 3 4 5 6 7 8 9; do
  cut_at $((size * tenth / 10))
  objects=$(figure allocations.objects)
  test $((objects * 10)) -ge $((total * (tenth - 3))) \
    || fail "cut at $tenth tenths: only $objects of $total objects"
done
echo "$cuts cuts of a log of $size bytes"

# A compressed log.
record 0 alloc,zip alloc 1 5000
mv "$log" "$work/whole"
size=$(wc -c <"$work/whole")
total=$(figure allocations.objects)
for tenth in 2 4 6 8; do
  head -c $((size * tenth / 10)) "$work/whole" >"$work/cut"
  "$proflog" report --format json "$work/cut" >"$work/report.json" 2>"$work/report.err" \
    || { cat "$work/report.err"; fail "a compressed log cut at $tenth tenths is not reported"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
  test "$(figure damage.truncated)" = true && test -s "$work/report.err" \
    || fail "a compressed log cut at $tenth tenths: no warning"
  objects=$(figure allocations.objects)
  test $((objects * 10)) -ge $((total * (tenth - 2))) && test "$objects" -le "$total" \
    || fail "a compressed log cut at $tenth tenths: only $objects of $total objects"
done
