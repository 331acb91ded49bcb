#!/bin/sh
# VisualVM finds in our .hprof what we find in the graph.
. "${srcdir:-.}/tests/peers/peers.sh"
need java
need_peer visualvm visualvm-heap.jar
format=hprof

visualvm ()
{
  java -Xmx6g -cp "$PROFLOG_PEERS/visualvm-heap.jar" "$peers/PeerHprof.java" "$@"
}

# The fields of a program whose references are known by construction; classes whose objects differ in size are arrays.
compile fields
profiled "output=$log,heapshot=1gc,format=17" fields >"$truth" || fail 'fields.exe'
"$proflog" export -q --format hprof -o "$work/fields.hprof" "$log" || fail 'export of fields'
visualvm --fields "$work/fields.hprof" >"$work/shown" 2>"$work/err" || { cat "$work/err"; fail 'VisualVM reads no fields'; }
grep -v -e '^static ' -e ' \[' "$truth" >"$work/wanted"
test "$(wc -l <"$work/wanted")" -ge 7 || fail 'the program has too few fields'
grep -vxFf "$work/shown" "$work/wanted" && { cat "$work/shown"; fail 'VisualVM shows other fields'; }
echo "fields: $(wc -l <"$work/wanted") as the program has them"
rm -f "$log"

judge_real visualvm
rm -rf "$work/real".*
judge_shape random random "$objects" visualvm
judge_shape shapes shapes "$objects" visualvm
