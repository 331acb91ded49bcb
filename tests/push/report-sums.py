"""report-sums.py PROFLOG LOG... -- figures that reports of logs state, summed up over the logs: a line each."""
import json
import subprocess
import sys

proflog, logs = sys.argv[1], sys.argv[2:]
sums = {}


def add(name, number):
    sums[name] = sums.get(name, 0) + (number or 0)


def add_rows(name, rows, key):
    for row in rows or []:
        add(name, row.get(key))


for log in logs:
    text = subprocess.run([proflog, "report", "-q", "--format", "json", log], stdout=subprocess.PIPE).stdout
    report = json.loads(text)
    gc, is_mono = report["gc"], "allocations" in report
    add("events", report["log"]["events"])
    add("pauses", gc["pause_total_ns"])
    add("collections", gc["collections"])
    add_rows("wait counts", report["wait_kinds"], "count")
    add_rows("wait times", report["wait_kinds"], "total_ns")
    add("threads", len(report["threads"]))
    if is_mono:
        add_rows("type bytes", report["allocations"]["types"], "bytes")
        add_rows("type objects", report["allocations"]["types"], "objects")
        add("allocated", report["allocations"]["bytes"])
        add_rows("calls", report["calls"]["methods"], "calls")
        add_rows("self times", report["calls"]["methods"], "self_ns")
        add_rows("throws", report["exceptions"]["types"], "throws")
        add_rows("lock waits", report["monitors"]["objects"], "wait_total_ns")
    else:
        add("heap allocated", report["heap"]["allocated_bytes"])
        add_rows("run times", report["threads"], "run_ns")
        add_rows("cap collections", report["caps"], "collections")
for name in sorted(sums):
    print(name, sums[name])
