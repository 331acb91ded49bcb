#!/bin/sh
# A part of a log that check and validate accept is accepted, too, though it begins in the middle of the program.
. "${srcdir:-.}/tests/cli/lib.sh"

# part_is_good LOG RANGE: what `cut` makes of it.
part_is_good ()
{
  rm -f part
  run 0 cut -q --time-range "$2" "$1" -o part
  run 0 check part
  run 0 validate part
  ! grep -q ' invalid ' out || fail "the part $2 of $1 is refused"
}

for log in "$logs"/*.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog "$logs"/*.eventlog.gz; do
  case $log in */small.mlpd) continue ;; esac # validate refuses all of it
  run 0 validate "$log"
  part_is_good "$log" 33%~67%
done
# Parts of which each was refused: they begin in a collection, before a thread that is created while another runs,
# and in a buffer whose events are not in order of time.
part_is_good "$logs/ghc-collect-N2.eventlog.gz" 33%~67%
part_is_good "$logs/ghc-collect-G3.eventlog.gz" 10%~30%
part_is_good "$logs/ghc-restart.eventlog.gz" 60%~80%
part_is_good "$logs/stock-counters.mlpd.gz" 0%~20%
part_is_good "$logs/stock-monitors.mlpd.gz" 80%~100%

# The note of each format says so.
run 0 cut -q --force --time-range 33%~67% "$logs/ghc-collect-N2.eventlog.gz" -o part
run 0 check part
says out 'collections that began before the log, which begins in the middle of the program'
run 0 cut -q --force --time-range 0%~20% "$logs/stock-counters.mlpd.gz" -o part
run 0 check part
says out 'buffers of a part of a log that begin before the last event of their thread'
# The figures of a part begin with its first event, though that creates a thread.
run 0 cut -q --force --time-range 10%~30% "$logs/ghc-collect-G3.eventlog.gz" -o part
run 0 stats --format json part
read_json
start=$(sed -n 's/^time\.start_ns\t//p' figures)
test "$start" -gt 2000000 || fail "the part begins at $start ns"
done_checks
