"""log-figures.py -- five figures of `proflog report`, from proflog.py alone.

    log-figures.py app.mlpd
"""

import sys

import proflog

GC_START = 0
path = sys.argv[1]
sizes = proflog.columns(path, "alloc", "size")["size"]
print("objects", len(sizes))
print("bytes", sum(sizes))
print("collections", proflog.columns(path, "gc-event", "event")["event"].count(GC_START))
print("heap", max(proflog.columns(path, "gc-resize", "size")["size"], default=0))
print("exceptions", len(proflog.columns(path, "exception-throw", "time")["time"]))
