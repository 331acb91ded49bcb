#!/bin/sh
# Sampled allocations: what is estimated from several runs lies within some standard errors of what the
# program itself counted, for each type, objects and bytes.  PROFLOG_RUNS runs (default 6), PROFLOG_ERRORS
# standard errors (default 4.5, which chance passes once in 10,000 tests).
. "${srcdir:-.}/tests/mono/lib.sh"

runs=${PROFLOG_RUNS:-6} interval=16384
: >"$work/all"

# sample PROGRAM [ARGUMENT...]: adds a run's truth and estimates to those of all.
sample ()
{
  rm -f "$log"
  profiled "alloc=$interval,output=$log" "$@" >"$truth" 2>"$work/stderr" \
    || fail "the program failed"
  quiet "$work/stderr"
  read_figures
  test "$(figure log.data_version "$figures")" = 17 || fail "not of data version 17"
  test "$(figure allocations.sampling_bytes "$figures")" = $interval || fail "the interval is not reported"
  sed 's/^/truth /' "$truth" >>"$work/all"
  sed -n 's/^allocations\.types\[\(Probe\..*\)\]\.\(objects\|bytes\)\t/estimate \2:\1 /p' "$figures" >>"$work/all"
}

compile alloc
compile arrays
for run in $(seq "$runs"); do
  sample alloc 3 4000
  cp "$log" "$work/small"
  sample arrays 50000
done

# Converted, they stand for as many bytes: an object of a size was recorded with the probability
# 1 - exp (-size / interval).
"$proflog" dump "$work/small" | awk -v interval=$interval '
  $4 == "alloc" {
    sub (/.* size=/, ""); sub (/ .*/, "")
    recorded += $0; made += int ($0 / (1 - exp (-$0 / interval)) + 0.5)
  }
  END { printf "%.0f %.0f\n", recorded, made }' >"$work/sampled"
read -r recorded made <"$work/sampled"
test "$recorded" -gt 100 && test "$made" -gt 10000 || fail "only $made bytes are sampled"
"$proflog" convert "$work/small" -o "$work/sampled.eventlog" 2>"$work/stderr" || fail "no eventlog"
says "$work/stderr" 'not in an eventlog: 1 statement that allocations are sampled'
"$proflog" dump "$work/sampled.eventlog" | awk '/ heap-allocated / { sum[$3] = $NF }
  END { for (cap in sum) { sub (/.*=/, "", sum[cap]); total += sum[cap] } printf "%.0f\n", total }' >"$work/seen"
test "$(cat "$work/seen")" = "$made" || fail "the eventlog has $(cat "$work/seen") bytes, not $made"
"$proflog" convert --data-version 1 "$work/small" -o "$work/sampled.mlpd" 2>"$work/stderr" || fail "no log"
says "$work/stderr" "allocations are sampled: their $recorded bytes stand for about $made"

# Objects of one size lead to the log with a probability p each, and stand for 1/p there: the variance
# of what is estimated from n of them is n (1 - p) / p.
awk -v interval=$interval -v most="${PROFLOG_ERRORS:-4.5}" '
  function add (type, size, n,    p)
  {
    if (n == 0)
      return
    p = 1 - exp (-size / interval)
    objects[type] += n
    bytes[type] += n * size
    recorded[type] += n * p
    variance[type] += n * (1 - p) / p
    variance_bytes[type] += n * size * size * (1 - p) / p
  }
  $1 == "truth" && $2 ~ /^objects:/ { made[substr ($2, 9)] += $3 }
  $1 == "truth" && $2 ~ /^bytes:/ { made_bytes[substr ($2, 7)] += $3 }
  $1 == "truth" && $2 ~ /^size:/ { add(substr ($2, 6), $3, $4) }
  $1 == "estimate" { estimate[$2] += $3 }
  END {
    # Where objects of a type are of several sizes the error is larger than this states: such types
    # are rare in this program, and left out as the following leaves out whatever is rare.
    for (type in made)
      if (made[type] != 0)
        add(type, made_bytes[type] / made[type], made[type])
    for (type in objects) {
      # Of a few objects that were recorded, errors are not distributed normally.
      if (recorded[type] < 10)
        continue
      off = (estimate["objects:" type] - objects[type]) / sqrt (variance[type])
      off_bytes = (estimate["bytes:" type] - bytes[type]) / sqrt (variance_bytes[type])
      printf "%s: %d objects, estimated %d, off by %.2f and %.2f standard errors\n", type,
        objects[type], estimate["objects:" type], off, off_bytes
      if (off > most || off < -most || off_bytes > most || off_bytes < -most)
        bad++
      types++
    }
    if (types < 10)
      exit 2
    exit bad != 0
  }' "$work/all" >"$work/result"
status=$?
cat "$work/result"
test $status = 0 || fail "estimates are off (status $status)"
# The log is a small part of the whole one.
profiled "alloc,output=$work/whole" alloc 3 4000 >"$truth" || fail "the program failed"
echo "$(wc -c <"$work/small") bytes of $(wc -c <"$work/whole")"
test "$(wc -c <"$work/small")" -lt "$(wc -c <"$work/whole")" || fail "the log is not smaller"
# With a point on each byte every object is recorded, with its size, whatever class was in its place.
record 0 alloc=1 alloc 1 1000
expect_truth
record 0 alloc=1 sizes
expect_truth
# Methods that are compiled and classes that are loaded are reported on request; those in events have
# names in any case.
few=$(figure metadata.classes "$figures")
test "$(figure jit.methods "$figures")" = 0 || fail "compiled methods were recorded"
"$proflog" report -q --reports=alloc --traces "$log" | grep -q 'Probe\.Sizes:Main' || fail "no names on stacks"
profiled "alloc=$interval,jit,output=$log" alloc 3 100 >"$truth" || fail "the program failed"
read_figures
test "$(figure jit.methods "$figures")" -gt 20 || fail "no compiled methods were recorded"
test "$(figure metadata.classes "$figures")" -gt $((few + 100)) || fail "$few classes, and no more with jit"
# So are moves.
compile gc
test "$(figure gc.moves "$figures")" = 0 || fail "moves were recorded"
profiled "alloc=$interval,gcmove,output=$log" gc >"$truth" || fail "the program failed"
read_figures
test "$(figure gc.moves "$figures")" != 0 || fail "no moves were recorded"
# heaptrack_export: of the log; its message is in $work/stderr.
heaptrack_export ()
{
  "$proflog" export --format heaptrack -o "$work/heaptrack" --force "$log" 2>"$work/stderr" || fail "no export"
}
heaptrack_export
quiet "$work/stderr"
grep -q '^-' "$work/heaptrack" || fail "nothing is freed"
profiled "alloc=$interval,output=$log" gc >"$truth" || fail "the program failed"
heaptrack_export
says "$work/stderr" 'warning: nothing is freed'
! grep '^-' "$work/heaptrack" || fail "something is freed, and no moves were recorded"
# Rows over time add up to the whole, though each is an estimate.
"$proflog" report -q --reports=allocations --by time --format json --limit 0 "$log" | "$json_paths" --places >"$work/paths"
awk -F '\t' '$1 == "allocations.objects" { whole = $2 } $1 ~ /\]\.objects$/ { sum += $2; n++ }
  END { if (n < 2 || sum != whole) { print n " rows have " sum " of " whole; exit 1 } }' "$work/paths" || fail "rows over time"
