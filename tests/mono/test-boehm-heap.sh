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
  "$proflog" run --heapshot=1gc -o "$log" "$runtime" "$exe" "$@" >"$work/out" 2>"$work/err" \
    || { cat "$work/err"; fail "$runtime: proflog run"; }
  grep '^Two\.\|^System\.' "$work/out" >"$truth" # mono-boehm prints that it waits for threads
  "$proflog" heap list "$log" --format json | "$json_paths" >"$figures"
  # shellcheck disable=SC2013 # numbers
  for index in $(sed -n 's/^shots\[[^]]*\]\.index	//p' "$figures"); do
    "$proflog" heap histogram "$log" "$index" --limit 0 --format json | "$json_paths" >"$work/histogram"
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
# The rest is the runtime's own.  Sizes are not compared: SGen's are those of places.
figure_of () { awk -v type="$2" '$1 == type { print $2 }' "$work/$1.objects"; }
for type in System.Byte[] System.Char[] System.AppDomain System.EventHandler System.Collections.Generic.List\<System.Object\>; do
  test "$(figure_of mono "$type")" = "$(figure_of mono-boehm "$type")" || fail "$type: SGen has another number"
  checks=$((checks + 1))
done

# Paths: a static field, a handle, a field of a value in an array.
"$proflog" heap paths "$log" Two.Node "$index" >"$work/paths" || fail "heap paths"
says "$work/paths" 'static Two.Program.list'
"$proflog" heap paths "$log" Two.ByHandle "$index" >"$work/paths" || fail "heap paths"
says "$work/paths" 'gc-handle'

case="many threads"
echo "case: $case"
snapshot mono-boehm 5000 300
grep -qx 'Two.PerThread 300' "$work/mono-boehm.objects" || fail "objects of threads are missing"
"$proflog" heap paths "$log" Two.Marker "$index" >"$work/paths" || fail "heap paths"
cp "$log" "$work/old.mlpd"
checks=$((checks + 1))

case="heap diff"
echo "case: $case"
snapshot mono-boehm 7000 300
"$proflog" heap diff "$work/old.mlpd" "$log" --format json 2>"$work/err" | "$json_paths" >"$figures" || fail "heap diff"
expect 'classes[Two.Node].objects_change' 2000
expect 'classes[Two.Leaf].objects_change' 0
# Words on stacks and in registers may hold some that nothing else does.
awk -F '\t' '$1 == "shots.objects_change" { found = 1; bad = $2 < 1990 || $2 > 2010 } END { exit bad || !found }' "$figures" \
  || fail "$(grep '^shots.objects_change' "$figures")"
checks=$((checks + 1))

case="leaks"
echo "case: $case"
sed "s/@HOLDER@/Keeper/g; s/@LEAKED@/Leaky/g" "$sources/programs/leaks.txt" >"$work/leaks.cs"
mcs -nologo -out:"$work/leaks.exe" "$work/leaks.cs" >"$work/out" 2>&1 || { cat "$work/out"; fail mcs; }
for what in event cache timer none; do
  # A static field of the runtime's own library has no name if it was not set yet at the first snapshot.
  for runtime in mono mono-boehm; do
    "$proflog" run --force --heapshot=1gc -o "$log" "$runtime" "$work/leaks.exe" "$what" >"$work/out" 2>"$work/err" \
      || { cat "$work/err"; fail "$what: proflog run"; }
    "$proflog" heap leaks "$log" --exit-code >"$work/leaks" 2>"$work/err"
    echo "status $?" >"$work/$runtime.leaks"
    # The holder, the number that accumulate, the path; the number in the last snapshot.
    sed -n 's/^\( *[0-9]* objects of [^:]*\):.*/\1/p; s/.*\(there are [0-9]* in snapshot\).*\(, growing since\).*/\1\2/p; / -> /p' \
      "$work/leaks" | sed 's/static: Static Fields of [^ ]*Scheduler/static Scheduler.instance/
      s/Static Fields of \([^ ]*Scheduler\)/\1.instance/' >>"$work/$runtime.leaks"
  done
  diff "$work/mono.leaks" "$work/mono-boehm.leaks" || fail "$what: the leak is another one"
  checks=$((checks + 1))
done
says "$work/mono-boehm.leaks" 'status 0'

case="refused where the collector marks in increments"
echo "case: $case"
GC_ENABLE_INCREMENTAL=1 "$proflog" run --force --heapshot -o "$log" mono-boehm "$work/leaks.exe" none >"$work/out" 2>"$work/err" \
  || { cat "$work/err"; fail "proflog run"; }
says "$work/err" "proflog: no heap snapshots are taken: Boehm's collector marks in increments here"
"$proflog" heap leaks --exit-code "$log" >"$work/out" 2>&1 && fail "a conclusion without heap snapshots"

# Types of another domain than the first are known by their events only.
case="objects of another domain, from before the attach"
test "$(uname -m)" = x86_64 || { echo "$checks figures agree"; exit; }
echo "case: $case"
mkdir "$work/bin"
ln -s "$(command -v mono-boehm)" "$work/bin/mono"
PATH=$work/bin:$PATH
. "$tests/mono/service.sh"
begins elsewhere throw
"$proflog" attach "$pid" --heapshot=1gc -o "$log" --force >"$work/attached" 2>&1 || fail "attach: $(cat "$work/attached")"
for shot in 1 2 3; do
  "$proflog" ctl "$pid" heapshot >"$work/ctl" 2>&1 || fail "ctl heapshot: $(cat "$work/ctl")"
  sleep 0.5
done
"$proflog" detach "$pid" 2>"$work/err" || fail "detach: $(cat "$work/err")"
"$proflog" report --format json "$log" 2>"$work/err" | "$json_paths" >"$figures" || fail "report"
# 1000 objects, each with an array, in each of three snapshots.
test "$(figure damage.lost_events)" -ge 6000 || fail "$(figure damage.lost_events) objects are counted as left out"
"$proflog" heap leaks --exit-code "$log" >"$work/out" 2>&1 && fail "a conclusion from snapshots that lack objects"
"$proflog" heap list "$log" --format json 2>"$work/err" | "$json_paths" >"$work/list" || fail "heap list"
test "$(cut -f 2 "$work/list" | grep -cx cut)" -ge 3 || fail "snapshots that lack objects are called complete"
! cut -f 2 "$work/list" | grep -qx complete || fail "a snapshot that lacks objects is called complete"
exec 7>&-
wait "$shell_pid"
quiet "$work/program-err"
watched=
recorded_with="heapshot=1gc,output=$log" begins elsewhere throw
exec 7>&-
wait "$shell_pid"
watched=
read_figures
"$proflog" heap histogram "$log" --limit 0 --format json | "$json_paths" >"$work/histogram" || fail "heap histogram"
grep -qx 'types\[Kept\].objects	1000' "$work/histogram" || fail "recorded from the start, the other domain's objects are missing"
checks=$((checks + 5))
echo "$checks figures agree"
