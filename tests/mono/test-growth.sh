#!/bin/sh
# What grows, and what does not, in a program whose growth has a known end and place: a cache that is full, a queue
# of constant size, what came at the start and a pool that breathes are no suspects, also where their class grows
# elsewhere.
. "${srcdir:-.}/tests/mono/lib.sh"
rounds=12

# recorded WHAT: a log of it, and what `heap leaks` prints of it, in `printed`.
recorded ()
{
  what=$1
  rm -f "$log"
  PROFLOG_MODULE_DIR=$module_dir "$proflog" run --allocs --heapshot=1gc -o "$log" \
    mono "$programs/growth.exe" "$what" $rounds >"$work/out" 2>"$work/err.run" || { cat "$work/err.run"; fail "$what: proflog run"; }
  "$proflog" heap leaks "$log" --exit-code >"$work/printed" 2>"$work/err"
  status=$?
  test ! -s "$work/err" || { cat "$work/err"; fail "$what: heap leaks complains"; }
}

# no_suspect WHAT
no_suspect ()
{
  recorded "$1"
  test "$status" = 0 || { cat "$work/printed"; fail "$what: a suspect"; }
  grep -q 'No suspect' "$work/printed" || { cat "$work/printed"; fail "$what: no verdict"; }
  checks=$((checks + 1))
}

# one_suspect WHAT: the list, with 100 more objects a round, and from the first round on.
one_suspect ()
{
  recorded "$1"
  test "$status" = 1 || { cat "$work/printed"; fail "$what: no suspect"; }
  grep -q "suspected leak: $((100 * rounds)) objects of Item accumulate below Leak\.items: " "$work/err.run" \
    || { cat "$work/err.run"; fail "$what: proflog run does not name the suspect"; }
  test "$(grep -c '^Suspect ' "$work/printed")" = 1 || { cat "$work/printed"; fail "$what: not one suspect"; }
  for words in "$((100 * rounds)) objects of .* accumulate below Leak\.[a-z]*: " \
    "^ *static Leak\.[a-z]* -> List<Item>\._items -> Item\[\] -> Item" \
    "Of these there were 100 in snapshot 1 .*, and there are $((100 * rounds)) in snapshot " \
    'allocated in .*Leak:Grow ()'; do
    grep -q "$words" "$work/printed" || { cat "$work/printed"; fail "$what: no '$words'"; }
    checks=$((checks + 1))
  done
}

compile growth
no_suspect lru
no_suspect queue
no_suspect startup
# The last four rounds have more and more, as the first ones had.
no_suspect pool
grep -q 'suspected leak' "$work/err.run" && fail "pool: proflog run names a suspect"
one_suspect leak
one_suspect mixed
one_suspect elsewhere
one_suspect stack

# Of two runs, what the longer one has more: by class, by what holds it, by where it was allocated.
wanted=$((100 * (rounds - 3)))
all_rounds=$rounds rounds=3
recorded leak
mv "$log" "$work/old.mlpd"
rounds=$all_rounds
recorded leak
"$proflog" heap diff "$work/old.mlpd" "$log" --filter '^Item$' --format json 2>"$work/err" | "$json_paths" >"$figures"
test ! -s "$work/err" || { cat "$work/err"; fail "heap diff of two logs complains"; }
expect 'classes[Item].objects_change' $wanted
expect 'classes[Item].objects' $((100 * rounds))
expect 'holders[Item].objects_change' $wanted
expect 'holders[Item].holder' 'Item[]'
expect 'sites[Item].objects_change' $wanted
expect 'sites[Item].site' 'Leak:Grow ()'
"$proflog" heap diff "$log" "$work/old.mlpd" --exit-code >"$work/printed" 2>&1 || fail "heap diff: a smaller heap counts as growth"
"$proflog" heap diff "$work/old.mlpd" "$log" --exit-code >"$work/printed" 2>&1
test $? = 1 || fail "heap diff: no growth"
grep -q '^ *[0-9.]* .*Item\[\] *$\|Item  *Item\[\]' "$work/printed" || { cat "$work/printed"; fail 'heap diff: no holder'; }

# Most objects of the class come and go elsewhere.
recorded elsewhere
! grep -q 'Elsewhere' "$work/printed" || { cat "$work/printed"; fail 'the place of other objects'; }

# The same of a log that cannot be read twice, but for the place of allocation.
"$proflog" heap leaks - --exit-code <"$log" >"$work/printed" 2>"$work/err"
test $? = 1 || { cat "$work/printed"; fail 'a pipe: no suspect'; }
grep -q 'Of these there were 100 in snapshot 1 ' "$work/printed" || { cat "$work/printed"; fail 'a pipe: other figures'; }
echo "$checks checks"
