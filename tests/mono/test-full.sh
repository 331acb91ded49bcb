#!/bin/sh
# A file that may not get larger, and a full disk: the program is unchanged, one line states the loss, and so
# does the log, with the program's own counters.
. "${srcdir:-.}/tests/mono/lib.sh"
compile alloc
compile throw
plain=$work/plain

# told_in FILE PATTERN: the sum of what the program reported for it.
told_in ()
{
  awk -v pattern="$2" '$0 ~ pattern { sum += $NF } END { print sum + 0 }' "$1"
}

# agrees LOG_NAME OPTIONS REASON: one line on stderr, and check and info have the same number.
agrees ()
{
  grep '^proflog' "$work/stderr" >"$work/lines"
  test "$(wc -l <"$work/lines")" = 1 || { cat "$work/stderr"; fail "$2: not one line"; }
  lost=$(sed -n "s|^proflog: log $1 is incomplete: $3 after [0-9]* bytes; \([0-9]*\) events are lost.*|\1|p" "$work/lines")
  test "${lost:-0}" -gt 0 || { cat "$work/lines"; fail "$2: the line does not state the loss"; }
  "$proflog" check "$log" >"$work/checked" 2>/dev/null && fail "$2: check finds nothing"
  grep -q "^  State  *damaged$" "$work/checked" && grep -q " error .*$lost events.*: $3$" "$work/checked" \
    || { cat "$work/checked"; fail "$2: check does not state the loss"; }
  "$proflog" report --format json "$log" 2>/dev/null | "$json_paths" >"$figures"
  "$proflog" info --format json "$log" 2>/dev/null | "$json_paths" >>"$figures"
  expect content.complete false
  test "$(grep -c "^damage.lost_events	$lost$" "$figures")" = 2 || fail "$2: the reports have another number"
}

# accounts OPTIONS: allocations in the log and the lost events are those of the program; the runtime has made
# some more.
accounts ()
{
  printed=$(told_in "$plain" '^objects:')
  there=$(awk -F '\t' '/^allocations.types\[Probe\.[^\t]*objects\t/ { sum += $2 } END { print sum + 0 }' "$figures")
  more=$((there + lost - printed))
  test "$more" -ge 0 && test "$more" -lt 2000 || fail "$1: $there in the log, $lost lost, $printed allocated"
  echo "$1: $there in the log, $lost lost, $printed allocated"
}

# same_program OPTIONS STATUS: the program has the status and the output that it has without us.
same_program ()
{
  test "$2" = "$plain_status" || fail "$1: exit status $2, not $plain_status"
  cmp -s "$plain" "$truth" || fail "$1: another output"
}

# limited BLOCKS OPTIONS PROGRAM: no file gets larger than so many blocks of 512 bytes.
limited ()
{
  rm -f "$log" "$log.spool"
  (
    ulimit -f "$1"
    profiled "$2,output=$log" "$3" 2>"$work/stderr"
    echo "status $?"
  ) >"$work/out"
  status=$(sed -n 's/^status //p' "$work/out")
  sed '/^status /d' "$work/out" >"$truth"
}

mono "$programs/alloc.exe" >"$plain"
plain_status=$?
for options in nodefaults,alloc nodefaults,alloc,format=17 nodefaults,alloc,spool=none \
               nodefaults,alloc,format=17,spool=none; do
  case=$options
  limited 1024 "$options" alloc
  same_program "$options" "$status"
  agrees "$log" "$options" "File too large"
  accounts "$options"
done

# The same on a disk.
mkdir "$work/disk"
for options in nodefaults,alloc nodefaults,alloc,format=17 nodefaults,alloc,spool=none; do
  case="full disk, $options"
  rm -f "$log" "$log.spool"
  unshare -rm sh -c "
    mount -t tmpfs -o size=1M none '$work/disk' || exit 1
    LD_LIBRARY_PATH='$module_dir' mono '--profile=proflog:$options,output=$work/disk/log.mlpd' \
      '$programs/alloc.exe' >'$truth' 2>'$work/stderr'
    echo \$? >'$work/status'
    cp '$work/disk'/log.* '$work'
  " 2>/dev/null || { leave_out unshare "no file system can be mounted here"; break; }
  same_program "$options" "$(cat "$work/status")"
  agrees "$work/disk/log.mlpd" "$options" "No space left on device"
  accounts "$options"
done

# An eventlog: exceptions are markers.
case=format=eventlog
mono "$programs/throw.exe" >"$plain"
plain_status=$?
limited 16 format=eventlog,clauses,spool=none throw
same_program format=eventlog "$status"
agrees "$log" format=eventlog "File too large"
throws=$(told_in "$plain" '^throws:')
there=$("$proflog" dump "$log" 2>/dev/null | grep -c ' user-marker ')
test "$((there + lost))" -ge "$throws" || fail "$there throws in the log, $lost lost, $throws made"
echo "$checks figures agree"
