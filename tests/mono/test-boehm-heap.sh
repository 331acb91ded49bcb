#!/bin/sh
# Heap snapshots with Boehm's collector: the objects are those that the program counts and that SGen has, and leaks that
# are planted are named alike.
. "${srcdir:-.}/tests/mono/lib.sh"

need mono-boehm
export PROFLOG_MODULE_DIR="$module_dir"
use_runtime_dir

# snapshot RUNTIME [ARGUMENT...]: the objects of each class, in RUNTIME.objects, of the snapshot that has a Marker.
snapshot ()
{
  runtime=$1
  shift
  rm -f "$log"
  "$proflog" run --heapshot=1gc -o "$log" "$runtime" "$exe" "$@" >"$truth" 2>"$work/err" \
    || { cat "$work/err"; fail "$runtime: proflog run"; }
  "$proflog" heap list "$log" --format json | "$json_paths" >"$figures"
  for index in $(sed -n 's/^shots\[[^]]*\]\.index	//p' "$figures"); do
    "$proflog" heap histogram "$log" "$index" --top 0 --format json | "$json_paths" >"$work/histogram"
    sed -n 's/^types\[\(.*\)\]\.objects	/\1 /p' "$work/histogram" | LC_ALL=C sort >"$work/$runtime.objects"
    ! grep -qx 'Two.Marker 1' "$work/$runtime.objects" || return 0
  done
  fail "$runtime: no snapshot has the Marker"
}

case="objects by class"
echo "case: $case"
compile two-heaps
for runtime in mono mono-boehm; do
  snapshot "$runtime"
  while read -r type count; do
    case $count in
      0) ! grep -F -e "$type " "$work/$runtime.objects" || fail "$runtime: dead objects of $type" ;;
      *) grep -qxF -e "$type $count" "$work/$runtime.objects" \
        || { grep -F -e "$type " "$work/$runtime.objects"; fail "$runtime: not $count objects of $type"; } ;;
    esac
    checks=$((checks + 1))
  done <"$truth"
  cp "$work/histogram" "$work/$runtime.histogram"
done
