#!/bin/sh
# Shares of processor time are those that perf finds in the same run, wherever it has a name, and those of
# the program's own clocks: programs with random threads, one that allocates, one that calls qsort, and the
# C# compiler.  PROFLOG_POINTS: how far they may differ (default 10); PROFLOG_SEEDS programs (default 2).
. "${srcdir:-.}/tests/mono/lib.sh"
need perf
points=${PROFLOG_POINTS:-10}
perf record -q -o "$work/perf.data" true >"$work/out" 2>&1 \
  || { echo "left out: perf may not record here: $(head -n 1 "$work/out")"; exit 77; }

# Of each sample of perf the function whose code ran, or that had called the kernel; from the first sample
# in compiled code on: before, there is no profiler.
perf_leaves ()
{
  perf script -i "$work/perf.data" -F tid,ip,sym,dso 2>"$work/err" | awk '
    function take ()
    {
      if (leaf != "")
        print leaf
      leaf = ""
    }
    NF <= 1 { take(); waits = 1; next }
    waits && !/\(\[kernel/ {
      waits = 0
      is_compiled = /\/perf-[0-9]+\.map\)$/
      line = $0
      sub (/^[ \t]*[0-9a-f]+ /, "", line)
      sub (/ \([^()]*\)$/, "", line)
      if (is_compiled)
        began = 1
      if (began)
        leaf = line
    }
    END { take() }'
}

# perf_agrees COMMAND...: records it with both.
perf_agrees ()
{
  echo "$*:"
  rm -f "$log"
  # shellcheck disable=SC2016
  LD_LIBRARY_PATH=$module_dir perf record -q -g -e cpu-clock -F 1999 -o "$work/perf.data" \
    sh -c 'echo $$ >"$0"; exec mono "$@"' "$work/pid" -O=-aot --jitmap \
    "--profile=proflog:sample=1000,format=17,output=$log" "$@" >"$truth" 2>"$work/stderr" \
    || fail "the program failed"
  perf_leaves >"$work/leaves"
  rm -f "/tmp/perf-$(cat "$work/pid").map"
  read_figures
  awk -F '\t' -v most="$points" '
    FILENAME == ARGV[1] { perf[$0]++; of_perf++; next }
    match ($1, /^cpu\.methods\[.*\]\.hits$/) { leaves[substr ($1, 13, RLENGTH - 18)] += $2 }
    match ($1, /^cpu\.methods\[.*\]\.native_hits$/) { leaves[substr ($1, 13, RLENGTH - 25)] -= $2 }
    match ($1, /^cpu\.native\[.*\]\.hits$/) { leaves[substr ($1, 12, RLENGTH - 17)] += $2 }
    $1 == "cpu.hits" { all = $2 }
    END {
      for (name in perf) {
        share = 100 * perf[name] / of_perf
        if (share <= 5 || name == "[unknown]")
          continue
        off = 100 * leaves[name] / all - share
        printf "  %5.1f %% of perf, %+5.1f points: %s\n", share, off, name
        if (off > most || off < -most)
          bad++
      }
      printf "  %d samples of perf, %d of ours\n", of_perf, all
      exit bad != 0 || all < 300
    }' "$work/leaves" "$figures" || fail "perf has other shares"
}

# clocks_agree CLASS: shares of the methods whose times the program printed.
clocks_agree ()
{
  awk -F '\t' -v class="$1" -v most="$points" '
    FILENAME == ARGV[1] && $1 == "cpu" { used["cpu.methods[" class ":" $2 " (long)].total_ns"] = $3; sum += $3 }
    FILENAME == ARGV[1] { next }
    $1 in used { sampled[$1] = $2; all += $2 }
    END {
      for (name in used) {
        compared++
        off = all == 0 ? 100 : 100 * (sampled[name] / all - used[name] / sum)
        printf "  %5.1f %% of the clocks, %+5.1f points: %s\n", 100 * used[name] / sum, off, name
        if (off > most || off < -most)
          bad++
      }
      exit bad != 0 || compared < 2 || all < 0.9 * sum || all > 1.1 * sum
    }' "$truth" "$figures" || fail "the clocks have other shares"
}

compile burn
for seed in $(seq 11 $((10 + ${PROFLOG_SEEDS:-2}))); do
  perf_agrees "$programs/burn.exe" "$seed"
  clocks_agree Probe.Burn
done
compile phases
for phases in alloc qsort; do
  perf_agrees "$programs/phases.exe" $phases
  clocks_agree Probe.Phases
done
"${srcdir:-.}/bench/programs/make-source" 500 >"$work/large.cs"
perf_agrees "$(find /usr/lib/mono -name mcs.exe | head -n 1)" -nologo "-out:$work/large.exe" "$work/large.cs"
