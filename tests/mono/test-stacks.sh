#!/bin/sh
# Backtraces from the stack that enter and leave keep are those of the runtime's walk, where all code
# raises them.
. "${srcdir:-.}/tests/mono/lib.sh"

# traces OPTIONS: the backtraces of each allocation of class Mark, with their counts.
traces ()
{
  record 0 "alloc,maxframes=32,$1" stacks
  expect_truth
  "$proflog" report --traces --maxframes=32 --reports=alloc --filter '^Mark$' --format json "$log" \
    >"$work/$1.json" || fail "proflog report ended with $?"
  "$json_paths" <"$work/$1.json" | grep '\[Mark\]' >"$work/$1.traces"
  grep -q 'frames' "$work/$1.traces" || fail "there are no backtraces with $1"
}

MONO_ENV_OPTIONS=-O=-aot
export MONO_ENV_OPTIONS
traces stacks=walk
"$proflog" dump "$log" | grep -q ' alloc .*backtrace=' || fail "the dump shows no backtraces"
traces stacks=shadow
# What is not requested otherwise.
traces stacks=auto
for how in shadow auto; do
  diff "$work/stacks=walk.traces" "$work/stacks=$how.traces" \
    || fail "the stack with $how differs from the walk"
done

# Methods that are in no backtrace do not report their calls; of those that fail the frames are there.
record 0 exception,alloc,maxframes=4,stacks=shadow leaves
"$proflog" report --traces --reports=exception --limit=0 --format json "$log" | awk '
  /"throws":/ { n = $0; sub (/.*"throws": /, "", n); n += 0 }
  /^ *"frames":/ { inside = 1; next }
  inside && /^ *\]/ { sub (/^ *"Node:/, "", frame); sub (/ .*/, "", frame); print frame, n; inside = 0 }
  inside { frame = $0 }' | sort >"$work/failed"
sort "$truth" | diff - "$work/failed" || fail "not the frames of the methods that failed"

# Each allocation is in the log, with frames, also of code compiled ahead of time.
unset MONO_ENV_OPTIONS
traces stacks=auto
diff "$work/stacks=walk.traces" "$work/stacks=auto.traces" >/dev/null \
  || echo "with code compiled ahead of time the walk differs a little"

# `proflog run --allocs` selects that stack, and --keep-aot the walk: a method that reports its calls is not
# inlined, so it has a frame.
has_inlined ()
{
  "$proflog" run --allocs "$@" --force -o "$log" mono "$programs/inlined.exe" >/dev/null 2>"$work/stderr" \
    || { cat "$work/stderr"; fail "proflog run --allocs $* ended with $?"; }
  "$proflog" report --traces --reports=alloc --limit=0 "$log" >"$work/inlined.traces" || fail "no report"
  grep -q 'Probe.Inlined:Main' "$work/inlined.traces" || fail "--allocs $*: no backtraces"
  grep -q 'Probe.Thing:Maker' "$work/inlined.traces"
}
compile inlined
has_inlined || fail "proflog run --allocs walks stacks"
has_inlined --keep-aot && fail "Maker is not inlined: the test shows nothing"

record 0 alloc,stacks=none stacks
expect_truth
"$proflog" dump "$log" | grep -q ' alloc .*backtrace=' && fail "there are backtraces with stacks=none"
echo "$checks figures agree; $(wc -l <"$work/stacks=walk.traces") lines of traces"
