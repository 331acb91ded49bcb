#!/bin/sh
# proflog merge of Mono logs: all parts of a log give the reports of the whole.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/mono-figures.sh"
need python3

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

for log in "$logs"/all-v*.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz "$small" "$tests/cli/memory.mlpd.gz"; do
  # Native memory of memory.mlpd.gz is allocated in the first part and freed in the third.
  cut_and_merge "$log" --time-range=~30% --time-range=30%~31% --time-range=31%~99% --time-range=99%~
done

# By threads: each by itself.
for log in "$logs"/all-v17.mlpd "$logs"/stock-monitors.mlpd.gz "$logs"/module-calls.mlpd.gz; do
  "$proflog" info -q --format json "$log" | "$json_paths" | awk -F '\t' '/^threads.*[.]id\t/ { print "--thread=" $2 }' \
    | sort -u >threads
  test "$(wc -l <threads)" -gt 2 || fail "$log has few threads"
  # shellcheck disable=SC2046 # ids are words
  cut_and_merge "$log" $(cat threads)
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

# Of several processes, and of Mono and GHC: an eventlog of what convert makes of each.
gunzip -c "$logs/stock-exceptions.mlpd.gz" >throws.mlpd
gunzip -c "$logs/stock-monitors.mlpd.gz" >locks.mlpd
gunzip -c "$logs/ghc-blocks.eventlog.gz" >blocks.eventlog
for log in throws locks; do
  run 0 convert $log.mlpd -o $log.eventlog
  sed 's/^proflog convert/proflog merge/' err >>losses
done
run 0 merge throws.eventlog locks.eventlog blocks.eventlog -o of-eventlogs.eventlog
run 0 merge throws.mlpd locks.mlpd blocks.eventlog -o both.eventlog
same err losses
same both.eventlog of-eventlogs.eventlog
run 0 validate both.eventlog
for log in throws.mlpd locks.mlpd blocks.eventlog; do
  "$proflog" info --format json $log | "$json_paths" | awk -F '\t' '$1 == "log.pid" { print $2 }'
done >pids
"$proflog" report --format json both.eventlog | "$json_paths" | awk -F '\t' '$1 ~ /^processes.*\.pid$/ { print $2 }' >got
same got pids
if has ghc-events; then
  export LC_ALL=C.UTF-8 # for it
  ghc-events show both.eventlog >shown 2>err || fail "ghc-events: $(cat err)"
  sed -n 's/.*capset [0-9]*: pid \([0-9]*\)$/\1/p' shown | sort >got
  sort pids >expected
  same got expected
  # Kinds of events: the numbers of capabilities, threads and sets are others.
  for log in throws locks blocks; do
    ghc-events show $log.eventlog | sed -n '1,/^Events:/d; s/^ *[0-9]*: //p'
  done | tr -d 0-9 | cut -c -20 | sort >expected
  sed -n '1,/^Events:/d; s/^ *[0-9]*: //p' shown | tr -d 0-9 | cut -c -20 | sort >got
  same got expected
  export LC_ALL=C
fi

# One without a time of day, whose warning has the name that was given.
{ head -c 8 throws.mlpd; head -c 8 /dev/zero; tail -c +17 throws.mlpd; } >timeless.mlpd
run 0 merge timeless.mlpd blocks.eventlog -o mixed.eventlog
says err "proflog: timeless.mlpd: warning: it has no time of day: its beginning is aligned"

# What makes no sense.
run 0 cut -q --time-range=2ms~ "$whole" -o late.mlpd
run 3 merge 1.mlpd late.mlpd -o no.mlpd
says err "1.mlpd and late.mlpd overlap: both have events of the thread 0x7f0030000000"
run 3 merge 1.mlpd "$logs/all-v16.mlpd" -o no.mlpd
says err "are not parts of one log: their headers differ"
run 2 merge 1.mlpd "$logs/stock-alloc.mlpd.gz" -o no.mlpd
says err "and a log of Mono has one process: name the output .eventlog"
run 2 merge 1.mlpd "$logs/small.eventlog" -o no.mlpd
says err "is an eventlog of GHC: the output has to be one"
run 2 merge 1.mlpd 2.mlpd -o no.eventlog
says err "1.mlpd and 2.mlpd are of one process: merge them first"
head -c 20 "$small" >headless.mlpd
run 3 merge 1.mlpd headless.mlpd -o no.mlpd
test ! -e no.mlpd && test ! -e no.eventlog || fail "something was written"
# A part that was cut off has the names up to there.
head -c 900 2.mlpd >cut-off.mlpd
run 0 merge 1.mlpd cut-off.mlpd -o merged.2.mlpd
says err "cut-off.mlpd: warning: the log ends"
done_checks
