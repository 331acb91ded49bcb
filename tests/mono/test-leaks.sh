#!/bin/sh
# Leaks that are planted are reported in a sentence that names the holder and the growing class, whatever
# these are called; a program without a leak gives no suspect.
. "${srcdir:-.}/tests/mono/lib.sh"

# A name of letters that was never there before.
draw ()
{
  printf '%s' "$1"
  od -An -N6 -tu1 /dev/urandom | tr -s ' ' '\n' | sed '/^$/d' \
    | awk '{ printf "%c", 97 + $1 % 26 }'
}

# leaks WHAT [OPTION...]: what `heap leaks` says of it, recorded with these options, in `printed`.
leaks ()
{
  planted=$1
  shift
  rm -f "$log"
  PROFLOG_MODULE_DIR=$module_dir "$proflog" run --heapshot=1gc "$@" -o "$log" \
    mono "$work/leaks.exe" "$planted" >"$work/out" 2>"$work/err" \
    || { cat "$work/err"; fail "$planted: proflog run"; }
  "$proflog" heap leaks "$log" --exit-code >"$work/printed" 2>"$work/err"
  status=$?
  test ! -s "$work/err" || { cat "$work/err"; fail "$planted: heap leaks complains"; }
}

# diagnosed HOLDER: a sentence names it and the class that grows.
diagnosed ()
{
  grep -F -e "objects of $leaked accumulate below " "$work/printed" | grep -q -F -e "$1" \
    || { cat "$work/printed"; fail "$what: no sentence names $1 and $leaked"; }
  checks=$((checks + 1))
}

# on_page: the page of the report draws the growing class with the path of `heap leaks`.
on_page ()
{
  "$proflog" report -q --force -o "$work/page.html" "$log" || fail "$what: no page"
  grep -o '"way":"[^"]*"' "$work/page.html" | sed 's/"way":"//; s/"$//; s/\\u003c/</g' >"$work/ways"
  "$proflog" heap leaks "$log" --format json | "$json_paths" | sed -n 's/^suspects.*sentences[^\t]*\t//p' >"$work/sentences"
  grep -F -e "-> $leaked x" "$work/ways" >"$work/way" || { cat "$work/ways"; fail "$what: the page has no path to $leaked"; }
  grep -qxF -f "$work/way" "$work/sentences" || { cat "$work/ways" "$work/sentences"; fail "$what: the page has another path"; }
  checks=$((checks + 1))
}

# names WORD...: the sentences have them.
names ()
{
  for word; do
    grep -q -F -e "$word" "$work/printed" || { cat "$work/printed"; fail "$what: '$word' is not named"; }
    checks=$((checks + 1))
  done
}

# drawn: the flame graph of the suspects has their bytes, and the class that grows.
drawn ()
{
  "$proflog" heap leaks -q --format json "$log" | "$json_paths" >"$work/suspects"
  "$proflog" flame -q --cost leak -f folded "$log" >"$work/folded" || fail "$what: no flame graph"
  suspected=$(awk -F '\t' '$1 ~ /^suspects\[[0-9]*\]\.retained_bytes$/ { sum += $2 } END { print sum }' "$work/suspects")
  test "$(awk '{ sum += $NF } END { print sum }' "$work/folded")" = "$suspected" \
    || { cat "$work/folded"; fail "$what: the graph has not $suspected bytes"; }
  grep -q "^\[.*\];.*[.; ]${leaked}[; ]" "$work/folded" || { cat "$work/folded"; fail "$what: $leaked is not in the graph"; }
  checks=$((checks + 2))
}

holder=$(draw Holder) leaked=$(draw Leaked)
test "${#holder}" = 12 || fail "no name: $holder"
sed "s/@HOLDER@/$holder/g; s/@LEAKED@/$leaked/g" "$sources/programs/leaks.txt" >"$work/leaks.cs"
mcs -nologo -out:"$work/leaks.exe" "$work/leaks.cs" >"$work/out" 2>&1 || { cat "$work/out"; fail mcs; }

for what in event cache timer; do
  leaks $what
  test "$status" = 1 || { cat "$work/printed"; fail "$what: no suspect"; }
  # A timer's holder is the scheduler of all timers.
  case $what in
    timer) diagnosed System.Threading.Timer ;;
    *) diagnosed "$holder" ;;
  esac
  drawn
  on_page
done

# Four publishers hold the same kind of subscribers: one suspect, whose first line has their class.
what=alike
leaks $what
test "$status" = 1 || { cat "$work/printed"; fail "$what: no suspect"; }
test "$(grep -c '^Suspect ' "$work/printed")" = 1 || { cat "$work/printed"; fail "$what: not one suspect"; }
sed -n 2p "$work/printed" >"$work/first"
grep -q " objects of $leaked accumulate below .*: 4 .* alike, together " "$work/first" \
  || { cat "$work/printed"; fail "$what: the first line"; }
names "-> Publisher.Changed -> " "-> $leaked x"

# What Main holds is gone at its end, and so in the last snapshot; a requested snapshot is used.
what=local
leaks $what
test "$status" = 1 || { cat "$work/printed"; fail "$what: no suspect"; }
diagnosed 'Thread Stack'
names "${leaked}[]" ': the suspects are those of snapshot '
"$proflog" heap list "$log" --format json | "$json_paths" >"$figures"
last=$(sed -n 's/^shots\[[^]]*\]\.index	//p' "$figures" | tail -n 1)
"$proflog" heap leaks "$log" "$last" --exit-code >"$work/printed" 2>"$work/err"
test $? = 0 || { cat "$work/printed"; fail "$what: a suspect in the last shot"; }
! grep "the suspects are those" "$work/printed" || fail "$what: another snapshot than the requested one"

leaks none
test "$status" = 0 || { cat "$work/printed"; fail 'a suspect without a leak'; }
names 'No suspect'

# Where they were allocated, if the log states.
what='cache with allocations'
leaks cache --allocs
test "$status" = 1 || { cat "$work/printed"; fail "$what: no suspect"; }
diagnosed "$holder"
names "of the objects of $leaked in the log were allocated in $holder:Remember"

# The same in numbers.
"$proflog" heap growth "$log" --format json --filter "^$leaked\$" | "$json_paths" >"$figures"
test "$(sed -n 's/^types\[[^]]*\]\.growth_objects	//p' "$figures")" -ge 2000 || fail 'growth'
test "$(sed -n 's/^types\[[^]]*\]\.growing_since	//p' "$figures")" = 1 || fail 'growing since'
"$proflog" heap diff "$log" 1 5 --filter "^$leaked\$" --format json >"$work/diff"
"$json_paths" <"$work/diff" >"$figures"
test "$(sed -n 's/^types\[[^]]*\]\.new_objects	//p' "$figures")" = 2000 || fail 'new objects'
test "$(sed -n 's/^types\[[^]]*\]\.gone_objects	//p' "$figures")" = 0 || fail 'gone objects'
"$proflog" heap diff "$log" 1 5 --fail-above 5% >"$work/out"
test $? = 1 || fail '--fail-above 5%'
"$proflog" heap diff "$log" 1 5 --fail-above 100M >"$work/out"
test $? = 0 || fail '--fail-above 100M'

# The example, recorded as README does; it counts its sessions itself.  The last snapshot may be before its end.
what=examples/leak.cs
mcs -nologo -out:"$work/leak.exe" "$tests/../$what" || fail "$what does not compile"
PROFLOG_MODULE_DIR=$module_dir "$proflog" run --force --allocs --heapshot -o "$log" mono "$work/leak.exe" \
  >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "$what: proflog run"; }
"$proflog" heap leaks "$log" >"$work/printed" || fail "$what: heap leaks"
sessions=$(sed -n 's/.*; \([0-9]*\) sessions still there.*/\1/p' "$work/out")
names 'objects of Session accumulate below Registry.ShuttingDown' \
  'static Registry.ShuttingDown -> EventHandler.delegates -> Delegate[] -> EventHandler.m_target -> Session x' \
  'were allocated in Server:Serve (int), called by Server:Main ()'
seen=$(sed -n 's/^ *\([0-9]*\) objects of Session accumulate.*/\1/p' "$work/printed")
test "$seen" -gt 500 && test "$seen" -le "$sessions" || fail "$what: $seen of $sessions sessions"
echo "$checks names, and numbers"
