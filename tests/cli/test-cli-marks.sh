#!/bin/sh
# Marks and messages of Haskell programs: as many as the programs counted.
. "${srcdir:-.}/tests/cli/lib.sh"

log=$logs/ghc-blocks.eventlog.gz
run 0 report --reports=marks --format json "$log"
read_json
marks=$(awk '$1 == "markers" { print $2 }' "$logs/ghc-blocks.truth")
messages=$(awk '$1 == "messages" { print $2 }' "$logs/ghc-blocks.truth")
expect marks.count $((marks + messages))
run 0 report --reports=marks --format csv "$log"
test "$(awk -F, '$1 == "marks.names" && $6 == "mark" { n += $2 } END { print n + 0 }' out)" = "$marks" \
  || fail "not $marks marks"
test "$(awk -F, '$1 == "marks.names" && $6 == "message" { n += $2 } END { print n + 0 }' out)" \
  = "$messages" || fail "not $messages messages"
# The time of a mark is that of its event.
run 0 dump --filter '^stm$' --format json "$log"
time=$(sed -n 's/.*"time_ns":\([0-9]*\),"kind":"user-marker".*/\1/p' out)
run 0 report --reports=marks --format csv "$log"
says out "marks.names,1,"
grep -q "^marks.names,1,[0-9.]*,$time,$time,mark,stm$" out || fail "no mark stm at $time"
# Only what is in the part that is selected.
run 0 report --reports=marks --time-range "0~${time}ns" --format csv "$log"
! grep -q ',mark,stm$' out || fail "stm is outside"
grep -q ',mark,mvar$' out || fail "mvar is inside"
# A log without them has no section.
run 0 report --reports=marks "$small"
says out "Nothing in the log of: Marks and messages"
run 0 report "$small"
! grep -q "Marks and messages" out || fail "the absence is reported"
done_checks
