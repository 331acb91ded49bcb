"""lake-sums.py PROFLOG LOG... -- sums over the reports of single logs: the lines of peer-lake.mjs."""
import collections
import json
import re
import subprocess
import sys

proflog, logs = sys.argv[1], sys.argv[2:]
sums = collections.defaultdict(collections.Counter)
longest = collections.defaultdict(int)


def report(*arguments):
    out = subprocess.run([proflog, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return out.decode()


for log in logs:
    r = json.loads(report("report", "-q", "--format", "json", log))
    is_eventlog = r["log"].get("format") == "ghc-eventlog"
    form = "eventlog" if is_eventlog else "mlpd"
    sums["logs by format"][form] += 1
    sums["events by format"][form] += r["log"]["events"]
    host = re.findall(r"/host=([^/]*)/", log)
    sums["hosts"][host[0] if host else "unknown"] += 1
    for row in r["gc"]["generations"]:
        longest[row["generation"]] = max(longest[row["generation"]], row["pause_max_ns"])
    for kind in ("samples", "calls", "allocations", "locks", "exceptions"):
        done = subprocess.run([proflog, "export", "-q", "--format", "folded", "--source", kind, log],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in done.stdout.decode().splitlines():
            sums["values of stacks by kind"][kind] += int(line.rsplit(" ", 1)[1])
    if is_eventlog:
        sums["allocated bytes of GHC"]["all"] += r["heap"]["allocated_bytes"] or 0
        sums["copied bytes of GHC"]["all"] += r["heap"]["copied_bytes"] or 0
        sums["samples of time profiles"]["all"] += r["time_profile"]["samples"]
        for row in r["threads"] if host != ["random"] else []:
            sums["run times of threads"][row["id"]] += row["run_ns"]
        kinds = json.loads(report("report", "-q", "--reports", "kinds", "--format", "json", log))["kinds"]
        sums["threads created"]["all"] += sum(k["events"] for k in kinds if k["kind"] == "create-thread")
        continue
    sums["allocated bytes"]["all"] += r["allocations"]["bytes"]
    sums["allocated objects"]["all"] += r["allocations"]["objects"]
    sums["calls"]["all"] += r["calls"]["total"]
    if host != ["random"]:
        for row in r["allocations"]["types"]:
            sums["allocated bytes by type"][row["name"]] += row["bytes"]
            sums["allocated objects by type"][row["name"]] += row["objects"]
        for row in r["calls"]["methods"]:
            sums["calls by method"][row["name"]] += row["calls"]
    sums["throws"]["all"] += r["exceptions"]["throws"]
    sums["clauses"]["all"] += sum(row["count"] for row in r["exceptions"]["clauses"])
    sums["contentions"]["all"] += r["monitors"]["contentions"]
    sums["resizes of the heap"]["all"] += r["gc"]["resizes"]
    sums["pauses of Mono"]["all"] += sum(row["pause_total_ns"] for row in r["gc"]["generations"])

for figure, counter in sums.items():
    for name, value in counter.items():
        print(figure, name, value, sep="\t")
for generation, ns in longest.items():
    print("longest pauses by generation", generation, ns, sep="\t")
