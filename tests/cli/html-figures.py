# html-figures.py PAGE JSON... -- compares the figures of pages (report --format html) with those of JSON.
#
# The page has to be well-formed, to link only to itself, and to have no handlers in attributes.  Each number in it
# stands under its keys in JSON, with the same value, and as often; zeros may be left out.
import json
import sys
from collections import Counter, defaultdict
from html.parser import HTMLParser

VOID = {'meta', 'input'}
# Sections that people see only of logs with source lines, of tasks and with gaps.
RARE = {'lines', 'tasks', 'log_writing'}
# Its figures are data for scripts (test-timeline-page.sh).
DATA = {'timeline'}
# In JSON an object each, for people a table.
PAUSES = {'gc.pauses.' + kind: 'gc.pauses' for kind in ('main', 'average', 'longest', 'span')}


class Number(str):
    """A number as it is spelled."""


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []      # of (tag, key or None)
        self.heads = []     # of keys of columns, of the tables that are open
        self.cells = []     # of places in rows
        self.ids, self.links, self.problems = [], [], []
        self.figures = defaultdict(Counter)
        self.sections = []
        self.scripts = 0

    def path(self, key):
        return '.'.join([k for _, k in self.open if k] + [key])

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if len(a) != len(attributes):
            self.problems.append(f'{tag} has an attribute twice')
        self.problems += [f'{tag} has {name}' for name in a
                          if name.startswith('on') or name in ('src', 'style', 'action')]
        if 'id' in a:
            self.ids.append(a['id'])
        if 'href' in a:
            self.links.append(a['href'])
        self.scripts += tag == 'script'
        key = a.get('data-section') if tag == 'section' else a.get('data-key') if tag == 'div' else None
        if tag == 'section':
            self.sections.append(key)
        if tag == 'table':
            self.heads.append([])
            self.cells.append(-1)
        elif tag == 'tr':
            self.cells[-1] = -1
        elif tag == 'th' or (tag == 'td' and ('thead', None) in self.open[-2:]):
            self.heads[-1].append(a.get('data-key'))
        elif tag == 'td':
            self.cells[-1] += 1
            column = self.heads[-1][self.cells[-1]]
            if 'data-value' in a and column:  # others are for people
                self.figures[self.path(column)][a['data-value']] += 1
        elif tag == 'dd' and 'data-value' in a:
            self.figures[self.path(a['data-key'])][a['data-value']] += 1
        if tag not in VOID:
            self.open.append((tag, key))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.problems.append(f'</{tag}> in {self.open[-3:]}, line {self.getpos()[0]}')
        else:
            self.open.pop()
        if tag == 'table':
            self.heads.pop()
            self.cells.pop()

    def end(self):
        self.close()
        if self.open:
            self.problems.append(f'open at the end: {self.open}')
        if len(set(self.ids)) != len(self.ids):
            self.problems.append(f'an id twice: {self.ids}')
        self.problems += [f'a link to {link}' for link in self.links
                          if not link.startswith('#') or link[1:] not in self.ids]


def flatten(value, path, figures):
    path = PAUSES.get(path, path)
    if isinstance(value, dict):
        for key, inner in value.items():
            flatten(inner, f'{path}.{key}' if path else key, figures)
    elif isinstance(value, list):
        for inner in value:
            flatten(inner, path, figures)
    elif isinstance(value, bool):
        figures[path]['true' if value else 'false'] += 1
    elif isinstance(value, Number) or (isinstance(value, str) and value.startswith('0x')):
        figures[path][str(value)] += 1


compared = 0
failed = False
for name, other in zip(sys.argv[1::2], sys.argv[2::2]):
    page = Page()
    with open(name, encoding='utf-8') as file:
        page.feed(file.read())
    page.end()
    wanted = defaultdict(Counter)
    with open(other, encoding='utf-8') as file:
        report = json.load(file, parse_int=Number, parse_float=Number)
    flatten(report, '', wanted)
    for path, values in page.figures.items():
        compared += sum(values.values())
        missing = wanted[path] - values
        if values - wanted[path] or set(missing) - {'0'}:
            page.problems.append(f'{path}: {values - wanted[path]} not in JSON, {missing} not here')
    # No section is missing that has a figure other than 0.
    for key, value in report.items():
        figures = defaultdict(Counter)
        flatten(value, key, figures)
        figures.pop('gc.utilisation_permille', None)  # all of it, of a log without pauses
        if key not in RARE.union(DATA, page.sections) and any(set(c) - {'0', 'false'} for c in figures.values()):
            page.problems.append(f'no section {key}')
    for problem in page.problems:
        print(f'{name}: {problem}', file=sys.stderr)
        failed = True
print(compared)
sys.exit(failed)
