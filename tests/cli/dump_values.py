"""dump_values.py < LINES -- of `proflog dump --format json` each event as a line of its kind and the sorted numbers
and texts that stand in the log; names that proflog adds are left out.  Numbers are
modulo 2^64."""
import json
import sys


def leaves(value, key=None):
    if isinstance(value, dict):
        for name, part in value.items():
            base = name.rsplit("_name", 1)[0]
            if name.endswith(("_name", "_names")) and base in value:
                continue
            yield from leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, key)
    elif isinstance(value, str) and value.startswith("0x"):
        yield str(int(value, 16))
    elif isinstance(value, int):
        yield str(value % (1 << 64))
    elif value is not None:
        yield str(value)


for line in sys.stdin:
    event = json.loads(line)
    if event["item"] == "event":
        print(event["kind"], sorted(leaves(event["fields"])))
