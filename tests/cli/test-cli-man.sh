#!/bin/sh
# The man page and --help tell of the same options and parts of reports.
. "${srcdir:-.}/tests/cli/lib.sh"

page=$(cd "$(dirname "$small")/../../docs" && pwd)/proflog.1
test -f "$page" || fail "there is no $page"
# As it is read: without the macros' signs.
sed 's/\\-/-/g; s/\\f.//g' "$page" >page

for command in report heap export stats dump follow top serve show info check validate cut merge repair anonymize replay; do
  run 0 $command --help
  sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\).*/\2/p' out >options
  test "$(wc -l <options)" -ge 6 || fail "few options"
  while read -r option; do
    grep -q -e "--$option\([^a-z-]\|$\)" page || fail "proflog.1 does not tell of --$option"
    checks=$((checks + 1))
  done <options
  cat options >>all
done
# The other way round, but for options of run, which stand in examples.
sed -n '/^.SH OPTIONS/,/^.SH FORMATS/p' page | grep -o -e '--[a-z-]*' | sort -u | sed 's/^--//' >told
while read -r option; do
  grep -q -x -e "$option" all || fail "there is no --$option, of which proflog.1 tells"
  checks=$((checks + 1))
done <told

run 0 ctl --help
for verb in status flush stop start enable disable heapshot sync set output; do
  grep -q -w -e "^  .*$verb" out || fail "proflog ctl --help does not tell of $verb"
  sed -n '/^.SH CONTROL/,/^.SH REPLAY/p' page | grep -q -w "^\.[BIR]* .*$verb" \
    || fail "proflog.1 does not tell of $verb"
  checks=$((checks + 2))
done

run 0 heap --help
for question in list histogram dominators paths refs object unreachable diff growth leaks; do
  grep -q "^  $question LOG" out || fail "proflog heap --help does not tell of $question"
  sed -n '/^.SH HEAP SHOTS/,/^.SH REPLAY/p' page | grep -q "^\.BR \"heap .*$question" \
    || fail "proflog.1 does not tell of heap $question"
  checks=$((checks + 2))
done

for command in report info stats; do
  run 2 $command --reports nothing "$small"
  sed 's/.*there are //; s/;.*//' err | tr -s ', ()' '\n' | grep . >parts
  test "$(wc -l <parts)" -ge 5 || fail "few parts"
  while read -r part; do
    sed -n '/--reports/,/--limit/p' page | grep -q -w -e "$part" \
      || fail "proflog.1 does not tell of the part $part"
    checks=$((checks + 1))
  done <parts
done
done_checks
