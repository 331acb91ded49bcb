#!/bin/sh
# A log as the log profiler of .NET writes it in a browser (dotnet-log.py): pointers of 4 bytes, one thread, domain 1,
# no end.  Expected values are those that its maker states.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

PYTHONDONTWRITEBYTECODE=1 python3 "$tests/cli/dotnet-log.py" browser.mlpd || fail "no log"
run 0 check browser.mlpd
quiet err
says out 'Pointer size         4'
says out 'State                good'
run 0 validate browser.mlpd
! grep -q invalid out || fail "its events do not fit"
run 0 report --format json browser.mlpd
quiet err
read_json
expect 'log.pointer_size' 4
expect 'log.architecture' wasm32
expect 'calls.methods[App.Program:Load ()].calls' 3
expect 'calls.methods[App.Program:Main ()].calls' 1
expect 'allocations.types[App.Item].objects' 6
expect 'allocations.types[App.Item].bytes' 96
expect 'gc.collections' 1
expect 'gc.generations[1].pause_total_ns' 2000000
expect 'gc.generations[1].collections' 1
expect 'threads[Main].events' 30
run 0 report --reports alloc --traces browser.mlpd
says out 'App.Program:Load ()'
run 0 stats browser.mlpd
run 0 flame --cost alloc --format folded browser.mlpd
same_lines out 'App.Program:Main ();App.Program:Load ();App.Item 96'
run 0 flame --cost calls --format folded browser.mlpd
says out 'App.Program:Main ();App.Program:Load () 3'
run 0 convert --data-version 1 browser.mlpd -o old.mlpd
run 0 report --format json old.mlpd
read_json
expect 'allocations.types[App.Item].objects' 6
run 0 export --format speedscope browser.mlpd -o browser.json
run 0 show browser.mlpd
says out 'App.Item'
run 0 query browser.mlpd 'select count(*) from alloc'

# The browser tab was closed while the log was being sent: what came is read, and the rest is stated.
head -c 480 browser.mlpd >cut.mlpd
run 0 report cut.mlpd
says err 'inside an event: 23 bytes are missing there'
echo "$checks checks"
