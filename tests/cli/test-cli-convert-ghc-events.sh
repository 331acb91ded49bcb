#!/bin/sh
# Each eventlog that `proflog convert` makes of a log in tests/logs, directly and of its conversions to data
# versions 1 and 17, and of eventlogs that were a log of Mono in between, is read by ghc-events: it finds as many
# events of each kind as `proflog dump`, the text of `proflog show`, and gives the same verdicts.
. "${srcdir:-.}/tests/cli/lib.sh"
need ghc-events
. "$tests/cli/ghc-events.sh"
. "$tests/ghc/judge.sh"
LC_ALL=C.UTF-8 # names of threads
refused=0 judged=0

# judge LOG WHAT
judge ()
{
  case=$2
  read_by_ghc_events "$1"
  test "$judged" != 0 || test "$(wc -l <expected)" -ge 10 || fail "few kinds of events"
  judged=$((judged + 1))
}

# make_log SOURCE RESULT ARGUMENT...
make_log ()
{
  source=$1 result=$2
  shift 2
  rm -f "$result"
  "$proflog" convert -q "$@" "$source" -o "$result" 2>err || fail "$source to $result: status $?"
}

for source in "$logs"/*.mlpd "$logs"/*.mlpd.gz; do
  name=$(basename "$source")
  make_log "$source" own.eventlog
  judge own.eventlog "$name"
  compare_verdicts own.eventlog "$name"
  make_log "$source" 1.mlpd --data-version 1
  make_log 1.mlpd own.eventlog
  judge own.eventlog "$name, then 1"
  make_log "$source" 17.mlpd --data-version 17
  make_log 17.mlpd own.eventlog
  judge own.eventlog "$name, then 17"
done
for source in "$logs"/*.eventlog "$logs"/*.eventlog.gz; do
  name=$(basename "$source")
  make_log "$source" 17.mlpd
  make_log 17.mlpd own.eventlog
  judge own.eventlog "$name, then 17"
  compare_verdicts own.eventlog "$name, then 17"
done
test "$judged" -ge 100 || fail "only $judged logs"
test "$refused" = 0 || fail "$refused verdicts against converted logs"
echo "$judged logs, $checks checks"
