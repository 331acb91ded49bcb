#!/bin/sh
# In a log of the module, no changed bit of a buffer is silent: each command that reads it has a warning.
# PROFLOG_BITS is the number of bits, 12 without it.
. "${srcdir:-.}/tests/mono/lib.sh"

need python3
bits=${PROFLOG_BITS:-12}
compile alloc
profiled "alloc,calls,heapshot-on-shutdown,format=17,output=$log" alloc 2 3000 >/dev/null || fail "the program ended with $?"
check_log

# read_all LOG STATUS
read_all ()
{
  for command in report info stats heap check show dump 'show --order file' 'export --format folded'; do
    # shellcheck disable=SC2086 # words
    "$proflog" $command --strict "$1" >"$work/out" 2>"$work/err"
    status=$?
    test "$status" = "$2" || { cat "$work/err"; fail "bit $bit: proflog $command: status $status"; }
  done
}

# change BIT: of the bytes of all events in $log, in $bits equal parts, the first of part BIT is changed.
change ()
{
  python3 - "$log" "$work/changed.mlpd" "$1" "$bits" <<'END'
import struct, sys
log, bit, bits = bytearray (open (sys.argv[1], "rb").read ()), int (sys.argv[3]), int (sys.argv[4])
events, at = [], log.index (b"\1LPM")
while at + 48 <= len (log):
    end = at + 48 + struct.unpack_from ("<I", log, at + 4)[0]
    events += range (at + 48, end)
    at = end
log[events[len (events) * bit // bits]] ^= 1 << bit % 8
open (sys.argv[2], "wb").write (log)
END
}

bit=none
read_all "$log" 0
for bit in $(seq 0 $((bits - 1))); do
  change "$bit" || fail "no bit is changed"
  read_all "$work/changed.mlpd" 4
done
