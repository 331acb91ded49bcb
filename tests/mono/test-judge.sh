#!/bin/sh
# The independent judge: Debian's mprof-report reads our logs, and its figures are ours.
. "${srcdir:-.}/tests/mono/lib.sh"
need mprof-report

# What two threads compiled at once was compiled twice; mprof-report counts it once, with the size that
# is last in the file.
count_compiled_again ()
{
  "$proflog" dump "$log" | awk '
    $4 == "method-jit" {
      match ($0, / size=[0-9]+ name=/)
      size = substr ($0, RSTART + 6) + 0
      if (size > 0 && $5 in last) {
        methods++
        bytes += last[$5]
      }
      if (size > 0)
        last[$5] = size
    }
    END {
      if (methods)
        printf "jit.methods\t%d\njit.code_bytes\t%d\n", methods, bytes
    }'
}

# Reads the log with mprof-report into $judged.
read_judged ()
{
  for option in --verbose "--verbose --traces"; do
    # shellcheck disable=SC2086
    mprof-report $option "$log" >"$work/mprof" 2>"$work/mprof.err"
    status=$?
    test "$status" = 0 || { cat "$work/mprof.err"; fail "mprof-report $option ended with $status"; }
    test ! -s "$work/mprof.err" || { cat "$work/mprof.err"; fail "mprof-report $option complains"; }
    grep -i -e 'unresolved class' -e 'unhandled' -e 'invalid' -e 'unknown' "$work/mprof" \
      && fail "mprof-report $option does not understand all"
    awk -v methods="$timed_methods" -f "$sources/mprof-paths.awk" "$work/mprof" >"$judged" || fail "awk ended with $?"
    count_compiled_again >>"$judged"
    test -s "$judged" || fail "mprof-report states no figures"
    compare
  done
}

# Those that are not recursive: their times are counted in the same way.
timed_methods='Probe.Calls:Main ()|Probe.Calls:Slow ()|Probe.Calls:Catcher (int)'

# Every figure of mprof-report is ours, and we have none of its families that it has not.  Heap
# snapshots are numbered from 0 there.
compare ()
{
  awk -F '\t' '
    function add (to, path, value) {
      if (value ~ /^-?[0-9]+$/)
        to[path] += value
    }
    FNR == 1 { file++ }
    file == 1 && $1 ~ /^heapshots\[[0-9]+\]\.index$/ && first == "" {
      first = $1
      gsub (/[^0-9]/, "", first)
    }
    file == 1 { add (ours, $1, $2); next }
    {
      path = $1
      if (match (path, /^heapshots\[[0-9]+\]/)) {
        shot = substr (path, 11, RLENGTH - 11) + first
        path = "heapshots[" shot "]" substr (path, RLENGTH + 1)
      }
      add (theirs, path, $2)
      off[path] += $3
    }
    function differ (a, b, by) { return a - b > by || b - a > by }
    END {
      for (path in theirs) {
        compared++
        if (!(path in ours) && theirs[path] != 0 || differ (ours[path] + 0, theirs[path], off[path])) {
          printf "%s: mprof-report %d, proflog %s\n", path, theirs[path],
                 path in ours ? ours[path] "" : "nothing"
          bad++
        }
      }
      for (path in ours)
        if (path ~ /^(allocations\.types\[.*\]\.objects|calls\.methods\[.*\]\.calls|exceptions\.clauses\[.*\]\.count|gc\.generations\[.*\]\.collections|monitors\.objects\[.*\]\.contentions|heapshots\[[0-9]+\]\.types\[.*\]\.objects)$/ \
            && !(path in theirs) && ours[path] != 0) {
          printf "%s: proflog %d, mprof-report nothing\n", path, ours[path]
          bad++
        }
      printf "%d figures compared, %d differ\n", compared, bad
      exit bad != 0 || compared == 0
    }' "$figures" "$judged" >"$work/compared"
  status=$?
  tail -n 20 "$work/compared"
  test "$status" = 0 || fail "mprof-report and proflog differ about $judged_program"
}

# judge OPTIONS PROGRAM [ARGUMENT...]
judge ()
{
  judged_program=$2
  echo "$*:"
  record 0 "$@"
  expect_truth
  read_judged
}

judge alloc alloc
judge alloc,zip alloc 2 5000
judge alloc,maxframes=0 names
judge calls calls
judge calls,alloc calls
judge alloc,clauses throw
judge alloc,monitor locks
judge alloc threads 200 37
judge alloc,maxframes=32,heapshot alloc 3 20000

# Those that are recorded of the calls of a threshold.
for calls in calls=1us calls=100us+exact,alloc; do
  judged_program=calls
  echo "$calls:"
  record 0 "$calls" calls
  read_judged
done

# These state nothing that the report has under the same name; their own tests hold us to them.
for case in gc:gc heapshot:heapshot heapshot,alloc:heapshot nodefaults:hello calls:hello; do
  judged_program=${case#*:}
  echo "${case%:*} $judged_program:"
  record 0 "${case%:*}" "$judged_program"
  read_judged
done

# The references of the third snapshot, the last one that the program forces; numbers begin with 0.
record 0 heapshot heapshot
read_judged
for type in Probe.Tree 'Probe.Leaf[]' Probe.Hub; do
  references=$(type=$type awk '
    /^\tHeap shot / { shot = $3 }
    shot == 2 && / references from: / {
      name = $0
      sub (/.* references from: /, "", name)
      if (name == ENVIRON["type"])
        sum += $1
    }
    END { print sum + 0 }' "$work/mprof")
  test "$references" = "$(printed "references:$type")" || fail "$references references from $type"
done
