#!/bin/sh
# Backtraces of allocations by the module's own walk are those of the runtime's, but for generic methods: instances that
# share code are one method there.
. "${srcdir:-.}/tests/mono/lib.sh"

# traces OPTIONS PROGRAM [ARGUMENT]: the backtraces of each allocation of class Mark, with their counts, in OPTIONS.traces.
# Without the arguments of generic types and methods, a line for each.
traces ()
{
  how=$1
  shift
  record 0 "alloc,maxframes=32,$how" "$@"
  "$proflog" report --traces --maxframes=32 --reports=alloc --limit=0 --filter '^Mark$' --format json "$log" \
    >"$work/$how.json" || fail "proflog report ended with $?"
  "$json_paths" <"$work/$how.json" | grep '\[Mark\]\.traces' >"$work/$how.full"
  grep -q 'frames' "$work/$how.full" || fail "there are no backtraces with $how"
  sed 's/<[^()]*>//g' "$work/$how.full" | awk -F '\t' '
    $1 ~ /objects$/ { if (stack != "") sum[stack] += n; n = $2; stack = "" }
    $1 ~ /frames/ { stack = stack " > " $2 }
    END { sum[stack] += n; for (one in sum) print sum[one] one }' | sort >"$work/$how.traces"
}

compare ()
{
  traces stacks=walk "$@"
  traces stacks=auto "$@"
  diff "$work/stacks=walk.traces" "$work/stacks=auto.traces" || fail "$*: the own walk differs from the runtime's"
}

own_walk=
test "$(uname -m)" != x86_64 || own_walk=yes
compile frames -unsafe -r:System.Core
for optimizations in '' -O=-aot; do
  MONO_ENV_OPTIONS=$optimizations
  export MONO_ENV_OPTIONS
  compare stacks
  compare frames 40
  # Only the own walk has methods that are shared.
  ! grep -q 'T_REF' "$work/stacks=walk.full" || fail 'the walk of the runtime was not used'
  test -z "$own_walk" || grep -q 'T_REF' "$work/stacks=auto.full" || fail 'the own walk was not used'
done
unset MONO_ENV_OPTIONS

record 0 alloc,stacks=none stacks
expect_truth
"$proflog" dump "$log" | grep -q ' alloc .*backtrace=' && fail "there are backtraces with stacks=none"
echo "$checks figures agree; $(wc -l <"$work/stacks=walk.traces") lines of traces"
