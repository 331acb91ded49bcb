#!/bin/sh
# Help lists what is accepted, and what is accepted stands in the table of options; wrong names get a
# suggestion.
. "${srcdir:-.}/tests/cli/lib.sh"

read_table
quiet err
tab=$(printf '\t')

# sample ARGUMENT: a value that an option with this argument in its help accepts.
sample ()
{
  case $1 in
  N | N\[*) echo 3 ;;
  PORT) echo 0 ;;
  'S:BYTES|T:PART') echo S:10 ;;
  ADDRESS,...) echo 0x10 ;;
  N,... | 'ID|NAME|GLOB,...' | 'NAME|GLOB|ID') echo 1 ;;
  P%) echo 1% ;;
  A~B) echo 1~2 ;;
  NAME=VALUE) echo version=1 ;;
  URL) echo http://localhost:1 ;;
  T | TIME | 'TIME|auto') echo 2s ;;
  KEY,... | NAME | NAME,... | RE | DIR | FILE | LIST | LOG | TEXT | MODULE*) echo text ;;
  'NAME|TAG,...') echo gc-start ;;
  KIND,...) echo args ;;
  SIZE | 'SIZE|TIME') echo 4M ;;
  'gzip|zstd') echo gzip ;;
  OPTION,...) echo gchandle ;;
  HZ) echo 100 ;;
  METHOD) echo Main ;;
  KEY=LIMIT) echo exceptions.throws=3 ;;
  LOG=T) echo app.mlpd=-2s ;;
  'TIME|Xgc') echo 5gc ;;
  '1|17') echo 17 ;;
  COMMAND) echo heap-census ;;
  *) return 1 ;;
  esac
}

# accepted COMMAND OPTION...: help is printed only when the whole command line was parsed.
accepted ()
{
  command=$1
  shift
  run 0 "$command" "$@" --help
  quiet err
  grep -q "^Usage: proflog $command " out || fail "no help of $command"
}

# unknown COMMAND OPTION
unknown ()
{
  run 2 "$1" "$2" --help
  quiet out
  grep -q -e "there is no option '$2'" err || fail "$1 $2: $(cat err)"
}

# ---- each option that help lists is in the table, and is accepted; aliases, too ----

check_option ()
{
  while IFS="$tab" read -r _ command name letter kind argument _; do
    letter=${letter#none}
    if test "$kind" = flag; then
      accepted "$command" "$name"
      test -z "$letter" || accepted "$command" "$letter"
      run 2 "$command" "$name=x"
      says err "option '$name' has no value"
      continue
    fi
    awk -F '\t' -v command="$command" -v name="$name" \
      '$1 == "value" && $2 == command && $3 == name { print $4 }' table >values
    test -s values || sample "$argument" >values || fail "$command $name: no sample of $argument"
    while read -r value; do
      accepted "$command" "$name=$value"
      test "$kind" = optional || accepted "$command" "$name" "$value"
      test -z "$letter" || accepted "$command" "$letter$value"
    done <values
    if test "$kind" = optional; then
      accepted "$command" "$name"
    else
      run 2 "$command" "$name"
      says err "option '$name' needs a value"
    fi
  done
}

# With a sanitizer each run takes long.
at=0 step=4
test "${SANITIZER:-no}" = no || step=20
cut -f 2 table | sort -u >commands
test "$(wc -l <commands)" -ge 20 || fail "few commands"
run 0 --help
cp out list
while read -r command; do
  grep -q "^  $command " list || fail "--help does not list $command"
  "$proflog" "$command" --help >/dev/null 2>err || {
    library=$(sed -n 's/.* was built without //p' err)
    test -n "$library" || fail "$command --help"
    leave_out "$library" "is not in this build, so $command cannot be run"
    continue
  }
  echo "$command" >>built
  COLUMNS=1000 "$proflog" "$command" --help >help || fail "$command --help"
  sed -n 's/^  *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' help | sort >listed
  table_column option "$command" 3 | sort >expected
  same listed expected
  table_column alias "$command" 3 >>expected
  table_column hidden "$command" 3 >>expected
  table_column refused "$command" 3 >>expected
  grep "^option$tab$command$tab" table | awk -F '\t' -v OFS='\t' '$4 == "" { $4 = "none" } { print }' \
    | check_option || exit 1
  table_column alias "$command" 3 >old
  while read -r name; do
    grep -q -e "$name" help && fail "$command --help lists $name"
    "$proflog" "$command" "$name" --help >out 2>err
    grep -q "there is no option" err && fail "$command $name: $(cat err)"
    checks=$((checks + 1))
  done <old
  table_column refused "$command" 3 >old
  while read -r name; do
    run 2 "$command" "$name=x" --help
    says err "$name "
  done <old

  # ---- and nothing else is: options of other commands, beginnings of names, letters ----
  awk -F '\t' '$1 ~ /^(option|alias|hidden|refused)$/ { print $3 }' table >others
  sed 's/.$//' expected >>others
  sort -u others | grep -v -x -F -f expected | grep -v -x -e '--' >unlisted
  # A fourth of these, another one than the command before: several commands refuse each name.
  sed -n "$((at % step + 1))~${step}p" unlisted >some
  while read -r name; do
    unknown "$command" "$name"
  done <some
  at=$((at + 1))
  table_column option "$command" 4 | sort -u >letters
  for letter in a b c d e f g h i j k l m n o p q r s t u v w x y z A B C V 0 1; do
    grep -q -x -e "-$letter" letters || {
      test "$letter" = f && grep -q -x -e --format expected && continue # hidden or refused
      unknown "$command" "-$letter"
    }
  done
done <commands
test "$(wc -l <built)" -ge 15 || fail "few commands were built"

# ---- no line of any help is wider than 80 columns ----

{ echo; cat commands; } >helps
while read -r command; do
  # shellcheck disable=SC2086 # none for the list of commands
  "$proflog" $command --help >help 2>/dev/null || continue # not in this build
  awk 'length > 80' help >wide
  test ! -s wide || fail "$command --help: $(cat wide)"
  checks=$((checks + 1))
done <helps

# ---- old names mean the new ones ----

says table "alias${tab}cut${tab}--bare${tab}--no-context"
for pair in follow:give-up:timeout follow:delays:show-latency follow:delay:reorder-delay \
  validate:reminders:allow-duplicates follow:from:start top:give-up:timeout serve:from:start; do
  command=${pair%%:*} rest=${pair#*:}
  says table "alias${tab}$command${tab}--${rest%:*}${tab}--${rest#*:}"
done
run 2 follow --give-up soon "$small"
says err "--timeout soon: a time is needed"

# ---- the first screens are short ----

run 2
test "$(wc -l <err)" -ge 10 -a "$(wc -l <err)" -le 22 || fail "proflog alone prints $(wc -l <err) lines"
run 0 run --help
test "$(wc -l <out)" -le 60 || fail "run --help prints $(wc -l <out) lines"

# ---- suggestions ----

run 2 reprot "$small"
says err "there is no command 'reprot'; did you mean report?"
run 2 frobnicate
grep -q 'did you mean' err && fail "a suggestion for nothing like it"
run 2 report --limt 3 "$small"
says err "there is no option '--limt'; did you mean --limit?"
run 2 run --wal true
says err "did you mean --wall?"
run 2 run --heapshots true
says err "did you mean --heapshot?"
run 2 report --reports=gcc "$small"
says err "did you mean gc?"
run 2 report --sort byte "$small"
says err "did you mean bytes?"
run 2 report --format jso "$small"
says err "did you mean json?"
run 2 heap "$small" leeks
says err "'leeks' makes no sense here; did you mean leaks?"
run 2 validate thread "$small"
says err "did you mean threads?"
run 2 run --heapshot 100ms mono app.exe
says err "did you mean --heapshot=100ms?"
run 2 run --sample 50 mono app.exe
says err "did you mean --sample=50?"
run 2 run --calls 50us mono app.exe
says err "did you mean --calls=50us?"

# ---- the subcommand of heap before or after the log ----

shots=$(dirname "$small")/all-v17.mlpd.gz
for subcommand in list histogram growth leaks; do
  "$proflog" heap $subcommand "$shots" >before 2>err
  status=$?
  run $status heap "$shots" $subcommand
  same out before
done

# ---- wrapped ----

for width in 60 80 132; do
  while read -r command; do
    COLUMNS=$width "$proflog" help "$command" | sed '/^Examples:/,$d' \
      | awk -v width=$width 'length > width && !/^Usage:/ && !/^       proflog/' >long
    test ! -s long || fail "$command at $width columns: $(cat long)"
    checks=$((checks + 1))
  done <commands
done
run 0 report --help
cp out at-80
COLUMNS=80 run 0 report --help
same out at-80
done_checks
