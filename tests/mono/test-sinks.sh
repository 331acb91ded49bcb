#!/bin/sh
# Whatever the log goes to, it holds what the program counted.
. "${srcdir:-.}/tests/mono/lib.sh"

peer=$top_builddir/tests/host/log-peer
use_runtime_dir
compile alloc

# sink WHAT OPTIONS: the program ends well and says nothing.  A reader is given as
# much time as it takes.
sink ()
{
  profiled "alloc,overflow=block,patience=1min,$2" alloc 4 20000 >"$truth" 2>"$work/stderr" \
    || fail "$1: the program ended with $?"
  quiet "$work/stderr"
}

# agrees WHAT: the log holds it all, and nothing else is left.
agrees ()
{
  read_figures
  expect_truth
  test -z "$(ls "$work/runtime")" || fail "$1: a spool is left"
  rm -f "$log" "$work/socket"
}

zips=zip
grep -q '^#define HAVE_ZSTD 1' "$top_builddir/config.h" && zips='zip=gzip zip=zstd'

for zip in '' $zips; do
  options=${zip:+,$zip}
  sink "a file$options" "output=$log$options"
  agrees "a file$options"

  profiled "alloc,output=+$log$options" alloc 2 5000 >"$truth" || fail "+FILE: the program ended with $?"
  mv "$log".[0-9]* "$log"
  agrees "+FILE$options"

  sink "a descriptor$options" "output=#5$options" 5>"$log"
  agrees "a descriptor$options"

  mkfifo "$work/fifo"
  cat "$work/fifo" >"$log" &
  exec 6>"$work/fifo"
  sink "a FIFO$options" "output=$work/fifo$options" 6>&-
  exec 6>&-
  wait
  rm "$work/fifo"
  agrees "a FIFO$options"

  "$peer" listen "$work/socket" >"$log" &
  until test -S "$work/socket"; do sleep 0.05; done
  sink "a socket$options" "output=unix:$work/socket$options"
  wait
  agrees "a socket$options"

  "$peer" connect "$work/socket" >"$log" &
  sink "a socket of its own$options" "output=unix-listen:$work/socket$options"
  wait
  test ! -e "$work/socket" || fail "the socket is left"
  agrees "a socket of its own$options"

  sink "a command$options" "output=|cp /dev/stdin $log$options"
  agrees "a command$options"
done

# Mono looks after children of its own; a program that waits for one gets that one.
compile child
expected=$(mono "$programs/child.exe" 2>/dev/null)
got=$(profiled "output=|cp /dev/stdin $log" child 2>/dev/null)
test "$got" = "$expected" || fail "a program with a child prints '$got', not '$expected'"
"$top_builddir/tests/host/check-log" "$log" || fail "the log is not in order"
echo "$checks figures agree"
