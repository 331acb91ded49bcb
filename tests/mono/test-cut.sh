#!/bin/sh
# A log that was cut anywhere is reported up to there, with a warning that says how much is missing.
. "${srcdir:-.}/tests/mono/lib.sh"

# cut_at BYTES: reports the first BYTES of the whole log.  Sets events.
cut_at ()
{
  head -c "$1" "$work/whole" >"$work/cut"
  "$proflog" report --format json "$work/cut" >"$work/report.json" 2>"$work/report.err"
  status=$?
  if test "$1" -lt 32; then
    test "$status" = 3 || fail "cut at $1, in the file header: status $status, not 3"
    test -s "$work/report.err" || fail "cut at $1, in the file header: nothing is said"
    return 0
  fi
  test "$status" = 0 || { cat "$work/report.err"; fail "cut at $1: status $status"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "cut at $1: the report is not JSON"
  cut_events=$(figure log.events)
  test "$cut_events" -ge "$events" || fail "cut at $1: $cut_events events, $events at a cut before it"
  test "$cut_events" -le "$all" || fail "cut at $1: $cut_events events of $all"
  events=$cut_events
  if test "$(figure damage.truncated)" = true; then
    whole_buffers=0
    grep -q '[0-9]' "$work/report.err" || fail "cut at $1: no warning with a number"
  else
    # Between two buffers nothing shows that more should follow.
    whole_buffers=$((whole_buffers + 1))
    test ! -s "$work/report.err" || { cat "$work/report.err"; fail "cut at $1: a warning without damage"; }
  fi
  cuts=$((cuts + 1))
}

begin ()
{
  mv "$log" "$work/whole"
  size=$(wc -c <"$work/whole")
  all=$(figure log.events)
  events=0 cuts=0 whole_buffers=0
}

# Buffers lie behind one another; where they begin follows from their headers.
buffer_starts ()
{
  at=32
  while test "$at" -lt "$size"; do
    echo "$at"
    # shellcheck disable=SC2046
    set -- $(od -An -tu4 -j$((at + 4)) -N4 "$work/whole")
    at=$((at + 48 + $1))
  done
}

record 0 nodefaults,gc hello
begin
# The bytes around the start of each buffer, and steps between.
step=${PROFLOG_CUT_STEP:-$((size / 150 + 1))}
{
  seq 0 "$step" $((size - 1))
  for start in $(buffer_starts | head -n 3); do
    seq $((start - 2)) $((start + 60))
  done
  seq $((size - 40)) $((size - 1))
} | awk -v size="$size" '$1 >= 0 && $1 < size' | sort -n -u >"$work/places"
while read -r place; do
  cut_at "$place"
done <"$work/places"
test "$events" -le "$all" && test "$cuts" -gt 100 || fail "$cuts cuts, $events of $all events"
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
