#!/bin/sh
# The man page and the table of commands list the same commands, options, arguments and parts of
# reports.
. "${srcdir:-.}/tests/cli/lib.sh"

page=$tests/../docs/proflog.1
test -f "$page" || fail "there is no $page"
# As it is read: without the macros' signs.
sed 's/\\-/-/g; s/\\f.//g' "$page" >page
run 0 --complete
cp out table

# column KIND COMMAND N: the Nth fields of a command's rows of this kind.
column ()
{
  awk -F '\t' -v kind="$1" -v command="$2" -v n="$3" '$1 == kind && $2 == command { print $n }' table
}

cut -f 2 table | sort -u >commands
while read -r command; do
  grep -q -x "\.B proflog $command" page || fail "the SYNOPSIS of proflog.1 does not list $command"
  checks=$((checks + 1))
  # The options of run, which are those of attach, are in its help, with those of the module.
  case $command in run | attach) continue ;; esac
  column option "$command" 3 >options
  test "$(wc -l <options)" -ge 2 || fail "few options"
  while read -r option; do
    grep -q -e "$option\([^a-z-]\|$\)" page || fail "proflog.1 does not list $option"
    checks=$((checks + 1))
  done <options
  cat options >>all
done <commands
# The other way round.
sed -n '/^.SH OPTIONS/,/^.SH FORMATS/p' page | grep -o -e '--[a-z-]*' | sort -u >listed
while read -r option; do
  grep -q -x -e "$option" all || fail "there is no $option, which proflog.1 lists"
  checks=$((checks + 1))
done <listed

column word ctl 3 | grep -v -x list >verbs
test "$(wc -l <verbs)" -ge 11 || fail "few verbs"
while read -r verb; do
  sed -n '/^.SH CONTROL/,/^.SH REPLAY/p' page | grep -q -w "^\.[BIR]* .*$verb" \
    || fail "proflog.1 does not list $verb"
  checks=$((checks + 1))
done <verbs

column word heap 3 >subcommands
test "$(wc -l <subcommands)" -ge 10 || fail "few subcommands"
while read -r subcommand; do
  sed -n '/^.SH HEAP SNAPSHOTS/,/^.SH REPLAY/p' page | grep -q "^\.BR \"heap .*$subcommand" \
    || fail "proflog.1 does not list heap $subcommand"
  checks=$((checks + 1))
done <subcommands

for command in report info stats; do
  awk -F '\t' -v command="$command" '$1 == "value" && $2 == command && $3 == "--reports" { print $4 }' \
    table >parts
  test "$(wc -l <parts)" -ge 5 || fail "few parts"
  while read -r part; do
    sed -n '/--reports/,/--limit/p' page | grep -q -w -e "$part" \
      || fail "proflog.1 does not list the part $part"
    checks=$((checks + 1))
  done <parts
done
done_checks
