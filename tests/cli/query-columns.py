"""query-columns.py PROFLOG LOG... -- compares each column of each table of events with what dump prints.

A name that dump did not know yet, as it is announced later, may be more in the table.  Prints how many
values were compared."""
import json
import re
import subprocess
import sys

proflog, logs = sys.argv[1], sys.argv[2:]
envelope = {"log", "event_offset", "event_size", "time_ns", "elapsed_ns"}
compared = 0


def run(*arguments):
    return subprocess.run([proflog, *arguments], check=True, stdout=subprocess.PIPE).stdout.decode()


def signed(number):
    return number - 2**64 if number >= 2**63 else number


def same(column, value, fields):
    """Is this the value of the column, by the fields in JSON?"""
    if column not in fields:
        # A name that comes later in the log, or a field that the event lacks.
        return value is None or re.search("_names?$", column) is not None
    expected = fields[column]
    if isinstance(expected, (list, dict)):
        if column.endswith("_names"):
            return all(b in (None, a) for a, b in zip(json.loads(value), expected, strict=True))
        return without_names(json.loads(value)) == without_names(expected)
    if isinstance(expected, str) and isinstance(value, int):
        return signed(int(expected, 16)) == value
    if isinstance(expected, int) and isinstance(value, int):
        return signed(expected) == value
    return expected == value


def without_names(value):
    """Nested names may be announced later, too."""
    if isinstance(value, list):
        return [without_names(v) for v in value]
    if isinstance(value, dict):
        return {k: without_names(v) for k, v in value.items() if not k.endswith("_name")}
    return value


for log in logs:
    events = {}
    first = None
    for line in run("dump", "--format", "json", log).splitlines():
        item = json.loads(line)
        if item["item"] == "buffer" and first is None:
            first = item["time_ns"]
        if item["item"] == "event" and item["kind"] != "unknown":
            events.setdefault(item["kind"], []).append(item)
    for kind, items in events.items():
        table = kind.replace("-", "_")
        rows = json.loads(run("query", "--format", "json", log, f"SELECT * FROM {table};"))["rows"]
        assert len(rows) == len(items), f"{log}: {table}: {len(rows)} rows, not {len(items)}"
        for row, item in zip(rows, items):
            fields = item["fields"]
            where = f"{log}: {table} at {item['offset']}"
            assert row["log"] == log, where
            assert row.get("event_offset", row["offset"]) == item["offset"], where
            assert row["event_size"] == item["size"] and row["time_ns"] == item["time_ns"], where
            assert row["elapsed_ns"] == item["time_ns"] - (first or 0), where
            of = "thread" if "thread" in item else "cap"
            place = {"buffer_thread", "block_cap"} & set(row)
            place = place.pop() if place else of
            for column, value in row.items():
                if column in envelope or (column == "offset" and "offset" not in fields):
                    continue
                if column == place:
                    good = value == (int(item[of], 16) if of == "thread" else item[of])
                else:
                    good = same(column, value, fields)
                assert good, f"{where}: {column}: {value!r}, not {fields.get(column)!r}"
                compared += 1
            missing = set(fields) - set(row) - {"time", "mtype", "more"}
            assert not missing, f"{where}: no columns {missing}"
    total = json.loads(run("query", "--format", "json", log, "SELECT count(*) n FROM events"))["rows"]
    assert total[0]["n"] >= sum(len(items) for items in events.values()), log
print(compared)
