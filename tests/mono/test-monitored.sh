#!/bin/sh
# The example that switches its own log, over a FIFO and on in a file.
. "${srcdir:-.}/tests/mono/lib.sh"

library=$top_builddir/managed/Proflog.dll
mkdir "$work/bin"
cp "$library" "$work/bin"
mcs -nologo -r:"$library" -out:"$work/bin/monitored.exe" "$sources/../../examples/monitored.cs" \
  >"$work/mcs.out" 2>&1 || { cat "$work/mcs.out"; fail "the example does not compile"; }
programs=$work/bin
commands="work 2
mark first
stop
work 3
mark unseen
start
mark second
no-such-verb
output $work/second.mlpd
work 1
mark third
flush
quit"
# marks LOG: their names.
marks ()
{
  "$proflog" report --reports=marks --format csv "$1" 2>"$work/err" >"$work/out" || fail "$1 cannot be read"
  sed -n 's/^marks\.names,.*,\([a-z]*\)$/\1/p' "$work/out" | sort | tr '\n' ' '
}

mkfifo "$work/fifo"
cat "$work/fifo" >"$work/first.mlpd" &
reader=$!
echo "$commands" | profiled "alloc,format=17,output=$work/fifo" monitored >"$work/printed" 2>"$work/stderr" \
  || fail "the program failed"
wait "$reader" || fail "the reader of the FIFO failed"
quiet "$work/stderr"
cat >"$work/expected" <<'END'
5995
ok
ok
8994
END
head -n 4 "$work/printed" | cmp -s - "$work/expected" || { cat "$work/printed"; fail "other answers"; }
grep -q "there is no 'no-such-verb'" "$work/printed" || fail "the refusal has no reason"
tail -n 4 "$work/printed" | tr '\n' ' ' | grep -qx 'ok 2997 ok ok ' || { cat "$work/printed"; fail "other answers"; }

# objects LOG: of those that the program makes.
objects ()
{
  log=$1
  read_figures
  figure 'allocations.types[Monitored.Item].objects'
}
test "$(marks "$work/first.mlpd")" = 'first second work ' || fail "first: $(marks "$work/first.mlpd")"
test "$(marks "$work/second.mlpd")" = 'third work ' || fail "second: $(marks "$work/second.mlpd")"
test "$(objects "$work/first.mlpd")" = 2000 || fail "other objects in the FIFO"
test "$(objects "$work/second.mlpd")" = 1000 || fail "other objects in the file"
echo "$commands" | mono "$work/bin/monitored.exe" >"$work/printed" 2>&1 || fail "it fails without a log"
test "$(grep -c 'not recorded' "$work/printed")" = 9 || { cat "$work/printed"; fail "it seems recorded"; }
