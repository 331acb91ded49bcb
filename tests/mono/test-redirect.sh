#!/bin/sh
# A busy program's log goes from a file to a FIFO, a socket, a command, a descriptor, and back: each part can
# be read by itself, and together they have what the program counted.  PROFLOG_REDIRECTS is how often.
. "${srcdir:-.}/tests/mono/lib.sh"

peer=$top_builddir/tests/host/log-peer
redirects=${PROFLOG_REDIRECTS:-25}
reader=
use_runtime_dir
compile tokens
mkfifo "$work/fifo"

# start OPTIONS: the program runs, and its descriptor 5 is the file "descriptor".
start ()
{
  rm -f "$work/stop"
  profiled "alloc,$1" tokens "$work/stop" >"$truth" 2>"$work/stderr" 5>"$work/descriptor" &
  program=$!
  until pid=$("$proflog" ctl 2>/dev/null | grep -F "$work/stop" | awk '$2 == "recorded" { print $1 }') \
    && test -n "$pid"; do sleep 0.05; done
}

# ends: the program has ended well, and so have the readers.
ends ()
{
  touch "$work/stop"
  wait "$program" || fail "the program ended with $?"
  grep -v 'lacks [0-9]* events' "$work/stderr" >"$work/other"
  quiet "$work/other"
  test -z "$reader" || wait "$reader" || fail "the last reader failed"
  reader=
  test -z "$(ls "$work/runtime")" || fail "a spool is left: $(ls "$work/runtime")"
  ! ls "$work" | grep -q spool || fail "a spool is left"
}

# output TARGET: the log goes on there.
output ()
{
  "$proflog" ctl "$pid" output "$1" >"$work/out" 2>"$work/err" || fail "output $1"
}

# redirect KIND: part $part is written there.
redirect ()
{
  before=$reader
  reader=
  case $1 in
    file) output "$work/part.$part" ;;
    fifo)
      cat "$work/fifo" >"$work/part.$part" &
      reader=$!
      tries=0
      until "$proflog" ctl "$pid" output "$work/fifo" >"$work/out" 2>"$work/err"; do
        grep -q 'is a FIFO without a reader' "$work/err" || fail "output FIFO"
        tries=$((tries + 1))
        test $tries -lt 200 || fail "the FIFO has no reader"
        sleep 0.02
      done
      ;;
    socket)
      rm -f "$work/socket"
      "$peer" listen "$work/socket" >"$work/part.$part" &
      reader=$!
      tries=0
      until "$proflog" ctl "$pid" output "unix:$work/socket" >"$work/out" 2>"$work/err"; do
        tries=$((tries + 1))
        test $tries -lt 200 || fail "output unix:"
        sleep 0.02
      done
      ;;
    command) output "|sh -c 'cat  >\"$work/part.$part\"'" ;;
    descriptor) output '#5' ;;
    listen)
      output "unix-listen:$work/own"
      "$peer" connect "$work/own" >"$work/part.$part" &
      reader=$!
      # Until it is connected, the log may not go on elsewhere: its socket would be gone.
      tries=0
      until test -s "$work/part.$part"; do
        tries=$((tries + 1))
        test $tries -lt 1500 || fail "nothing came to the connected reader"
        sleep 0.02
      done
      ;;
  esac
  # Now the part before has its end.
  test -z "$before" || wait "$before" || fail "the reader of the part before failed"
  part=$((part + 1))
}

# read_part FILE: it is a whole log; adds up its tokens and losses.
read_part ()
{
  "$proflog" check "$1" >"$work/out" 2>"$work/err" || {
    grep -q 'the profiler dropped' "$work/out" && ! grep ' error ' "$work/out" | grep -v 'the profiler dropped'
  } || fail "check of ${1##*/} finds something"
  "$top_builddir/tests/host/check-log" "$1" >"$work/out" 2>&1 || fail "${1##*/} is not in order"
  "$proflog" report --format json "$1" >"$work/report.json" 2>"$work/err" || fail "report of ${1##*/}"
  "$json_paths" <"$work/report.json" >"$figures" || fail "the report is not JSON"
  expect damage.truncated false
  expect damage.skipped_bytes 0
  expect_names
  found=$((found + $(figure 'allocations.types[Probe.Token].objects')))
  lost=$((lost + $(figure damage.lost_events)))
  # Before the end of its first collection a program has not stated it: that is soon.
  test "$(figure gc.max_heap_bytes)" -gt 0 || {
    early=$((early + 1))
    test "$(figure gc.collections)" -le 1 && test "$early" -le 3 \
      || fail "${1##*/} does not state the size of the heap"
  }
}

# parts_of KINDS COUNT: so many parts, in turn.
parts_of ()
{
  part=1 found=0 lost=0
  while test $part -le "$2"; do
    for kind in $1; do
      redirect "$kind"
      test $part -le "$2" || break
    done
  done
}

read_parts ()
{
  early=0
  for file in "$work"/part.* "$work/descriptor" "$log"; do
    test ! -s "$file" || read_part "$file"
    rm -f "$file"
  done
}

# has_all: what the program counted is in the parts, or counted as lost; little else was recorded, so little
# else can be lost.
has_all ()
{
  missing=$(($(printed tokens) - found))
  echo "$((part - 1)) redirects: $(printed tokens) tokens, $found in the parts, $lost events lost"
  test "$missing" -ge 0 && test "$lost" -ge "$missing" && test "$lost" -le $((missing + missing / 50)) \
    || fail "$missing tokens are missing, and $lost events are lost"
}

case="back and forth"
start "output=$log"
parts_of 'fifo file socket command' "$redirects"
ends
read_parts
has_all
test "$lost" = 0 || test "$redirects" -gt 100 || fail "$lost events are lost"

# Until a reader connects, what is recorded is counted.
case="where the log waits for readers, and a descriptor of the program"
start "output=$log,rotate=1G"
parts_of 'listen descriptor listen file fifo listen' 6
ends
mv "$work"/log.0001.mlpd "$log"
read_parts
test "$found" -gt 0 && test "$lost" -gt 0 || fail "$found tokens are found and $lost events lost"
has_all

case="what cannot be"
start "output=$log"
refuses ()
{
  ! "$proflog" ctl "$pid" output "$1" >"$work/out" 2>"$work/err" || fail "output $1 succeeds"
  says "$work/err" "$2"
}
refuses "$work/fifo" "is a FIFO without a reader"
refuses "unix:$work/nobody" "No such file or directory"
refuses "$work/stop-no/file" "No such file or directory"
refuses "$log" "there is $log"
refuses '#99' "Bad file descriptor"
refuses '|no-such-command' "No such file or directory"
refuses '|sh -c "' "a quote is not closed"
refuses "|cat > $work/file" "no shell runs the command, which would get '>' as an argument"
part=1 found=0 lost=0
ends
read_parts
has_all
echo "$checks figures agree"
