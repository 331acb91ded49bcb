# sacred.sh -- a program is not changed by its profiler, whatever it does and however it ends.  Sourced by the tests, which
# set $ways: how the program is profiled.
#
# Two loops keep the processors busy meanwhile.  PROFLOG_SACRED is the number of runs of each mode of programs/sacred.cs
# in each way; PROFLOG_SACRED_MODES and PROFLOG_SACRED_WAYS select some.

need pkg-config cc
need_library monosgen-2

# The modes; how many plain runs show all that the runtime itself does there (2: some are inspected again when a run
# differs); whether lines of threads come in any order.  A mode that begins with a host runs in that: the interpreter, or
# a program that embeds the runtime, which runs it twice.
all_modes='abort-threads abort-waiting exit-busy failfast failfast-busy abort abort-busy segv segv-busy overflow:2
  unhandled unhandled-thread exit-in-finalizer c-exit _exit kill term int exit-300 exit-negative unload:2
  native-sleeps:1:any managed-sleeps:1:any socket child signals stop-continue fork:2 exec:2 short-threads finalizers timers
  tasks starvation interrupt mixed:1:any input output close-all rlimit faults collect recursion dynamic locks callbacks
  weak throws interpreter/mixed:1:any interpreter/abort-threads embedder/mixed:1:any embedder/collect'

number=${PROFLOG_SACRED:-1}
exe=$programs/sacred.exe
run_bounded=$top_builddir/tests/mono/run-bounded
embedder=$work/embedder
libraries=$work:$module_dir
seconds=60
export work proflog exe run_bounded embedder libraries seconds
export PROFLOG_MODULE_DIR="$module_dir"
use_runtime_dir
ulimit -c 0

compile sacred
cc -shared -fPIC -o "$work/libsacred-native.so" "$sources/sacred-native.c" || fail "sacred-native.c does not compile"
cc -o "$embedder" "$sources/embedder.c" $(pkg-config --cflags --libs monosgen-2) || fail "the embedder does not compile"
seq 1000 >"$work/input"
mkdir "$work/options"
run_options >"$work/options/run" || exit 1
for way in ${PROFLOG_SACRED_WAYS:-$ways}; do
  case $way in run-*) run_options "--${way#run-}" >"$work/options/$way" || exit 1 ;; esac
done

# Loops that end with this test.
busy ()
{
  while kill -0 $$ 2>/dev/null; do
    i=0
    while test "$i" -lt 20000; do i=$((i + 1)); done
  done
}
busy &
loops=$!
busy &
loops="$loops $!"
trap 'kill $loops 2>/dev/null; rm -rf "$work"' EXIT

# jobs WAY NUMBER: the arguments of sacred-job.sh for each mode.
jobs ()
{
  for entry in ${PROFLOG_SACRED_MODES:-$all_modes}; do
    mode=${entry%%:*} runs=1 order=same host=mono
    case $entry in *:*) runs=${entry#*:} ;; esac
    case $runs in *:*) order=${runs#*:} runs=${runs%:*} ;; esac
    case $mode in */*) host=${mode%/*} mode=${mode#*/} ;; esac
    # There the runtime itself ends in another way (docs/module.md).
    case $mode:$1 in overflow:run-calls) continue ;; esac
    echo "$mode $host $runs $1 $2 $order"
  done
}

run_jobs ()
{
  xargs -P 6 -L 1 sh "$sources/sacred-job.sh" >>"$work/results" || fail 'a job did not run'
}

mkdir "$work/runs" "$work/allowed"
{ jobs plain 1; jobs plain 2; } | run_jobs
grep ' plain ' "$work/results" | grep -v ' ok$' && fail 'the program does not run'
for i in $(seq "$number"); do
  for way in ${PROFLOG_SACRED_WAYS:-$ways}; do
    jobs "$way" "$i"
  done
done | run_jobs

# A line for each mode and way that failed; then the runs, the first of each with its output.
awk '$5 != "ok" { failed[$1 " " $2]++ } { runs[$1 " " $2]++ }
  END { for (which in failed) print which ": " failed[which] " of " runs[which] " runs failed" }' "$work/results" \
  | sort >"$work/failed"
while read -r mode way rest; do
  way=${way%:}
  echo "=== $mode, $way: $rest"
  awk -v mode="$mode" -v way="$way" '$1 == mode && $2 == way && $5 != "ok"' "$work/results"
  first=$(awk -v mode="$mode" -v way="$way" '$1 == mode && $2 == way && $5 != "ok" { print $3; exit }' "$work/results")
  run=$work/runs/$mode.$way.$first
  diff "$work/allowed/$mode/1" "$run/outcome"
  for file in attach out err; do
    test ! -s "$run/$file" || { echo "--- $file"; head -c 3000 "$run/$file"; }
  done
done <"$work/failed"
cat "$work/failed"
count=$(wc -l <"$work/results")
sort -k 4,4nr "$work/results" | head -n 5
test ! -s "$work/failed" || fail "the program was changed; $count runs"
echo "$count runs"
