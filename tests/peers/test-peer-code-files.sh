#!/bin/sh
# perf names the compiled methods of a program that runs with perf-map, and by perf inject with jitdump, also those of
# images that were compiled ahead of time; where methods keep frame pointers its stacks reach Main.
. "${srcdir:-.}/tests/peers/peers.sh"
need perf
perf record -q -o "$work/perf.data" true >"$work/out" 2>&1 \
  || { leave_out perf "may not record here: $(head -n 1 "$work/out")"; exit 77; }
trap 'rm -rf "$work"; rm -f "/tmp/perf-${pid:-none}.map"' EXIT

# What the compiler compiles: it runs for a second or two.
awk 'BEGIN { print "using System.Linq; using System.Collections.Generic;"
  for (i = 0; i < 2000; i++)
    print "class C" i " { public int M (int x) { var l = new List<int> (); for (int k = 0; k < x; k++) l.Add (k * " i \
          "); return l.Where (q => q % 2 == 0).Select (q => q + x).Sum (); } }"
  print "class P { static void Main () {} }" }' >"$work/big.cs"
compiler=$(dirname "$(readlink -f "$(command -v mcs)")")/../lib/mono/4.5/mcs.exe
test -f "$compiler" || fail "the compiler is not at $compiler"

# recorded OPTION...: the compiler runs under perf with these options of Mono; $pid, $map.
recorded ()
{
  # shellcheck disable=SC2016
  LD_LIBRARY_PATH=$module_dir perf record -q -k mono -g -e cpu-clock -F 499 -o "$work/perf.data" \
    sh -c 'echo $$ >"$0"; exec mono "$@"' "$work/pid" "$@" "$compiler" -warn:0 "-out:$work/big.exe" "$work/big.cs" \
    >"$work/out" 2>"$work/stderr" || fail "the compiler failed"
  quiet "$work/stderr"
  pid=$(cat "$work/pid")
  map=/tmp/perf-$pid.map
}

# judge FILE PATTERN: at least 99 % of the samples whose place is in such a file have names, there are
# 100, and $reach per cent of their stacks have Driver:Main.
judge ()
{
  perf script -i "$1" -F ip,sym,dso 2>/dev/null | pattern=$2 awk -v reach="$reach" '
    BEGIN { RS = ""; FS = "\n" }
    $1 !~ ENVIRON["pattern"] { next }
    { n++ }
    $1 ~ /\[unknown\]/ { unknown++; print $1 }
    /CSharp.Driver:Main/ { main++ }
    END { printf "%d samples, %d without a name, %d with Main\n", n, unknown, main
          exit n < 100 || unknown * 100 > n || main * 100 < n * reach }' || fail "perf: $1"
}

reach=90
export MONO_DEBUG=disable_omit_fp
recorded -O=-aot "--profile=proflog:nosample,perf-map,output=$log"
unset MONO_DEBUG
judge "$work/perf.data" "[(]${map}[)]"
rm -f "$map"

reach=0
recorded "--profile=proflog:nosample,jitdump,output=$log"
test ! -e "$map" || fail "nobody requested $map"
perf inject --jit -i "$work/perf.data" -o "$work/jit.data" >"$work/out" 2>&1 || fail 'perf inject'
# The places where calls leave an image are no methods.
judge "$work/jit.data" '[(].*/jitted-'
perf script -i "$work/jit.data" -F ip,sym,dso 2>/dev/null | awk 'BEGIN { RS = ""; FS = "\n" }
  $1 ~ /jitted-/ { named++ } $1 ~ /[.](dll|exe)[.]so[)]/ && $1 !~ / plt_/ { other++; print $1 }
  END { exit other * 20 > named }' || fail 'code of images has no names'

# Lines: perf annotate reads them in the file that inject made of a method.
need readelf
recorded_lines=$work/lines
mkdir "$recorded_lines"
mcs -nologo -debug -out:"$recorded_lines/burn.exe" "$sources/programs/burn.cs" >"$work/out" || fail 'burn.cs does not compile'
LD_LIBRARY_PATH=$module_dir perf record -q -k mono -e cpu-clock -F 499 -o "$work/perf.data" \
  mono --debug -O=-aot "--profile=proflog:jitdump,output=$recorded_lines/log.mlpd" "$recorded_lines/burn.exe" 3 >"$work/out" 2>&1 \
  || fail 'the program failed'
perf inject --jit -i "$work/perf.data" -o "$work/jit.data" >"$work/out" 2>&1 || fail 'perf inject'
for file in "$recorded_lines"/jitted-*.so; do
  readelf --debug-dump=decodedline "$file" 2>/dev/null | grep -q 'burn[.]cs .*0x' && found=$file
done
test -n "${found:-}" || fail 'no method of the program has lines'
