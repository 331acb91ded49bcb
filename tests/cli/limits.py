# limits.py PROFLOG LOG... -- with --limit 1 no table of any command has more than one row.
#
# Heap snapshots are no rows: each has tables of its own.
import json
import subprocess
import sys

COMMANDS = ['report --verbose', 'report --verbose --traces', 'report --reports=series,timeline', 'report --callers',
            'report --by thread', 'report --by time', 'report --live', 'info --verbose', 'stats --verbose', 'heap',
            'heap list', 'heap leaks', 'heap growth', 'heap diff', 'heap dominators', 'diff']


def long_tables(path, value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from long_tables(path + [key], inner)
    elif isinstance(value, list):
        if len(value) > 1 and isinstance(value[0], dict) and path != ['heapshots']:
            yield '.'.join(path)
        for inner in value:
            yield from long_tables(path, inner)


tables = 0
for command in COMMANDS:
    for log in sys.argv[2:]:
        words = command.split() + ['-q', '--limit', '1', '--format', 'json', log]
        # What a log does not have is an error, and no table.
        out = subprocess.run([sys.argv[1]] + words + [log] * (command == 'diff'), capture_output=True).stdout
        if not out:
            continue
        tables += 1
        for path in long_tables([], json.loads(out)):
            sys.exit(' '.join(words) + ': ' + path)
print(tables, 'outputs')
