#!/bin/sh
# Of every log of either runtime, and of parts of it: the totals of the report, of the tree, of callers, of flame
# graphs and of exported stacks are one.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# figure SECTION PATH: of the report of $log and the selection $part; numbers of several rows are added up.
figure ()
{
  "$proflog" report -q --format json --reports="$1" --limit 0 ${3:-} $part "$log" | "$json_paths" --places \
    | awk -F '\t' -v path="$2" '{ name = $1; gsub(/\[[0-9]+\]/, "", name) } name == path { sum += $2 }
        END { printf "%.0f\n", sum }'
}

# agree EXPECTED WORDS COMMAND...: the folded stacks add up to it; without any, it is 0.
agree ()
{
  expected=$1 words=$2
  shift 2
  sum=$("$proflog" "$@" -q --format folded $part "$log" 2>err | awk '{ sum += $NF } END { printf "%.0f\n", sum }')
  test "$sum" = "$expected" || fail "$log $part: $words has $sum, and the report $expected"
  checks=$((checks + 1))
}

# Other exports of stacks state their total, too.
agree_exports ()
{
  test "$1" != 0 || return 0
  "$proflog" export -q --format speedscope --source "$2" $part "$log" >out || fail "$log $part: no export"
  total=$(sed -n 's/.*"endValue":\([0-9]*\).*/\1/p' out)
  test "$total" = "$1" || fail "$log $part: speedscope has $total, and the report $1"
  "$proflog" export -q --format callgrind --source "$2" $part "$log" >out || fail "$log $part: no export"
  total=$(sed -n 's/^totals: //p' out)
  own=$(awk '/^calls=/ { getline; next } /^0 / { sum += $2 } END { printf "%.0f\n", sum }' out)
  test "$total" = "$1" -a "$own" = "$1" || fail "$log $part: callgrind has $total and $own, and the report $1"
  checks=$((checks + 2))
}

# agree_callers: calls of each of some methods, by their callers and by what they call, are those of the report.
# Of a recursion the callers have all calls at the outermost one, and the callees each at its depth.
agree_callers ()
{
  "$proflog" report -q --format json --reports=calls --limit 0 $part "$log" | "$json_paths" \
    | sed -n 's/^calls\.methods\[\(.*\)\]\.calls\t/\1\t/p' >methods
  "$proflog" report -q --format json --reports=tree --source=calls --limit 0 $part "$log" | "$json_paths" --places \
    | awk -F '\t' '$1 ~ /depth$/ { depth = $2 } $1 ~ /name$/ {
        for (i = 0; i < depth; i++) if (path[i] == $2) print $2
        path[depth] = $2 }' | sort -u >recursive
  # A name that is a part of others selects those, too; frames of wrappers have shorter names.
  awk -F '\t' 'NR == FNR { is_recursive[$1] = 1; next }
    { calls[$1] += $2; names[n++] = $1; of_name[$1]++ }
    END {
      for (i = 0; i < n; i++) {
        name = names[i]; matching = 0
        for (other in calls) matching += index (other, name) != 0
        short = name; sub (/^\(wrapper [a-z-]*\) /, "", short)
        kind = "plain"
        for (frame in is_recursive) if (index (frame, short)) kind = "recursive"
        if (kind == "recursive" && of_name[name] > 1) continue # methods that call each other
        if (matching == 1 && shown[kind]++ < 4) print kind "\t" calls[name] "\t" name
      }
    }' recursive methods >chosen
  while IFS='	' read -r kind expected name; do
    test "$kind" = plain || recursions=$((recursions + 1))
    for way in --callers --callees; do
      found=$("$proflog" report -q --format json --source=calls "$way" "$name" --limit 0 $part "$log" \
        | "$json_paths" --places \
        | awk -F '\t' -v callees="${way#--callers}" '$1 ~ /calls$/ { calls = $2 } $1 ~ /depth$/ { depth = $2 }
            $1 ~ /name$/ { if (depth == 0) name = $2; if (callees != "" ? $2 == name : depth == 0) sum += calls }
            END { printf "%.0f\n", sum }')
      test "$found" = "$expected" || fail "$log $part: $way $name has $found calls, and the report $expected"
      checks=$((checks + 1))
      callers=$((callers + 1))
    done
  done <chosen
}

# agree_trace KEY NUMBER NS: a trace has so many calls or runs, which last so long.
agree_trace ()
{
  "$proflog" export -q --format chrome $part "$log" >trace || fail "$log $part: no trace"
  python3 "$tests/cli/trace-totals.py" trace >sums 2>err || fail "$log $part: the trace is not read"
  found=$(sed -n "s/^$1 //p" sums)
  expr "$found" : "$2 $3\$" >/dev/null || fail "$log $part: the trace has $found $1 and ns, and the report $2 $3"
  traces=$((traces + 1))
  checks=$((checks + 2))
}

# agree_time: of samples.  The unit is a hit where the log states no processor time: then all have run.
agree_time ()
{
  hits=$(figure cpu cpu.hits)
  test "$hits" != 0 && test "$(figure cpu cpu.total_ns)" = 0 || return 0
  "$proflog" report -q --format json --reports=tree --source=samples --limit 0 $part "$log" | "$json_paths" --places \
    | awk -F '\t' '$1 == "tree.stackless_hits" { sum += $2 } $1 ~ /\.hits$/ { hits = $2 }
        $1 ~ /depth$/ && $2 == 0 { sum += hits } END { printf "%.0f\n", sum }' >in-tree
  test "$(cat in-tree)" = "$hits" || fail "$log $part: the tree has $(cat in-tree) hits, and the section cpu $hits"
  agree "$hits" 'flame --cost time' flame --cost time
  agree "$hits" 'flame --cost wall' flame --cost wall
  agree "$hits" 'export folded' export --source samples
  agree_exports "$hits" samples
  times=$((times + 1))
}

# agree_series: the intervals of an eventlog have the time that threads ran or could run and what was allocated, in
# sum.
agree_series ()
{
  for path in series.intervals timeline.lanes timeline.intervals; do
    found=$(figure series,timeline $path.run_ns)
    test "$found" = "$run_ns" || fail "$log $part: $path have $found ns of $run_ns"
  done
  queued=$(figure scheduling scheduling.runnable_ns) found=$(figure series series.intervals.runnable_ns)
  test "$found" = "$queued" || fail "$log $part: the series have $found ns of threads that could run, of $queued"
  in_threads=$(figure threads threads.runnable_ns)
  test "$in_threads" = "$queued" -o "$part" = --time-range=45%~50% \
    || fail "$log $part: threads could run for $in_threads ns of $queued"
  case $part in
    --thread=*) ;; # events of the heap name no thread
    *)
      allocated=$(figure heap heap.allocated_bytes) found=$(figure series series.intervals.allocated_bytes)
      test "$found" = "$allocated" || fail "$log $part: the series have $found bytes of $allocated" ;;
  esac
  checks=$((checks + 6))
}

# agree_queue: the time in which threads could run is, in each interval, that of their events in the log: a thread can
# run from its making, its wakeup, or a stop that is no wait, to its next run.
agree_queue ()
{
  "$proflog" report -q --format csv --reports=series --interval 1ms --fields=time_ns,runnable_ns "$log" \
    | tail -n +2 >got
  "$proflog" dump -q --order time "$log" | awk -v width=1000000 '
    function end(thread, to,   at, bound) {
      if (!(thread in since)) return
      for (at = since[thread]; at < to; at = bound) {
        bound = (int(at / width) + 1) * width
        if (bound > to) bound = to
        sum[int(at / width)] += bound - at
      }
      delete since[thread]
    }
    { time = sprintf ("%.0f", $3 * 1e9) + 0; kind = $5; thread = substr ($6, 8) }
    kind == "create-thread" && !(thread in known) { known[thread]; since[thread] = time }
    kind == "run-thread" { known[thread]; delete waits[thread]; end(thread, time) }
    kind == "stop-thread" {
      end(thread, time)
      if ($7 ~ /=(yielding|heap-overflow|stack-overflow|migrating)$/) since[thread] = time
      else if ($7 != "status=finished") waits[thread]
    }
    kind == "thread-wakeup" && thread in waits { delete waits[thread]; since[thread] = time }
    END {
      for (thread in known) end(thread, time)
      for (i = 0; i <= int(time / width); i++) printf "%.0f,%.0f\n", i * width, sum[i]
    }' >expected
  test "$(cut -d , -f 2 got | sort -u | wc -l)" -ge 5 || fail "$log: the queue is always the same"
  same got expected
  checks=$((checks + 2))
}

# agree_live SHOTS: the bytes of each interval are those of the objects of the latest snapshot with an end, as the
# log has them, of which there are so many.
agree_live ()
{
  "$proflog" dump -q $part "$log" | awk '$4 == "heap-start" { time = $2; sum = 0 }
      $4 == "heap-object" { match ($0, / size=[0-9]+/); sum += substr ($0, RSTART + 6, RLENGTH - 6) }
      $4 == "heap-end" { printf "%.0f %d\n", time * 1e9, sum }' >objects
  test "$(wc -l <objects)" = "$1" || fail "$log $part: not $1 heap snapshots"
  "$proflog" report -q --format csv --reports=series --interval 1ms --fields=time_ns,live_bytes $part "$log" >live.csv
  awk 'FILENAME == "objects" { time[++n] = $1; bytes[n] = $2; next }
    FNR > 1 { split ($0, row, ","); while (at < n && time[at + 1] < row[1] + 1000000) at++
      print row[1] "," bytes[at] }' objects live.csv >expected
  tail -n +2 live.csv >got
  same got expected
  checks=$((checks + 2))
}

agree_all_live ()
{
  log=$logs/stock-heapshot.mlpd.gz part=''
  agree_live 4
  "$proflog" report -q --format json --reports=series --limit 0 "$log" | "$json_paths" --places \
    | awk -F '\t' '$1 ~ /live_bytes$/ { last = $2 } END { print last + 0 }' >got
  "$proflog" heap histogram -q --shot 4 --format json --limit 0 "$log" | "$json_paths" --places \
    | awk -F '\t' '$1 ~ /^types\[[0-9]+\]\.bytes$/ { sum += $2 } END { print sum + 0 }' >expected
  same got expected
  log=$logs/all-v17.mlpd
  agree_live 2
  part=--time-range=30ms~40ms
  agree_live 1
  head -c 1850 "$log" >cut.mlpd # in the second one
  log=cut.mlpd part=''
  agree_live 1
  head -c 1600 "$logs/all-v17.mlpd" >cut.mlpd
  agree_live 0
  checks=$((checks + 1))
}

# agree_shares: rates and shares of intervals are those of what was allocated, and of the time of collections or
# pauses; the average of threads that could run is that of their time.
agree_shares ()
{
  "$proflog" report -q --format json --reports=series --limit 0 "$log" | "$json_paths" --places \
    | awk -F '\t' '
      function off(a, b, slack) { return a - b > slack || b - a > slack }
      function judge() {
        if (off(v["allocated_bytes_per_second"] * width / 1e9, v["allocated_bytes"], 1)) bad = bad " a rate"
        gc = v["gc_ns"]; whole = gc + v["run_ns"]
        pauses += v["pause_ns"]; share += v["gc_permille"] * width / 1000
        if (v["gc_permille"] > 1000) bad = bad " more than all"
        if (off(v["runnable_threads"] * width, v["runnable_ns"], width / 2000 + 1)) bad = bad " an average"
        if (is_ghc && off(v["gc_permille"], whole ? 1000 * gc / whole : 0, 0.5)) bad = bad " a share"
        n++
      }
      $1 == "series.interval_ns" { width = $2 }
      $1 ~ /^series\.intervals\[/ {
        match ($1, /\[[0-9]+\]/); row = substr ($1, RSTART, RLENGTH)
        if (row != last && last != "") judge()
        last = row; sub (/.*\]\./, "", $1); v[$1] = $2
        is_ghc = is_ghc || $1 == "run_ns"
      }
      END {
        judge()
        # A pause that goes over an interval counts in all that it is in.
        if (!is_ghc && off(share, pauses, n * width / 2000 + 1)) bad = bad " the sum of shares"
        if (n < 2 || bad) { print n " intervals:" bad; exit 1 }
      }' >shares || fail "$log: $(cat shares)"
  checks=$((checks + 1))
}

# agree_sparks: those in the pools at the end are those of the last counters of each capability.  The pools of
# all logs are empty then, so this one gets other counters.
agree_sparks ()
{
  zcat "$logs/ghc-sparks-all.eventlog.gz" >whole.eventlog
  python3 - <<'END' || fail "the counters are not there"
import struct
log = open('whole.eventlog', 'rb').read()
counters = struct.pack('>7Q', 512, 10, 188, 0, 0, 0, 0)
assert counters in log
open('pools.eventlog', 'wb').write(log.replace(counters, struct.pack('>7Q', 512, 10, 188, 0, 0, 0, 7)))
END
  "$proflog" report -q --format json --reports=series --limit 0 pools.eventlog | "$json_paths" --places \
    | awk -F '\t' '$1 ~ /sparks_remaining$/ { last = $2 } END { print last + 0 }' >got
  "$proflog" dump -q pools.eventlog | awk '$4 == "spark-counters" && $2 >= time[$3] {
      time[$3] = $2; match ($0, /remaining=[0-9]+/); left[$3] = substr ($0, RSTART + 10, RLENGTH - 10) }
      END { for (cap in left) sum += left[cap]; print sum + 0 }' >expected
  grep -q '[1-9]' expected || fail "the pools are empty"
  same got expected
  checks=$((checks + 1))
}

# With a sanitizer each command takes long, so there are whole logs only.
least_times=4 least_traces=60 least_profiles=2
test "${SANITIZER:-no}" = no || { least_times=2 least_traces=15 least_profiles=1; }
is_left_out ()
{
  test -n "$1" && test "${SANITIZER:-no}" != no
}

seen='' recursions=0 callers=0 times=0 traces=0
for log in "$logs"/all-v17.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz; do
  thread=$("$proflog" dump -q "$log" 2>/dev/null | awk '$3 ~ /^0x/ && !($3 in n) { order[++k] = $3 } $3 ~ /^0x/ { n[$3]++ }
    END { for (t in n) if (n[t] > n[best]) best = t; print best }')
  for part in '' "--thread=$thread" '--time-range=20%~70%'; do
    ! is_left_out "$part" || continue
    calls=$(figure calls calls.total)
    self=$(figure tree tree.nodes.self_ns --source=calls)
    test -n "$part" || agree_shares
    agree "$calls" 'flame --cost calls' flame --cost calls
    if test "$calls" != 0; then
      seen="$seen calls"
      agree "$self" 'flame --cost self' flame --cost self
      agree "$self" 'export folded' export --source calls
      agree_exports "$self" calls
      test -n "$part" || agree_callers
      agree_trace calls "$calls" "$self"
    fi
    agree_time
    agree "$(figure allocations allocations.bytes)" 'flame --cost alloc' flame --cost alloc
    agree "$(figure exceptions exceptions.throws)" 'flame --cost exception' flame --cost exception
    agree "$(figure monitors monitors.wait_total_ns)" 'flame --cost lock' flame --cost lock
  done
done

agree_sparks
for log in "$logs/ghc-blocks-N2.eventlog.gz" "$logs/ghc-sparks.eventlog.gz"; do
  agree_queue
done
agree_all_live

# Eventlogs: the times that threads ran, and the time profile, which has samples of idle capabilities, too.
profiles=0
for log in "$logs"/ghc-*.eventlog.gz; do
  thread=$("$proflog" report -q --format json --reports=threads --sort runs "$log" | "$json_paths" --places \
    | sed -n 's/^threads\[0\]\.id\t//p')
  for part in "" ${thread:+"--thread=$thread"} --cap=0 --time-range=20%~70% --time-range=45%~50%; do
    ! is_left_out "$part" || continue
    run_ns=$(figure scheduling scheduling.run_ns)
    in_threads=$(figure threads threads.run_ns)
    test "$in_threads" = "$run_ns" -o "$part" = --time-range=45%~50% \
      || fail "$log $part: threads have $in_threads ns of $run_ns" # a short range has runs without an event
    # A trace has a slice of a run that is under way where a range of times begins, too.
    case $part in
      --time-range=*) runs='[0-9]*' ;;
      *) runs=$(figure scheduling scheduling.runs) ;;
    esac
    agree_trace runs "$runs" "$run_ns"
    agree_series
    test -n "$part" || agree_shares
    time=$(figure cpu cpu.total_ns)
    wall=$(($(figure time_profile time_profile.samples) * $(figure time_profile time_profile.interval_ns)))
    case $part in --thread=*) continue ;; esac
    test "$wall" != 0 || continue
    own=$(figure cpu cpu.methods.self_ns)
    test "$own" = "$time" || fail "$log $part: cost centres have $own ns of $time"
    agree "$time" 'flame --cost time' flame --cost time
    agree "$wall" 'flame --cost wall' flame --cost wall
    agree "$time" 'export folded' export
    agree_exports "$time" samples
    profiles=$((profiles + 1))
  done
done
test "$recursions" -ge 2 || fail "callers of only $recursions recursive methods were compared"
test "$callers" -ge 8 || fail "callers of only $callers methods were compared"
test "$times" -ge "$least_times" || fail "only $times sums of samples were compared"
test "$traces" -ge "$least_traces" || fail "only $traces traces were compared"
test "$profiles" -ge "$least_profiles" || fail "only $profiles time profiles were compared"
case $seen in
  *calls*calls*calls*) ;;
  *) fail "only$seen were compared" ;;
esac
echo "$callers callers, $recursions recursions, $times sums of samples, $traces traces, $profiles time profiles"
done_checks
