#!/bin/sh
# Collections: their number, elements, room, waste and holders, and which grow, as the program counts them; in
# snapshots of a stopped program and of a copy of it.
. "${srcdir:-.}/tests/mono/lib.sh"
compile contents -r:System.Core.dll

# recorded OPTIONS [ARGUMENT]: the program's lines are in `truth`.
recorded ()
{
  rm -f "$log"
  profiled "output=$log,$1" contents ${2+"$2"} >"$work/truth" || fail "$1: contents.exe"
  "$top_builddir/tests/host/check-log" "$log" || fail "$1: the log is not in order"
}

# agree LOG: each line of the program about collections is a row of the second snapshot.
agree ()
{
  "$proflog" heap collections --format csv "$1" 2 >"$work/csv" 2>"$work/err" || { cat "$work/err"; fail "heap collections"; }
  sed 's/"//g; s/<\(System[.A-Za-z0-9]*\),\(System[.A-Za-z0-9]*\)>/<\1;\2>/g' "$work/csv" | awk -F , -v OFS='\t' '
    $1 == "holders" { gsub (";", ",", $10); print "sum", $2, $4, $5, $6, $7, $8, $10 }
    $1 == "largest" { print "one", $2, $3, $5, $8 }
    $1 == "growing" { print "growing", $2, $3, $7 }' >"$work/rows"
  grep -v '^string' "$work/truth" >"$work/wanted"
  test "$(grep -c . "$work/wanted")" = 14 || fail "the program counts other things"
  grep -vxFf "$work/rows" "$work/wanted" && { cat "$work/csv"; fail "$2: not found"; }
  grep '^growing' "$work/rows" | cut -f 4 | sort >"$work/grown"
  grep '^growing' "$work/wanted" | cut -f 4 | sort | diff - "$work/grown" || fail "$2: others grow"
}

recorded heapshot=1gc,heapshot-collections
agree "$log" heapshot-collections
"$proflog" anonymize -q --keep names --force -o "$work/hidden.mlpd" "$log" || fail anonymize
agree "$work/hidden.mlpd" anonymize

# The figures of JSON are those of the rows.
"$proflog" heap collections --format json "$log" 2 | "$json_paths" >"$work/paths" || fail "JSON"
wasted=$(sed 's/"[^"]*"//g' "$work/csv" | awk -F , '$1 == "holders" { sum += $2 } END { print sum }')
grep -qx "collections.wasted_bytes	$wasted" "$work/paths" || fail "wasted bytes are not $wasted"
grep -qx "collections.before	1" "$work/paths" || fail "it is not compared with the first snapshot"

if has mprof-report; then
  timeout 120 mprof-report --reports=heapshot "$log" >"$work/mprof.out" || fail "mprof-report: status $?"
  grep -q 'Heap shot 1' "$work/mprof.out" || { cat "$work/mprof.out"; fail "mprof-report shows no snapshot"; }
fi

recorded heapshot=1gc,heapshot-collections,heapshot-strings,heapshot-fork 2000
agree "$log" heapshot-fork

# What has no collections states so.
recorded heapshot=1gc
"$proflog" heap collections "$log" 2 >"$work/out" 2>"$work/err"
status=$?
test "$status" = 3 || fail "status $status without heapshot-collections"
grep -q 'heap snapshot 2 has no contents of collections: ' "$work/err" || { cat "$work/err"; fail "no reason"; }
"$proflog" heap collections "$tests/logs/all-v02.mlpd" >"$work/out" 2>"$work/err"
grep -q 'data version 2 has no contents of collections' "$work/err" || { cat "$work/err"; fail "no reason for data version 2"; }
