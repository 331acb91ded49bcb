#!/bin/sh
# Logs of Mono and of GHC in one CSV: each row stands below the head of its own columns, with the same
# values as in the CSV of its log alone.
. "${srcdir:-.}/tests/cli/lib.sh"

arguments=
mono=$logs/all-v17.mlpd mono2=$small
ghc=$logs/ghc-sparks.eventlog.gz ghc2=$logs/small.eventlog

# table_rows LOG TABLES: the heads and rows of the CSV in out, as lines of names and values.  Of rows with a
# log's name only those of LOG; the names of tables only where TABLES is yes.  Fails if a row has more or
# fewer cells than the head above it.
cat >rows.awk <<'END'
# Cells of RFC 4180.
function split_cells (line,   n, cell) {
  for (n = 0; line != "" || n == 0; ) {
    if (match (line, /^"([^"]|"")*"/)) {
      cell = substr (line, 2, RLENGTH - 2)
      gsub (/""/, "\"", cell)
    } else {
      match (line, /^[^,]*/)
      cell = substr (line, 1, RLENGTH)
    }
    cells[++n] = cell
    line = substr (line, RLENGTH + 1)
    if (line == ",")
      cells[++n] = ""
    sub (/^,/, "", line)
  }
  return n
}
{
  row = pending $0
  copy = row
  if (gsub (/"/, "", copy) % 2) { # a cell goes on in the next line
    pending = row "\\n"
    next
  }
  pending = ""
}
row == "" { has_head = 0; next }
{
  n = split_cells(row)
  is_row = has_head
  if (!has_head) {
    columns = n
    has_log = 0
    for (i = 1; i <= n; i++) {
      names[i] = cells[i]
      has_log = has_log || cells[i] == "log" && i <= 2
    }
    has_head = 1
  }
  if (n != columns) {
    print NR ": " n " cells below " columns ": " row >"/dev/stderr"
    exit 1
  }
  line = is_row ? "row" : "head"
  selected = 1
  for (i = 1; i <= n; i++) {
    if (names[i] == "log" && i <= 2)
      selected = !is_row || cells[i] == ENVIRON["log"]
    else if (i != 1 || names[i] != "table" || ENVIRON["tables"] == "yes" && is_row)
      line = line "\t" names[i] (is_row ? "=" cells[i] : "")
  }
  if (selected)
    print line
}
END
table_rows ()
{
  log=$1 tables=$2 awk -f rows.awk out >parsed || fail "$arguments: $log: a row of other columns than its head"
  sort parsed >got
}

# csv LOG... (and $arguments): the CSV of these logs.
csv ()
{
  # shellcheck disable=SC2086 # several arguments
  "$proflog" $arguments --format csv "$@" >out 2>err
  status=$?
  test "$status" -le 1 || fail "$arguments: $*: status $status"
  test -s out || fail "$arguments: $*: nothing"
}

# same_as_alone LOG...: of each log the CSV of all has the rows that it has of this log alone.
same_as_alone ()
{
  csv "$@"
  # Without the common part, which stands first.
  if sed -n 2p out | grep -q '^joint[.,]'; then
    sed -n '/^table,log,/,$p' out >all
  else
    cp out all
  fi
  for one; do
    csv "$one"
    has_names=no
    ! head -n 1 out | grep -q '^table,' || has_names=yes
    table_rows "$one" $has_names
    cp got alone
    cp all out
    table_rows "$one" $has_names
    grep '^row' alone >expected
    grep '^row' got >both
    cmp -s both expected || {
      diff expected both | head -n 4 >&2
      fail "$arguments: $*: other rows of $one"
    }
    sort -u alone got >both
    sort -u got >all_heads
    cmp -s both all_heads || fail "$arguments: $*: a head of $one is missing"
    checks=$((checks + 1))
  done
}

all_orders ()
{
  arguments=$*
  csv "$mono"
  same_as_alone "$mono" "$ghc"
  same_as_alone "$ghc" "$mono"
  same_as_alone "$mono" "$ghc" "$mono2"
  same_as_alone "$ghc2" "$mono2" "$ghc"
}

# What the parser does.
printf 'a,b\n1,"x,""\ny"\n\nc\n"2"\n' >out
table_rows none no
printf 'head\ta\tb\nhead\tc\nrow\ta=1\tb=x,"\\ny\nrow\tc=2\n' >expected
same got expected
printf 'a,b\n1,2,3\n' >out
awk -f rows.awk out >got 2>err && fail "a row of three below two is accepted"

# Every section of each command.
"$proflog" --complete | sed -n 's/^value	\(report\|info\)	--reports	/\1 --reports=/p' \
  | grep -v '=joint$' >sections # one log has none
test "$(wc -l <sections)" -ge 20 || fail "few sections"
while read -r arguments; do
  # A section of one runtime prints nothing of a log of the other.
  # shellcheck disable=SC2086 # two arguments
  for log in "$mono" "$ghc"; do
    "$proflog" $arguments --format csv "$log" >out 2>err || fail "$arguments: $log"
    test -s out || continue 2
  done
  # shellcheck disable=SC2086
  all_orders $arguments
done <sections
test "$checks" -ge 50 || fail "few sections of both"
all_orders report
all_orders report --verbose
all_orders report --traces
all_orders info
all_orders check
all_orders check --verbose
all_orders dump
all_orders report --reports=gc,log
all_orders report --reports=gc,threads --fields id,generation,collections

# One table of a name for each list of columns.
run 0 report --reports=threads --format csv "$small" "$ghc2" "$small"
cut -d, -f1-5 out >got
same_lines got table,log,id,start_ns,end_ns "threads,$small,0x7f11,10,900" "threads,$small,0x7f22,100,130" \
  "threads,$small,0x7f11,10,900" "threads,$small,0x7f22,100,130" '' table,log,id,run_ns,runnable_ns \
  "threads,$ghc2,1,1700000,300000" "threads,$ghc2,2,200000,100000"
run 0 report --reports=gc --fields generation,collections --format csv "$small" "$ghc2"
grep '^gc.generations,\|generation' out | head -n 4 >got
same_lines got table,log,generation,collections "gc.generations,$small,1,1" "gc.generations,$ghc2,0,0" \
  "gc.generations,$ghc2,1,1"

# A dump writes each list of columns when it changes, also if a log between has no lines.
echo 'no log' >other
run 3 dump --format csv other "$small" "$small" other "$ghc2" "$small"
grep '^$\|^log,' out >got
same_lines got log,offset,size,thread,time_ns,kind,fields '' log,offset,size,cap,time_ns,kind,fields '' \
  log,offset,size,thread,time_ns,kind,fields

# In JSON there is one object for each log, as of the log alone, after that of the common part of reports.
for command in report info check; do
  for one in "$small" "$ghc2" "$mono"; do
    "$proflog" $command --format json "$one" || test $? = 1
  done 2>err | grep -v '"name": "/' >expected
  "$proflog" $command --format json "$small" "$ghc2" "$mono" 2>err | grep -v '"name": "/' >got
  test $command != report || { sed '1,/^}/d' got >each && mv each got; }
  same got expected
done
# A section that only logs of the other format have is not silent.
run 0 report --reports=tree "$logs/ghc-sparks.eventlog.gz"
says out 'No requested section is one of eventlogs.'
run 0 report --reports=sparks "$logs/all-v17.mlpd"
says out 'No requested section is one of logs of Mono.'
done_checks
