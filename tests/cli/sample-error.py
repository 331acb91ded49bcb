"""sample-error.py PROFLOG LOGS SEED -- whether intervals of 95 % hold in simulated logs.

Each log is of a program whose methods have known shares of the processor time, and of which so many samples were
taken at random; and of types of which known numbers of objects of known sizes were allocated, each object seen with the
probability that its size has.  Of all the intervals that the reports state, 93 to 97 % must contain the truth: of the
shares, and of the bytes; and as many of two such logs must find no difference.
"""
import json
import math
import os
import random
import subprocess
import sys

from mlpd_writer import Buffer, header, sleb, text, uleb

MS = 1000000
INTERVAL = 10 * MS
SAMPLING = 65536
BASE = 0x10000
THREAD, IMAGE = BASE + 0x10, BASE + 0x20
METHODS = [BASE + 0x1000 * i for i in range(1, 7)]
CLASSES = [BASE + 0x100000 + 0x1000 * i for i in range(4)]


def buffer(time):
    return Buffer(time, THREAD, BASE, 0, METHODS[0])


def names():
    b = buffer(0)
    b.metadata(1, 5, b.address(THREAD))
    b.metadata(1, 2, b.address(IMAGE), text("App.dll"), text("00000000-0000-0000-0000-000000000001"))
    for i, c in enumerate(CLASSES):
        b.metadata(1, 1, b.address(c), b.address(IMAGE), text(f"App.T{i}"))
        b.metadata(1, 7, b.address(c + 8), b.address(0), b.address(c))
    for i, m in enumerate(METHODS):
        b.put(0x43, 2, b.at_method(m), b.address(m), uleb(64), text(f"App.P:M{i} ()"))
    return b.bytes()


def write_log(path, rng, shares, types):
    b, now = buffer(MS), MS
    for method in rng.choices(METHODS, shares, k=rng.randint(60, 1500)):
        now += INTERVAL
        b.put(0x07, now, b.address(THREAD), uleb(1), b.address(method), uleb(1), b.at_method(method))
    for c, (count, size) in zip(CLASSES, types):
        seen = -math.expm1(-size / SAMPLING)
        for i in range(rng.binomialvariate(count, seen) if hasattr(rng, "binomialvariate")
                       else sum(rng.random() < seen for _ in range(count))):
            b.put(0x00, now, b.address(c + 8), sleb(2 * i), uleb(size))
    with open(path, "wb") as out:
        out.write(header(8, f"proflog:cpu-sample-interval={INTERVAL},alloc={SAMPLING},sample", "x86-64", "linux"))
        out.write(names() + b.bytes())


def check_shares(report, shares):
    """Intervals that contain the truth, of how many."""
    cpu, good = report["cpu"], 0
    rows = {r["name"]: r for r in cpu["methods"]}
    for i, share in enumerate(shares):
        truth = share * cpu["total_ns"]
        row = rows.get(f"App.P:M{i} ()")
        good += row["self_low_ns"] <= truth <= row["self_high_ns"] if row else share < 3 / cpu["hits"]
    return good, len(shares)


def check_bytes(report, types):
    rows, good = {r["name"]: r for r in report["allocations"]["types"]}, 0
    for i, (count, size) in enumerate(types):
        row = rows.get(f"App.T{i}")
        good += bool(row) and row["bytes_low"] <= count * size <= row["bytes_high"]
    return good, len(types)


def json_of(*command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main():
    proflog, logs, rng = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
    sums = {"shares": [0, 0], "bytes": [0, 0], "differences": [0, 0]}

    def add(name, good, of):
        sums[name][0] += good
        sums[name][1] += of

    for number in range(logs):
        parts = [rng.uniform(0.05, 1) for _ in METHODS]
        shares = [p / sum(parts) for p in parts]
        types = [(int(SAMPLING * rng.uniform(20, 150) / size), size) for size in (rng.choice((24, 200, 4000, 70000)) for _ in CLASSES)]
        for path in "a.mlpd", "b.mlpd":
            write_log(path, rng, shares, types)
        report = json_of(proflog, "report", "-q", "--format=json", "--reports=cpu,alloc", "a.mlpd")
        add("shares", *check_shares(report, shares))
        add("bytes", *check_bytes(report, types))
        if number % 5 == 0:
            rows = json_of(proflog, "diff", "-q", "--format=json", "--reports=alloc", "a.mlpd",
                           "b.mlpd")["allocations_types_bytes"]
            add("differences", sum(r["spread"] == "within" for r in rows), len(rows))
    for name, (good, of) in sums.items():
        percent = 100 * good / of
        # Of few logs the percentage has an error itself.
        slack = 0 if logs >= 1000 else 300 * math.sqrt(0.05 * 0.95 / of)
        print(f"{name}: {percent:.1f} % of {of}")
        if not 93 - slack <= percent <= 97 + slack and not (name == "differences" and percent > 93):
            sys.exit(f"{name}: the intervals of 95 % hold in {percent:.1f} % of {of}")
    for path in "a.mlpd", "b.mlpd":
        os.remove(path)


main()
