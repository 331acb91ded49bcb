#!/bin/sh
# `proflog validate` gives the verdicts of `ghc-events validate`, and names the same event: for the
# recorded logs, and for the same with events that were changed.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc-events

# reference MACHINE LOG: valid, or the time and the capability of the event that is refused; nothing
# where the tool cannot read the log.
reference ()
{
  ghc-events validate "$1" "$2" >"$work/reference" 2>/dev/null
  awk '/^Valid event log/ { print "valid"; exit }
       /^Invalid event log/ { invalid = 1 }
       invalid && /^Event \{evTime = / {
         time = $4
         sub (/,/, "", time)
         cap = "none"
         if (match ($0, /evCap = Just [0-9]+\}$/)) cap = substr ($0, RSTART + 13, RLENGTH - 14)
         print time, cap
       }' "$work/reference"
}

# ours MACHINE LOG: the same.
ours ()
{
  "$proflog" validate --format json "$1" "$2" >"$work/ours" 2>"$work/ours.err"
  status=$?
  "$json_paths" <"$work/ours" >"$work/figures" || fail "validate $1: no JSON"
  awk -F '\t' -v status=$status '
    $1 ~ /^machines/ { key = $1; sub (/.*\./, "", key); value[key] = $2 }
    $1 == "log.valid" { valid = $2 }
    END {
      if (valid == "true" && status == 0) print "valid"
      else if (valid == "false" && status == 1)
        print value["time_ns"], value["cap"] == "null" ? "none" : value["cap"]
      else print "status", status
    }' "$work/figures"
}

# compare LOG WHAT: all machines.
compare ()
{
  for machine in threads threadpool threadrun taskpool tasks sparks; do
    expected=$(reference "$machine" "$1")
    test -n "$expected" || continue
    got=$(ours "$machine" "$1")
    test "$got" = "$expected" || fail "$2: $machine: $got, not $expected"
    test "$got" = valid || refused=$((refused + 1))
    checks=$((checks + 1))
  done
}

# change OFFSET BYTE: in $work/changed, the byte there is this one.
change ()
{
  # shellcheck disable=SC2059
  printf "\\$(printf '%03o' "$2")" | dd of="$work/changed" bs=1 seek="$1" conv=notrunc 2>/dev/null
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

refused=0
for log in blocks-N2 collect-G3 sparks-all sparks-user collect; do
  gunzip -c "$logs/ghc-$log.eventlog.gz" >"$work/log" || fail "$log cannot be unpacked"
  compare "$work/log" "$log"
  changes "$work/log" "${PROFLOG_RUNS:-6}" >"$work/changes"
  while read -r _ offset byte kind; do
    cp "$work/log" "$work/changed"
    change "$offset" "$byte"
    compare "$work/changed" "$log: byte $byte at $offset ($kind)"
  done <"$work/changes"
done
test "$refused" -gt 5 || fail "only $refused events were refused"

# Logs of other writers, if there are any.
if test -n "${PROFLOG_CONFORMANCE:-}"; then
  for log in "$PROFLOG_CONFORMANCE"/ghc-*/*.eventlog; do
    compare "$log" "$log"
  done
else
  echo "skipped: PROFLOG_CONFORMANCE does not name a folder of logs of other writers"
fi
done_checks
