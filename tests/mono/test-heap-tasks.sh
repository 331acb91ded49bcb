#!/bin/sh
# Asynchronous operations that have not ended: how many of each method wait for what, as the program knows, and that
# their growth is a suspect.
. "${srcdir:-.}/tests/mono/lib.sh"
compile tasks

# agree FIELDS OPTIONS: the rows of the second snapshot have what the program prints.
agree ()
{
  rm -f "$log"
  profiled "output=$log,$2" tasks once >"$work/wanted" || fail "$2: tasks.exe once"
  "$top_builddir/tests/host/check-log" "$log" || fail "$2: the log is not in order"
  "$proflog" heap tasks --format csv --fields "$1" "$log" 2 >"$work/csv" || fail "$2: heap tasks"
  sed 1d "$work/csv" | sort >"$work/rows"
  test "$(grep -c . "$work/wanted")" = 11 || fail "the program counts other things"
  case $1 in
    *state*) cat "$work/wanted" ;;
    *) cut -d , -f 1,2,4- "$work/wanted" ;;
  esac | sort | diff - "$work/rows" || fail "$2: other operations"
  checks=$((checks + 11))
}

agree operations,new,state,operation,innermost,waits heapshot=1gc,heapshot-tasks,heapshot-fork
agree operations,new,state,operation,innermost,waits heapshot=1gc,heapshot-tasks,heapshot-strings,heapshot-collections
"$proflog" anonymize -q --keep names --force -o "$work/hidden.mlpd" "$log" || fail anonymize
"$proflog" heap tasks --format csv --fields operations,new,state,operation,innermost,waits "$work/hidden.mlpd" 2 \
  | sed 1d | sort | diff - "$work/rows" || fail "anonymize"
if has mprof-report; then
  timeout 120 mprof-report --reports=heapshot "$log" >"$work/mprof.out" || fail "mprof-report: status $?"
  grep -q 'Heap shot 1' "$work/mprof.out" || { cat "$work/mprof.out"; fail "mprof-report shows no snapshot"; }
fi
agree operations,new,operation,innermost,waits heapshot=1gc
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

profiled "output=$log.1,heapshot,heapshot-tasks,format=1" tasks grow >"$work/out" 2>"$work/err"
says "$work/err" 'format=1 cannot record heapshot-tasks; use format=17 or auto'

# What has no fields states so.
"$proflog" heap tasks "$tests/logs/all-v02.mlpd" >"$work/out" 2>"$work/err"
test $? = 3 || fail "data version 2 has tasks"
says "$work/err" 'data version 2, or its writer, states no fields of classes'
echo "$checks checks"
