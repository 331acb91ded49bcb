#!/bin/sh
# Samples are of processor time: of programs with random numbers of threads that work and threads that
# wait, each method's share is what the threads' own clocks say, within PROFLOG_POINTS points (default
# 10); threads that wait have none.  PROFLOG_SEEDS seeds (default 4).
. "${srcdir:-.}/tests/mono/lib.sh"

compile burn

# burn SEED: compares one run.  The report's total is the clocks' sum, too, but for what the start of the
# runtime takes, which no method of ours does.
burn ()
{
  # In turn by timers, and by events of perf where they are allowed.
  record 0 "sample=$(($1 % 2 == 0 ? 100 : 1000)),format=17" burn "$1"
  test "$(figure cpu.source "$figures")" = samples || fail "no samples"
  # The stacks of an export add up to the report's total.
  test "$("$proflog" export -q --format folded "$log" | awk '{ sum += $NF } END { printf "%.0f", sum }')" \
    = "$(figure cpu.total_ns "$figures")" || fail "another sum in the export"
  awk -F '\t' -v most="${PROFLOG_POINTS:-10}" '
    FILENAME == ARGV[1] && $1 == "cpu" { used[$2] = $3; sum += $3; next }
    FILENAME == ARGV[1] && $1 == "idle" { idle[$2]; next }
    match ($1, /^cpu\.methods\[Probe\.Burn:[A-Z][a-z]* \(long\)\]\.self_ns$/) {
      name = substr ($1, 24)
      sub (/ .*/, "", name)
      sampled[name] = $2
      all += $2
    }
    match ($1, /^cpu\.threads\[[0-9]*\]\.id$/) && ($2 in idle) {
      # Its start may have been sampled.
      place = $1; sub (/id$/, "hits", place); suspects[place] = $2
    }
    $1 ~ /^cpu\.threads\[[0-9]*\]\.hits$/ { hits[$1] = $2 }
    END {
      for (name in used) {
        compared++
        points = 100 * (sampled[name] / all - used[name] / sum)
        printf "%s: %.1f %% of the clocks, %+.1f points in the samples\n", name, 100 * used[name] / sum, points
        if (points > most || points < -most)
          bad++
      }
      printf "%.0f ms by the clocks, %.0f by samples\n", sum / 1e6, all / 1e6
      if (all < 0.9 * sum - 5e7 || all > 1.1 * sum + 5e7)
        bad++
      for (place in suspects) {
        printf "%s waits and has %d hits\n", suspects[place], hits[place]
        if (hits[place] > 1)
          bad++
      }
      exit bad != 0 || compared != 3
    }' "$truth" "$figures" || fail "the samples are not of processor time"
}

for seed in $(seq 1 "${PROFLOG_SEEDS:-4}"); do
  echo "seed $seed:"
  burn "$seed"
done

# Of threads that live for 4 ms, of which many end without a sample: all of what they used, with a wall clock to a
# few percent.
compile brief
for allowed in sample,format=17:25 sample-real=100,format=17:8; do
  record 0 "${allowed%:*}" brief 500 4000000
  awk -v used="$(printed used_ns)" -v all="$(figure cpu.total_ns)" -v percent="${allowed#*:}" '
    BEGIN { printf "%.0f ms by the clocks, %.0f in the report\n", used / 1e6, all / 1e6
      exit !(used > 0 && all > used * (1 - percent / 100) && all < used * (1 + percent / 100) + 1e8) }' \
    || fail "$allowed: threads of 4 ms have another processor time"
done

# A program that uses the runtime's signal for samples (SIGRTMIN+4 in Mono 6.8) gets none of ours, ends as
# it would, and one line says that there are no more samples.
rm -f "$log"
profiled "sample,output=$log" burn 1 38 >"$truth" 2>"$work/stderr" || fail "the program failed"
read_figures
test "$(wc -l <"$work/stderr")" = 1 && grep -q 'no more samples: the program handles signal 38' "$work/stderr" \
  || { cat "$work/stderr"; fail "the program's signal was used"; }
test "$(figure cpu.hits "$figures")" -lt 50 || fail "there are samples"

# What is prepared is not sampled until it is requested.
record 0 prepare=sample,format=17 burn 1
test "$(figure cpu.hits "$figures")" = 0 || fail "there are samples that nobody requested"
rm -f "$log"
LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:prepare=sample,format=17,output=$log" \
  "$programs/burn.exe" 1 >"$truth" 2>"$work/stderr" &
program=$!
sleep 0.5
"$proflog" ctl "$program" enable sample >"$work/reply" || fail "$(cat "$work/reply")"
wait "$program" || fail "the program failed"
read_figures
test "$(figure cpu.hits "$figures")" -gt 10 || fail "there are no samples that were requested"

# `top` shows the same: of a whole log the report's figures, of a program its memory, too.
hot=$(sed -n 's/^cpu\.methods\[\(Probe\.Burn:[A-Z][a-z]* (long)\)\]\.self_ns\t/\1\t/p' "$figures" | sort -t '	' -k 2 -n | tail -n 1)
"$proflog" top --once --timeout 1s "$log" >"$work/top" || fail "top"
awk -F '\t' 'FNR == NR { method = $1; ms = $2 / 1e6; next }
  index ($0, method) { split ($0, cells, " "); found = cells[2] == sprintf ("%.1f", ms) }
  END { exit !found }' - "$work/top" <<EOF || { cat "$work/top"; fail "top has not the processor time of $hot"; }
$hot
EOF
rm -f "$log"
LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:sample,format=17,output=$log" \
  "$programs/burn.exe" 1 >"$truth" 2>"$work/stderr" &
program=$!
sleep 0.8
"$proflog" top --once --interval 300ms "$program" >"$work/top" || fail "top of a process"
memory=$(awk '/^VmRSS:/ { print $2 / 1024 }' "/proc/$program/status")
wait "$program" || fail "the program failed"
head -n 1 "$work/top"
awk -v memory="$memory" 'match ($0, /CPU [0-9.]+%  memory [0-9.]+ MB/) {
    split (substr ($0, RSTART, RLENGTH), cells, " ")
    found = cells[2] + 0 > 5 && cells[4] > 0.7 * memory && cells[4] < 1.4 * memory
  }
  END { exit !found }' "$work/top" || fail "top has not the memory of the process, $memory MB"

# Methods are named when a sample has them, also those of a domain or a dynamic method that is gone by then.
# Others are not named, unless that is requested.
compile elsewhere
for options in sample sample,jit; do
  record 0 "$options" elsewhere
  for method in 'Elsewhere:WorkInDomain ()' '(wrapper dynamic-method) object:WorkInDynamic (int)'; do
    hits=$(figure "cpu.methods[$method].hits" "$figures")
    test "$hits" -ge 10 || fail "$options: $hits hits in $method"
  done
  test "$(figure cpu.unnamed "$figures")" -le 2 || fail "$options: hits without a name"
  test "$options" = sample && some=$(figure jit.methods "$figures")
done
test $((3 * some)) -lt $((2 * $(figure jit.methods "$figures"))) || fail "all methods are named"
echo "$checks figures agree"
