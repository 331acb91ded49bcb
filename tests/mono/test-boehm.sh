#!/bin/bash
# The other collector: tests of this folder under mono-boehm, as tests/mono/boehm-tests.txt has them.
# PROFLOG_BOEHM=all: all of them.  PROFLOG_BOEHM="NAME...": these.
. "${srcdir:-.}/tests/mono/lib.sh"

need mono-boehm cc
list=$sources/boehm-tests.txt
boehm=${PROFLOG_BOEHM:-}
mkdir "$work/bin"
ln -s "$(command -v mono-boehm)" "$work/bin/mono"
PATH=$work/bin:$PATH
export PATH

case="the list"
echo "case: $case"
find "$sources" -name 'test-*.sh' | sed 's,.*/test-,,; s,\.sh$,,' | grep -v '^boehm' | sort >"$work/there"
grep -v '^#' "$list" | cut -f 1 | sort | diff - "$work/there" || fail "$list has other tests than the folder"
! grep -v '^#' "$list" | awk -F '\t' '$2 !~ /^(always|calm|long|except|open)$/ || ($2 ~ /except|open/ && $3 == "")' | grep . \
  || fail "$list: unknown words, or no reason"
# docs/platforms.md has the same exceptions.
awk -F '\t' '$2 == "except" { print "| `" $1 "` | " $3 " |" }' "$list" >"$work/rows"
awk '/^\| test \| reason/ { on = 1; getline; next } !/^\|/ { on = 0 } on' "$sources/../../docs/platforms.md" \
  | diff - "$work/rows" || fail "docs/platforms.md has other exceptions"
checks=$((checks + 1))

# Most of these mostly wait: the runtime waits 2 s at the end of each program, also without a profiler.  And it prints a
# line then, which is dropped, as tests compare what programs print.
cc -O2 -shared -fPIC -o "$work/quiet.so" "$sources/quiet-runtime.c" || fail "quiet-runtime.c"
run_test ()
{
  test "$2" != calm || export GC_INITIAL_HEAP_SIZE=200000000
  LD_PRELOAD=$work/quiet.so sh "$tests/mono/test-$1.sh" >"$work/$1.log" 2>&1
  echo "$1 $2 $?" >>"$work/results"
}
export -f run_test
export work tests PROFLOG_KILLS=1 PROFLOG_SACRED=1
awk -F '\t' -v which="$boehm" '
  /^#/ || $1 == "" { next }
  which == "" ? $2 ~ /^(always|calm)$/ : which == "all" || index (" " which " ", " " $1 " ") { print $1, $2 }' "$list" >"$work/chosen"
: >"$work/results"
case="tests of the folder"
echo "case: $case ($(wc -l <"$work/chosen"))"
# shellcheck disable=SC2016 # for the other shell
xargs -P 6 -L 1 bash -c 'run_test "$1" "$2"' - <"$work/chosen"
sort "$work/results" >"$work/sorted"
bad=
while read -r name when status; do
  case $when:$status in
    *:77 | always:0 | calm:0 | long:0) checks=$((checks + 1)) ;;
    always:* | calm:* | long:*)
      # One that other work disturbed passes alone.
      run_test "$name" "$when"
      test "$(tail -n 1 "$work/results")" = "$name $when 0" && continue
      tail -n 40 "$work/$name.log"
      bad="$bad $name"
      ;;
    *:0) bad="$bad $name (which passes, and is in the list of exceptions)" ;;
    *) echo "$name: $when, ended with $status" ;;
  esac
done <"$work/sorted"
test -z "$bad" || fail "$bad"

# Not exit-busy: there the runtime hangs by itself.
case="sacred"
echo "case: $case"
PROFLOG_SACRED=1 PROFLOG_SACRED_WAYS='run run-calls run-heapshot' PROFLOG_SACRED_MODES='abort-threads kill unhandled segv tasks throws' \
  sh "$tests/mono/test-sacred.sh" >"$work/sacred.log" 2>&1
status=$?
test "$status" = 0 || test "$status" = 77 || { tail -n 40 "$work/sacred.log"; fail "test-sacred.sh ended with $status"; }

case="heap snapshots"
echo "case: $case"
compile attached
export PROFLOG_MODULE_DIR="$module_dir"
use_runtime_dir
compile alloc
"$proflog" run --allocs --heapshot -o "$log" mono "$exe" 2 20000 >"$work/printed" 2>"$work/err" || fail "it ended with $?"
! grep 'no heap snapshots' "$work/err" || fail "heap snapshots are refused"
read_figures
test "$(figure gc.collections)" -gt 0 || fail "no collections"
test "$(figure allocations.objects)" -ge 40000 || fail "no allocations"
test "$("$proflog" heap -q --format csv "$log" | wc -l)" -gt 1 || fail 'no heap snapshots'

. "$tests/mono/service.sh"
test "$(uname -m)" = x86_64 || { echo "$checks figures agree"; exit; }
begins throw keep alloc
"$proflog" attach "$pid" --heapshot=1gc -o "$log" --force >"$work/attached" 2>&1 || fail "attach: $(cat "$work/attached")"
for request in heapshot 'set heapshot=5gc' heapshot 'set heapshot=off'; do
  # shellcheck disable=SC2086 # words
  "$proflog" ctl "$pid" $request >"$work/ctl" 2>&1 || fail "ctl $request: $(cat "$work/ctl")"
done
sleep 1
"$proflog" ctl "$pid" heapshot >"$work/ctl" 2>&1 || fail "ctl heapshot: $(cat "$work/ctl")"
"$proflog" detach "$pid" 2>"$work/err" || fail "detach: $(cat "$work/err")"
whole
exec 7>&-
wait "$shell_pid"
test $? = 7 || fail "the program did not end as it does"
watched=
read_figures
test "$(figure exceptions.throws)" -gt 0 || fail 'no exceptions'
"$proflog" heap leaks "$log" >"$work/leaks" 2>&1
grep -q 'objects of Kept accumulate' "$work/leaks" || { cat "$work/leaks"; fail 'the leak is not named'; }
echo "$checks figures agree"
