#!/bin/sh
# Asynchronous operations that have not ended: how many of each method wait for what, as the program knows, and that
# their growth is a suspect.
. "${srcdir:-.}/tests/mono/lib.sh"
compile tasks

profiled "output=$log,heapshot=1gc" tasks once >"$work/wanted" || fail "tasks.exe once"
"$top_builddir/tests/host/check-log" "$log" || fail "the log is not in order"
"$proflog" heap tasks --format csv --fields operations,new,operation,innermost,waits "$log" 2 >"$work/csv" \
  || fail "heap tasks"
sed 1d "$work/csv" | sort >"$work/rows"
test "$(grep -c . "$work/wanted")" = 11 || fail "the program counts other things"
sort "$work/wanted" | diff - "$work/rows" || fail "other operations"
"$proflog" heap tasks --format json "$log" 2 | "$json_paths" >"$figures" || fail "JSON"
expect tasks.count "$(awk -F , '{ sum += $1 } END { print sum }' "$work/wanted")"
expect tasks.before 1
"$proflog" heap tasks --format csv --fields operations,new,operation --filter Second "$log" 1 >"$work/csv" || fail "heap tasks 1"
test "$(sed 1d "$work/csv")" = '20,,Shop:Second (async)' || { cat "$work/csv"; fail "the first snapshot"; }

profiled "output=$log,heapshot=1gc" tasks grow || fail "tasks.exe grow"
"$proflog" heap leaks --exit-code "$log" >"$work/printed"
test $? = 1 || fail "no suspect"
tr -s ' \n' '  ' <"$work/printed" >"$work/line"
says "$work/line" 'operations of Shop:Second (async) have not ended: they wait for Shop:Answer (async) -> TaskCompletionSource.'
grep -q '600 objects of Shop.<[AS]' "$work/printed" || { cat "$work/printed"; fail "another class is named"; }

# What has no fields states so.
"$proflog" heap tasks "$tests/logs/all-v02.mlpd" >"$work/out" 2>"$work/err"
test $? = 3 || fail "data version 2 has tasks"
says "$work/err" 'data version 2, or its writer, states no fields of classes'
