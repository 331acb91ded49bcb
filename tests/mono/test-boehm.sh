#!/bin/sh
# The other collector: what the runtime can change is the same with mono-boehm.  Tests that are not among these:
#   heapshot, leaks, growth ...     count the snapshots or print all that the program does: test-boehm-heap.sh has these
#   gc, sampled, survival           it has one generation and moves nothing, and these count generations and moves
#   long-calls                      it collects more often, on the program's threads, in calls that are recorded for it
#   waits                           the runtime prints a line at the end of each program, which the test counts
#   attach                          counts as SGen collects; see below, and test-local-host.sh
#   the rest                        is the decoder's, or the module's without the runtime
. "${srcdir:-.}/tests/mono/lib.sh"

need mono-boehm
mkdir "$work/bin"
ln -s "$(command -v mono-boehm)" "$work/bin/mono"
PATH=$work/bin:$PATH
export PATH

for test in alloc calls throw locks threads lines stacks call-tree cpu-samples killed; do
  echo "case: $test"
  PROFLOG_KILLS=1 sh "$tests/mono/test-$test.sh" >"$work/$test.log" 2>&1
  status=$?
  test "$status" = 77 && continue
  test "$status" = 0 || { tail -n 40 "$work/$test.log"; fail "test-$test.sh ended with $status"; }
  checks=$((checks + 1))
done

# Not exit-busy: there the runtime hangs by itself.
echo "case: sacred"
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
test "$("$proflog" heap -q --format csv "$log" | wc -l)" -gt 2 || fail 'no heap snapshots'

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
