#!/bin/sh
# Options that select: what they take, and what makes no sense.
. "${srcdir:-.}/tests/cli/lib.sh"

# rows NAME...: the names in the table are these, in order.
rows ()
{
  sed 1d out >got
  printf '%s\n' "$@" >expected
  test $# = 0 && : >expected
  same got expected
}

types='report --reports=alloc --format csv --fields name'
calls='report --reports=calls --format csv --fields name'
main='Small.Program:Main (string[])'
# shellcheck disable=SC2086 # lists of words
{
  run 0 $types --filter '^Small' "$small"
  rows Small.Node
  run 0 $types --filter Node --filter 'Byte.\]$' "$small"
  rows 'System.Byte[]' Small.Node
  run 0 $types --exclude Byte "$small"
  rows Small.Node
  run 0 $types --filter Small --exclude Node "$small"
  rows
  run 0 $types --min-bytes 25 "$small"
  rows 'System.Byte[]'
  run 0 $types --min-bytes=4K "$small"
  rows 'System.Byte[]'
  run 0 $types --min-bytes 1M "$small"
  rows
  for size in 3.99K 4KB 4kib 4096B 0.00390625M; do
    run 0 $types --min-bytes $size "$small"
    rows 'System.Byte[]'
  done
  for size in 4.01K 4097B 0.0040MiB; do
    run 0 $types --min-bytes $size "$small"
    rows
  done
  run 0 $calls --min-time 23ns "$small"
  rows "$main"
  run 0 $calls --min-time 0.000000022 "$small"
  rows "$main" 'Small.Program:Work (int)'
  run 0 $calls --filter 'work' "$small"
  rows
  run 0 $calls --filter '(?i)work' "$small"
  rows 'Small.Program:Work (int)'
}
run 0 report --reports=monitor --format csv --fields object --min-time 21ns "$small"
rows 0x7fa0008
run 0 dump --filter 'Program:Work' "$small"
test "$(grep -c 'method-' out)" = "$(wc -l <out)" || fail "not only methods"
test "$(wc -l <out)" = 3 || fail "not its JIT, enter and leave"
# Rows are left out, totals are not.
run 0 report --format json --filter nothing "$small"
read_json
expect allocations.objects 2
expect calls.total 2
grep -q 'Small.Node' figures && fail "a type that was not requested"

# has_option COMMAND OPTION: its help states it.
has_option ()
{
  "$proflog" "$1" --help | grep -q -e "^ *$2=" || return 1
}

# wrong OPTION TEXT: every command that has it refuses it, in one line with this text.
wrong ()
{
  for command in report dump info; do
    has_option $command "$1" || continue
    run 2 $command "$1" "$2" "$small"
    quiet out
    says err "proflog $command: $1 $2: "
    test "$(wc -l <err)" = 1 || fail "more than one line"
  done
}

wrong --thread ''
wrong --thread 1,,2
for range in '' '~' 5 a~b 2~1 1~1 101%~ 1~2~3; do
  wrong --time-range "$range"
done
wrong --filter '('
wrong --exclude '[a'
wrong --depth 0
wrong --depth x
wrong --min-time 5x
wrong --min-time 10%
wrong --min-bytes 5T
wrong --min-bytes 1.5
wrong --min-bytes 1.5KX
wrong --min-bytes K
wrong --min-bytes -1K
wrong --min-bytes 99999999999G
for command in report info; do
  for text in x -1 1.5; do
    run 2 $command "--maxframes=$text" "$small"
    says err 'number of frames'
  done
done

# What makes sense is taken by every command that has a use for it, and refused by the others.
taken=0
for command in report dump info; do
  for option in --thread=0x7f11 '--thread=main,Pool*' --time-range=0~1ms --time-range=0-1 \
    --time-range=10%~90% --time-range=~1h --time-range=5ns~ --filter=Main \
    --exclude=x --depth=3 --min-time=1ms --min-bytes=1k; do
    if has_option $command "${option%%=*}"; then
      run 0 $command -q "$option" "$small"
      quiet err
      taken=$((taken + 1))
    else
      run 2 $command "$option" "$small"
      says err "${option%%=*} does not apply: "
      quiet out
    fi
  done
done
test $taken = 30 || fail "$taken options were taken" # 12 of report, 11 of dump, 7 of info

# What selects nothing is reported, with what there is; the status is 0, with --strict 1.
calls=$logs/stock-calls.mlpd.gz
gzip -dc "$calls" >plain.mlpd
gzip -dc "$logs/stock-samples.mlpd.gz" >samples.mlpd
nothing ()
{
  log=$1 text=$2
  shift 2
  run 0 "$@" "$log"
  says err "proflog: $log: warning: nothing was selected: none of $text"
  test "$(wc -l <err)" = 1 || fail "more than one line"
  run 0 "$@" --quiet "$log"
  quiet err
  run 1 "$@" --strict "$log"
}
# As many threads as info states, some of which had the id of another.
for log in plain.mlpd "$calls"; do
  run 0 info --format json "$log"
  threads=$(sed -n 's/^ *"threads": \([0-9]*\),$/\1/p' out)
  test "$threads" -gt 7 || fail "$threads threads"
  nothing "$log" "$threads threads in 10" report --thread nosuch
  says err 'has an event that --thread selects'
  nothing "$log" "$threads threads in 10" info --time-range 100s~
  nothing "$log" "$threads threads in 10" report --thread Main --time-range 100s~
  nothing "$log" '13484 events' dump --thread nosuch
done
run 0 info --format json samples.mlpd
nothing samples.mlpd "$(sed -n 's/^ *"threads": \([0-9]*\),$/\1/p' out) threads in " \
  report --thread nosuch
nothing "$small" '13 rows that --filter' report --filter nosuch
run 0 report --reports=gc --filter Node "$small"
says err 'nothing to select from: no rows that --filter'
nothing "$small" '4 rows that --filter' report --min-bytes 5G
nothing "$small" '32 events' dump --filter nosuch
nothing "$small" '32 events' dump --min-bytes 5G
for option in --filter=Node --exclude=Node --thread=0x7f11 --min-bytes=4K --time-range=0~1ms --depth=1; do
  for command in report dump; do
    run 0 $command "$option" "$small"
    quiet err
  done
done
# Every thread has a name that is *, be it none.
"$proflog" report --reports=threads -f csv --fields name plain.mlpd | grep -q -x '' || fail "all have names"
for log in plain.mlpd "$calls" samples.mlpd; do
  for command in report dump; do
    run 0 $command --format json "$log"
    grep -v '"complete' out >expected
    run 0 $command --format json --thread '*' "$log"
    quiet err
    grep -v '"complete' out >got
    same got expected
  done
done

# Another thread that a chosen one states the name of was not chosen.
run 0 report --reports=threads --format csv --fields id --thread 0x7f0030000000 "$logs/all-v17.mlpd"
printf '%s\n' id 0x7f0030000000 >expected
same out expected

# Values of options are UTF-8 in every locale, that of the tests (C) among them.
LC_ALL=C sed 's/Small.Broken/Small.Gr\xc3\xb6\xc3\x9f/' "$small" >other.mlpd
run 0 dump --filter 'Größ$' other.mlpd
test "$(grep -c 'Small.Größ' out)" = 1 || fail "not the one class"
test "$(wc -l <out)" = 1 || fail "more than the one class"
run 0 dump --exclude 'Größ$' other.mlpd
grep -q 'Größ' out && fail "a class that is excluded"
run 0 report -q --thread 'Größe*' --find T:Größe --filter ö --exclude=ß other.mlpd
quiet err
run 2 report --sort Größe other.mlpd
says err 'Größe'
run 2 report --filter "$(printf '\377(')" other.mlpd
says err 'an expression in UTF-8 is needed'

# A dump: the one call of depth 2 is Work, of which two lines state.  Only the array has 4096 bytes.
run 0 dump "$small"
wc -l <out >all
run 0 dump --depth 1 "$small"
test "$(($(cat all) - $(wc -l <out)))" = 2 || fail "not two lines less"
grep -q 'method-.*Work.*time' out && fail "a deeper call"
run 0 dump --min-bytes 4K "$small"
test "$(grep -c -w -e alloc -e heap-object out)" = 2 || fail "not both events of the array"
grep -q -e 'size=24$' -e method-enter out && fail "a small object, or none"
done_checks
