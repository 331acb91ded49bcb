# views.py -- every view of a log, in every form, against the whole report: each must end with status 0, complain of
# nothing, and have the same totals.
#
# Usage: python3 views.py PROFLOG HTML-FIGURES LOG
# The lists of sections, rows, costs, forms and subcommands are those of the help.
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

PROFLOG, HTML_FIGURES, LOG = sys.argv[1:]
problems, checks, runs = [], 0, 0


def problem(text):
    problems.append(text[:400])


def same(subject, found, expected):
    global checks
    checks += 1
    if found != expected:
        problem(f'{subject}: {found}, not {expected}')


def run(*words, statuses=(0,)):
    """The output; None if the status is another than 0 that is among statuses."""
    global runs
    runs += 1
    ended = subprocess.run([PROFLOG, *words], stdin=subprocess.DEVNULL, capture_output=True)
    if ended.returncode not in statuses:
        problem(f'{" ".join(words)}: status {ended.returncode}: {ended.stderr.decode()[:300]}')
        return None
    if ended.returncode != 0:
        return None
    if ended.stderr:
        problem(f'{" ".join(words)}: complains: {ended.stderr.decode()[:300]}')
    return ended.stdout.decode()


def help_of(command):
    return ' '.join(run(command, '--help').split())


def listed(text, before, after):
    """The words of the help between two others: 'a, b or c'."""
    found = re.search(re.escape(before) + '(.*?)' + re.escape(after), text)
    return re.findall(r'[a-z_]+', re.sub(r'\(.*?\)| (?:and|or) ', ' ', found.group(1))) if found else []


def to_json(*words):
    text = run(*words, '--format', 'json')
    return json.loads(text) if text else {}


REPORT = help_of('report')
FORMS = listed(REPORT, 'Output format: ', ' (default if')
WHOLE = to_json('report', '--verbose', '--limit', '0', LOG)
IS_MONO = WHOLE['log'].get('format') != 'ghc-eventlog'
SECTIONS = listed(REPORT, f'Sections of a {"Mono log" if IS_MONO else "GHC eventlog"}: ', '. ')
COSTS = re.findall(r'\n  ([a-z]+) {2,}', run('flame', '--help').split('Costs:')[1].split('Examples:')[0])


def figure(path, report=WHOLE):
    """The figure; of rows, the sum."""
    at = [report]
    for key in path.split('.'):
        at = [r for inner in at if inner for r in (inner if isinstance(inner, list) else [inner])]
        at = [inner.get(key) for inner in at]
    return sum(value for value in at if value)


def rows_of(text):
    """The number of rows of CSV."""
    return sum(1 for row in csv.reader(io.StringIO(text)) if row)


def check_forms(*words, is_whole=False):
    """The same command in each form: tables of Markdown are rectangles; a whole page has the figures of JSON."""
    with tempfile.TemporaryDirectory() as work:
        for form in FORMS:
            text = run(*words, '--format', form, *([] if form == 'json' else ['--limit', '0']))
            if text is None:
                continue
            if form in ('json', 'html'):
                with open(f'{work}/{form}', 'w') as file:
                    file.write(text)
            elif form == 'csv':
                for row in csv.reader(io.StringIO(text), strict=True):
                    pass
            elif form == 'markdown':
                width = None
                for line in text.split('\n'):
                    cells = len(re.findall(r'(?<!\\)\|', line)) if line.startswith('|') else None
                    if width and cells and cells != width:
                        problem(f'{" ".join(words)}: a row of Markdown is not as wide as its table: {line[:200]}')
                    width = cells
        if is_whole:
            ended = subprocess.run([sys.executable, HTML_FIGURES, f"{work}/html", f"{work}/json"],
                                   capture_output=True)
            if ended.returncode != 0:
                problem(f'{" ".join(words)}: the page: {(ended.stderr + ended.stdout).decode()[:400]}')


def check_sections():
    for section in (s for s in SECTIONS if s != 'objects'): # that of --find
        found = to_json('report', '--verbose', '--limit', '0', '--reports', section, LOG)
        for key, value in found.items():
            same(f'section {section}, {key}', value, WHOLE.get(key))
        check_forms('report', '--verbose', '--reports', section, LOG, is_whole=True)
    check_forms('report', LOG)
    check_forms('report', '--verbose', '--traces', LOG, is_whole=True)


# The sums of the rows of --by, and the figures that they are parts of.
SUMS = {
    'allocations': ['objects', 'bytes'],
    'exceptions': ['throws'],
    'monitors': ['wait_total_ns', 'contentions'],
}
OTHER_NAMES = {'waits': 'contentions', 'count': 'contentions', 'total_ns': 'wait_total_ns'}


def check_rows():
    for key in listed(REPORT, 'monitors by ', '. ') or listed(REPORT, 'monitors by ', ' --'):
        for section in SUMS if IS_MONO else []:
            words = ('report', '--reports', section, '--by', key, '--limit', '0', LOG)
            text = run(*words, '--format', 'json', statuses=(0, 2))
            if text is None:
                continue
            found = json.loads(text)[section]
            tables = [t for k, t in found.items() if isinstance(t, list) and k != 'clauses']
            for row in (r for t in tables for r in t):
                for name, other in OTHER_NAMES.items():
                    if section == 'monitors' and name in row:
                        row[other] = row[name]
            for sum_key in SUMS[section]:
                same(f'{section} by {key}: {sum_key}', sum(r.get(sum_key, 0) for t in tables for r in t),
                     WHOLE[section][sum_key])
            check_forms(*words[:-3], LOG)
    for part in ('--live', '--peak', '--temporary') if IS_MONO and figure('allocations.bytes') else []:
        check_forms('report', '--reports=allocations', part, LOG)


def folded(*words, statuses=(0,)):
    text = run(*words, '--format', 'folded', LOG, statuses=statuses)
    return None if text is None else sum(int(line.rsplit(' ', 1)[1]) for line in text.split('\n') if line)


def reached_bytes():
    """Of the last complete heap snapshot."""
    if not WHOLE.get('heapshots'):
        return 0
    found = to_json('heap', 'histogram', '--limit', '0', LOG)
    return sum(t['bytes'] for t in found['types']) - found['shot']['unreachable_bytes']


def check_methods():
    """The rows of methods or cost centres are the whole processor time."""
    if figure('cpu.methods.self_ns') or WHOLE.get('cpu', {}).get('source') != 'threads':
        same('methods of cpu', figure('cpu.methods.self_ns'), figure('cpu.total_ns'))


def check_flames():
    expected = {
        'self': figure('calls.methods.self_ns'),
        'calls': figure('calls.total'),
        'alloc': figure('allocations.bytes'),
        'lock': figure('monitors.wait_total_ns'),
        'exception': figure('exceptions.throws'),
        # Without processor times, the unit is a hit.
        'time': figure('cpu.total_ns') or figure('cpu.hits'),
        'wall': (figure('cpu.total_ns') or figure('cpu.hits'))
        + sum(w['total_ns'] for w in WHOLE.get('waits', []) if w['source'] == 'samples'),
        'retained': reached_bytes(),
    } if IS_MONO else {
        'time': figure('cpu.total_ns'),
        'wall': figure('time_profile.samples') * figure('time_profile.interval_ns'),
    }
    for part in ('live', 'peak', 'temporary') if IS_MONO and figure('allocations.bytes') else []:
        expected[part] = figure('allocations.bytes', to_json('report', '--reports=allocations', f'--{part}', LOG))
    for cost in COSTS:
        total = folded('flame', '--cost', cost, statuses=(0, 3))
        if total is None:
            continue
        if cost in expected and expected[cost] is not None:
            same(f'flame --cost {cost}', total, expected[cost])
        picture = run('flame', '--cost', cost, '--format', 'svg', LOG)
        xml.etree.ElementTree.fromstring(picture)
        page = run('flame', '--cost', cost, '--format', 'html', LOG)
        if '</html>' not in page:
            problem(f'flame --cost {cost}: the page does not end')
        compared = run('flame', '--cost', cost, '--diff', LOG, '--format', 'folded', LOG)
        both = [line.rsplit(' ', 2)[1:] for line in compared.split('\n') if line]
        same(f'flame --cost {cost} --diff', [sum(int(b[i]) for b in both) for i in (0, 1)], [total, total])


def check_trees():
    kinds = ['calls'] if figure('calls.total') else []
    kinds += ['samples'] if IS_MONO and figure('cpu.hits') else []
    for kind in kinds:
        tree = to_json('report', '--reports=tree', '--source', kind, '--limit', '0', LOG)['tree']
        up = to_json('report', '--reports=tree', '--source', kind, '--inverted', '--limit', '0', LOG)['tree']
        own = sum(n['self_ns'] for n in tree['nodes'])
        expected = figure('calls.methods.self_ns' if kind == 'calls' else 'cpu.total_ns')
        found = own + tree.get('stackless_ns', 0)
        # The tree has whole nanoseconds a hit.
        is_rounded = kind == 'samples' and 0 <= expected - found < figure('cpu.hits')
        same(f'tree of {kind}', expected if is_rounded else found, expected)
        same(f'inverted tree of {kind}', sum(n['total_ns'] for n in up['nodes'] if n['depth'] == 0), own)
        check_forms('report', '--reports=tree', '--source', kind, LOG)
        check_forms('report', '--reports=tree', '--source', kind, '--inverted', LOG)
    if kinds[:1] == ['calls']:
        methods = {}
        for m in WHOLE['calls']['methods']:
            before = methods.get(m['name'], (0, 0))
            methods[m['name']] = (before[0] + m['calls'], before[1] + m['self_ns'])
        # Methods that do not call themselves: their calls are those at the top of both trees.
        tree = to_json('report', '--reports=tree', '--source=calls', '--limit', '0', LOG)['tree']['nodes']
        path, recursive = [], set()
        for node in tree:
            path[node['depth']:] = [node['name']]
            if node['name'] in path[:-1]:
                recursive.add(node['name'].split(' (')[0])
        for name, (calls, self_ns) in sorted(methods.items(), key=lambda m: -m[1][1])[:8]:
            if sum(name in other for other in methods) != 1 or name.split(' (')[0] in recursive or '\ufffd' in name:
                continue
            for part in ('--callers', '--callees'):
                nodes = to_json('report', '--source=calls', part, name, '--limit', '0', LOG)['tree']['nodes']
                same(f'{part} {name}', sum(n['calls'] for n in nodes if n['depth'] == 0), calls)
            check_forms('report', '--source=calls', '--callers', name, LOG)
            check_forms('report', '--source=calls', '--callees', name, LOG)


def check_heap():
    shots = to_json('heap', 'list', '--limit', '0', LOG).get('shots', [])
    same('heap list', [s['bytes'] for s in shots], [s['bytes'] for s in WHOLE['heapshots']])
    if not shots:
        return
    last = shots[-1]
    for key in ('bytes', 'objects'):
        for by in ('class', 'assembly', 'size'):
            rows = to_json('heap', 'histogram', '--by', by, '--limit', '0', LOG)
            table = next(t for t in rows.values() if isinstance(t, list))
            same(f'heap histogram by {by}: {key}', sum(r[key] for r in table), last[key])
    nodes = to_json('heap', 'dominators', '--limit', '0', LOG)['nodes']
    same('heap dominators', sum(n['retained_bytes'] for n in nodes if n['dominator'] is None), reached_bytes())
    address, kind = nodes[0]['address'], nodes[0]['type']
    for words in (['list'], ['histogram'], ['histogram', '--by', 'size'], ['histogram', '--by', 'assembly'],
                  ['dominators'], ['growth'], ['leaks'], ['unreachable'], ['paths', address], ['paths', kind],
                  ['refs', address], ['object', address], ['diff', '1', str(len(shots))]):
        check_forms('heap', words[0], LOG, *words[1:], is_whole=words[0] in ('list', 'histogram', 'diff'))


def check_diff():
    found = to_json('diff', '--limit', '0', LOG, LOG)
    changes = [row for table in found.values() if isinstance(table, list) for row in table if row.get('change')]
    same('diff of a log with itself', changes, [])
    check_forms('diff', LOG, LOG)
    check_forms('diff', LOG, LOG, '--', LOG, LOG)


def check_others():
    info = to_json('info', LOG)
    same('info', figure('kinds.events', info), figure('kinds.events'))
    checked = to_json('check', LOG)
    same('check', figure('log.events', checked), figure('log.events'))
    if 'kinds' in info:
        of_check = figure('log.events', to_json('report', '--reports=log', LOG))
        same('events', of_check, figure('log.events'))
    check_forms('info', LOG)
    if not IS_MONO:
        stats = to_json('stats', LOG)
        same('stats', figure('heap.allocated_bytes', stats), figure('heap.allocated_bytes'))
        check_forms('stats', LOG)


check_sections()
check_rows()
check_methods()
check_flames()
check_trees()
if IS_MONO:
    check_heap()
check_diff()
check_others()
for line in problems:
    print(line)
print(f'{len(SECTIONS)} sections in {len(FORMS)} forms, {len(COSTS)} costs: {runs} commands, {checks} totals, '
      f'{len(problems)} wrong')
sys.exit(1 if problems or len(SECTIONS) < 10 or len(FORMS) < 5 or len(COSTS) < 8 or checks < 20 else 0)
