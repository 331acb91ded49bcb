#!/bin/sh
# proflog anonymize of Mono logs: no name of the program is left, and each figure of the report is as it was.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# hidden LOG TEXT...: none of these is in the log.
hidden ()
{
  log=$1
  shift
  for text in "$@"; do
    ! grep -q -a -F -e "$text" "$log" || fail "'$text' is still there"
    checks=$((checks + 1))
  done
}

cat >numbers.py <<'END_OF_SCRIPT'
import json
import sys


def put(key, value):
    if isinstance(value, dict):
        for name, part in value.items():
            put(f'{key}.{name}', part)
    elif isinstance(value, list):
        for part in value:
            put(f'{key}[]', part)
    elif value is None or isinstance(value, (bool, int, float)):
        lines.append(f'{key} {value}')


lines = []
put('', json.load(sys.stdin))
print('\n'.join(sorted(line for line in lines if not line.startswith(('.log.bytes ', '.kinds[].bytes ', '.kinds[].share')))))
END_OF_SCRIPT

# numbers LOG: each number of the report, by the keys around it; what depends on lengths of texts aside.
numbers ()
{
  "$proflog" report -q -v --format json "$1" >json || fail "report $1"
  python3 numbers.py <json
}

# Logs of all data versions, and of the stock profiler: two of each sort with a sanitizer.
all="$logs/*.mlpd $logs/*.mlpd.gz"
test "${SANITIZER:-no}" = no || all="$logs/all-v01.mlpd $logs/all-v17.mlpd $logs/stock-samples.mlpd.gz $logs/stock-counters.mlpd.gz"
for log in $all; do
  PROFLOG_KEY=k "$proflog" anonymize --force "$log" -o hidden.mlpd 2>err || fail "anonymize $log: $(cat err)"
  quiet err
  numbers "$log" >expected
  numbers hidden.mlpd >got
  same got expected
  hidden hidden.mlpd All. Größe 'no. 1' plugins /opt/all src/all Probe. /tmp/ /home/ memory_pressure
  "$proflog" check -q hidden.mlpd >out
  "$proflog" check -q "$log" >expected
  test "$(grep -c error out)" = "$(grep -c error expected)" || fail "check finds errors in what is made of $log"
done
test "$(wc -l <got)" -gt 100 || fail "too few numbers were compared"

# What the stock reader counts is the same.
if has mprof-report; then
  for log in "$logs"/all-v01.mlpd "$logs"/all-v17.mlpd; do
    PROFLOG_KEY=k "$proflog" anonymize -q --force "$log" -o hidden.mlpd || fail "anonymize $log"
    for file in "$log" hidden.mlpd; do
      mprof-report --reports=header,gc,alloc,call,thread,exception,monitor,heapshot "$file" 2>err \
        | awk '!/Data size/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+([.][0-9]+)?%?$/) print $i }' | sort
    done >both
    n=$(wc -l <both)
    test "$n" -gt 40 || fail "mprof-report prints $n numbers"
    head -n $((n / 2)) both >expected
    tail -n +$((n / 2 + 1)) both >got
    same got expected
  done
fi

# What reports recognise stays; names of one namespace are still of one.
"$proflog" anonymize -q --force "$logs/all-v17.mlpd" -o hidden.mlpd || fail "anonymize"
run 0 dump hidden.mlpd
for text in '"System.Object"' ':Main (string\[\])"' 'name="Main"' '/usr/lib/mono/4.5/mscorlib.dll' '\.exe"' 'name="memcpy"' \
  'name="User Time"' 'arguments="log:output=arg-[0-9a-f]*,sample"'; do
  grep -q -e "$text" out || fail "no $text"
done
test "$(grep -o '"name-[0-9a-f]*\.name-' out | sort -u | wc -l)" = 1 || fail "the namespace is not one word"

# Words follow from the key; kinds are retained on request.
for key in one one two; do
  PROFLOG_KEY=$key "$proflog" anonymize -q  "$logs/all-v17.mlpd" -o $key-$((checks += 1)).mlpd || fail "key $key"
done
set -- one-*.mlpd
same "$1" "$2"
! cmp -s "$1" two-*.mlpd || fail "another key makes the same words"
"$proflog" anonymize -q --keep args,names,labels,messages "$logs/all-v17.mlpd" >kept.mlpd || fail "keep"
"$proflog" dump "$logs/all-v17.mlpd" | cut -d' ' -f 4- | sed 's/length=[0-9]*//; s/.*_base=.*//' >expected
"$proflog" dump kept.mlpd | cut -d' ' -f 4- | sed 's/length=[0-9]*//; s/.*_base=.*//' >got
grep -v '^ *$' expected >a
grep -v '^ *$' got >b
same b a
"$proflog" anonymize -q --keep labels "$logs/all-v17.mlpd" >kept.mlpd || fail "keep"
grep -q -a 'no. 1' kept.mlpd || fail "the label is gone"
hidden kept.mlpd All. /opt

# A damaged log: what could be read is there, and what not is stated.
head -c 1500 "$logs/all-v17.mlpd" >cut.mlpd
run 0 anonymize --force cut.mlpd -o hidden.mlpd
says err 'ends at offset'
run 4 anonymize --strict --force cut.mlpd -o hidden.mlpd
events=$("$proflog" report -q --format json cut.mlpd | "$json_paths" | awk -F '\t' '$1 == "log.events" { print $2 }')
"$proflog" report -q --format json hidden.mlpd | "$json_paths" | grep -q "^log.events	$events\$" || fail "not $events events"
echo 'no log' >none
run 3 anonymize none -o never.mlpd
test ! -e never.mlpd || fail "a file was made of no log"
done_checks
