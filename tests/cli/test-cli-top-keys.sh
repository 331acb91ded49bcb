#!/bin/sh
# The keys of `proflog top` on a terminal, and what it requests of programs.
. "${srcdir:-.}/tests/cli/lib.sh"
need tmux
. "$tests/tmux-lib.sh"
trap 'close_terminal; rm -rf "$work"' EXIT
cp "$logs/all-v17.mlpd" grows.mlpd

# ---- keys ----

# begin_top COLUMNS ROWS ARGUMENT...: on a new terminal.
begin_top ()
{
  size="$1 $2"
  shift 2
  # shellcheck disable=SC2086
  open_terminal $size "LC_ALL=C.UTF-8 '$proflog' top $*; echo ended with \$?; exec sleep 60"
  shows 'proflog top'
}
# begins_with TEXT: the table does.
begins_with ()
{
  page_has '' && test "$(rows | head -n 1)" = "$1"
}
rows ()
{
  sed '1,/ CALLS /d' "$work/page"
}
has_rows ()
{
  page_has '[paused]' && test "$(rows | grep -c .)" = 3
}
gunzip -c "$logs/module-calls.mlpd.gz" >calls.mlpd
begin_top 100 12 --interval 200ms calls.mlpd
press 1
shows ' CALLS '
press p
shows '[paused]'
wait_for has_rows
rows >saved
press Down
wait_for begins_with "$(sed -n 2p saved)"
press Down Up Up
wait_for begins_with "$(sed -n 1p saved)"
# As other terminals send arrows; what no key is changes nothing.
press Escape O B
wait_for begins_with "$(sed -n 2p saved)"
press Escape O A
wait_for begins_with "$(sed -n 1p saved)"
press Up x Escape O x Escape '[' C Escape x
press '?'
shows '1 to 7, Tab    methods'
press '?'
shows ' CALLS '
press ' '
wait_for eval '! page_has "[paused]"'
press ' '
shows '[paused]'
press Tab Tab Tab
shows 'THROWN'
press Tab 4
shows 'THROWN'
press 7
shows '[7 frames] h help'
press q
shows 'ended with 0'
close_terminal

# Of an interval that is much shorter by now, and of the longest, there are figures after a moment.
begin_top 100 30 --interval 1h grows.mlpd
press - - - - - - - - - - - - - - - - - - - - - - - -
shows '▁▁▁'
press + w w
press q
shows 'ended with 0'
close_terminal

# ---- programs that shall record more ----

has python3 || { done_checks; exit 0; }
use_runtime_dir
: >requests
printf 'ok\nrecording: yes\nlog: %s\n' "$work/grows.mlpd" >reply
stubs=
trap 'close_terminal; kill $stubs; rm -rf "$work"' EXIT
# The second has a name that the terminal must not get as it is.
python3 "$tests/cli/control-stub.py" "$XDG_RUNTIME_DIR" reply requests >one &
stubs=$!
python3 -c 'import os, sys; os.execv(sys.executable, ["a\x1bb"] + sys.argv[1:])' \
  "$tests/cli/control-stub.py" "$XDG_RUNTIME_DIR" reply requests >two &
stubs="$stubs $!"
wait_for test -s one
wait_for test -s two
begin_top 150 30 "$(cat one)"
press 1
press e
shows 'sample is recorded now'
press 2
press e
shows 'alloc is recorded now'
press 3
press e
shows 'threads need no class of events'
press 4
# answered REPLY TEXT: by the last class that is requested of the program.
answered ()
{
  printf %b "$1" >reply
  press e
  shows "$2"
}
answered 'error failed\nit was not \033[1mprepared\n' 'it was not ?[1mprepared'
answered 'no' 'no answer'
answered '' 'it ended, or is too busy'
says requests 'enable exception'
press q
shows 'ended with 0'
close_terminal
printf 'ok\nrecording: yes\nlog: %s\n' "$work/grows.mlpd" >reply
begin_top 150 30 "$(cat one)" "$(cat two)"
press 2
press e
shows ': alloc is recorded now; a?b: alloc is recorded now'
press q
shows 'ended with 0'
done_checks
