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
# A report for each occurrence: the work of "START pass" to "STOP pass" is 1, 2 and 3 messages, one pass has no end.
need python3
python3 "$tests/cli/make-eventlog.py" passes.eventlog <<'END' || fail 'no log'
0 1000000 msg START pass
0 2000000 msg work
0 3000000 msg STOP pass
0 4000000 msg work
0 5000000 msg START pass
0 6000000 mark work
0 7000000 msg work
0 8500000 msg STOP pass
1 9000000 msg START pass
1 9100000 msg START pass
1 9200000 msg work
1 9300000 msg work
0 9400000 msg work
1 9500000 msg STOP pass
1 9600000 msg START pass
END
range='mark:START pass~mark:STOP pass'
run 0 report --each --reports=marks --filter '^work$' --format csv --time-range "$range" passes.eventlog
quiet err
grep '^marks.names' out | cut -d, -f1-3,8 | sort >rows
same_lines rows "marks.names,passes.eventlog (1 of 3),1,work" "marks.names,passes.eventlog (2 of 3),1,work" \
  "marks.names,passes.eventlog (2 of 3),1,work" "marks.names,passes.eventlog (3 of 3),3,work"
run 0 report --each --format json --time-range "$range" passes.eventlog
test "$(grep -c '"schema": "proflog.report/1"' out)" = 3 || fail 'three reports'
run 0 report --each --time-range "$range" passes.eventlog
says out 'passes.eventlog (3 of 3)'
run 0 report --each -o passes.html --time-range "$range" passes.eventlog
says passes.html 'passes.eventlog (3 of 3)'
run 0 report --reports=marks --format csv --time-range "$range" passes.eventlog
says out 'marks.names,1,500,2000000,2000000,message,work'
# Requests of two threads at the same time: each begins and ends in its thread.
python3 "$tests/cli/make-eventlog.py" requests.eventlog <<'END' || fail 'no log'
0 1000000 run 7
1 1000000 run 8
0 10000000 msg START pass
1 15000000 msg START pass
0 16000000 msg work
0 20000000 msg STOP pass
1 30000000 msg work
1 45000000 msg STOP pass
0 50000000 msg START pass
0 51000000 stop 7
1 51000000 stop 8
1 51500000 run 7
1 52000000 msg work
1 60000000 msg STOP pass
END
run 0 report --each --reports=marks --filter '^work$' --format csv --time-range "$range" requests.eventlog
grep '^marks.names' out | cut -d, -f1-3,8 | sort >rows
same_lines rows "marks.names,requests.eventlog (1 of 3),1,work" "marks.names,requests.eventlog (2 of 3),2,work" \
  "marks.names,requests.eventlog (3 of 3),1,work"
# Intervals that nest, and one from a thread to another: as many as the table of intervals has, with its times.
python3 "$tests/cli/make-eventlog.py" nested.eventlog <<'END' || fail 'no log'
0 500000 run 7
1 500000 run 8
0 1000000 msg START pass
0 2000000 msg START pass
0 2500000 msg work
0 3000000 msg STOP pass
0 4000000 msg work
0 5000000 msg STOP pass
0 6000000 msg START pass
1 8000000 msg work
1 9000000 msg STOP pass
END
run 0 report --each --reports=marks --filter '^work$' --format csv --time-range "$range" nested.eventlog
grep '^marks.names' out | cut -d, -f1-3,8 | sort >rows
same_lines rows "marks.names,nested.eventlog (1 of 3),2,work" "marks.names,nested.eventlog (2 of 3),1,work" \
  "marks.names,nested.eventlog (3 of 3),1,work"
run 2 report --each --time-range 1ms~2ms passes.eventlog
says err '--each applies to --time-range mark:A~mark:B only'
run 2 report --each --time-range "$range" passes.eventlog plain.eventlog
says err '--each applies to the report of one log'
run 2 report --each --time-range "$range" - <passes.eventlog
says err '--each reads a log several times'

# A log that grows cannot be searched.
run 2 follow --time-range mark:stm~ plain.eventlog
says err "a log that is being written has marks that are not known yet"
run 2 report --time-range mark: plain.eventlog
says err "a range A~B is needed"
done_checks
