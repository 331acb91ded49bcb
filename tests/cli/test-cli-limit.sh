#!/bin/sh
# --limit limits every table of every command, in every format.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

set -- "$logs/all-v17.mlpd" "$logs/small.mlpd" "$logs/stock-heapshot.mlpd.gz" "$logs/stock-calls.mlpd.gz" \
  "$logs/stock-samples.mlpd.gz" "$logs/module-alloc.mlpd.gz" "$logs/ghc-blocks-N2.eventlog.gz" \
  "$logs/ghc-heap-hc.eventlog.gz" "$logs/ghc-ticks.eventlog.gz" "$logs/ghc-sparks-all.eventlog.gz"
python3 "$tests/cli/limits.py" "$proflog" "$@" >said 2>&1 || fail "$(cat said)"
test "$(sed 's/ .*//' said)" -gt 80 || fail "$(cat said)"
# Other formats: of CSV each table has its rows under its name, of HTML each has one row below its heads; a matrix has
# another one, of all others.
for log in "$@"; do
  run 0 report -q --limit 1 --format csv "$log"
  grep -v -e '^table,' -e '^$' -e '^heapshots[.,]' out | sed 's/,.*//' | sort | uniq -d >more
  test ! -s more || fail "$log: $(cat more)"
  run 0 report -q --limit 1 --format html "$log"
  tr '\n' ' ' <out | sed 's/<table/\n<table/g' | grep '^<table' | sed 's/<\/table>.*//' | awk '
    { most = /data-table="matrix"/ ? 3 : 2; if (gsub (/<tr/, "") > most) print substr ($0, 1, 80) }' >rows
  test ! -s rows || fail "$log: a table of the page has more rows"
done
# Damaged places are a list.
gunzip -c "$logs/ghc-blocks-N2.eventlog.gz" >whole
cp whole damaged.eventlog
for at in $(seq 5000 1500 95000); do
  printf '\377\377' | dd of=damaged.eventlog bs=1 seek="$at" conv=notrunc 2>dd.err || fail dd
done
run 0 report -q --limit 0 --reports=damage damaged.eventlog
all=$(grep -c offset out)
test "$all" -gt 20 || fail "$all damaged places"
run 0 report -q --limit 2 --reports=damage damaged.eventlog
test "$(grep -c offset out)" = 2 && says out "... and $((all - 2)) more places (--limit 0 shows more)" || fail "$(cat out)"
run 0 report -q --limit 2 --reports=damage --format json damaged.eventlog
test "$(grep -c offset out)" = 2 || fail "$(cat out)"
done_checks
