"""log-figures.py -- five figures of `proflog report`, from proflog.py alone: counted event by event, and as the
report states them.  Of a log of Mono or of GHC.

    log-figures.py app.mlpd
"""

import sys

import proflog

path = sys.argv[1]
report = proflog.Log(path).report()


def column(kind, field):
    return proflog.columns(path, kind, field)[field]


if report["log"].get("format") == "ghc-eventlog":
    figures = {
        "gc.collections": len(column("gc-stats-ghc", "generation")),
        "heap.copied_bytes": sum(column("gc-stats-ghc", "copied")),
        "heap.max_residency_bytes": max(column("heap-live", "bytes"), default=0),
        "heap.max_memory_bytes": max(column("heap-size", "bytes"), default=0),
        "scheduling.runs": len(column("run-thread", "thread")),
    }
else:
    figures = {
        "allocations.objects": len(column("alloc", "size")),
        "allocations.bytes": sum(column("alloc", "size")),
        "gc.collections": sum(1 for event in proflog.Log(path) if event.name("event") == "start"),
        "gc.max_heap_bytes": max(column("gc-resize", "size"), default=0),
        "exceptions.throws": len(column("exception-throw", "time")),
    }
for key, counted in figures.items():
    section, name = key.split(".")
    print(key, counted, report.get(section, {}).get(name) or 0)
