#!/bin/sh
# The examples of the library alone, in C and in Python: figures of reports, events as lines, selections, heap
# snapshots; of logs of both formats.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
examples=$tests/../examples built=$top_builddir/examples
test -x "$built/log-figures" || fail "$built/log-figures is not built"
export PROFLOG_LIBRARY="$top_builddir/.libs/libproflog.so.0" PYTHONDONTWRITEBYTECODE=1

# python FILE ARGUMENT...: of the examples.  Python has no sanitizer, and cannot load a library that needs its runtime.
python ()
{
  test "${SANITIZER:-no}" = no || return 0
  PYTHONPATH=$tests/../python python3 "$@" >out 2>err || fail "$*: $(cat err)"
  same out expected
}

# Five figures, as they are counted and as the library reports them, are those of the command's report.
figures_of ()
{
  "$proflog" report -q --format json "$1" >out || fail "report $1"
  read_json
  "$built/log-figures" "$1" >expected 2>err || fail "log-figures $1: $(cat err)"
  test "$(wc -l <expected)" = 5 || fail "log-figures $1 has $(wc -l <expected) figures"
  while read -r key counted reported; do
    found=$(key=$key awk -F '\t' '$1 == ENVIRON["key"] { print $2 }' figures)
    test "$counted" = "${found:-0}" || fail "$key of $1 is $counted, not $found"
    test "$reported" = "${found:-0}" || fail "$key of $1 is reported as $reported, not $found"
  done <expected
}

for log in "$small" "$logs"/all-v01.mlpd "$logs"/all-v17.mlpd "$logs"/stock-exceptions.mlpd.gz \
  "$logs"/stock-alloc.mlpd.gz "$logs"/ghc-blocks.eventlog.gz "$logs"/ghc-collect-N2.eventlog.gz; do
  figures_of "$log"
  python "$examples/log-figures.py" "$log"
done
awk '$2 == 0 { none++ } END { exit none > 0 }' expected || fail "too little was counted: $(cat expected)"

# Lines are those of dump, but for what is no event.
for log in "$logs"/all-v17.mlpd "$logs"/stock-alloc.mlpd.gz "$logs"/ghc-blocks.eventlog.gz; do
  for selection in '' 'time-range 10%~60%' 'filter a'; do
    # shellcheck disable=SC2086
    "$proflog" dump -q ${selection:+--${selection% *} "${selection#* }"} "$log" \
      | awk '$2 != "file-header" && $4 != "buffer" && $2 != "header" && $2 != "end"' >expected
    "$built/print-log" "$log" ${selection:+"${selection% *}" "${selection#* }"} >out || fail "print-log $log $selection"
    same out expected
  done
done
test -s expected || fail "nothing was selected"
"$built/print-log" "$small" colour red >out 2>err && fail "a selection that there is not"
grep -q "no selection 'colour'" err || fail "no reason but $(cat err)"
cat >late.py <<'P'
import ctypes, os, sys
library = ctypes.CDLL(os.environ["PROFLOG_LIBRARY"])
library.proflog_log_open.restype = ctypes.c_void_p
log = ctypes.c_void_p(library.proflog_log_open(sys.argv[1].encode(), None))
for name, value in (b"thread", b"0x1"), (b"cap", b"0"):
    print(library.proflog_log_select(log, name, value, None) & 1)
    library.proflog_log_next(log)
P
printf '1\n0\n' >expected
python late.py "$small" # a selection after the first event is refused

# Each field of each event, its names and lists, and the whole report, are those of the command in JSON.
cat >all.py <<'END_OF_SCRIPT'
import json
import sys
import proflog


def plain(value):
    """Addresses are texts in JSON."""
    return int(value, 16) if isinstance(value, str) and value.startswith('0x') else value


def is_same(event, name, value, fields):
    of = name.rsplit('_name', 1)[0]
    if of != name and of in fields:
        if name.endswith('_names'):
            return [event.method(method) for method in event.get(of)] == value
        return event.name(of) == value
    if not isinstance(value, list):
        return event.get(name) == plain(value)
    if value and isinstance(value[0], dict):  # what only a reader of the format gives
        return True
    # Of several texts the library gives the first.
    return event.get(name) in ([plain(item) for item in value], value[0] if value else None)


def check(event, line):
    fields = line['fields']
    assert event.kind == line['kind'] and event.time == line['time_ns'], line
    assert event.thread == plain(line.get('thread')) and event.cap == line.get('cap'), line
    for name, value in fields.items():
        assert is_same(event, name, value, fields), (name, event.get(name), line)
    return len(fields)


path, dump, report = sys.argv[1:]
lines = [line for line in map(json.loads, open(dump)) if line['item'] == 'event']
events = iter(proflog.Log(path))
fields = sum(check(event, line) for event, line in zip(events, lines))
assert fields > len(lines) and next(events, None) is None
assert proflog.Log(path).report() == json.load(open(report))
END_OF_SCRIPT
: >expected
for log in "$logs"/all-v17.mlpd "$logs"/stock-exceptions.mlpd.gz "$logs"/stock-monitors.mlpd.gz "$logs"/ghc-heap-hc.eventlog.gz \
  "$logs"/ghc-collect-N2.eventlog.gz; do
  "$proflog" dump -q --format json "$log" >dump.json || fail "dump $log"
  "$proflog" report -q --format json "$log" >report.json || fail "report $log"
  python all.py "$log" dump.json report.json
done

# Damage is counted as the command counts it.
head -c 1500 "$logs"/all-v17.mlpd >cut.mlpd
"$built/print-log" cut.mlpd >out || fail "print-log of a damaged log"
"$proflog" dump -q cut.mlpd | awk '$2 != "file-header" && $4 != "buffer"' >expected
same out expected
grep -q damage out || fail "no damage"

# Classes of a heap snapshot.
log=$logs/stock-heapshot.mlpd.gz
"$built/heap-classes" "$log" | awk '{ objects += $1; bytes += $2; retained += $3 } END { print objects, bytes, retained }' >out
"$proflog" heap dominators -q --format json "$log" >json || fail "heap dominators"
"$json_paths" <json | awk -F '\t' '{ shot[$1] = $2 }
  END { print shot["shot.objects"], shot["shot.bytes"], shot["shot.bytes"] - shot["shot.unreachable_bytes"] }' >expected
same out expected
cat >heap.py <<'END_OF_SCRIPT'
import sys
import proflog
objects = proflog.Log(sys.argv[1]).heap()
top = [o for o in objects if o["dominator"] == proflog.HEAP_ROOTS]
print(len(objects), sum(o["bytes"] for o in objects), sum(o["retained"] for o in top))
END_OF_SCRIPT
python heap.py "$log"
"$built/heap-classes" "$logs"/stock-alloc.mlpd.gz >out 2>err && fail "heap snapshots of a log without"
grep -q 'no heap snapshots' err || fail "no reason but $(cat err)"

echo 'no log' >none
"$built/log-figures" none >out 2>err && fail "something that is no log"
grep -q 'not a profiler log' err || fail "no reason"
done_checks
