#!/bin/sh
# Strings and collections of a log of tests/mono/programs/contents.cs, and operations of one of tasks.cs: figures that
# the programs printed, formats, parts and damaged copies of the logs.
. "${srcdir:-.}/tests/cli/lib.sh"
gzip -dc "$tests/cli/contents.mlpd.gz" >log || fail gzip

# Of three cities 200 persons each; 21 characters have a slot of 64 bytes.
run 0 heap strings --format json log 2
read_json
expect strings.not_compared 0
expect 'duplicates[0].wasted_bytes' 12736
expect 'duplicates[0].count' 200
expect 'duplicates[0].holder' Person.city
expect 'duplicates[0].text' 'city 0...............'
run 0 heap strings --format csv --filter 'entry' --fields count,length,held,holder,text log
same_lines out count,length,held,holder,text 80,21,50,Names.byNumber,entry................
run 0 heap strings --sort text --limit 1 --min-bytes 6000 log
grep -q ' city 0' out || fail "the first text"
grep -q '3 more' out || fail "the number of texts"
for format in text json csv markdown html; do
  run 0 heap strings --format $format log
  run 0 heap collections --format $format log
done

# 40 lists of 10 and 100 places; the growing one had 100 elements before.
run 0 heap collections --format csv --sort empty --filter 'List<System.Int32>$' log 2
grep -q '^holders,10040,[0-9]*,40,20,10,490,3000,System.Collections.Generic.List<System.Int32>,Box<.*>\.content$' out \
  || fail "the lists"
run 0 heap collections --format csv log 2
grep -q '^growing,1900,2000,[0-9]*,0x[0-9a-f]*,System.Collections.Generic.List<System.Int64>,static Contents.growing$' out \
  || fail "what grows"
run 0 heap collections --format json log 1
grep -q '"before"' out && fail "the first snapshot is compared with itself"

run 0 show log
grep -q ': contents of [1-9][0-9]* objects$' out || fail "show lacks the contents"

# A part of the log is as the whole; version 1 has none.
run_into whole 0 heap strings --format csv log
run 0 cut -q -o cut.mlpd log
run_into part 0 heap strings --format csv cut.mlpd
same part whole
run 0 convert -q --data-version 1 -o one.mlpd log
run 3 heap strings one.mlpd
says err 'data version 1 has no contents of strings'
run 3 heap collections one.mlpd
says err 'data version 1 has no contents of collections'
run 3 heap strings "$small"

# Operations: 420 of 424 answers are those of Second, and 402 are new.
gzip -dc "$tests/cli/tasks.mlpd.gz" >tasks || fail gzip
run 0 heap tasks --format csv --limit 2 --fields operations,new,state,operation,innermost,waits tasks 2
same_lines out operations,new,state,operation,innermost,waits \
  '424,402,1,Shop:Answer (async),TaskCompletionSource,TaskCompletionSource' \
  '420,400,1,Shop:Second (async),Shop:Answer (async),Shop:Answer (async) -> TaskCompletionSource'
run 0 heap tasks --format json --filter Enter tasks 1
read_json
# The rows of the program without those that are new.
expect tasks.count 64
expect 'operations[0].operations' 3
expect 'operations[0].new' null
expect 'operations[0].state' null
for format in text json csv markdown html; do
  run 0 heap tasks --format $format tasks
done
run_into whole 0 heap tasks --format csv tasks
run 0 cut -q -o cut.mlpd --force tasks
run_into part 0 heap tasks --format csv cut.mlpd
same part whole
run 0 convert -q --data-version 1 -o one.mlpd --force tasks
run 3 heap tasks one.mlpd
says err 'data version 1, or its writer, states no fields of classes'
run 0 heap leaks tasks 2
says out 'that is growth, and'
size=$(wc -c <tasks)
for part in 3 5 7 8 9; do
  head -c $((size * part / 10)) tasks >bad
  "$proflog" heap tasks --format json bad >out 2>err
  status=$?
  test $status -le 4 || fail "$part of 10: heap tasks ends with $status"
  checks=$((checks + 1))
done

# Anything may be wrong in it.
size=$(wc -c <log)
for part in 3 5 7 8 9; do
  head -c $((size * part / 10)) log >bad
  for what in strings collections; do
    "$proflog" heap $what --format json bad >out 2>err
    status=$?
    test $status -le 4 || fail "$part of 10: heap $what ends with $status"
  done
done
# Places of values in the events of the last snapshot.
"$proflog" dump log | awk '/sample-counters values=.{ index=9999/ { print $1 }' | tail -40 >places
test "$(wc -l <places)" -ge 20 || fail "no values"
while read -r place; do
  cp log bad
  overwrite bad $((place + 9)) '\377\177\003'
  overwrite bad $((place + 31)) '\0\377\377'
  for what in strings collections; do
    "$proflog" heap $what --format json bad >out 2>err
    status=$?
    test $status -le 4 || fail "damage at $place: heap $what ends with $status"
    checks=$((checks + 1))
  done
done <places
echo "$checks checks"
