#!/bin/sh
# The logs of the other tests have one finding at most, whose figures are those of the report.
. "${srcdir:-.}/tests/cli/lib.sh"

for each in "$logs"/*.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog "$logs"/*.eventlog.gz; do
  run 0 report --format json "$each"
  same_findings out
  test "$findings" -le 1 || fail "$each has $findings findings: $(tr '\n' ' ' <ids)"
done

# Other reports do not begin with them.
run 0 report --reports gc --format json "$small"
grep -q findings out && fail "findings that are not requested"
run 0 report --no-findings --format csv "$small"
grep -q '^findings' out && fail "findings that are not wanted"
done_checks
