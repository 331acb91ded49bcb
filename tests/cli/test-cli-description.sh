#!/bin/sh
# docs/formats/*.json say all that a reader needs: one that knows nothing else reads what `proflog dump` reads.
. "${srcdir:-.}/tests/lib.sh"
need python3
formats=$tests/../docs/formats
cd "$work" || exit 1
logs=0
# reads DESCRIPTION LOG: each event has its kind, and the same numbers and texts.
reads ()
{
  python3 "$tests/cli/read_by_description.py" "$formats/$1.json" "$2" >found || fail "$2: it cannot be read by $1.json"
  "$proflog" dump --format json "$2" 2>err | python3 "$tests/cli/dump_values.py" >expected
  test -s expected || fail "$2: dump has no events"
  cmp -s found expected || { diff found expected | head -n 4; fail "$2: events differ"; }
  logs=$((logs + 1))
}
for log in "$tests"/logs/all-v*.mlpd; do
  reads mlpd "$log"
done
for log in "$tests"/logs/*.eventlog.gz; do
  case $log in
    # The runtime leaves parts of the first log between two logs in one file.
    */ghc-restart*) ;;
    *) reads ghc-eventlog "$log" ;;
  esac
done
test "$logs" -ge 20 || fail "only $logs logs"
echo "$logs logs"
