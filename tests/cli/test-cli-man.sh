#!/bin/sh
# The manual pages, docs/cli.md and the table of commands list the same commands, options, arguments, sections,
# examples and options of the module, in both directions.  What is accepted is in test-cli-help.sh.
. "${srcdir:-.}/tests/cli/lib.sh"

docs=$tests/../docs
read_table
tab=$(printf '\t')

# read_page FILE: as it is read, without the macros' signs.
read_page ()
{
  test -f "$1" || fail "there is no $1"
  sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ha/^/g; s/\\(ti/~/g; s/\\(dq/"/g; s/\\f.//g; s/\\e/\\/g; s/\\&//g' "$1" >page
}

# heads FILE: the options that its lists have.
heads ()
{
  awk '{ if (after && match ($0, /--[a-z-]+/) && $0 ~ /^(-[a-zA-Z0-9], )?--/) print substr ($0, RSTART, RLENGTH)
         after = $0 == ".TP" }' "$1"
}

# part NAME COMMAND: the lines of docs/cli.md about it.
part ()
{
  awk -v title="## $1" '/^## / { inside = $0 == title } inside' "$docs/cli.md"
}

read_page "$docs/man/proflog.1"
cp page overview
part 'Options of several commands' >shared
heads overview | sort >described
sed -n 's/^| `\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' shared | sort >listed
same listed described
test "$(wc -l <listed)" -ge 20 || fail "few options are shared"
awk -F '\t' '$1 == "option" { print $3 }' table | sort -u >all

sed -n "s/^command$tab\([^$tab]*\)$tab.*/\1/p" table >commands
test "$(wc -l <commands)" -ge 20 || fail "few commands"
ls "$docs"/man/proflog-*.1 | sed 's,.*/proflog-\(.*\)\.1,\1,' | sort >pages
sort commands >expected
same pages expected
sed -n 's/^## proflog \(.*\)/\1/p' "$docs/cli.md" >titles
same titles commands
while read -r command; do
  says overview "proflog-$command (1)"
  read_page "$docs/man/proflog-$command.1"
  part "proflog $command" >text
  table_column option "$command" 3 | sort >expected
  test "$(wc -l <expected)" -ge 2 || fail "few options"
  heads page | sort >listed
  same listed expected
  # On the page in the table, or in the sentence that names the shared ones.
  { sed -n 's/^| `\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' text
    tr '\n' ' ' <text | sed -n 's/.*\[Options of several commands\]([^)]*): \([^.]*\)\..*/\1/p' | tr -d ' `' | tr , '\n'; } \
    | sort >listed
  same listed expected
  # Lines of usage, examples.
  table_column usage "$command" 3 | while IFS= read -r usage; do
    says text "    proflog $command [OPTION...]${usage:+ $usage}"
  done || exit 1
  sed -n '/^.SH SYNOPSIS/,/^.SH DESCRIPTION/p' page >synopsis
  test "$(grep -c -x "\.B proflog $command" synopsis)" = "$(table_column usage "$command" 3 | wc -l)" \
    || fail "the SYNOPSIS of proflog-$command.1"
  COLUMNS=1000 "$proflog" help "$command" >help
  test -n "$(table_column example "$command" 4)" || fail "$command has no example"
  table_column example "$command" 4 | while IFS= read -r line; do
    for file in page text help; do
      says $file "$line"
    done
  done || exit 1
  # Fixed words and sections.
  cat shared >>text
  { table_column word "$command" 3
    awk -F '\t' -v command="$command" '$1 == "value" && $2 == command && $3 != "--color" && $3 != "--format" \
      { print $4 }' table; } | sort -u >words
  while read -r word; do
    for file in page text; do
      grep -q -w -F -e "$word" $file || fail "$file of $command does not list $word"
    done
    checks=$((checks + 1))
  done <words
done <commands
test "$(table_column word ctl 3 | wc -l)" -ge 12 || fail "few verbs"
test "$(table_column word heap 3 | wc -l)" -ge 10 || fail "few subcommands"
for command in report info stats; do
  test "$(awk -F '\t' -v c="$command" '$1 == "value" && $2 == c && $3 == "--reports"' table | wc -l)" -ge 5 \
    || fail "few parts of $command"
done

# ---- the module ----

sed -n 's/^\(OPTION\|NEGATABLE\|NEGATABLE_WITH\) ([A-Z_]*, "\([^"]*\)".*/\2/p' \
  "$tests/../include/proflog/module-options.def" | sort >expected
test "$(wc -l <expected)" -ge 30 || fail "few options of the module"
table_column module run 3 | sort >listed
same listed expected
read_page "$docs/man/proflog-module.7"
sed -n '/^\.SH OPTIONS/,/^\.SH DESTINATIONS/p' page | awk '{ if (after) { sub (/^\[no\]/, ""); sub (/[=[].*/, ""); print }
  after = $0 == ".TP" }' | sort >listed
same listed expected
part 'Options of the module' | sed -n 's/^| `\(\[no\]\)\{0,1\}\([a-z-]*\).*/\2/p' | sort >listed
same listed expected

# ---- no page speaks of an option that does not exist ----

# Of other programs, and of proflog itself.
{ cat all; printf '%s\n' --profile --debug --complete --cflags --libs --variable --anonymize --last; } | sort -u >known
for file in "$docs"/man/*.[1-8]; do
  read_page "$file"
  grep -o -e '--[a-z][a-z-]*' page | sort -u | grep -v -x -F -f known >unknown
  test ! -s unknown || fail "${file##*/} speaks of $(cat unknown)"
  # References lead somewhere.
  grep -o 'proflog-[a-z]* ([1-8])\|^\.BR mlpd ([1-8])\|^\.BR ghc-eventlog ([1-8])' page | sed 's/^\.BR //' | sort -u >references
  while read -r name section; do
    section=$(echo "$section" | tr -d '()')
    test -f "$docs/man/$name.$section" || test -f "$docs/$name.$section" || fail "${file##*/}: there is no $name($section)"
    checks=$((checks + 1))
  done <references
done
done_checks
