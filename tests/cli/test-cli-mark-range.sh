#!/bin/sh
# --time-range mark:A~mark:B selects what the times of these marks select.
. "${srcdir:-.}/tests/cli/lib.sh"

log=$logs/ghc-blocks.eventlog.gz
gzip -dc "$log" >plain.eventlog

# time_of MARK: as the dump has it, in ns.
time_of ()
{
  "$proflog" dump --filter "^$1\$" --format json "$log" \
    | sed -n 's/.*"time_ns":\([0-9]*\),"kind":"user-marker".*/\1/p' | head -n 1
}
from=$(time_of stm) to=$(time_of delay)
test -n "$from" && test -n "$to" || fail "the log lacks its marks"

# same_part MARKS TIMES COMMAND...: both select the same.
same_part ()
{
  marks=$1 times=$2
  shift 2
  run_into by_time 0 "$@" --time-range "$times" plain.eventlog
  run_into by_mark 0 "$@" --time-range "$marks" plain.eventlog
  quiet err
  same by_mark by_time
}
for command in 'dump --format json' 'report --format json --no-findings' 'report --format text' 'show' \
  'stats' 'info --format json' 'cut' 'dump --order time'; do
  # shellcheck disable=SC2086
  same_part mark:stm~mark:delay "${from}ns~${to}ns" $command
done
same_part mark:stm~ "${from}ns~" dump
same_part ~mark:delay "~${to}ns" dump
same_part "mark:stm~50%" "${from}ns~50%" dump
same_part "${from}ns~mark:delay" "${from}ns~${to}ns" dump

# The whole has more.
run_into whole 0 dump plain.eventlog
run 0 dump --time-range mark:stm~mark:delay plain.eventlog
test "$(wc -l <out)" -lt "$(wc -l <whole)" || fail "the range has all events"

# Standard input and compressed logs are read twice.
run_into by_mark 0 dump --time-range mark:stm~mark:delay plain.eventlog
gzip -dc "$log" | run_into out 0 dump --time-range mark:stm~mark:delay - || exit 1
same out by_mark
run 0 dump --time-range mark:stm~mark:delay "$log"
same out by_mark

# Marks that are not there, or not in this order.
run 3 report --time-range mark:nosuch~mark:delay plain.eventlog
says err "plain.eventlog: --time-range: the log has no mark 'nosuch'; there are 'mvar', 'read-mvar', 'stm'"
run 3 report --time-range mark:delay~mark:stm plain.eventlog
says err "no mark 'stm' is after the beginning of the range"
run 3 dump --order time --time-range mark:nosuch~ plain.eventlog
says err "the log has no mark 'nosuch'"
run 3 report --time-range mark:stm~ "$small"
says err "the log has no mark 'stm' and no other mark"
run 3 dump --time-range mark:stm~ "$small"
says err "the log has no mark 'stm' and no other mark"
# Messages are like marks.
run 0 report --reports=marks --time-range 'mark:all done~' --format csv plain.eventlog
says out ',message,all done'
# A log that grows cannot be searched.
run 2 follow --time-range mark:stm~ plain.eventlog
says err "a log that is being written has marks that are not known yet"
run 2 report --time-range mark: plain.eventlog
says err "a range A~B is needed"
done_checks
