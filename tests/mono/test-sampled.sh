#!/bin/sh
# Sampled allocations: what is estimated from several runs lies within some standard errors of what the
# program itself counted, for each type, objects and bytes.  PROFLOG_RUNS runs (default 6), PROFLOG_ERRORS
# standard errors (default 4.5, which chance passes once in 10,000 tests).
. "${srcdir:-.}/tests/mono/lib.sh"

runs=${PROFLOG_RUNS:-6} interval=16384
compile alloc
: >"$work/all"
for run in $(seq "$runs"); do
  rm -f "$log"
  profiled "alloc=$interval,output=$log" alloc 3 4000 >"$truth" 2>"$work/stderr" \
    || { cat "$work/stderr"; fail "the program failed"; }
  test ! -s "$work/stderr" || { cat "$work/stderr"; fail "complaints"; }
  read_figures
  test "$(figure log.data_version "$figures")" = 17 || fail "not of data version 17"
  test "$(figure allocations.sampling_bytes "$figures")" = $interval || fail "the interval is not told"
  sed 's/^/truth /' "$truth" >>"$work/all"
  sed -n 's/^allocations\.types\[\(Probe\..*\)\]\.\(objects\|bytes\)\t/estimate \2:\1 /p' "$figures" >>"$work/all"
done

awk -v interval=$interval -v most="${PROFLOG_ERRORS:-4.5}" '
  $1 == "truth" && $2 ~ /^(objects|bytes):/ { truth[$2] += $3 }
  $1 == "estimate" { estimate[$2] += $3 }
  END {
    for (key in truth)
      if (key ~ /^objects:/) {
        type = substr (key, 9)
        objects = truth[key]
        if (objects == 0)
          continue
        size = truth["bytes:" type] / objects
        p = 1 - exp (-size / interval)
        # Of a few objects that were recorded, errors are not distributed normally.
        if (objects * p < 10)
          continue
        error = sqrt (objects * (1 - p) / p)
        off = (estimate[key] - objects) / error
        off_bytes = (estimate["bytes:" type] - objects * size) / (error * size)
        printf "%s: %d objects, estimated %d, off by %.2f and %.2f standard errors\n", type, objects,
          estimate[key], off, off_bytes
        # Of types whose objects are of many sizes the error is larger than this tells.
        if (off > most || off < -most || off_bytes > most || off_bytes < -most)
          bad++
        types++
      }
    if (types < 4)
      exit 2
    exit bad != 0
  }' "$work/all" >"$work/result"
status=$?
cat "$work/result"
test $status = 0 || fail "estimates are off (status $status)"
# The log is a small part of the whole one.
profiled "alloc,output=$work/whole" alloc 3 4000 >"$truth" || fail "the program failed"
echo "$(wc -c <"$log") bytes of $(wc -c <"$work/whole")"
test "$(wc -c <"$log")" -lt "$(wc -c <"$work/whole")" || fail "the log is not smaller"
# With a point on each byte every object is recorded, with its size, whatever class was in its place.
record 0 alloc=1 alloc 1 1000
expect_truth
record 0 alloc=1 sizes
expect_truth
# Moves are recorded on request.
compile gc
test "$(figure gc.moves "$figures")" = 0 || fail "moves were recorded"
profiled "alloc=$interval,gcmove,output=$log" gc >"$truth" || fail "the program failed"
read_figures
test "$(figure gc.moves "$figures")" != 0 || fail "no moves were recorded"
