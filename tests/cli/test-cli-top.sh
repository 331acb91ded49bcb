#!/bin/sh
# Figures of a log that is being written: as lines, as one page, and on a terminal.
. "${srcdir:-.}/tests/cli/lib.sh"
log=$logs/all-v17.mlpd

# member NAME VALUE: of the last object that was printed.
member ()
{
  tail -n 1 out | grep -q -e "\"$1\":$2[,}]" || fail "$1 is not $2: $(tail -n 1 out)"
  checks=$((checks + 1))
}

# The figures of all.figures, and those that +RTS -s reported.
"$proflog" top --format jsonl - <"$log" >out 2>err || fail "top of a pipe"
quiet err
member format '"mono"'
member events_all 157
member exceptions_all 2
member heap_bytes 6442450944
member collections_all '\[2,2,0,0,0,0,0,0\]'
run 0 top --format jsonl "$logs/ghc-collect-N2.eventlog.gz"
member format '"ghc"'
member collections_all '\[12,4,0,0,0,0,0,0\]'

run 0 top "$logs/ghc-collect-N2.eventlog.gz"
test "$(wc -l <out)" = 1 || fail "not one line"
says out "gen0 12"

run 0 top --once --interval 100ms --timeout 1s "$log"
says out "All.Program:Leaf (int)"
says out "gen0 2"
says out "heap    6.4 GB"
says out "Helper"

# The name of the program, which the log of Mono has as that of an image, the eventlog as the first argument.
run 0 top --once --interval 100ms --timeout 1s "$logs/stock-default.mlpd.gz"
says out "proflog top  hello.exe  $logs/stock-default.mlpd.gz  Mono"
run 0 top --once "$logs/ghc-blocks.eventlog.gz"
says out "proflog top  Blocks-vanilla  $logs/ghc-blocks.eventlog.gz  GHC"

# In pieces, with figures in between.
{ head -c 1000 "$log"; sleep 1; tail -c +1001 "$log"; } \
  | "$proflog" top --interval 100ms --format jsonl - >out 2>err || fail "top of pieces"
test "$(wc -l <out)" -ge 2 || fail "no lines in between"
member events_all 157

"$proflog" top --interval 100ms "$log" 2>err | head -n 1 >out
test "$(wc -l <out)" = 1 || fail "no line"

# An output that takes nothing is an error, however little is written.
for options in "" --once "--format jsonl"; do
  # shellcheck disable=SC2086
  "$proflog" top --interval 100ms --timeout 1s $options "$log" >/dev/full 2>err
  test $? = 3 || fail "top $options to a full device did not end with 3"
  says err "cannot write to standard output: No space left on device"
done

run 2 top --interval 1ms "$log"
run 2 top --format csv "$log"
run 3 top nothing.mlpd
run 2 top
says err "no log given: a file, or the process id or name of a program"

# ---- on a terminal ----

has tmux || { done_checks; exit 0; }

. "$tests/tmux-lib.sh"
trap 'close_terminal; rm -rf "$work"' EXIT
cp "$log" grows.mlpd
open_terminal 100 30 "'$proflog' top --interval 200ms grows.mlpd; echo ended with \$?; exec sleep 60"
shows "All.Program:Leaf (int)"
shows "heap    6.4 GB"
press e
shows "e needs a process in place of a log"
press 2
shows "BYTES/s"
press 3
shows "STATE"
shows "Helper"
press Tab
shows "THROWN"
press 1
shows 'SELF%*'
press s
shows 'CALLS/s*'
press r
shows 'CALLS/s^'
press h
shows "sort by the next column"
press h
shows "SELF ms"
press p
shows "[paused]"
press p
wait_for eval '! page_has "[paused]"'
# Another size: lines are cut, and what was there is gone.
in_tmux resize-window -x 40 -y 12 || fail "tmux"
shows "heap    6.4 GB"
is_narrow ()
{
  page_has "proflog top" && test "$(LC_ALL=C.UTF-8 wc -L <page)" -le 40 && head -n 1 page | grep -q "proflog top"
}
wait_for is_narrow
press q
shows "ended with 0"
done_checks
