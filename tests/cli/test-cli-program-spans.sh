#!/bin/sh
# Spans of a Mono program in reports, exports and selections: the log is of tests/mono/programs/spans.cs with 6 rounds,
# which begins 48 requests on 8 threads, each with a query of 7 objects, and 6 spans that cross the thread pool with
# 7 objects each.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
log=$tests/cli/spans.mlpd.gz

run 0 report --format json "$log"
read_json
expect spans.count 102
expect spans.unfinished 0
expect spans.left_out 0
expect 'spans.names[request].count' 48
expect 'spans.names[query].count' 48
expect 'spans.names[crossing].count' 6
expect 'spans.names[crossing].across_threads' 6
expect 'spans.names[query].own_objects' 336
expect 'spans.names[crossing].own_objects' 42
expect 'spans.names[request].own_exceptions' 8
run 0 query --format csv "$log" "SELECT id, objects FROM spans_slowest WHERE name = 'crossing' ORDER BY id"
tail -n +2 out >rows
same_lines rows 1000000,7 1000001,7 1000002,7 1000003,7 1000004,7 1000005,7

# Figures of selected spans alone.
run 0 report --reports=allocations --format json --span query "$log"
read_json
expect allocations.objects 336
run 0 report --reports=allocations --format json --span 'cross*' "$log"
read_json
expect allocations.objects 42
run 0 report --reports=allocations --format json --span 1000003 "$log"
read_json
expect allocations.objects 7
# A tenth of 48 queries are 5, of 7 objects each.
run 0 report --reports=allocations --format json --span query --slowest 10% "$log"
read_json
expect allocations.objects 35
run 0 report --reports=allocations --format json --span query --not-slowest 10% "$log"
read_json
expect allocations.objects 301
zcat "$log" | "$proflog" report --reports=allocations --format json --span query - >out || fail 'a pipe'
read_json
expect allocations.objects 336
run 0 cut --span query -o part.mlpd --force "$log"
run 0 report --format json part.mlpd
read_json
expect allocations.objects 336
expect 'spans.names[query].count' 48
run 0 dump --span 1000003 "$log"
test "$(grep -c ' alloc ' out)" = 7 || fail 'dump'

# The flame graph of the slowest is compared with the others, whose costs are scaled to the same sum.
cat >compare.py <<'END'
import json
page = open('slow.html').read()
begin = page.index('>', page.index('id="data"')) + 1
data = json.loads(page[begin:page.index('</script>', begin)])


def stack(i):
    names = []
    while i:
        names.append(data['frames'][data['names'][i - 1]])
        i = data['parents'][i - 1]
    return ';'.join(reversed(names))


def folded(name):
    rows = [line.rsplit(' ', 1) for line in open(name)]
    return {names: int(n) for names, n in rows}


slow, rest = folded('slow'), folded('rest')
total = sum(slow.values())
for i, (own, before) in enumerate(zip(data['selves'], data['before'])):
    name = stack(i + 1)
    assert own == slow.get(name, 0), (name, own)
    assert abs(before - rest.get(name, 0) * total / sum(rest.values())) <= 1, (name, before)
assert sum(data['before']) == total == sum(data['selves'])
END
run 0 flame --cost alloc --span query --slowest 10% "$log" -o slow.html --force
run 0 flame --cost alloc --span query --slowest 10% -f folded "$log"
cp out slow
run 0 flame --cost alloc --span query --not-slowest 10% -f folded "$log"
cp out rest
python3 compare.py || fail 'the slowest against the rest'
run 0 flame --cost alloc --span 1000003 --slowest 10% "$log" -o slow.html --force # there is no rest
says err 'none of these that are requested ended'

# What is refused.
run 2 report --slowest 1% "$log"
says err 'the spans of --span'
run 2 report --span query --slowest 0% "$log"
says err 'percents above 0 and below 100'
run 2 report --span '' "$log"
run 3 report --span nothing "$log"
says err "the log has no span 'nothing'; there are"
run 3 report --span x "$small"
says err "the log has no span 'x', and no other"
run 3 report --span x "$logs/small.eventlog"
says err 'only logs of Mono have such spans'

# An anonymized log has other names.
run 0 anonymize -o hidden.mlpd --force "$log"
run 0 report --reports=spans --format csv hidden.mlpd
says out ',48,'
! grep -q request out || fail 'a name is not hidden'

# Slices in traces.
run 0 export -f chrome -o trace.json --force "$log"
test "$(tr '{' '\n' <trace.json | grep '"ph":"B"' | grep -c '"name":"query"')" = 48 || fail 'slices in the trace'
done_checks
