#!/bin/sh
# Programs that are compiled and run with the real GHC, in each mode of recording: their logs have
# what the programs did, what the runtime wrote beside them, what +RTS -s printed, and the verdicts
# of ghc-events.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc ghc-events
. "$sources/judge.sh"
. "$sources/programs.sh"
. "$sources/stats.sh"
. "$sources/truth.sh"
LC_ALL=C.UTF-8 # for the programs and the compiler
test -n "$(find "$(dirname "$(ghc --print-libdir)")" -name 'libHSbase*_p.a' 2>/dev/null | head -n 1)" \
  || need ghc-prof

# compare_run NAME WAY PROGRAM [ARGUMENT...]
compare_run ()
{
  refused=0
  record "$@"
  begin_log "$1.eventlog" "$1"
  test "$1" = sparks-user || compare_truth "$1.truth"
  case $1 in
    blocks*) compare_waits "$1.eventlog" "$1.truth" ;;
  esac
  if test -s "$1.hp"; then
    compare_hp "$1.hp"
    compare_bands "$1.eventlog" "$1.hp"
  fi
  if test "$1" = ticks; then
    compare_prof "$1.prof"
    compare_tree "$1.eventlog" "$1.prof"
  fi
  test "$1" = sparks-user || compare_stats "$1.eventlog" "$1.stats"
  compare_verdicts "$1.eventlog" "$1"
  case $1 in
    sparks-user | restart*) ;; # without threads, and not to be read by the reference tool
    *) compare_run_times "$1.eventlog" "$1" ;;
  esac
  test "$refused" = 0 || fail "$1: $refused machines refuse an event"
  echo "$checks" >"$1.checks"
}

# What threads wait for is up to the scheduler, too, and a busy machine may be late: some attempts.
printf '%s\n' "$ghc_runs" | while read -r name rest; do
  test -n "$name" || continue
  attempts=3
  # shellcheck disable=SC2086
  until (compare_run "$name" $rest </dev/null) 2>"$name.log"; do
    attempts=$((attempts - 1))
    test "$attempts" -gt 0 || { cat "$name.log" >&2; exit 1; }
  done
done || exit 1
for counted in *.checks; do
  checks=$((checks + $(cat "$counted")))
done

# A program that is killed leaves whole buffers of its capabilities, and nothing else.
name=killed
compile vanilla Bands
./Bands-vanilla 1000000 +RTS -l -A64k -olkilled.eventlog >killed.out 2>&1 &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  sleep 0.5
  test "$(wc -c <killed.eventlog)" -le 4300000 || break
done
kill -KILL $pid
wait $pid 2>/dev/null
run 0 dump killed.eventlog
says err 'the program was killed or the log was cut'
LC_ALL=C.UTF-8 ghc-events inc killed.eventlog >inc 2>/dev/null
awk '$4 ~ /^[a-z]/ && $4 != "block-marker" && $2 !~ /^[a-z]/' out >events
same_number 'events of a killed program' "$(wc -l <events)" "$(wc -l <inc)"
done_checks
