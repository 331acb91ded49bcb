#!/bin/sh
# format=eventlog: ghc-events, and so ThreadScope, opens the log of a program, and finds in it what the
# program counted; so does proflog.  Killed programs and logs in several files included.
. "${srcdir:-.}/tests/mono/lib.sh"
need ghc-events

log=$work/log.eventlog

# shown LOG: its events as ghc-events and proflog show them, which is the same.
shown ()
{
  LC_ALL=C.UTF-8 ghc-events show "$1" 2>/dev/null | sed -n '/^Events:/,$p' | grep '^ *[0-9]*: ' >"$work/shown" \
    || fail "ghc-events shows nothing of $1"
  "$proflog" show "$1" 2>"$work/show.err" | sed -n '/^Events:/,$p' \
    | grep '^ *[0-9]*: ' | grep -v ': event block: ' >"$work/ours"
  cmp -s "$work/shown" "$work/ours" || { diff "$work/shown" "$work/ours" | head -n 5; fail "proflog shows something else"; }
  for machine in threads threadpool threadrun; do
    ghc-events validate $machine "$1" 2>&1 | grep -q '^Valid' || fail "$machine: ghc-events finds the log invalid"
    "$proflog" validate $machine "$1" >/dev/null 2>&1 || fail "$machine: proflog finds the log invalid"
  done
  "$proflog" check "$1" >"$work/checked" 2>&1 || { cat "$work/checked"; fail "proflog check finds something"; }
}

# lines PATTERN [FILE]: how many events are shown that match.
lines ()
{
  grep -c -e "$1" "${2:-$work/shown}"
}

# holds WHAT FOUND WANTED
holds ()
{
  test "$2" = "$3" || fail "$1: $2, not $3"
  checks=$((checks + 1))
}

# trace STATUS OPTIONS PROGRAM [ARGUMENT...]
trace ()
{
  status=$1 options=$2
  shift 2
  compile "$1"
  rm -f "$work"/log.*
  profiled "format=eventlog,$options,output=$log" "$@" >"$truth" 2>"$work/stderr"
  test $? = "$status" || fail "$1 did not end with $status"
  ! grep '^proflog' "$work/stderr" || fail "the module complains"
}

throws_hold ()
{
  holds odd "$(lines 'marker: throw Probe\.Odd$' "$1")" "$(printed odd)"
  holds even "$(lines 'marker: throw Probe\.Even$' "$1")" "$(printed even)"
}

# ---- what the program counted ----

trace 0 nodefaults,alloc,gc,exception,clauses eventlog
shown "$log"
throws_hold "$work/shown"
holds catches "$(lines 'catch in Probe.Eventlog:Throw')" $(($(printed odd) + $(printed even) + 1))
sed '/throw Probe.Finished/q' "$work/shown" >"$work/until"
holds minor "$(lines 'GC stats .*generation 0,' "$work/until")" "$(printed minor)"
holds major "$(lines 'GC stats .*generation 1,' "$work/until")" "$(printed major)"
for event in 'all caps stopped for GC' 'GC stats'; do
  holds "$event" "$(lines "$event")" "$(lines 'starting GC')"
  holds "$event" "$(lines "$event")" "$(lines 'finished GC')"
done
test "$(lines 'size of heap capset 0')" -gt 0 || fail "no heap size"
test "$(lines 'live data in heap capset 0')" -gt 0 || fail "no live bytes"

# Threads: each was made once, has its name and ended; the one that allocates did so.
holds workers "$(lines 'thread [0-9]* has label "worker-')" "$(printed workers)"
sed -n 's/.*thread \([0-9]*\) has label "\(worker-.*\|allocator\)"$/\1 \2/p' "$work/shown" >"$work/threads"
while read -r id name; do
  holds "$name made" "$(lines "creating thread $id\$")" 1
  holds "$name ended" "$(lines "stopping thread $id (thread finished)")" 1
done <"$work/threads"
id=$(sed -n 's/ allocator$//p' "$work/threads")
allocated=$(awk -v id="$id" '
  / allocated on heap / { last = $(NF - 3) }
  $0 ~ "creating thread " id "$" { cap = $3; from = of[cap] }
  / allocated on heap / { of[$3] = $9 }
  $0 ~ "stopping thread " id " .thread finished" { print of[cap] - from }' "$work/shown")
test "$allocated" -ge "$(printed allocated)" || fail "the allocator allocated $allocated bytes only"
test "$allocated" -le $(($(printed allocated) + 20000)) || fail "the allocator allocated $allocated bytes"

# The report says the same.
"$proflog" report --format json "$log" >"$work/report.json" 2>"$work/stderr" || fail "proflog report fails"
"$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
grep -q 'mono ' "$figures" || fail "the runtime is not named"
grep -q 'eventlog.exe' "$figures" || fail "the program is not named"
# The runtime collects once more at its end.
"$proflog" report --reports gc "$log" | grep -q "Collections  *$(lines 'GC stats')\$" || fail "other collections are reported"

# ---- contention ----

trace 0 nodefaults,monitor locks
shown "$log"
holds blocked "$(lines '(blocked on an MVar)')" "$(printed contentions)"
holds woken "$(lines 'waking up thread')" "$(printed contentions)"

# ---- a sudden end, several files, compression ----

trace 137 zip eventlog 3000 kill
test -f "$log.spool" || fail "there is no spool"
"$proflog" show "$log" 2>/dev/null >"$work/shown"
throws_hold "$work/shown"
"$proflog" repair -o "$work/whole.eventlog" "$log" >/dev/null 2>&1 || fail "the log cannot be repaired"
shown "$work/whole.eventlog"
throws_hold "$work/shown"

log=$work/log.eventlog
trace 0 rotate=1M,clauses eventlog 30000
files=0
: >"$work/all"
for file in "$work"/log.[0-9]*.eventlog; do
  shown "$file"
  cat "$work/shown" >>"$work/all"
  test "$(lines 'creating thread 1$')" = 1 || fail "$file does not announce the main thread"
  files=$((files + 1))
done
test "$files" -ge 3 || fail "there are $files files only"
throws_hold "$work/all"
echo "$checks figures agree"
