#!/bin/sh
# Text on a terminal: no line is wider than it, long text goes to a pager, titles are bold, and characters are
# those of the locale.  Text elsewhere has none of that.
. "${srcdir:-.}/tests/cli/lib.sh"
need script
unset COLUMNS LINES PAGER LESS NO_COLOR
TERM=xterm SHELL=/bin/sh
export TERM SHELL
escape=$(printf '\033')

# on_screen COLUMNS ROWS ARGUMENT...: proflog on a terminal of this size; sets status, what it shows is in out.
on_screen ()
{
  size="cols $1 rows $2"
  shift 2
  script -qec "stty $size; '$proflog' $*" /dev/null </dev/null >typed 2>err
  status=$?
  tr -d '\r' <typed >out
  checks=$((checks + 1))
}

# narrow WIDTH: no line of out is wider, without its colours.
narrow ()
{
  sed "s/$escape\[[0-9;]*m//g" out >plain
  LC_ALL=C.UTF-8 awk -v width="$1" 'length > width' plain >wide
  test ! -s wide || fail "wider than $1 columns: $(head -n 3 wide)"
}

# ---- width ----

for log in all-v17.mlpd module-calls.mlpd.gz stock-alloc.mlpd.gz stock-dynamic.mlpd.gz ghc-blocks.eventlog.gz \
  ghc-heap-hc.eventlog.gz; do
  for options in '' --traces --verbose; do
    on_screen 80 24 report -q --no-pager $options "$logs/$log"
    test "$status" = 0 || fail "$log $options: status $status"
    test "$(wc -l <out)" -gt 24 || fail "$log $options: little text"
    narrow 80
    on_screen 60 20 report -q --no-pager $options "$logs/$log"
    test "$status" = 0 || fail "$log $options: status $status"
    narrow 60
  done
done
# Of several logs, too; what people look for has room in 80 columns.
mkdir long-name-of-a-directory
cp "$logs/module-calls.mlpd.gz" long-name-of-a-directory/client.mlpd
cp "$logs/ghc-blocks.eventlog.gz" long-name-of-a-directory/server.eventlog
for options in --reports=joint '--by log'; do
  on_screen 80 24 report -q --no-pager --color=never $options long-name-of-a-directory/*
  narrow 80
  ! grep -q 'no room' out || fail "$options: a column has no room: $(cat out)"
  grep -q ' client.mlpd$' out || fail "$options: names are shortened: $(cat out)"
done
# A table that is too wide all the same states what it leaves out; the rest is there.
on_screen 60 20 report -q --no-pager --color=never --reports=threads "$logs/ghc-blocks.eventlog.gz"
narrow 60
grep -q '(no room for the column' out || fail "columns are left out without a word: $(cat out)"
run 0 report -q --reports=threads "$logs/ghc-blocks.eventlog.gz"
test "$(grep -c '^ *[0-9]' out)" = "$(grep -c '^ *[0-9]' plain)" || fail "rows are missing"
! grep -q 'no room' out || fail "columns are left out without a terminal"
run 0 report --reports=calls "$logs/module-calls.mlpd.gz"
cp out piped
awk 'length > 100' piped | grep -q . || fail "piped names are short"
COLUMNS=80 "$proflog" report --reports=calls "$logs/module-calls.mlpd.gz" >out
same out piped
on_screen 100 24 report --reports=calls --no-pager "$logs/module-calls.mlpd.gz"
narrow 100
# The beginnings and the ends of names remain, and all figures.
awk '/^ *[0-9]/ { print $1, $2, $3 }' piped >expected
awk '/^ *[0-9]/ { print $1, $2, $3 }' plain >got
test "$(wc -l <got)" = 30 || fail "not all rows"
same got expected
grep -q '(wrapper runtime-invoke).*\.\.\..*)$' plain || fail "no name is shortened in the middle"
COLUMNS=60
export COLUMNS
on_screen 100 24 report --reports=calls --no-pager "$logs/module-calls.mlpd.gz"
narrow 60
unset COLUMNS

# A size that makes no sense, or that the terminal does not know, is 80 columns; fewer than 40 are 40.
on_screen 80 24 report --no-pager --color=never "$logs/all-v17.mlpd"
cp out wide
for columns in 0 x 39 99999999999; do
  COLUMNS=$columns on_screen 80 24 report --no-pager --color=never "$logs/all-v17.mlpd"
  same out wide
done
on_screen 0 0 report --no-pager --color=never "$logs/all-v17.mlpd"
same out wide
on_screen 20 24 report --no-pager --color=never "$logs/all-v17.mlpd"
cp out narrow
on_screen 40 24 report --no-pager --color=never "$logs/all-v17.mlpd"
same out narrow

# ---- colours ----

# colored FILE, plain FILE
colored ()
{
  grep -q "$escape" "$1" || fail "no colours in $1"
  checks=$((checks + 1))
}
uncolored ()
{
  ! grep -q "$escape" "$1" || fail "colours in $1"
  checks=$((checks + 1))
}
on_screen 80 24 report --no-pager "$small"
colored out
on_screen 80 24 report --no-pager --color=never "$small"
uncolored out
NO_COLOR=1
export NO_COLOR
on_screen 80 24 report --no-pager "$small"
uncolored out
on_screen 80 24 report --no-pager --color=always "$small"
colored out
unset NO_COLOR
run 0 report "$small"
uncolored out
cp out piped
run 0 report --color always "$small"
colored out
sed "s/$escape\[[0-9;]*m//g" out >plain
same plain piped
run 0 report --color always --format json "$small"
uncolored out
head -c $(($(wc -c <"$small") - 3)) "$small" >cut.mlpd
run 0 report cut.mlpd
says err ' warning: '
uncolored err
run 0 report --color always cut.mlpd
says err "${escape}[33m warning:${escape}[0m"
run 2 report --color sometimes "$small"
says err "there are auto, always and never"

# ---- pager ----

PAGER="cat >$work/paged; echo was paged"
export PAGER
on_screen 80 24 report "$small"
test "$status" = 0 || fail "status $status"
same_lines out 'was paged'
on_screen 80 24 report --no-pager "$small"
same out paged
rm paged
on_screen 80 200 report "$small"
test ! -e paged || fail "a pager for text that fits the screen"
grep -q Threads out || fail "no text"
on_screen 80 24 report --format json "$small"
test ! -e paged || fail "a pager for JSON"
run 0 report "$small"
test ! -e paged || fail "a pager without a terminal"
run 0 report -o text "$small"
on_screen 80 24 report -o text2 "$small"
test ! -e paged || fail "a pager for a file"
same text text2
uncolored text2
# One that reads little or nothing, or fails, is no error; the status is that of the command.
for PAGER in 'head -n 1' true false; do
  on_screen 80 24 report --limit 0 "$logs/stock-calls.mlpd.gz"
  test "$status" = 0 || fail "$PAGER: status $status"
  test "$(wc -l <out)" -le 1 || fail "$PAGER: too much text"
done
on_screen 80 10 check "$logs/all-v17.mlpd"
"$proflog" check "$logs/all-v17.mlpd" >expected 2>&1
test "$status" = $? || fail "check: status $status"
# No pager, and one that is not there.
for PAGER in cat '' /nowhere/pager; do
  on_screen 80 24 report --color=never "$small"
  "$proflog" report "$small" >expected
  same out expected
done
# Without PAGER it is less, with options of its own.
unset PAGER
mkdir bin
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\necho "$*" "$LESS" >"%s"\ncat >/dev/null\n' "$work/used" >bin/less
chmod +x bin/less
PATH=$work/bin:$PATH on_screen 80 24 report "$small"
same_lines used '-FRX FRX'

# ---- characters ----

# The blocks of the picture of a growing class.
for locale in C C.UTF-8; do
  LC_ALL=$locale
  on_screen 200 50 heap growth "$logs/stock-heapshot.mlpd.gz"
  test "$status" = 0 || fail "heap growth: status $status"
  cp out $locale.out
done
LC_ALL=C
grep -q '[^ -~]' C.UTF-8.out || fail "no block"
sed "s/$escape\[[0-9;]*m//g" C.out | grep '[^ -~]' && fail "C: characters that are not ASCII"
test "$(wc -l <C.out)" = "$(wc -l <C.UTF-8.out)" || fail "C: other lines"
run 0 heap growth "$logs/stock-heapshot.mlpd.gz"
grep -q '[^ -~]' out || fail "piped: no block"
done_checks
