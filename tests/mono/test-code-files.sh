#!/bin/sh
# The files for other profilers (perf-map, jitdump) have each method that the log has, those of before an attach, and
# in a child of a fork those of its parent.  What another user may have put under their names is left alone.
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
. "$tests/mono/service.sh"
trap 'sed "s,.*,/tmp/perf-&.map," "$work/pids" | xargs rm -f; rm -rf "$work"' EXIT
: >"$work/pids"

# map_of PID: its map; removed at the end.
map_of ()
{
  echo "$1" >>"$work/pids"
  echo "/tmp/perf-$1.map"
}

# has_all SHARE LIST MAP: the map has this share of the lines of the list, in per mille.
has_all ()
{
  awk -v share="$1" 'NR == FNR { map[$0]; next } { n++ } $0 in map { found++ } !($0 in map) && shown++ < 5 { print "missing: " $0 }
    END { printf "%d of %d\n", found, n; exit n < 100 || found * 1000 < n * share }' "$3" "$2"
}

# ---- a program from its start ----

compile burn
"$proflog" run --with nosample,perf-map,jitdump -o "$log" mono -O=-aot "$programs/burn.exe" 3 >"$truth" 2>"$work/stderr" \
  || fail 'the program failed'
grep -q '^proflog:' "$work/stderr" && fail 'the module complains'
read_figures
pid=$(figure log.pid)
map=$(map_of "$pid")
"$proflog" export -q --format perf-map "$log" -o "$work/export" || fail 'export perf-map'
has_all 1000 "$work/export" "$map" || fail 'methods of the log are missing'
grep -q '\[[a-z-]*\]$' "$map" || fail 'no trampoline has a name'
test "$(stat -c %a "$map" "$work/jit-$pid.dump" | sort -u)" = 600 || fail 'others can read the files'
test "$(od -An -N8 -tx4 "$work/jit-$pid.dump")" = ' 4a695444 00000001' || fail 'no jitdump'

# Each line has a record with its code, and nothing else is between them.
sizes=$(awk '{ print $2 }' "$map" | sed 's/^/0x/' | { sum=0; while read -r size; do sum=$((sum + size)); done; echo "$sum"; })
names=$(cut -d ' ' -f 3- "$map" | wc -c)
count=$(wc -l <"$map")
test "$(wc -c <"$work/jit-$pid.dump")" = $((40 + count * 56 + names + sizes)) || fail 'the jitdump has another size'

# ---- what is there under the name ----

echo precious >"$work/victim"
# shellcheck disable=SC2016
LD_LIBRARY_PATH=$module_dir sh -c 'echo $$ >"$0"; ln -s "$1" "/tmp/perf-$$.map"; shift; exec mono "$@"' "$work/pid" "$work/victim" \
  "--profile=proflog:perf-map,output=$log" "$programs/burn.exe" 1 >"$truth" 2>"$work/stderr" || fail 'the program failed'
map=$(map_of "$(cat "$work/pid")")
grep -qx "proflog: perf-map: $map: is there and is no regular file; it is not followed; the program is recorded without it" \
  "$work/stderr" || fail 'the link is not reported'
test "$(cat "$work/victim")" = precious || fail 'the link was followed'
read_figures

# ---- an attached program: the runtime's own map is the judge of what was compiled before ----

compile attached
MONO_ENV_OPTIONS='-O=-aot --jitmap' begins spin hash
map=$(map_of "$pid")
sleep 1
cp "$map" "$work/runtime.map"
"$proflog" attach "$pid" -o "$log" --force --with perf-map,jitdump 2>"$work/err" || fail 'attach'
wait_for grep -q 'Spin' "$map"
sleep 1
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach'
grep ':.*(' "$work/runtime.map" | sed '$d' >"$work/methods"
has_all 990 "$work/methods" "$map" || fail 'methods of before the attach are missing'
test "$(wc -l <"$map")" = "$(cut -d ' ' -f 1 "$map" | sort -u | wc -l)" || fail 'a method has two lines'
test -s "$work/jit-$pid.dump" || fail 'there is no jitdump'
ends

# ---- children of a fork ----

compile children
cd "$work" || exit 1
profiled "alloc,follow-fork,perf-map,jitdump,output=$work/log.%p.mlpd" children fork >"$truth" 2>"$work/stderr" || fail 'the program failed'
parent=$(awk 'NR == 1 { print $1 }' "$truth")
for pid in $(awk '{ print $1 }' "$truth" | sort -u); do
  map_of "$pid" >/dev/null
  test -f "$work/jit-$pid.dump" || fail "process $pid has no jitdump"
  head -n 500 "/tmp/perf-$pid.map" >"$work/of-child"
  head -n 500 "/tmp/perf-$parent.map" | cmp - "$work/of-child" || fail "the map of $pid does not begin as that of its parent"
done
test "$(sort -u "$work/pids" | wc -l)" -ge 5 || fail 'there were not two children'
quiet "$work/stderr"
