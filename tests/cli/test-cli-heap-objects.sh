#!/bin/sh
# proflog heap object, refs and paths, of each object of a random graph (tests/logs/make-heap.c) that no root leads
# to, and of some that roots refer to: against what `dump` and `heap unreachable` state.
. "${srcdir:-.}/tests/cli/lib.sh"

make_heap=$top_builddir/tests/logs/make-heap
test -x "$make_heap" || fail "$make_heap is not built"
"$make_heap" random 500 17 7 >random.mlpd

# ---- objects that nothing leads to ----

# Those of the log that the dominator tree does not have.
"$proflog" dump random.mlpd | sed -n 's/.* heap-object object=\(0x[0-9a-f]*\) .*/\1/p' | sort -u >all
run 0 heap dominators random.mlpd --format csv --limit 0
tail -n +2 out | cut -d , -f 1 | sort >reached
comm -23 all reached >unreached
run 0 heap histogram random.mlpd --format json
says out "\"unreachable_objects\": $(wc -l <unreached),"
head -n 3 unreached >some
test "$(wc -l <some)" = 3 || fail "all objects are reached"
while read -r object; do
  run 0 heap object random.mlpd "$object"
  says out 'No root leads to this object.'
  run 0 heap object random.mlpd "$object" --format json
  says out '"reachable": false'
  says out '"dominator": null'
  run 0 heap paths random.mlpd "$object"
  says out 'No root leads to this object.'
  run 0 heap paths random.mlpd "$object" --format json
  says out '"length": 0'
done <some
# Of a class, how many of its objects no root leads to.
class=$("$proflog" heap object random.mlpd "$(head -n 1 some)" --format json | sed -n 's/^ *"type": "\(.*\)",$/\1/p' | head -n 1)
lost=$("$proflog" heap unreachable random.mlpd --format csv --limit 0 --fields objects,name | sed -n "s/^\([0-9]*\),$class\$/\1/p")
test "${lost:-0}" -ge 1 || fail "no object of $class is unreachable"
run 0 heap paths random.mlpd "$class" --format json
says out "\"unreachable_objects\": $lost,"
run 0 heap paths random.mlpd "$class"
grep -q "^ *Of these no root leads to  *$lost\$" out || fail "not $lost objects without a root"

# ---- roots ----

# Of the last snapshot: each place that refers to an object is there once, whatever their number.
gunzip -c "$logs/stock-heapshot.mlpd.gz" >shots.mlpd || fail "there is no log"
"$proflog" dump shots.mlpd | awk '/ heap-start/ { n = 0 } / heap-root / { all[++n] = $0 } END { for (i = 1; i <= n; i++) print all[i] }' |
  grep -o 'address=0x[0-9a-f]* object=0x[0-9a-f]*' | sort -u | sed 's/address=\(.*\) object=\(.*\)/\2 \1/' | sort >roots
cut -d ' ' -f 1 roots | uniq -c | sort -rn | awk '{ print $2 }' | head -n 5 >held
test "$(wc -l <held)" = 5 || fail "few objects have roots"
while read -r object; do
  run 0 heap refs shots.mlpd "$object" --format json
  sed -n '/"roots": \[/,/\]/s/.*"address": "\(0x[0-9a-f]*\)".*/\1/p' out | sort >shown
  sed -n "s/^$object //p" roots | sort >expected
  same shown expected
done <held
# A type with the bit of roots that pin their objects.
run 0 heap refs "$logs/all-v03.mlpd" 0x7f0010000000 --format csv
says out '0x0,other,pinning,'
done_checks
