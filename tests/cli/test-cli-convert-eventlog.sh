#!/bin/sh
# Logs of Mono as eventlogs: the same events as the module records with format=eventlog.
. "${srcdir:-.}/tests/cli/lib.sh"

# events LOG FILE: those of each thread in turn, as clocks of threads may differ; without the times, the
# process, and what the simulated runtime does not know.  What is allocated stands in sum for a capability, and a
# new thread takes one that was released by then: here it is what was added.
events ()
{
  left_out=' (block-marker|cap-create|capset-create|capset-assign-cap|rts-identifier|program-args|'
  left_out="$left_out"'osprocess-pid|osprocess-ppid|wall-clock-time|heap-live) '
  run 0 dump --order time "$1"
  grep -E -v "$left_out" out |
    sed -E 's/"throw <unknown>"/"throw "/; s/(heap-size .*bytes)=.*/\1/; s/other_cap=[0-9]+//' |
    awk '/ (create|run)-thread / { thread[$4] = $6; sub (/.*=/, "", thread[$4]) }
      / heap-allocated / {
        sub (/.*=/, "", $NF)
        total = $NF
        $NF = "more=" total - allocated[$4]
        allocated[$4] = total
      }
      { cap = $4; $1 = $2 = $3 = $4 = ""; print thread[cap], $0 }' | sort -s -n -k 1,1 >"$2"
}

for log in "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz "$logs"/all-v*.mlpd; do
  run 0 convert -q "$log" -o converted.eventlog
  run 0 validate all converted.eventlog
  # A thread runs there from its start to its end, as nobody knows when it did: that is no processor time.
  run 0 report --format json converted.eventlog
  read_json
  expect cpu.source null
  expect cpu.total_ns 0
  expect scheduling.run_ns 0
  expect scheduling.runs 0
  ! grep -q '^cpu\.threads\[\|^wait_kinds\[\|^waits\[\|^idle_caps\[' figures || fail "$log: times of threads"
  run 0 report --reports=cpu converted.eventlog
  says out 'a log of Mono does not know when threads run'
  rm converted.eventlog
done

if test -x "$top_builddir/proflog-replay"; then
  for log in "$logs"/stock-*.mlpd.gz; do
    name=${log##*/}
    run 0 convert "$log" -o converted.eventlog
    options=format=eventlog,alloc,monitor,exception,clauses,output=$work/recorded.eventlog
    run 0 replay "$log" --into "$module:$options"
    events converted.eventlog seen
    events recorded.eventlog wanted
    test "$(wc -l <wanted)" -gt 10 || fail "$name: nothing was recorded"
    cmp wanted seen || fail "$name: other events than the module's"
    rm converted.eventlog recorded.eventlog
  done
fi

# The bytes of all allocations, and the collections, are those of the log.
run 0 convert -q "$logs/stock-alloc.mlpd.gz" -o converted.eventlog
"$proflog" stats "$logs/stock-alloc.mlpd.gz" | grep -E 'allocated in the heap|Gen .* colls' | cut -c1-24 >wanted
"$proflog" stats converted.eventlog | grep -E 'allocated in the heap|Gen .* colls' | cut -c1-24 >seen
test -s wanted || fail 'nothing is counted'
cmp wanted seen || fail 'other figures than those of the log'

# The types of thrown objects are those of the log, of either data version.
run 0 report --format json --reports exceptions "$logs/module-calls.mlpd.gz"
sed -n '/"types"/,/]/s/.*"throws": \([0-9]*\),.*"name": "\(.*\)".*/\1 \2/p' out | sort >wanted
test "$(wc -l <wanted)" = 2 || fail 'not two types are thrown'
convert_to "$logs/module-calls.mlpd.gz" typed.mlpd --data-version 17
for log in "$logs/module-calls.mlpd.gz" typed.mlpd; do
  convert_to "$log" thrown.eventlog
  "$proflog" show thrown.eventlog | sed -n 's/.*marker: throw //p' | sort | uniq -c | sed 's/^ *//' | sort >seen
  cmp wanted seen || fail "other types of thrown objects than those of $log"
done

# A class at the address of one before has its own name.
{
  head -c 36 "$small"
  printf '\026\0\0\0'
  tail -c +41 "$small" | head -c 40
  printf '\042\001\001\002\0\0A\0\004\0\002\042\001\001\002\0\0B\0\004\0\004'
} >again.mlpd
run 0 convert -q again.mlpd -o again.eventlog
run 0 show again.eventlog
sed -n 's/.*marker: //p' out >seen
same_lines seen 'throw A' 'throw B'

# Marks are markers, and losses a message.
run 0 convert "$logs/all-v17.mlpd" -o marked.eventlog
says err 'not in an eventlog: 4 sample-hit'
# The size of the heap as of the end, after the last collection.
run 0 dump "$logs/all-v17.mlpd"
sed -n 's/.* gc-resize size=//p' out >wanted
run 0 dump marked.eventlog
sed -n 's/.* heap-size .*bytes=//p' out >seen
test "$(tail -n 1 wanted)" = 6442450944 && test "$(tail -n 1 seen)" = 6442450944 \
  || fail "the last size of the heap is $(tail -n 1 seen)"
run 0 convert -q "$logs/all-v17.mlpd" --to ghc
cmp out marked.eventlog || fail 'another log on standard output'

if has ghc-events; then
  ghc-events show converted.eventlog >peer 2>&1 || fail 'ghc-events does not read the log'
  test "$(grep -c 'starting GC' peer)" = "$(grep -c 'finished GC' peer)" || fail 'ghc-events counts otherwise'
  sum=$(awk '/allocated on heap/ { for (i = 1; i <= NF; i++) if ($i == "cap") cap = $(i + 1); sub (/ total.*/, ""); last[cap] = $NF }
    END { for (cap in last) sum += last[cap]; print sum }' peer)
  test "$sum" = 67208 || fail "ghc-events counts $sum bytes"
fi
