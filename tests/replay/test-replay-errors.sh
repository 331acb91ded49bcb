#!/bin/sh
# What cannot be replayed, or not whole.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built LIBFFI proflog-replay

lister=$top_builddir/.libs/libmono-profiler-callbacks.so

# one_line STATUS TEXT ARGUMENT...: it ends with this status and prints this line.
one_line ()
{
  wanted=$1 text=$2
  shift 2
  run "$wanted" replay "$@"
  quiet out
  says err "$text"
  test "$(wc -l <err)" = "${lines:-1}" || fail "$* prints more than one line"
}

one_line 2 'into which module?' "$small"
one_line 2 'into which module?' "$small" --into ''
one_line 2 'no log given' --into "$module:x"
one_line 2 'one log at a time' "$small" "$small" --into "$module"
one_line 2 'bogus' "$small" --into "$module" --bogus
one_line 2 'thread' "$small" --into "$module" --thread 1

# Modules.
one_line 3 "there is no module 'none.so'" "$small" --into none.so:output=x:y
one_line 3 "there is no module '.'" "$small" --into .:x
echo 'no library' >text.so
one_line 3 'cannot be loaded' "$small" --into text.so:output=x
one_line 3 'it has no mono_profiler_init_libproflog' "$small" --into "$top_builddir/.libs/libproflog.so"
one_line 3 "registers no callback with the options 'callbacks'" "$small" --into "$lister"
one_line 3 'breaks a rule of the runtime: mono_gc_walk_heap' "$small" --into "$lister:rude"
lines=2
one_line 3 "registers no callback with the options 'proflog:bogus'" "$small" --into "$module:bogus"
says err "no option 'bogus'"
one_line 3 'registers no callback' "$small" --into "$module:output=$work/none/log.mlpd"
says err 'No such file or directory'
lines=1
# The stock profiler uses what is inside its runtime.
for stock in /usr/lib/libmono-profiler-log.so /usr/local/lib/libmono-profiler-log.so; do
  test ! -f $stock || one_line 3 'needs more of the runtime' "$small" --into $stock:output=stock.mlpd
done
test ! -e stock.mlpd || fail "the stock profiler wrote a log"

# A colon in the file's name; a name that is not the usual one.
mkdir 'a:b'
cp "$lister" a:b/callbacks.so
run 0 replay "$small" --into "a:b/callbacks.so:$work/callbacks"
says callbacks 'gc_allocation'
one_line 3 "there is no module 'a'" "$small" --into a:c/callbacks.so:callbacks

# Logs.
cp "$small" own.mlpd
one_line 2 "'own.mlpd' is the log that is replayed" own.mlpd --into "$module:alloc,output=own.mlpd"
cmp "$small" own.mlpd || fail "the log was overwritten"
one_line 3 'No such file' none.mlpd --into "$module:output=x"
# A sample is not sampled again; what is written does not state that it is one.
run 0 replay "$small" --into "$module:alloc=64k,output=sampled.mlpd"
one_line 2 "'sampled.mlpd' has one allocation in 65536 bytes already; the module would record one in 1024" \
  sampled.mlpd --into "$module:alloc=1k,output=again.mlpd"
test ! -e again.mlpd || fail "something was written"
run 0 replay sampled.mlpd --into "$module:alloc,output=again.mlpd"
says err "'sampled.mlpd' has one allocation in 65536 bytes only"
run 0 replay "$small" --into "$module:alloc,output=again.mlpd"
quiet err
: >empty.mlpd
one_line 3 'empty.mlpd' empty.mlpd --into "$module:output=x"
one_line 3 'not a profiler log' text.so --into "$module:output=x"
one_line 3 'eventlog of GHC' "$logs/small.eventlog" --into "$module:output=x"
head -c 20 "$small" >head.mlpd
one_line 3 'head.mlpd' head.mlpd --into "$module:output=x"

# Damage: the rest is replayed.  The end mark of 48 bytes is missing, and the end of the last buffer.
size=$(wc -c <"$small")
head -c $((size - 60)) "$small" >cut.mlpd
run 0 replay cut.mlpd --into "$lister:$work/cut"
says err 'warning'
run 0 replay "$small" --into "$lister:$work/whole"
quiet err
test "$(wc -l <cut)" -lt "$(wc -l <whole)" || fail "nothing is lost of a log that is cut"
grep -v '^cleanup$\|runtime_shutdown' cut | while read -r line; do
  grep -q -x -F -e "$line" whole || fail "'$line' is not of the whole log"
done || exit 1
run 4 replay cut.mlpd --into "$lister:$work/cut" --strict
run 0 replay cut.mlpd --into "$lister:$work/cut" --quiet
quiet err
gzip -c "$logs/all-v17.mlpd" | head -c 1000 >cut.mlpd.gz
run 4 replay cut.mlpd.gz --into "$lister:$work/cut" --strict
says err 'warning'

# Every byte of a log changed, with a sanitizer every seventh: whatever comes of it, the replay ends, and well or with a
# message.
bytes=$(wc -c <"$small")
at=0 step=1
test "${SANITIZER:-no}" = no || step=7
while test $at -lt "$bytes"; do
  { head -c $at "$small"; printf '\377'; tail -c +$((at + 2)) "$small"; } >changed.mlpd
  "$proflog" replay changed.mlpd --into "$lister:$work/changed" >out 2>err
  status=$?
  case $status in
    0 | 3) ;;
    *) fail "byte $at changed: status $status" ;;
  esac
  test $status = 0 || test -s err || fail "byte $at changed: no message"
  at=$((at + step))
  checks=$((checks + 1))
done
done_checks
