#!/bin/sh
# perf names compiled methods by the export perf-map as it does by the map that the runtime itself writes (--jitmap):
# each method has the same place, and each sample the same name.
. "${srcdir:-.}/tests/peers/peers.sh"
need perf
perf record -q -o "$work/perf.data" true >"$work/out" 2>&1 \
  || { leave_out perf "may not record here: $(head -n 1 "$work/out")"; exit 77; }

# names FILE MAP: a line for each sample in compiled code, as perf names it by the map; addresses that have no name count.
names ()
{
  cp "$2" "/tmp/perf-$pid.map"
  perf script -i "$work/perf.data" -F ip,sym,dso 2>"$work/err" | awk -v map="/tmp/perf-$pid.map" '
    index ($0, "(" map ")") { sub (/^[ \t]*[0-9a-f]+ /, ""); sub (/ \([^()]*\)$/, ""); print }' >"$1"
  rm -f "/tmp/perf-$pid.map"
  test -s "$1" || fail "perf finds no sample in compiled code"
}

compile burn
# shellcheck disable=SC2016
LD_LIBRARY_PATH=$module_dir perf record -q -e cpu-clock -F 999 -o "$work/perf.data" \
  sh -c 'echo $$ >"$0"; exec mono "$@"' "$work/pid" -O=-aot --jitmap \
  "--profile=proflog:nosample,output=$log" "$programs/burn.exe" 11 >"$truth" 2>"$work/stderr" \
  || fail "the program failed"
pid=$(cat "$work/pid")
mv "/tmp/perf-$pid.map" "$work/runtime.map"
"$proflog" export -q --format perf-map "$log" -o "$work/ours.map" || fail 'export perf-map'

# The runtime's map has its own trampolines, too, and methods of before the module was loaded.
sort "$work/ours.map" >"$work/ours"
sort "$work/runtime.map" >"$work/runtime"
awk 'NR == FNR { runtime[$1] = $2; next }
  $1 in runtime { found++; if (runtime[$1] != $2) { print "another size: " $0; wrong++ } }
  END { printf "%d methods, %d in the map of the runtime\n", FNR, found; exit wrong > 0 || found < 0.99 * FNR || found < 100 }' \
  "$work/runtime" "$work/ours" || fail 'the maps differ'

names "$work/names" "$work/ours.map"
names "$work/expected" "$work/runtime.map"
paste "$work/names" "$work/expected" | awk -F '\t' '
  $1 == $2 { same++ }
  $1 != $2 && shown++ < 5 { print "perf has " $1 ", by the map of the runtime " $2 }
  END { printf "%d samples in compiled code, %d with the name of the runtime\n", NR, same; exit same < 0.98 * NR || NR < 100 }' \
  || fail 'perf has other names'
