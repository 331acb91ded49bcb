#!/bin/sh
# The command line: help, versions, mistakes, options in any order.
. "${srcdir:-.}/tests/cli/lib.sh"

run 2
quiet out
says err 'Usage: proflog COMMAND'
for help in --help -h help; do
  run 0 "$help"
  quiet err
  for command in run report dump info; do
    says out "  $command "
  done
done
for version in --version -V; do
  run 0 "$version"
  quiet err
  grep -q -x 'proflog [0-9][0-9.]*' out || fail "what version is that?"
done
run 2 frobnicate
quiet out
says err "'frobnicate'"
test "$(wc -l <err)" = 1 || fail "more than one line"
run 2 help frobnicate
says err "'frobnicate'"

for command in report dump info; do
  run 0 $command --help
  quiet err
  for text in "proflog $command" --format --output --force --strict --quiet 'Examples:' ; do
    says out "$text"
  done
  cp out expected
  run 0 $command -h
  same out expected
  # All of it: first sentences of options are there, and the rest of each.
  run 0 help $command
  quiet err
  says out "proflog $command"
  test "$(wc -l <out)" -ge "$(($(wc -l <expected) - 2))" || fail "help $command is shorter than --help"
  run 0 $command -V
  grep -q -x 'proflog [0-9][0-9.]*' out || fail "what version is that?"

  run 2 $command --frobnicate "$small"
  quiet out
  says err --frobnicate
  run 2 $command
  quiet out
  says err 'no log given'
  for format in xml '' JSON; do
    run 2 $command --format "$format" "$small"
    quiet out
    says err 'there are text, json'
  done
  run 2 $command "$small" --format
  test "$(wc -l <err)" = 1 || fail "more than one line"
done

for command in report info; do
  for limit in -1 x 1x '' 99999999999 1.5; do
    run 2 $command "--limit=$limit" "$small"
    quiet out
    says err 'number of rows'
  done
done

# In any order, before and after the log, in one word or two.
run 0 report --format json --limit 1 "$small"
cp out expected
run 0 report "$small" --limit=1 --format=json
same out expected
run 0 report -n 1 "$small" --format json -q --strict
same out expected
run 0 report -qn1 "$small" -fjson
same out expected
run 2 report -n "$small"
run 2 report -nx "$small"
says err '--limit x: a number of rows'
# Behind -- there are logs only.
cp "$small" ./-n
run 0 info --format json -- -n
says out '"name": "-n"'

# 1 row of 2; all of them; JSON is whole unless it is reported not to be.
run 0 report --limit 1 "$small"
says out '... and 1 more'
run 0 report --limit 0 "$small"
grep -q 'more' out && fail "a table was cut"
says out 'Small.Node'
# 40 threads, which is more than text shows by default: a leave of 3 bytes each.
head -c 32 "$small" >many
for thread in $(seq 1 40); do
  printf '\001LPM\003\000\000\000' && head -c 24 /dev/zero
  # shellcheck disable=SC2059
  printf "\\$(printf %03o "$thread")" && head -c 15 /dev/zero
  printf '\023\001\001'
done >>many
printf '\001LPM' >>many
head -c 44 /dev/zero >>many
for command in report info; do
  run 0 $command many
  quiet err
  says out ' more (--limit 0 shows all)'
  run 0 $command --limit 0 many
  grep -q 'more' out && fail "a table was cut"
  says out '0x28 '
  test "$(grep -c '^ *0x' out)" = 40 || fail "not all threads"
done
run 0 report --format json --limit 1 "$small"
grep -q 'Small.Node' out && test "$(grep -c 'System.Byte' out)" = 2 && fail "JSON was not cut"
run 0 report --format json "$small"
says out 'Small.Node'
says out 'System.Byte[]'
# The log of a run cannot go where the program's own output goes.
mkdir module && : >module/libmono-profiler-proflog.so
for option in '-o -' -o- --output=-; do
  # shellcheck disable=SC2086
  PROFLOG_MODULE_DIR=$PWD/module run 3 run $option true
  says err "cannot write the log: standard output is the program's own; name a file"
  quiet out
  test ! -e - || fail "a file called '-'"
done

# An earlier log is not overwritten by a run, before which the command would have to start.
cp "$small" earlier.mlpd
PROFLOG_MODULE_DIR=$PWD/module run 3 run -o earlier.mlpd touch started
says err 'earlier.mlpd'
says err --force
same earlier.mlpd "$small"
test ! -e started || fail "the command was started"
PROFLOG_MODULE_DIR=$PWD/module run 3 run --force -o earlier.mlpd touch started
says err 'no log was written'
test -e started || fail "the command was not started"
: >empty.mlpd
PROFLOG_MODULE_DIR=$PWD/module run 3 run -o empty.mlpd true
says err 'no log was written'

# Options of mprof-report that have another name state ours.
for option in --time=1-2 --method-sort=self --alloc-sort=count --counters-sort=time --out=x --debug; do
  run 2 info $option "$small"
  says err "${option%%=*} is an option of mprof-report; here it is "
  quiet out
done
run 2 info --time=1-2 "$small"
says err --time-range

# `report` does what they do.
run 2 report --debug "$small"
says err '--debug is an option of mprof-report; here it is proflog dump'
# same_as OPTIONS OPTIONS: reports of a log with these print the same.
same_as ()
{
  # shellcheck disable=SC2086 # words
  run 0 report --verbose $1 "$log"
  cp out first
  # shellcheck disable=SC2086 # words
  run 0 report --verbose $2 "$log"
  same out first
}
log=$logs/stock-calls.mlpd.gz
for mode in total:total_ns self:self_ns calls:calls; do
  same_as "--reports=call --method-sort=${mode%:*}" "--reports=calls --sort ${mode#*:}"
done
run 0 report --reports=call --method-sort=calls --format csv --fields calls "$log"
sed 1d out | sort -nr >sorted
sed -i 1d out
same out sorted
log=$logs/stock-alloc.mlpd.gz
for mode in bytes:bytes count:objects; do
  same_as "--reports=alloc --alloc-sort=${mode%:*}" "--reports=alloc --sort ${mode#*:}"
done
same_as '--reports=gc --alloc-sort=count' '--reports=gc' # as mprof-report, which does not mind
same_as '--reports=alloc --time=0.01-0.2' '--reports=alloc --time-range=0.01~0.2'
log=$logs/stock-counters.mlpd.gz
same_as '--reports=counters --counters-sort=time' '--reports=counters --sort time_ns'
same_as '--reports=counters --counters-sort=category' '--reports=counters --sort section'
run 0 report --reports=header --out=written "$small"
quiet out
test -s written || fail "--out writes nothing"
for option in --time=1 --time=-2 --method-sort=x --alloc-sort=size --counters-sort=name; do
  run 2 report $option "$small"
  says err "${option%%=*}"
done

# Standard input has one name in messages.
head -c 500 "$small" >cut
"$proflog" report --filter nosuch - <cut >out 2>err
test "$(grep -c '^proflog: standard input: warning: ' err)" = "$(wc -l <err)" || fail "another name"
says err 'nothing was selected'
# What has no rows has nothing to choose from.
run 0 report --filter nosuch --reports=jit "$small"
says err 'warning: nothing to select from: no rows that --filter'

# Names in messages are on one line, without what acts on a terminal.
odd=$(printf 'a\nb\033[31m\302\233\377')
# tells_odd STATUS ARGUMENT...
tells_odd ()
{
  PROFLOG_MODULE_DIR=$PWD/module run "$@"
  says err 'a?b?[31m?'
  test "$(wc -l <err)" = 1 || fail "more than one line"
  tr -d '\012\040-\176\200-\377' <err >control
  test ! -s control || fail "control characters"
  grep -q "$(printf '\302\233')" err && fail "a control character above 0x7f"
  checks=$((checks + 1))
}
tells_odd 3 info "$odd.mlpd"
tells_odd 2 "$odd"
tells_odd 2 info --limit "$(printf 'a\nb\033[31m\r')" "$small"
tells_odd 2 info "--$odd" "$small"
tells_odd 3 info -o "$odd/$odd" "$small"
tells_odd 2 run "--$odd"
tells_odd 2 run "./$odd"
tells_odd 3 run -o "$odd/$odd" true
cp "$small" "$odd.mlpd"
tells_odd 0 report --filter nosuch "$odd.mlpd"
head -c 500 "$small" >"$odd.mlpd"
tells_odd 0 info "$odd.mlpd"
: >"$odd.mlpd"
tells_odd 3 info "$odd.mlpd"

# The exit statuses are those of the manual page: of a good log (doubtful for check: a buffer begins
# early), a cut one, none, with --strict, and of what cannot be written.
head -c $(($(wc -c <"$small") - 53)) "$small" >cut
for command in report info dump check; do
  found=0
  test $command != check || found=1
  run $found $command "$small"
  run $found $command cut
  run 4 $command --strict cut
  run 4 $command --strict cut "$small"
  run $found $command --strict "$small"
  run 3 $command nowhere
  run 3 $command "$small" nowhere
  run 3 $command --strict cut nowhere
  run 3 $command -o nowhere/out "$small"
  run 2 $command --no-such-option "$small"
done
done_checks
