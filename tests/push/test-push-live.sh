#!/bin/sh
# `proflog push --every`: the profiles of a program that runs, added up, are the processor time that its log states;
# those that could not be sent are in later ones.
. "${srcdir:-.}/tests/mono/lib.sh"
cd "$work" || exit 1
. "$tests/push/stub.sh"
need_built SQLITE proflog-query
need_built CURL proflog-push
start_stub
compile burn

LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  mono "--profile=proflog:sample,format=17,output=$log" "$programs/burn.exe" 1 >"$truth" 2>stderr &
program=$!
wait_for test -s "$log"
"$proflog" push --to pyroscope --url "$url/busy" --retry 0s --every 1s --start beginning --label program=burn $program >out 2>err &
watched=$!
wait $program || fail "the program ended with $?"
wait $watched || fail "push --every ended with $?"
watched=
# The first answer was 503.
says err '503'
test "$(wc -l <err)" = 1 || fail 'more than one line of errors'
test "$(ls requests/*.pprof | wc -l)" -ge 1 || fail 'there is no profile'
sum=0
for profile in requests/*.pprof; do
  set -- $(samples "$profile")
  sum=$((sum + $2))
done
"$proflog" report -q --format json --reports cpu "$log" | "$json_paths" >figures
expected=$(sed -n 's/^cpu.total_ns	//p' figures)
test "$expected" -gt 200000000 || fail "the program used $expected ns"
test $sum = "$expected" || fail "the profiles have $sum ns, the report $expected"
says requests/1.request 'name=burn.cpu%7B'

# From now on, as it is without --start: a part of that.
rm -f requests/* "$log"
LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  mono "--profile=proflog:sample,format=17,output=$log" "$programs/burn.exe" 1 >"$truth" 2>stderr &
program=$!
wait_for test -s "$log"
sleep 0.5
"$proflog" ctl $program flush >reply 2>&1 || fail "ctl flush: $(cat reply)"
"$proflog" push --to pyroscope --url "$url" --every 1s $program >out 2>err &
watched=$!
wait $program || fail "the program ended with $?"
wait $watched || fail "push --every ended with $?"
watched=
part=0
for profile in requests/*.pprof; do
  set -- $(samples "$profile")
  part=$((part + $2))
done
"$proflog" report -q --format json --reports cpu "$log" | "$json_paths" >figures
expected=$(sed -n 's/^cpu.total_ns	//p' figures)
test $part -gt 0 && test $part -lt "$expected" || fail "from now on there are $part of $expected ns"
says requests/1.request 'name=burn.exe.cpu%7B'
echo "$part of $expected ns, $(ls requests/*.pprof | wc -l) profiles"
