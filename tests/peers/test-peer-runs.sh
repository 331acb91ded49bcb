#!/bin/sh
# One run of a C# program with events of all classes, and one of a Haskell program: every view in every form has
# the same totals (views.py), among them what the programs counted, and the peers of every export agree.
#
# PROFLOG_EVENTS is the number of events of the C# program, more or less; the Haskell program has a fifth of it.
. "${srcdir:-.}/tests/peers/peers.sh"
need python3
events=${PROFLOG_EVENTS:-50000}

# every_view LOG
every_view ()
{
  python3 "$peers/views.py" "$proflog" "$tests/cli/html-figures.py" "$1" >"$work/out" 2>"$work/err" \
    || fail "the views of $1 do not agree"
  echo "$(basename "$1"), $(wc -c <"$1") bytes: $(cat "$work/out")"
}

# every_line LOG: dump has a line for each event, in each order.
every_line ()
{
  expected=$("$proflog" report -q --format json --reports=log "$1" | "$json_paths" \
    | awk -F '\t' '$1 == "log.events" { print $2 }')
  for order in file time; do
    found=$("$proflog" dump -q --order "$order" "$1" \
      | awk '$2 != "file-header" && $4 != "buffer" { n++ } END { print n }')
    test "$found" = "$expected" || fail "dump in the order of $order has $found events, not $expected"
  done
}

# every_peer LOG TEST...: of those that are there.
every_peer ()
{
  judged=$1
  shift
  for peer_test; do
    PROFLOG_PEER_LOG=$judged sh "$peers/test-peer-$peer_test.sh" >"$work/out" 2>"$work/err"
    case $? in
      0) sed "s/^/$peer_test: /" "$work/out" ;;
      77) cat "$work/out" ;;
      *) fail "$peer_test does not agree on $(basename "$judged")" ;;
    esac
  done
}

for format in $("$proflog" export --list | awk '{ print $1 }'); do
  cat "$peers"/test-peer-[!r]*.sh | grep -qw "$format" || fail "no peer judges the format $format"
done

# ---- C# ----

library=$top_builddir/managed/Proflog.dll
test -f "$library" || fail "$library is not built"
cp "$library" "$work"
mcs -nologo -nowarn:414,649 -r:"$library" -out:"$work/mixed.exe" "$sources/programs/mixed.cs" >"$work/mcs.out" 2>&1 \
  || { cat "$work/mcs.out"; fail "mixed.cs does not compile"; }
programs=$work
options=calls,alloc,gchandle,gcroot,finalization,jit,counter,sample=200,sample-real=50,heapshot=ondemand
profiled "$options,heapshot-on-shutdown,memory=256M,output=$log" mixed $((events / 1000)) >"$truth" 2>"$work/stderr" \
  || fail "the program fails"
read_figures
expect_truth
expect marks.count "$(printed marks)"
found=$(figure log.events)
test "$found" -gt $((events * 8 / 10)) || fail "the log has $found events"
every_view "$log"
every_line "$log"
every_peer "$log" callgrind pprof speedscope heaptrack trace firefox memlab visualvm perfetto otlp

# ---- Haskell ----

has ghc || exit 0
sources=$tests/ghc
. "$sources/programs.sh"
unset GHCRTS
record mixed parallel Mixed $((events / 2000)) +RTS -la -N2 -hc -P -i0.01 -V0.001
log=$work/mixed.eventlog truth=$work/mixed.truth
"$proflog" report -q --format json "$log" | "$json_paths" >"$figures" || fail "no report"
expect sparks.created "$(printed sparks)"
expect marks.count $(($(printed marks) + $(printed messages)))
every_view "$log"
every_peer "$log" callgrind pprof speedscope trace firefox
