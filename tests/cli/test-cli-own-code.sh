#!/bin/sh
# report --own: what the library does is the time of the program's method that called it.  Of 100 samples 60 are in
# String:Equals, called by Find, called by Main; 30 are in Main; 10 in the library alone.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

cat >write.py <<'END'
import sys
sys.path.insert (0, sys.argv[1])
from mlpd_writer import Buffer, header, text, uleb
MS, BASE = 1000000, 0x10000
MAIN, FIND, EQUALS, WRITE = (BASE + 0x1000 * i for i in range (1, 5))
def buffer (time):
    return Buffer (time, BASE + 16, BASE, 0, MAIN)
names, run, now = buffer (0), buffer (MS), MS
for m, name in (MAIN, 'App:Main ()'), (FIND, 'App:Find (string)'), (EQUALS, 'System.String:Equals (string)'), \
        (WRITE, 'System.IO.Stream:Write ()'):
    names.put (0x43, 2, names.at_method (m), names.address (m), uleb (64), text (name))
for count, *stack in (60, EQUALS, FIND, MAIN), (30, MAIN), (10, WRITE):
    for _ in range (count):
        now += 10 * MS
        run.put (0x07, now, run.address (BASE + 16), uleb (1), run.address (stack[0]), uleb (len (stack)),
                 *[run.at_method (m) for m in stack])
with open ('own.mlpd', 'wb') as out:
    out.write (header (8, 'proflog:sample,cpu-sample-interval=10000000', 'x86-64', 'linux') + names.bytes () + run.bytes ())
END
PYTHONDONTWRITEBYTECODE=1 python3 write.py "$tests/cli" || fail "no log"

run 0 report --own --format json own.mlpd
read_json
expect 'cpu.methods[App:Find (string)].self_ns' 600000000
expect 'cpu.methods[App:Find (string)].total_ns' 600000000
expect 'cpu.methods[App:Main ()].self_ns' 300000000
expect 'cpu.methods[App:Main ()].total_ns' 900000000
expect 'cpu.methods[[no code of the program]].self_ns' 100000000
! grep -q 'System' figures || fail "the library has a row"
grep -q '^cpu\.methods' figures || fail "no methods"
# The finding on the hottest method has the same share.
run 0 report own.mlpd
says out '60 % (± 10) of the processor time is in App:Find and the library code that it calls'
says out '  600.000  60.0'
run 0 report --own own.mlpd
says out '  600.000  60.0  9.4   600.000    60       0  App:Find (string)'
! grep -q '^Allocations' out || fail "other sections are shown"
# Without it the library's methods have their own.
run 0 report --reports=cpu --format json own.mlpd
read_json
expect 'cpu.methods[System.String:Equals (string)].self_ns' 600000000
expect 'cpu.methods[App:Find (string)].self_ns' 0
run 0 report --own "$logs/ghc-collect.eventlog.gz"
says out "What is the program's own is known of Mono logs only."
done_checks
