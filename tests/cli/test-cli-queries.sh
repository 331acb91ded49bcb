#!/bin/sh
# docs/queries.md: each of its statements runs, and has rows, over the logs of all tests at once.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built SQLITE proflog-query

page=$tests/../docs/queries.md
sed -n '/^```sql$/,/^```$/p' "$page" | sed '/^```/d' >script
statements=$(grep -c ';$' script)
test "$statements" -ge 30 || fail "docs/queries.md has only $statements statements"
# Tables without rows are not shown; an empty line is between those that are.
run 0 query --file script "$logs"/stock-*.mlpd.gz "$logs"/ghc-blocks-N2.eventlog.gz "$logs"/ghc-heap-h?.eventlog.gz
awk 'NR == 1 || before == "" { n++ } { before = $0 } END { print n }' out >tables
same_lines tables "$statements"
done_checks
