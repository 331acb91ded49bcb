#!/bin/sh
# A heap snapshot holds every live object, with its references, and no dead one.
. "${srcdir:-.}/tests/mono/lib.sh"

# The place of the first snapshot in the report's list.
first_shot ()
{
  sed -n 's/^heapshots\[\([0-9]*\)\]\.index	.*/\1/p' "$figures" | head -n 1
}

count_shots ()
{
  grep -c '^heapshots\[[0-9]*\]\.index	' "$figures"
}

expect_shots ()
{
  first=$(first_shot)
  while read -r line; do
    key=${line% *} value=${line##* }
    case $key in
      shot:*)
        shot=${key#shot:} type=${key#shot:*:}
        expect "heapshots[$((first + ${shot%%:*} - 1))].types[$type].objects" "$value"
        ;;
    esac
  done <"$truth"
}

# One at each major collection: those of the program, and that of Mono at the end.
record 0 heapshot heapshot
test "$(count_shots)" = $(($(printed shots) + 1)) || fail "$(count_shots) shots"
expect_shots
expect_names
expect "heapshots[$first].types[Probe.Tree].bytes" $(($(printed shot:1:Probe.Tree) * 40))
expect "heapshots[$((first + 1))].types[Probe.Leaf].objects_delta" 300
# The collector gives the size of an object's place, which is that of the object for these.
expect "heapshots[$((first + 2))].types[Probe.Leaf].bytes" $(($(printed shot:3:Probe.Leaf) * 24))

# The references of each class in the third snapshot, event by event.
"$proflog" dump "$log" >"$work/dump" || fail "proflog dump ended with $?"
for type in Probe.Tree 'Probe.Leaf[]' Probe.Hub; do
  references=$(type=$type awk '
    $4 == "heap-start" { shot++ }
    shot == 3 && $4 == "heap-object" && index ($0, " \"" ENVIRON["type"] "\" ") {
      list = $0
      sub (/.* references=\[/, "", list)
      sub (/\].*/, "", list)
      sum += split (list, each, ",")
    }
    END { print sum + 0 }' "$work/dump")
  test "$references" = "$(printed "references:$type")" || fail "$references references of $type"
  checks=$((checks + 1))
done

# Together with everything else.
record 0 alloc,heapshot=1gc heapshot
test "$(count_shots)" = $(($(printed shots) + 1)) || fail "$(count_shots) shots"
expect_shots
# At every second major collection: its first one, then its third.
record 0 heapshot=2gc heapshot
test "$(count_shots)" = 2 || fail "$(count_shots) shots of 4 collections, at every second one"
# The first collection shoots, and no other before an hour has passed.
record 0 heapshot=3600000ms heapshot
test "$(count_shots)" = 1 || fail "$(count_shots) shots in an hour"
# One at the end and no other.
record 0 heapshot-on-shutdown heapshot
test "$(count_shots)" = 1 || fail "$(count_shots) shots at the end"
expect "heapshots[$(first_shot)].types[Probe.Tree].objects" "$(printed shot:3:Probe.Tree)"
record 0 gc heapshot
test "$(count_shots)" = 0 || fail "a snapshot that no one requested"
echo "$checks figures agree"
