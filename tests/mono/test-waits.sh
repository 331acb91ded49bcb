#!/bin/sh
# Samples of the wall clock state whether their thread ran: of a program with threads that work, sleep, wait
# for locks, read and poll, the times are what the program's own clocks say, within 10 %.  mprof-report counts
# the same hits, and each hit's usage is selected with it.  Contention alone gives the waits for locks.
. "${srcdir:-.}/tests/mono/lib.sh"
need mprof-report

record 0 sample-real=100 waits 1000

# same_time FOUND EXPECTED NAME: within 10 %.
same_time ()
{
  echo "$3: $1 ns in the samples, $2 by the program's clocks"
  awk -v found="$1" -v expected="$2" 'BEGIN { exit !(found > 0.9 * expected && found < 1.1 * expected) }' \
    || fail "$3 is not within 10 %"
}

expect cpu.clock all-threads
worked=$(awk '$1 == "cpu" { print $4 }' "$truth")
same_time "$(figure 'cpu.methods[Probe.Waits:Work ()].self_ns' "$figures")" "$worked" 'processor time of Work'
waited=$(awk '$1 != "cpu" && $1 != "held" { print $2 }' "$truth")
test "$(echo "$waited" | wc -l)" = 7 || fail "not all threads waited"
for name in $waited; do
  used=$(figure "cpu.methods[Probe.Waits:$name ()].total_ns" "$figures")
  test "$used" -lt 50000000 || fail "$name waits and has used $used ns"
done

# The tree has what ran: of threads that wait hardly more than their start.
"$proflog" report --reports=tree --format json --limit 0 "$log" | "$json_paths" >"$work/tree" \
  || fail "no tree"
test "$(figure 'tree.nodes[Probe.Waits:Work ()].hits' "$work/tree")" -gt 0 || fail "Work is not in the tree"
for name in $waited; do
  test "$(figure "tree.nodes[Probe.Waits:$name ()].hits" "$work/tree")" -lt 5 || fail "$name is in the tree"
done

# waited_ns ROW FILE: ns of the rows that end with what matches this expression.
waited_ns ()
{
  grep -E ",$1\$" "$2" | awk -F , '{ sum += $2 } END { printf "%.0f\n", sum }'
}

# Each wait has its kind, method and thread, and the lock that was contended its class.
grep -vE '^(cpu|held) ' "$truth" >"$work/waits"
"$proflog" report --reports=waits --format csv --limit 0 "$log" >"$work/waits.csv" || fail "no waits"
# Their counts are of samples, of which a wait has many, and are called so.
"$proflog" report --reports=waits "$log" >"$work/shown" || fail "no waits"
grep -qE '^ *Total ms +% +Samples +Wait$' "$work/shown" || fail "the count of samples has another name"
! grep -q Count "$work/shown" || fail "samples are counted as waits"
grep '^wait_methods' "$work/waits.csv" >"$work/wait_methods"
while read -r kind name thread ns; do
  class= method="Probe.Waits:$name \(\)"
  test "$name" != Locks || class=Probe.Door
  test "$name" != Polls || method=poll # its stack is not known, as a signal would end it
  found=$(waited_ns "samples,$kind,$thread,[^,]*,($class)?,$method" "$work/waits.csv")
  same_time "$found" "$ns" "$kind in $name"
done <"$work/waits"
while read -r kind name thread ns; do
  method="Probe.Waits:$name \(\)"
  test "$name" != Polls || method=poll
  found=$(waited_ns "[0-9]*,1,$kind,[^,]*,$method" "$work/wait_methods")
  same_time "$found" "$ns" "$kind in $name, by method"
done <"$work/waits"
grep -q '^idle_threads,[0-9]*,1,Finalizer$' "$work/waits.csv" || fail "the finalizer's thread is not idle"
# It may wait for a lock now and then.
awk -F , '/^(waits|wait_methods),.*,Finalizer,/ { print; if ($2 > 100000000) bad = 1 } END { exit bad }' "$work/waits.csv" \
  || fail "the finalizer's thread waits for something"

# The flame graph has the same times, and so have the lanes of threads: the timeline shows these as waiting.
"$proflog" flame --cost wall --format folded -o "$work/folded" "$log" || fail "no flame graph"
for name in WaitsForEvent Sleeps Reads; do
  found=$(awk -v name="Probe.Waits:$name ()" 'index ($0, name) { sum += $NF } END { printf "%.0f\n", sum }' "$work/folded")
  same_time "$found" "$(awk -v name="$name" '$2 == name { print $4 }' "$truth")" "$name in the flame graph"
done
"$proflog" report --reports=timeline --format json "$log" | "$json_paths" >"$work/timeline" || fail "no timeline"
while read -r kind name thread ns; do
  found=$(figure "timeline.lanes[Thread $thread].lock_wait_ns" "$work/timeline")
  same_time "$found" "$ns" "the lane of $name"
done <"$work/waits"

# Threads that wait for work wait nowhere: the lanes have what the section has, and so have the stacks of threads.
lanes=$(awk -F '\t' '$1 ~ /^timeline\.lanes\[.*\.lock_wait_ns$/ { sum += $2 } END { printf "%.0f\n", sum }' "$work/timeline")
all=$(awk -F , '/^wait_kinds,/ { sum += $2 } END { printf "%.0f\n", sum }' "$work/waits.csv")
test "$lanes" = "$all" || fail "the lanes wait for $lanes ns, and the section has $all"
"$proflog" flame --cost wall --by-thread --format folded -o "$work/by-thread" "$log" || fail "no stacks of threads"
test "$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$work/by-thread")" \
  = "$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$work/folded")" || fail "stacks of threads: $(cat "$work/by-thread")"

found=$(waited_ns 'samples,lock,0x[0-9a-f]*,[^,]*,Probe.Door,Probe.Waits:Locks \(\)' "$work/waits.csv")
held=$(awk '$1 == "held" { print $4 }' "$truth")
test "$found" -gt $((held / 2)) || fail "the Door was held for $held ns, and has $found"
test "$(grep -c '^waits,.*Probe.Door' "$work/waits.csv")" = 1 || fail "others waited for the Door"

# The other reader counts all hits, and says nothing of what follows them.
mprof-report --reports=sample "$log" >"$judged" 2>&1 || fail "mprof-report fails"
hits=$(figure cpu.hits "$figures")
counted=$(awk '/(Unm|M)anaged hits:/ { sum += $3 } END { print sum + 0 }' "$judged")
test "$counted" = "$hits" || fail "mprof-report counts $counted hits, not $hits"
# Functions may have any name.
grep -vE '^[[:space:]]+[0-9]+ +[0-9.]+ ' "$judged" | grep -iE 'unknown|invalid|error' && fail "mprof-report complains"
grep '^counters\[.*\]\.index.*99999[89]' "$figures" && fail "the usage is a counter"
"$proflog" check --strict "$log" >"$work/check" || { cat "$work/check"; fail "the log is not in order"; }

# All but a thread's first hit have a usage, and one thread's are selected with its hits.
pairs ()
{
  "$proflog" dump "$@" "$log" | awk '/ sample-hit / { hits++ } / sample-counters .*index=999998 / { usages++ }
    END { print hits + 0, usages + 0 }'
}
worker=$(awk '$1 == "cpu" { print $3 }' "$truth")
of_worker=$(pairs --thread "$worker")
test "${of_worker% *}" -gt 10 && test $((${of_worker% *} - ${of_worker#* })) -le 1 || fail "hits, usages: $of_worker"
whole=$(figure cpu.total_ns "$figures")
"$proflog" report --format json --thread "$worker" "$log" | "$json_paths" >"$work/worker" || fail "no report"
part=$(figure cpu.total_ns "$work/worker")
same_time "$part" "$worked" 'processor time of its thread'
"$proflog" report --format json --thread '*' "$log" | "$json_paths" >"$work/all" || fail "no report"
test "$(figure cpu.total_ns "$work/all")" = "$whole" || fail "all threads are not the whole"

# `top` has the same times of methods.
"$proflog" top --once --timeout 1s "$log" >"$work/top" || fail "top"
found=$(awk '/Probe\.Waits:Work \(\)$/ { printf "%.0f\n", $3 * 1e6 }' "$work/top")
same_time "$found" "$worked" "top's time of Work"
grep 'waits:' "$work/top" && fail "top has methods that wait among those that work"
# Of a log that has ended the rates are those of its whole time, and a thread is in the state of its latest sample.
grep -q '^events  *[1-9]' "$work/top" || { cat "$work/top"; fail "top has no rate of events"; }
grep -q ' blocked  *0x[0-9a-f]* Main$' "$work/top" || { cat "$work/top"; fail "top: the main thread, which waits, is not blocked"; }

# Of a running program, too: the methods that wait are shown on request.
if has tmux; then
  rm -f "$log"
  LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:sample-real=100,output=$log" "$programs/waits.exe" \
    60000 >/dev/null 2>&1 &
  program=$!
  . "$tests/tmux-lib.sh"
  trap 'close_terminal; kill -9 $program 2>/dev/null; rm -rf "$work"' EXIT
  wait_for test -s "$log"
  open_terminal 160 40 "'$proflog' top --start beginning --interval 200ms '$log'"
  shows_line '[1-9][0-9.]*%.*Probe.Waits:Work ()'
  ! page_has 'waits:' || fail "methods that wait are shown"
  press w s
  shows 'WAIT%*'
  shows_line '[1-9][0-9.]*% .*SleepInternal (int) \[native\] \[waits: sleep\]'
  shows_line 'monitor_enter.* \[waits: lock\]'
  shows_line 'Monitor_wait.* \[waits: event\]'
  kill -9 $program
  wait $program 2>/dev/null
fi

# Each thread is sampled, also one that the runtime signalled while it was being attached.  So many samples
# may be too many to record all.
compile herd
profiled "sample-real=2000,output=$log" herd 100 3000 2>"$work/stderr" || fail "herd failed"
"$proflog" report --reports=waits --format csv --limit 0 "$log" >"$work/waits.csv" 2>"$work/stderr" \
  || fail "no waits"
sampled=$(grep -c 'samples,sleep,.*Probe.Herd:Sleeps' "$work/waits.csv")
test "$sampled" = 100 || fail "$sampled of 100 threads were sampled"

# Contention alone.  The rows add up to the section monitors, also of selected threads and times.
record 0 monitor waits 300
thread=$(awk '$2 == "Locks" { print $3 }' "$truth")
expect 'waits[lock].total_ns' "$(figure monitors.wait_total_ns)"
expect 'waits[lock].count' "$(figure monitors.acquired)"
for selection in "--thread $thread" '--time-range 0ms-100ms' '--time-range 100ms-' \
  "--thread $thread --time-range 0-"; do
  "$proflog" report $selection --format json "$log" | "$json_paths" >"$figures" || fail "no report $selection"
  expect 'waits[lock].total_ns' "$(figure monitors.wait_total_ns)"
done
"$proflog" report --reports=waits --format csv --limit 0 "$log" >"$work/waits.csv" || fail "no waits"
held=$(awk '$1 == "held" { print $4 }' "$truth")
most=$(awk '$2 == "Locks" { print int ($4 * 1.1) }' "$truth") # without its processor time
found=$(waited_ns "monitors,lock,$thread,[^,]*,Probe.Door,Probe.Waits:Locks \(\)" "$work/waits.csv")
test "$found" -ge "$held" && test "$found" -le "$most" || fail "contention: $found ns, not $held to $most"
for format in text markdown; do
  "$proflog" report --reports=waits --format "$format" "$log" >"$work/shown" || fail "no $format"
  grep -qE '^[ |]*Total ms[ |]+%[ |]+Count[ |]+Wait' "$work/shown" || fail "$format: waits for locks have another name"
  grep -E 'monitors[ |]*lock[ |]*.0x[0-9a-f]*.*Probe.Door' "$work/shown" || fail "$format has no object"
done
echo "$checks figures agree"
