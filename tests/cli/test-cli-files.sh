#!/bin/sh
# The files of one log are read as one: the figures and events are those of the whole log, which was split at
# borders of buffers.  Files that are missing or cut are named.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
split ()
{
  rm -f part.*
  python3 "$tests/cli/split-log.py" "$1" part "$2" || fail "cannot split $1"
}

# of_whole COMMAND...: it prints the same of the parts as of the whole log.  The name of the log, and the sizes
# in the file, are no figures of it.
of_whole ()
{
  run 0 "$@" whole.mlpd
  quiet err
  mv out expected
  run 0 "$@" part.*.mlpd
  quiet err
  sed 's/part\.0001\.mlpd ([0-9]* files)/whole.mlpd/g' out >renamed
  grep -v '"\(bytes\|blocks\)": [0-9]*,$' expected >expected.figures
  grep -v '"\(bytes\|blocks\)": [0-9]*,$' renamed >renamed.figures
  same renamed.figures expected.figures
}

for stock in calls heapshot alloc monitors; do
  gzip -dc "$logs/stock-$stock.mlpd.gz" >whole.mlpd || fail "cannot unpack"
  split whole.mlpd 4
  of_whole report --format json --reports=gc,alloc,calls,heapshots,monitors,exceptions,threads,metadata
  of_whole export --format chrome -o trace.json --force
done
done_checks
