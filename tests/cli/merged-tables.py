"""merged-tables.py PROFLOG BY SECTIONS LOG... -- checks the tables of `proflog report --by BY` over logs against sums of
the tables of each log's own `report --format json`, and of the counts that lie beside a log (LOG.counts).

Prints how many cells were compared.  What a column is follows from its name: texts and a few numbers are names,
averages and shares are computed from the sums."""
import collections
import json
import re
import subprocess
import sys

proflog, by, sections, logs = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
NUMBERS_AS_NAMES = {"generation", "cap", "from_ns", "to_ns", "arity"}


def run(*arguments):
    command = [proflog, "report", "-q", "--format", "json", "--reports", *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def tables(report):
    """All tables by their keys; of a list of objects with tables, those of the last that is complete, and the rest of its rows."""
    for key, value in report.items():
        if isinstance(value, list) and any(isinstance(x, list) for row in value if isinstance(row, dict) for x in row.values()):
            whole = [row for row in value if row.get("complete", True)] or value
            for table, rows in tables(whole[-1]):
                yield f"{key}.{table}", rows
            yield key, [{name: cell for name, cell in row.items() if not isinstance(cell, list)} for row in value]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield key, value
        elif isinstance(value, dict):
            for table, rows in tables(value):
                yield f"{key}.{table}", rows


def group_of(log, report):
    if by == "all":
        return None
    if by == "log":
        return log
    if by == "pid":
        return str(report["log"]["pid"])
    found = re.findall(rf"/{by}=([^/]*)/", log)
    return found[-1] if found else None


def same_group(rows):
    groups = collections.defaultdict(list)
    for group, row in rows:
        groups[group].append(row)
    return groups


merged = dict(tables(run(sections, "--by", by, *logs)))
reports = [(log, run(sections + ",log,cpu", log)) for log in logs]
singles = collections.defaultdict(list)
for log, report in reports:
    for table, rows in tables(report):
        for row in rows:
            if table.startswith("cpu."):
                row = dict(row, source=report["cpu"]["source"], clock=report["cpu"].get("clock"))
            singles[table].append((group_of(log, report), row))

compared = 0


def check(where, found, expected):
    global compared
    compared += 1
    if found != expected:
        sys.exit(f"{where}: {found}, and not {expected}")


def is_name(column, values):
    return column in NUMBERS_AS_NAMES or any(isinstance(v, str) for v in values)




def figure(report, key):
    for part in key.split("."):
        report = report.get(part) if isinstance(report, dict) else None
    return report


def check_figures(rows):
    """Single values of reports: sums, or the largest."""
    found = {(row.get(by), row["key"]): row["value"] for row in rows}
    for (group, key), value in found.items():
        values = [figure(r, key) for log, r in reports if group_of(log, r) == group]
        values = [v for v in values if v is not None]
        if key == "time.productivity_permille":
            expected = int(1000 * found[group, "time.mutator_ns"] / found[group, "time.total_ns"] + 0.5)
        else:
            expected = max(values) if "max" in key else sum(values)
        check(f"{group} {key}", value, expected)


for table, rows in merged.items():
    if table == "sums.rows":
        continue
    if table == "figures":
        check_figures(rows)
        continue
    columns = [c for c in rows[0] if c != by]
    names = [c for c in columns if is_name(c, [r[c] for r in rows] + [r.get(c) for _, r in singles[table]])]
    sums = collections.defaultdict(lambda: collections.defaultdict(list))
    for group, row in singles[table]:
        key = (group, *(row.get(n) for n in names))
        for column in columns:
            if column not in names and row.get(column) is not None:
                sums[key][column].append(row[column])
    seen = set()
    for row in rows:
        key = (row.get(by), *(row[n] for n in names))
        if key in seen or key not in sums and key not in {(g, *(r.get(n) for n in names)) for g, r in singles[table]}:
            sys.exit(f"{table}: a row too many: {row}")
        seen.add(key)
        for column in columns:
            if column in names:
                continue
            values = sums[key][column]
            if "avg" in column:
                total, count = ("gc_ns", "collections") if table == "caps" else ("total_ns", "gaps" if "gaps" in row else "count")
                expected = row[total] // row[count] if row[count] else 0
            elif "permille" in column:
                expected = int(1000 * row["gc_idle_ns"] / row["gc_ns"] + 0.5) if row["gc_ns"] else 0
            elif "max" in column:
                expected = max(values, default=None)
            elif column == "min":
                expected = min(values, default=None)
            else:
                expected = sum(values) if values else None
            check(f"{table} {key} {column}", row[column] or 0 if expected is None else row[column], expected or 0 if expected is None else expected)
    missing = {(g, *(r.get(n) for n in names)) for g, r in singles[table]} - seen
    if missing:
        sys.exit(f"{table}: no row for {sorted(missing, key=str)[0]}")

# The programs' own counters.
if by == "all":
    counts = collections.Counter()
    for log in logs:
        try:
            with open(re.sub(r"\.mlpd\.gz$", ".counts", log)) as file:
                for line in file:
                    key, value = line.rstrip("\n").rsplit("\t", 1)
                    counts[key] += int(value) if value.isdigit() else 0
        except (OSError, UnicodeDecodeError):
            sys.exit(f"{log} has no counts")
    rows = {("kinds", r["kind"]): r for r in merged.get("kinds", [])}
    rows.update({("figures", r["key"]): r for r in merged.get("figures", [])})
    for table in ("allocations.types", "calls.methods", "exceptions.clauses", "gc.generations", "gc.handles"):
        for row in merged.get(table, []):
            rows[table, str(row.get("name", row.get("kind", row.get("generation"))))] = row
    for key, value in counts.items():
        figure = re.fullmatch(r"figure:(allocations\.types|calls\.methods|exceptions\.clauses|gc\.generations|gc\.handles)\[(.*)\]\.(\w+)", key)
        kind = re.fullmatch(r"(count|bytes):([a-z-]+)", key)
        if figure and figure[3] != "max":
            check(key, rows[figure[1], figure[2]][figure[3]], value)
        elif (value_of := re.fullmatch(r"figure:([a-z.]+\.\w+)", key)) and ("figures", value_of[1]) in rows and "max" not in key:
            check(key, rows["figures", value_of[1]]["value"], value)
        elif kind and ("kinds", kind[2]) in rows and kind[1] == "count":
            check(key, rows["kinds", kind[2]]["events"], value)
print(compared)
