#!/bin/sh
# `proflog show` prints, byte for byte, the texts that ghc-events (the version of 2025) prints of logs
# that do not come with the project: of all NAME.eventlog with NAME.eventlog.reference in the folders
# of $PROFLOG_CONFORMANCE.
. "${srcdir:-.}/tests/cli/lib.sh"
test -n "${PROFLOG_CONFORMANCE:-}" || {
  echo "SKIP: PROFLOG_CONFORMANCE does not name a folder of logs with their texts"
  exit 77
}

for reference in "$PROFLOG_CONFORMANCE"/*/*.eventlog.reference; do
  log=${reference%.reference}
  test -f "$log" || continue
  run 0 show "$log"
  quiet err
  same out "$reference"
  cat "$log" | "$proflog" show - >out 2>err || fail "$log from a pipe: status $?"
  same out "$reference"
done
test "$checks" -gt 0 || fail "no texts under $PROFLOG_CONFORMANCE"
done_checks
