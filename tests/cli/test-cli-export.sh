#!/bin/sh
# proflog export: the formats of other viewers.  That these find in them what we do is tested in
# tests/peers.
. "${srcdir:-.}/tests/cli/lib.sh"

# Two objects: one of 24 bytes that refers to itself and to an array of 4096, and nothing else.
run 0 export --format heapsnapshot "$small"
cp out snapshot
says snapshot '"node_count":5,"edge_count":5'
says snapshot '"Small.Node"'
says snapshot '"System.Byte[]"'
says snapshot ',4096,'
run 0 export --format hprof --shot 1 "$small"
test "$(head -c 18 out)" = 'JAVA PROFILE 1.0.2' || fail 'no HPROF'
checks=$((checks + 1))
says out '[LSystem/Byte;'
run 0 export -f perfetto "$small" -o graph
grep -q -a 'Small.Node' graph || fail 'a class is missing'
checks=$((checks + 1))

run 2 export "$small"
says err 'there are heapsnapshot, hprof and perfetto'
run 2 export --format svg "$small"
says err '--format svg'
run 2 export --format hprof --shot 0 "$small"
says err '--shot 0'
run 3 export --format hprof --shot 2 "$small" -o none
says err 'it has no heap shot 2'
test ! -e none || fail 'a file without a shot'
run 3 export --format hprof "$small" -o graph
says err 'graph'
run 2 export --format hprof "$small" "$small"
done_checks
