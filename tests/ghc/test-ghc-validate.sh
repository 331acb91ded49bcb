#!/bin/sh
# `proflog validate` gives the verdicts of `ghc-events validate`, and names the same event: for the
# recorded logs, and for the same with events that were changed.  `proflog simulate` gives the traces of
# `ghc-events simulate`.  Threads run as long as `ghc-events profile` states.
. "${srcdir:-.}/tests/ghc/lib.sh"
. "$sources/judge.sh"
need ghc-events

# change OFFSET BYTE: in $work/changed, the byte there is this one.
change ()
{
  overwrite changed "$1" "\\0$(printf %o "$2")"
}

# The last bytes of a thread, a reason to stop, a capability, a task; or the kind of an event.
changes ()
{
  "$proflog" dump "$1" | awk -v n="$2" '
    BEGIN { srand (7) }
    { offset = $1; kind = $4; byte = -1 }
    kind == "stop-thread" && rand () < 0.5 { offset += 15; byte = int (rand () * 13) + 1 }
    byte < 0 && kind ~ /^(create-thread|run-thread|stop-thread|thread-wakeup|create-spark-thread)$/ {
      offset += 13
      byte = int (rand () * 12)
    }
    kind == "migrate-thread" { offset += 13; byte = int (rand () * 12) }
    kind == "spark-run" { offset += 1; byte = 41 }
    kind == "task-create" && rand () < 0.5 { offset += 27; byte = 1 }
    byte < 0 && kind ~ /^task-/ { offset += 17; byte = int (rand () * 256) }
    byte >= 0 { print rand (), offset, byte, kind }' | sort | head -n "$2"
}

changes=${PROFLOG_RUNS:-6}
test "$changes" -le 30 || changes=30
refused=0
for log in blocks-N2 collect-G3 sparks-all sparks-user collect; do
  gunzip -c "$logs/ghc-$log.eventlog.gz" >"$work/log" || fail "$log cannot be unpacked"
  compare_verdicts "$work/log" "$log"
  compare_run_times "$work/log" "$log"
  changes "$work/log" "$changes" >"$work/changes"
  while read -r _ offset byte kind; do
    cp "$work/log" "$work/changed"
    change "$offset" "$byte"
    compare_traces "$work/changed" "$log: byte $byte at $offset ($kind)"
    compare_verdicts "$work/changed" "$log: byte $byte at $offset ($kind)"
  done <"$work/changes"
done
for packed in "$logs"/ghc-*.eventlog.gz; do
  gunzip -c "$packed" >"$work/log" || fail "$packed cannot be unpacked"
  compare_traces "$work/log" "$packed"
done
compare_traces "$logs/small.eventlog" small
test "$refused" -gt 5 || fail "only $refused events were refused"

# Logs of other writers, if there are any.
for log in ${PROFLOG_CONFORMANCE:+"$PROFLOG_CONFORMANCE"/ghc-*/*.eventlog}; do
  compare_verdicts "$log" "$log"
  compare_traces "$log" "$log"
  # Some logs it cannot read, or not to their end.
  test "$(reference threads "$log")" != valid || compare_run_times "$log" "$log"
done
done_checks
