#!/bin/sh
# proflog merge of Mono logs: all parts of a log give the reports of the whole.
. "${srcdir:-.}/tests/cli/lib.sh"

# figures_of LOG: its report, without the log's own name, its sizes and the number of buffers.
figures_of ()
{
  "$proflog" report -q --traces --verbose --format json "$1" \
    | grep -Ev '"(bytes|blocks)": [0-9]*,$|"name": "[^"]*\.mlpd' \
    | sed 's/\("events": [0-9]*\), "bytes": [0-9]*, "kind"/\1, "kind"/'
}

# cut_and_merge WHOLE OPTION...: cuts a part by each option, and merges them, the last one first.
cut_and_merge ()
{
  whole=$1 parts='' n=0
  shift
  for option; do
    n=$((n + 1))
    run 0 cut -q "$option" "$whole" -o $n.mlpd
    parts="$n.mlpd $parts"
  done
  # shellcheck disable=SC2086 # names of parts are words
  run 0 merge $parts -o merged.mlpd
  quiet err
  quiet out
  figures_of "$whole" >expected
  figures_of merged.mlpd >got
  grep -q '"events": [1-9]' expected || fail "$whole has no events"
  same got expected
  # What is common to the parts is not in there twice.
  events_of "$whole" >expected
  events_of merged.mlpd >got
  same got expected
  rm -f -- *.mlpd
}

# events_of LOG: all events with their times, sorted.
events_of ()
{
  "$proflog" dump -q --format csv "$1" | sed 1d | cut -d , -f 3- | grep -Ev ',(file-header|buffer),' | sort
}

for log in "$logs"/all-v*.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz "$small"; do
  cut_and_merge "$log" --time-range=~30% --time-range=30%~31% --time-range=31%~99% --time-range=99%~
done

# Some parts are a part; a log by itself is the same log.
whole=$logs/all-v17.mlpd
run 0 cut -q --time-range=~30ms "$whole" -o 1.mlpd
run 0 cut -q --time-range=30ms~2s "$whole" -o 2.mlpd
run 0 cut -q --time-range=~2s "$whole" -o both.mlpd
run 0 merge 2.mlpd 1.mlpd -o merged.mlpd
figures_of merged.mlpd >got
figures_of both.mlpd >expected
same got expected
run 0 merge -o - "$whole"
mv out same.mlpd
figures_of same.mlpd >got
figures_of "$whole" >expected
same got expected
rm merged.mlpd same.mlpd

# Files of one log (rotate=): their report is that of the joined log.
python3 "$tests/cli/split-log.py" "$whole" app 3 || fail "cannot split"
run 0 report -q --traces --verbose --format json app.*.mlpd
grep -Ev '"(bytes|blocks)": [0-9]*,$|"name": "[^"]*\.mlpd' out \
  | sed 's/\("events": [0-9]*\), "bytes": [0-9]*, "kind"/\1, "kind"/' >expected
run 0 merge app.*.mlpd -o merged.mlpd
quiet err
figures_of merged.mlpd >got
same got expected

# What makes no sense.
run 0 cut -q --time-range=2ms~ "$whole" -o late.mlpd
run 3 merge 1.mlpd late.mlpd -o no.mlpd
says err "1.mlpd and late.mlpd overlap: both have events of the thread 0x7f0030000000"
run 3 merge 1.mlpd "$logs/all-v16.mlpd" -o no.mlpd
says err "are not parts of one log: their headers differ"
run 2 merge 1.mlpd "$logs/stock-alloc.mlpd.gz" -o no.mlpd
says err "and a log of Mono has one process; make eventlogs of them"
run 2 merge 1.mlpd "$logs/small.eventlog" -o no.mlpd
says err "is an eventlog of GHC: the output has to be one"
run 2 merge 1.mlpd 2.mlpd -o no.eventlog
says err "1.mlpd is a log of Mono; make an eventlog of it first"
head -c 20 "$small" >headless.mlpd
run 3 merge 1.mlpd headless.mlpd -o no.mlpd
test ! -e no.mlpd && test ! -e no.eventlog || fail "something was written"
# A part that was cut off has the names up to there.
head -c 900 2.mlpd >cut-off.mlpd
run 0 merge 1.mlpd cut-off.mlpd -o merged.2.mlpd
says err "cut-off.mlpd: warning: the log ends"
done_checks
