#!/bin/sh
# Several logs of both formats, which are being written, in one stream of lines, and on one page: when one ends,
# the others go on.
. "${srcdir:-.}/tests/cli/lib.sh"
reader=
trap 'test -z "$reader" || kill -9 $reader 2>/dev/null; rm -rf "$work"' EXIT
cp "$logs/all-v17.mlpd" mono.mlpd
gunzip -c "$logs/ghc-collect-N2.eventlog.gz" >ghc.eventlog || fail "there is no eventlog"
mkfifo one two

# read_fifos COMMAND OPTION...: of the FIFOs one (descriptor 8) and two (9), in the background; into got.
read_fifos ()
{
  exec 8<>one 9<>two
  : >got
  "$proflog" "$@" one two >got 2>err </dev/null 8>&- 9>&- &
  reader=$!
  # Not the shell's own descriptors, which the process has before it is the reader.
  wait_for eval 'ls -l "/proc/$reader/fd" 2>/dev/null | grep -q " [3-7] -> .*/two$"'
}

# ended STATUS
ended ()
{
  wait "$reader"
  status=$?
  reader=
  test "$status" = "$1" || fail "the reader ended with $status, not $1"
  checks=$((checks + 1))
}

# until_has TEXT FILE
until_has ()
{
  wait_for grep -q -F -e "$1" "$2"
  checks=$((checks + 1))
}

# member LOG NAME VALUE: of the last object of this log.
member ()
{
  grep "^{\"log\":\"$1\"," got | tail -n 1 | grep -q -e "\"$2\":$3[,}]" \
    || fail "$2 of $1 is not $3: $(grep "^{\"log\":\"$1\"," got | tail -n 1)"
  checks=$((checks + 1))
}

# ---- follow ----

# Events are those of dump, with their times of day; an eventlog states that after many of them.
"$proflog" dump --order time mono.mlpd ghc.eventlog 2>err | grep -v ' block-marker ' | sort >expected
test "$(wc -l <expected)" -gt 500 || fail "few lines in dump"
run 0 follow --timeout 500ms ghc.eventlog mono.mlpd
grep -v ' file-header \| header types=\| end *$' out | sort >sorted
# A name that a later buffer announces at an earlier time is not known yet.
late='s/\( method-[a-z]* method=0x7f0004000100\) .*Late.*/\1/'
sed "$late" expected >wanted
sed "$late" sorted >got
same wanted got
says out '2010-07-01T16:00:00.000001000Z "mono.mlpd" '
# Which source reports first does not matter: one is of 2010, the other of 2026.
test "$(grep -v ' file-header \| header types=\| end *$' out | cut -c 1-4 | uniq | tr '\n' ' ')" = '2010 2026 ' \
  || fail "lines are not in order of time"
says err "proflog follow: ghc.eventlog: the log has ended"
grep -q "mono.mlpd: the log has ended" err && fail "the last one is reported, too"
run 0 follow --timeout 300ms --format json ghc.eventlog mono.mlpd
grep -c '^{"clock":"[0-9TZ:.-]*","log":"ghc.eventlog","item":"event",.*"held_ns":[0-9]*.*}$' out >number
test "$(cat number)" = "$(grep -c ghc.eventlog expected)" || fail "$(cat number) objects of the eventlog"
{ echo '['; sed '$!s/$/,/' out; echo ']'; } | "$json_paths" >/dev/null || fail "not JSON"
run 0 follow --timeout 300ms --format csv ghc.eventlog mono.mlpd
test "$(head -n 1 out)" = "clock,log,offset,size,thread,cap,time_ns,kind,fields" || fail "no columns: $(head -n 1 out)"
test "$(grep -c '^2026-[^,]*,ghc.eventlog,[0-9]*,[0-9]*,,[0-9]*,[0-9]*,' out)" -gt 100 || fail "no events in CSV"

# ---- mistakes ----

for command in follow top; do
  run 3 "$command" nothing.mlpd ghc.eventlog
  says err "nothing.mlpd: No such file"
  grep -q 'gen0 12\|gc-start' out || fail "$command: the other log is not read"
  run 3 "$command" nothing.mlpd unix:nobody
  says err "unix:nobody: "
  quiet out
  echo "no log, but text" >text
  run 3 "$command" ghc.eventlog text
  says err "text: not a profiler log"
  grep -q 'gen0 12\|gc-start' out || fail "$command: the other log is not read"
  run 2 "$command" - -
  says err "standard input (-) is given twice"
done

# ---- top ----

read_fifos top --format jsonl --interval 100ms
cat mono.mlpd >&8
exec 8>&-
until_has '{"log":"one","pid":4711,"ended":true,' got
head -c 5005 ghc.eventlog >&9
until_has '{"log":"two","pid":null,"ended":false,"format":"ghc",' got
tail -c +5006 ghc.eventlog >&9
exec 9>&-
ended 0
test "$(grep -c '"ended":true' got)" = 2 || fail "ends are reported $(grep -c '"ended":true' got) times"
# The figures of all.figures, and those that +RTS -s reported.
member one format '"mono"'
member one events_all 157
member one exceptions_all 2
member one collections_all '\[2,2,0,0,0,0,0,0\]'
member two format '"ghc"'
member two collections_all '\[12,4,0,0,0,0,0,0\]'
test "$(tail -n 1 got | cut -c 1-12)" = '{"log":"two"' || fail "the last object is another's"

run 0 top --timeout 300ms mono.mlpd ghc.eventlog
grep -q '^"mono.mlpd" .*gen0 2 .*  ended$' out || fail "no line of mono.mlpd: $(cat out)"
grep -q '^"ghc.eventlog" .*gen0 12 .*  ended$' out || fail "no line of ghc.eventlog: $(cat out)"
test "$(wc -l <out)" = 2 || fail "not two lines"

run 0 top --once --timeout 300ms "$work/mono.mlpd" ghc.eventlog
says out "proflog top  2 sources"
grep -q '^mono.mlpd  *4711 Mono ended ' out || fail "no line of mono.mlpd: $(cat out)"
grep -q '^ghc.eventlog  *[0-9-]* GHC ended ' out || fail "no line of ghc.eventlog: $(cat out)"
grep -q ' mono.mlpd  *All.Program:Leaf (int)$' out || fail "a method without its source: $(cat out)"
grep -q ' ghc.eventlog  *runs\| ghc.eventlog  *idle' out || fail "a thread without its source: $(cat out)"
# Two of the same name have their paths.
mkdir other && cp mono.mlpd other
run 0 top --once --timeout 300ms mono.mlpd other/mono.mlpd
grep -q '^other/mono.mlpd  *4711 Mono ended ' out || fail "no line of other/mono.mlpd: $(cat out)"

done_checks
