"""sample-error.py PROFLOG LOGS SEED -- whether intervals of 95 % hold in simulated logs.

Each log is of a program whose methods have known shares of the processor time, in two callers, and of which so many
samples were taken at random; and of types of which known numbers of objects of known sizes were allocated, by several
methods and threads, each object seen with the probability that its size has; the last type has objects of several sizes.
Of all the intervals that the reports state, 93 to 97 % must contain the truth: of the shares, of the nodes of the tree,
and of bytes and objects by type, method, stack and thread; and as many of two such logs must find no difference.
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
THREADS, IMAGE = [BASE + 0x10, BASE + 0x18], BASE + 0x20
METHODS = [BASE + 0x1000 * i for i in range(1, 7)]
CALLERS = [BASE + 0x8000, BASE + 0x9000]
CLASSES = [BASE + 0x100000 + 0x1000 * i for i in range(4)]
MIXED = 3  # this class has objects of several sizes


def buffer(time):
    return Buffer(time, THREADS[0], BASE, 0, METHODS[0])


def names():
    b = buffer(0)
    for thread in THREADS:
        b.metadata(1, 5, b.address(thread))
    b.metadata(1, 2, b.address(IMAGE), text("App.dll"), text("00000000-0000-0000-0000-000000000001"))
    for i, c in enumerate(CLASSES):
        b.metadata(1, 1, b.address(c), b.address(IMAGE), text(f"App.T{i}"))
        b.metadata(1, 7, b.address(c + 8), b.address(0), b.address(c))
    for name, methods in ("M", METHODS), ("C", CALLERS):
        for i, m in enumerate(methods):
            b.put(0x43, 2, b.at_method(m), b.address(m), uleb(64), text(f"App.P:{name}{i} ()"))
    return b.bytes()


def successes(rng, n, p):
    """How many of n things with the probability p happen: by the gaps between them."""
    count, place = 0, 0
    while True:
        place += 1 + int(math.log(1 - rng.random()) / math.log1p(-p))
        if place > n:
            return count
        count += 1


def write_log(path, rng, shares, callers, objects):
    b, now = buffer(MS), MS
    n = rng.randint(60, 1500)
    for method, caller in zip(rng.choices(METHODS, shares, k=n), rng.choices(CALLERS, callers, k=n)):
        now += INTERVAL
        b.put(0x07, now, b.address(THREADS[0]), uleb(1), b.address(method), uleb(2), b.at_method(method), b.at_method(caller))
    threads = {t: Buffer(MS, t, BASE, 0, METHODS[0]) for t in THREADS}
    for number, (kind, method, thread, count, size) in enumerate(objects):
        a = threads[THREADS[thread]]
        for _ in range(successes(rng, count, -math.expm1(-size / SAMPLING))):
            a.put(0x10, now, a.address(CLASSES[kind] + 8), sleb(2 * number), uleb(size), uleb(1), a.at_method(METHODS[method]))
    with open(path, "wb") as out:
        out.write(header(8, f"proflog:cpu-sample-interval={INTERVAL},alloc={SAMPLING},sample", "x86-64", "linux"))
        out.write(names() + b.bytes() + b"".join(a.bytes() for a in threads.values()))


def allocated(rng):
    """What the program allocates: the type, the method and the thread, how many objects, and of which size."""
    objects = []
    for kind in range(len(CLASSES)):
        for method in rng.sample(range(len(METHODS)), 2):
            for thread in range(len(THREADS)):
                for size in (24, 4000, 300000) if kind == MIXED else (rng.choice((24, 200, 4000, 70000)),):
                    objects.append((kind, method, thread, int(SAMPLING * rng.uniform(10, 60) / size), size))
    return objects


def check_shares(report, shares):
    """Intervals that contain the truth, of how many."""
    cpu, good = report["cpu"], 0
    rows = {r["name"]: r for r in cpu["methods"]}
    for i, share in enumerate(shares):
        truth = share * cpu["total_ns"]
        row = rows.get(f"App.P:M{i} ()")
        good += row["self_low_ns"] <= truth <= row["self_high_ns"] if row else share < 3 / cpu["hits"]
    return good, len(shares)


def check_tree(report, shares, callers):
    """The nodes are callers, and in each the methods."""
    good, of, caller = 0, 0, 0
    for node in report["tree"]["nodes"]:
        number = int(node["name"][7])
        if node["depth"] == 0:
            caller = callers[number]
        truth = (caller if node["depth"] == 0 else caller * shares[number]) * report["cpu"]["total_ns"]
        # A node that has few samples may as well have none, and is no node then.
        if truth >= 5 * INTERVAL:
            good += node["total_low_ns"] <= truth <= node["total_high_ns"]
            of += 1
    return good, of


def check_allocated(rows, key_of, truths):
    """Of rows by their keys: bytes, and objects."""
    found, good = {key_of(r): r for r in rows}, [0, 0]
    for key, truth in truths.items():
        for i, what in enumerate(("bytes", "objects")):
            row = found.get(key)
            good[i] += bool(row) and row[what + "_low"] <= truth[i] <= row[what + "_high"]
    return good, len(truths)


def truths_by(objects, key_of):
    sums = {}
    for o in objects:
        count, size = o[3:]
        bytes_before, count_before = sums.get(key_of(o), (0, 0))
        sums[key_of(o)] = bytes_before + count * size, count_before + count
    return sums


ALLOCATED = {
    "type": ("types", lambda o: f"App.T{o[0]}", lambda r: r["name"]),
    "method": ("methods", lambda o: f"App.P:M{o[1]} ()", lambda r: r["name"]),
    "stack": ("stacks", lambda o: (f"App.T{o[0]}", f"App.P:M{o[1]} ()"), lambda r: (r["name"], r["frames"][0])),
    "thread": ("threads", lambda o: f"0x{THREADS[o[2]]:x}", lambda r: r["thread"]),
}


def json_of(*command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main():
    proflog, logs, rng = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
    sums = {}

    def add(name, good, of):
        before = sums.get(name, (0, 0))
        sums[name] = before[0] + good, before[1] + of

    for number in range(logs):
        parts = [rng.uniform(0.05, 1) for _ in METHODS]
        shares = [p / sum(parts) for p in parts]
        callers = [rng.uniform(0.2, 0.8)]
        callers.append(1 - callers[0])
        objects = allocated(rng)
        for path in "a.mlpd", "b.mlpd":
            write_log(path, rng, shares, callers, objects)
        report = json_of(proflog, "report", "-q", "--format=json", "--reports=cpu,tree", "a.mlpd")
        add("shares", *check_shares(report, shares))
        add("tree", *check_tree(report, shares, callers))
        for by, (table, key_of_objects, key_of_row) in ALLOCATED.items():
            rows = json_of(proflog, "report", "-q", "--format=json", "--reports=alloc", "--by=" + by, "a.mlpd")
            good, of = check_allocated(rows["allocations"][table], key_of_row, truths_by(objects, key_of_objects))
            add("bytes by " + by, good[0], of)
            add("objects by " + by, good[1], of)
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
