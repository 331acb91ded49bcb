# agree.py PROFLOG LOG... -- each figure is the same, whatever command prints it.
# agree.py --table -- the figures and the commands, as a table of docs/reliability.md.
#
# A figure is a row: its name, the format of its logs, and where it stands.  "report gc.collections" is that key of
# `proflog report --format json`; "rows TABLE KEY" is the sum of a column of it; "query SQL" is the one value of a
# statement; "top KEY" a key of the last line of `proflog top --format jsonl`; "page KEY" a figure of the report's
# page; "converted" and "back" are reports of what `proflog convert` makes of the log, and of that again.  The first
# place is the one that the others are compared with.  Where a command has no such figure (null, or no such row), it is left
# out; a row that no log has in two places is a mistake of the table.
import json
import os
import re
import subprocess
import sys
import tempfile

GHC, MONO = 'ghc', 'mono'
COLLECTING = 'time of the stops without stopping and restarting'


def of_kind(kind):
    return "query SELECT COUNT(*) FROM events WHERE kind = '%s'" % kind


FIGURES = [
    # Collections.
    ('collections', GHC, 'report gc.collections', 'rows gc.generations collections', 'stats gc.collections',
     'info content.collections', 'report gc.pauses.main.count', 'rows caps collections_led',
     'rows cap_generations collections_led', 'rows gc.pause_histogram count',
     "query SELECT value FROM figures WHERE key = 'gc.collections'",
     'query SELECT SUM(collections) FROM gc_generations', 'query SELECT SUM(collections_led) FROM caps',
     'top collections_all', 'top pauses_all', 'page gc.collections', 'text stats colls',
     'converted gc.collections', 'back gc.collections', 'rows-of converted gc.generations collections'),
    ('parallel collections', GHC, 'report gc.parallel', 'rows gc.generations parallel', 'stats gc.parallel',
     'text stats par', 'page gc.parallel'),
    ('time of collections', GHC, 'report time.gc_ns', 'stats time.gc_ns', 'report gc.pause_total_ns',
     'rows gc.generations elapsed_ns', 'rows gc.pause_histogram total_ns', 'report gc.pauses.main.total_ns',
     'query SELECT SUM(elapsed_ns) FROM gc_generations', 'top pause_ns_all', 'converted gc.pause_total_ns',
     'back gc.pause_total_ns', 'page time.gc_ns'),
    ('longest pause', GHC, 'report gc.pause_max_ns', 'report gc.pauses.main.max_ns', 'greatest gc.generations '
     'pause_max_ns', 'stats gc.pause_max_ns', 'top pause_max_ever_ns', 'converted gc.pause_max_ns',
     'back gc.pause_max_ns', 'query SELECT MAX(pause_max_ns) FROM gc_generations'),
    ('half of the pauses', GHC, 'report gc.pause_p50_ns', 'report gc.pauses.main.p50_ns', 'stats gc.pause_p50_ns',
     'converted gc.pause_p50_ns', 'back gc.pause_p50_ns'),
    ('99 % of the pauses', GHC, 'report gc.pause_p99_ns', 'report gc.pauses.main.p99_ns', 'stats gc.pause_p99_ns',
     'converted gc.pause_p99_ns', 'back gc.pause_p99_ns'),
    ('parts in collections', GHC, 'rows caps collections', 'rows cap_generations collections',
     'query SELECT SUM(collections) FROM caps'),
    ('time of parts in collections', GHC, 'report gc.caps_ns', 'rows caps gc_ns', 'rows cap_generations gc_ns',
     'series gc_ns', 'query SELECT SUM(gc_ns) FROM caps'),
    ('idle time in collections', GHC, 'report gc.idle_ns', 'rows caps gc_idle_ns', 'rows cap_generations gc_idle_ns'),
    ('copied bytes', GHC, 'report heap.copied_bytes', 'stats heap.copied_bytes', 'rows gc.generations copied_bytes',
     'text stats bytes copied during GC', 'query SELECT SUM(copied) FROM gc_stats_ghc'),
    ('not paused', GHC, 'report gc.utilisation_permille', 'stats gc.utilisation_permille',
     'report time.productivity_permille', 'stats time.productivity_permille', 'text stats Productivity'),
    ('collections of Mono', MONO, 'report gc.collections', 'rows gc.generations collections', 'stats gc.collections',
     'top collections_all', 'query SELECT SUM(collections) FROM gc_generations', 'page gc.collections',
     'query SELECT COUNT(*) FROM gc_event WHERE event = 5',
     "query SELECT value FROM figures WHERE key = 'gc.collections'", 'version17 gc.collections',
     'version1 gc.collections'),
    ('stops of the program', MONO, 'rows gc.generations pauses', 'rows gc.generation_pauses count', 'top pauses_all',
     'rows gc.pause_histogram count',
     'version17-rows gc.generations pauses', 'query SELECT SUM(pauses) FROM gc_generations'),
    ('time of the stops', MONO, 'report gc.pause_total_ns', 'rows gc.generations pause_total_ns',
     'rows gc.pause_histogram total_ns', 'stats gc.pause_total_ns', 'top pause_ns_all',
     'version17 gc.pause_total_ns', 'version1 gc.pause_total_ns'),
    (COLLECTING, MONO, 'phase collect total_ns',
     'converted gc.pause_total_ns', 'back gc.pause_total_ns'),
    ('longest stop', MONO, 'report gc.pause_max_ns', 'greatest gc.generations pause_max_ns', 'stats gc.pause_max_ns',
     'top pause_max_ever_ns', 'version1 gc.pause_max_ns'),
    ('collections of logs that are converted', MONO, 'converted gc.collections', 'back gc.collections',
     'rows-of converted gc.generations collections'),
    ('half of the stops', MONO, 'report gc.pause_p50_ns', 'stats gc.pause_p50_ns', 'version17 gc.pause_p50_ns'),
    ('not stopped', MONO, 'report gc.utilisation_permille', 'stats gc.utilisation_permille', 'text stats Productivity'),
    ('objects moved', MONO, 'report gc.moves', 'stats gc.moves', 'version17 gc.moves', 'version1 gc.moves'),
    # The heap.
    ('largest heap', GHC, 'report heap.max_memory_bytes', 'stats heap.max_memory_bytes', 'top heap_max_bytes',
     'query SELECT MAX(bytes) FROM heap_size', 'converted gc.max_heap_bytes', 'page heap.max_memory_bytes'),
    ('allocated bytes', GHC, 'report heap.allocated_bytes', 'stats heap.allocated_bytes', 'rows caps allocated_bytes',
     'top alloc_bytes_all', 'query SELECT SUM(allocated_bytes) FROM caps', 'text stats bytes allocated in the heap',
     'page heap.allocated_bytes'),
    ('most live bytes', GHC, 'report heap.max_residency_bytes', 'stats heap.max_residency_bytes',
     'query SELECT MAX(bytes) FROM heap_live'),
    ('samples of live bytes', GHC, 'report heap.residency_samples', 'stats heap.residency_samples',
     of_kind ('heap-live')),
    ('slop', GHC, 'report heap.max_slop_bytes', 'stats heap.max_slop_bytes', 'text stats bytes maximum slop'),
    ('fragmentation', GHC, 'report heap.fragmentation_bytes', 'stats heap.fragmentation_bytes'),
    ('largest heap of Mono', MONO, 'report gc.max_heap_bytes', 'stats gc.max_heap_bytes', 'top heap_max_bytes',
     'query SELECT MAX(size) FROM gc_resize', 'converted heap.max_memory_bytes', 'version17 gc.max_heap_bytes'),
    ('resizes of the heap', MONO, 'report gc.resizes', 'stats gc.resizes', of_kind ('gc-resize'),
     'version1 gc.resizes'),
    ('allocated objects', MONO, 'report allocations.objects', 'rows allocations.types objects',
     'top alloc_objects_all', of_kind ('alloc'), 'query SELECT SUM(objects) FROM allocations_types',
     'version17 allocations.objects', 'version1 allocations.objects', 'page allocations.objects'),
    ('allocated bytes of Mono', MONO, 'report allocations.bytes', 'rows allocations.types bytes', 'top alloc_bytes_all',
     'query SELECT SUM(size) FROM alloc', 'query SELECT SUM(bytes) FROM allocations_types',
     'version17 allocations.bytes', 'version1 allocations.bytes', 'converted heap.allocated_bytes'),
    # Time.
    ('time of the program', GHC, 'report time.total_ns', 'stats time.total_ns', 'page time.total_ns',
     'sum time.mutator_ns time.gc_ns'),
    ('time between collections', GHC, 'report time.mutator_ns', 'stats time.mutator_ns'),
    ('rate of allocation', GHC, 'report time.allocation_rate', 'stats time.allocation_rate'),
    ('time of the log', GHC, 'report log.duration_ns', 'info log.duration_ns', 'stats-log log.duration_ns',
     "query SELECT MAX(time_ns) - MIN(time_ns) FROM events WHERE kind != 'block-marker'", 'top log_ns'),
    ('time of the log of Mono', MONO, 'report log.duration_ns', 'info log.duration_ns',
     'top log_ns'),
    ('time of threads', GHC, 'report cpu.total_ns', 'rows cpu.threads self_ns', 'rows idle_caps run_ns',
     'query SELECT SUM(self_ns) FROM cpu_threads', 'page cpu.total_ns'),
    ('time of waits', GHC, 'rows wait_kinds total_ns', 'rows waits total_ns',
     'query SELECT SUM(total_ns) FROM waits'),
    ('waits', GHC, 'rows wait_kinds count', 'rows waits count', 'query SELECT SUM(count) FROM waits'),
    # The log.
    ('events', GHC, 'report log.events', 'info log.events', 'top events_all',
     "query SELECT COUNT(*) FROM events WHERE kind != 'block-marker'", 'except kinds events block-marker',
     'check log.events'),
    ('bytes of the log', GHC, 'report log.bytes', 'info log.bytes'),
    ('blocks', GHC, 'report log.blocks', 'info log.blocks', of_kind ('block-marker')),
    ('capabilities', GHC, 'info content.caps', 'count caps'),
    ('events of Mono', MONO, 'report log.events', 'info log.events', 'top events_all',
     'query SELECT COUNT(*) FROM events', 'except kinds events -', 'check log.events'),
    ('bytes of the log of Mono', MONO, 'report log.bytes', 'info log.bytes', 'top log_bytes_all'),
    ('buffers', MONO, 'report log.blocks', 'info log.blocks', 'query SELECT COUNT(*) FROM blocks'),
    ('lost events', GHC, 'report damage.lost_events', 'info damage.lost_events', 'stats damage.lost_events',
     'top lost_events_all'),
    ('lost events of Mono', MONO, 'report damage.lost_events', 'info damage.lost_events', 'top lost_events_all',
     'version17 damage.lost_events'),
    ('process', GHC, 'report log.pid', 'info log.pid', 'converted log.pid', 'back log.pid'),
    ('process of Mono', MONO, 'report log.pid', 'info log.pid', 'converted log.pid', 'back log.pid',
     'version1 log.pid'),
    # Threads, tasks, sparks.
    ('threads', GHC, 'info content.threads', 'count threads', 'query SELECT COUNT(*) FROM threads'),
    ('threads of Mono', MONO, 'count threads', 'query SELECT COUNT(*) FROM threads'),
    ('sparks that are created', GHC, 'report sparks.created', 'stats sparks.created', 'page sparks.created'),
    ('sparks that are converted', GHC, 'report sparks.converted', 'stats sparks.converted'),
    ('sparks that fizzle', GHC, 'report sparks.fizzled', 'stats sparks.fizzled'),
    # Marks.
    ('marks', GHC, 'report marks.count', 'rows marks.names count', 'top marks_all',
     "query SELECT COUNT(*) FROM events WHERE kind IN ('user-msg', 'user-marker')"),
    ('messages and marks', GHC, 'info content.messages', "query SELECT COUNT(*) FROM events WHERE kind IN ("
     "'user-msg', 'user-marker', 'log-msg', 'user-binary-msg')"),
    ('marks of Mono', MONO, 'report marks.count', 'rows marks.names count', 'top marks_all', 'version17 marks.count'),
    # What methods do.
    ('calls', MONO, 'report calls.total', 'rows calls.methods calls', of_kind ('method-enter'),
     'query SELECT SUM(calls) FROM calls_methods', 'version17 calls.total', 'version1 calls.total'),
    ('exceptions', MONO, 'report exceptions.throws', 'rows exceptions.types throws', 'info content.throws',
     'top exceptions_all', of_kind ('exception-throw'), 'version17 exceptions.throws', 'version1 exceptions.throws'),
    ('contentions', MONO, 'report monitors.contentions', 'rows monitors.objects contentions', 'top contentions_all',
     'version17 monitors.contentions', 'query SELECT COUNT(*) FROM monitor WHERE event = 1'),
    ('waits for locks', MONO, 'report monitors.wait_total_ns', 'rows monitors.objects wait_total_ns',
     'top wait_ns_all', 'version17 monitors.wait_total_ns'),
    ('compiled methods', MONO, 'report jit.methods', 'info content.compiled_methods', 'version17 jit.methods'),
    ('classes', MONO, 'report metadata.classes', 'info content.classes'),
    ('images', MONO, 'report metadata.images', 'info content.images', 'version17 metadata.images'),
    ('heap snapshots', MONO, 'count heapshots', 'info content.heapshots', of_kind ('heap-start')),
    ('hits of samples', MONO, 'report cpu.hits', of_kind ('sample-hit')),
]

WORDS = {'report': '`report`', 'stats': '`stats`', 'stats-log': '`stats`', 'info': '`info`', 'check': '`check`',
         'rows': '`report` (rows)', 'phase': '`report` (rows)',
         'series': '`report` (series)', 'greatest': '`report` (rows)', 'count': '`report` (rows)',
         'sum': '`report` (sum)', 'except': '`info` (kinds)', 'query': '`query`', 'top': '`top`', 'page': 'the page',
         'text': 'the text of `stats`', 'converted': 'the converted log', 'rows-of': 'the converted log',
         'back': 'the log converted back', 'version1': 'data version 1', 'version17': 'data version 17',
         'version17-rows': 'data version 17'}


def print_table ():
    print ('| figure | logs | printed by |')
    print ('|---|---|---|')
    for name, log_format, *places in FIGURES:
        words = list (dict.fromkeys (WORDS[place.split ()[0]] for place in places))
        print ('| %s | %s | %s |' % (name, 'GHC' if log_format == GHC else 'Mono', ', '.join (words)))


class Log:
    """A log, and what the commands print of it, each once."""

    def __init__ (self, proflog, path, folder):
        self.proflog, self.path, self.folder = proflog, path, folder
        self.known = {}
        self.format = MONO if '.mlpd' in path else GHC

    def run (self, *words):
        done = subprocess.run ([self.proflog, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit ('agree: %s: %s: status %d' % (self.path, ' '.join (words), done.returncode))
        return done.stdout.decode (errors='replace')

    def once (self, key, function):
        if key not in self.known:
            self.known[key] = function ()
        return self.known[key]

    def json (self, command, path=None):
        words = [command, '-q', '--format', 'json']
        if command == 'report':
            words += ['--limit', '0']
        return self.once ((command, path), lambda: json.loads (self.run (*words, path or self.path)))

    def top (self):
        lines = self.once ('top', lambda: self.run ('top', '-q', '--format', 'jsonl', '--once', self.path))
        return json.loads (lines.splitlines ()[-1])

    def converted (self, key, source, to, *more):
        def make ():
            result = os.path.join (self.folder, key + ('.mlpd' if to == MONO else '.eventlog'))
            self.run ('convert', '-q', '--force', *more, source, '-o', result)
            return result
        return self.once (key, make)

    def other (self):
        return self.converted ('converted', self.path, GHC if self.format == MONO else MONO)

    def back (self):
        return self.converted ('back', self.other (), self.format)

    def version (self, number):
        return self.converted ('version' + number, self.path, MONO, '--data-version', number)


def at (value, path):
    for key in path.split ('.'):
        value = value.get (key) if isinstance (value, dict) else None
    return value


def column (value, path, key):
    rows = at (value, path)
    cells = [row.get (key) for row in rows or []]
    return [cell for cell in cells if cell is not None] or None


def total (cells):
    return sum (cells) if cells else None


def value_of_text (log, words):
    text = log.once ('text', lambda: log.run ('stats', '-q', log.path))
    if words in ('colls', 'par'):
        found = re.findall (r'^  Gen +\S+ +([0-9]+) colls, +([0-9]+) par', text, re.M)
        return total ([int (pair[words == 'par']) for pair in found])
    if words == 'Productivity':
        found = re.search (r'Productivity +([0-9.]+)%', text)
        return round (float (found.group (1)) * 10) if found else None
    found = re.search (r'([0-9,]+) ' + re.escape (words), text)
    return int (found.group (1).replace (',', '')) if found else None


def value_of_page (log, path):
    page = log.once ('page', lambda: log.run ('report', '-q', '--format', 'html', log.path))
    section, key = path.split ('.')
    found = re.search (r'data-section="%s".*?</section>' % section, page, re.S)
    cell = re.search (r'data-key="%s" data-value="([^"]*)"' % key, found.group (0)) if found else None
    return int (cell.group (1)) if cell else None


def value_of_query (log, sql):
    done = subprocess.run ([log.proflog, 'query', '-q', '--format', 'json', log.path, sql], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=False)
    if done.returncode != 0:  # no such table: the log has no such row
        return None
    rows = json.loads (done.stdout)
    rows = rows if isinstance (rows, list) else next (v for v in rows.values () if isinstance (v, list))
    return next (iter (rows[0].values ())) if rows else None


def value_of (log, place):
    kind, _, rest = place.partition (' ')
    report = log.json ('report')
    if kind in ('report', 'info', 'stats', 'check', 'stats-log'):
        return at (log.json (kind.split ('-')[0]), rest)
    if kind in ('rows', 'greatest'):
        cells = column (report, *rest.split ())
        return total (cells) if kind == 'rows' else max (cells) if cells else None
    if kind == 'phase':
        name, key = rest.split ()
        return total ([row[key] for row in at (report, 'gc.pause_phases') or [] if row['phase'] == name])
    if kind == 'rows-of':
        return total (column (log.json ('report', log.other ()), *rest.split ()[1:]))
    if kind == 'series':
        series = log.once ('series', lambda: json.loads (log.run ('report', '-q', '--format', 'json', '--limit', '0',
                                                                  '--reports=series', log.path)))
        return total (column (series, 'series.intervals', rest)) or 0
    if kind == 'count':
        rows = at (report, rest)
        return len (rows) if rows is not None else None
    if kind == 'sum':
        cells = [at (report, key) for key in rest.split ()]
        return None if None in cells else sum (cells)
    if kind == 'except':
        table, key, name = rest.split ()
        return total ([row[key] for row in log.json ('info')[table] if row['kind'] != name])
    if kind == 'top':
        value = log.top ().get (rest)
        return sum (value) if isinstance (value, list) else value
    if kind == 'text':
        return value_of_text (log, rest.partition (' ')[2])
    if kind == 'page':
        return value_of_page (log, rest)
    if kind == 'query':
        return value_of_query (log, rest)
    if kind in ('converted', 'back'):
        return at (log.json ('report', log.other () if kind == 'converted' else log.back ()), rest)
    number = kind[len ('version'):].split ('-')[0]
    other = log.json ('report', log.version (number))
    return total (column (other, *rest.split ())) if kind.endswith ('-rows') else at (other, rest)


def is_left_out (log, name, place):
    """What is another figure there."""
    report = log.json ('report')
    if place.startswith ('top '):  # its figures begin anew with each log of a file
        return (at (report, 'log.headers') or 1) > 1
    if name == 'time of threads':  # it is that of samples
        return at (report, 'cpu.source') != 'threads'
    if name == COLLECTING:  # a stop with two collections is two in an eventlog, with a gap
        return total (column (report, 'gc.generations', 'pauses')) != at (report, 'gc.collections')
    return False


def check_log (log, seen, wrong):
    checks = 0
    for name, log_format, *places in FIGURES:
        places = [place for place in places if log_format == log.format and not is_left_out (log, name, place)]
        values = [(place, value_of (log, place)) for place in places]
        values = [(place, value) for place, value in values if value is not None]
        if values:
            seen[name] = max (seen.get (name, 0), len (values))
        for place, value in values[1:]:
            checks += 1
            if float (value) != float (values[0][1]):
                wrong.append ('%s: %s: "%s" has %s, "%s" has %s'
                              % (log.path, name, places[0], values[0][1], place, value))
    return checks


def main ():
    if sys.argv[1] == '--table':
        print_table ()
        return
    seen, wrong, checks = {}, [], 0
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory (dir='.') as folder:
            checks += check_log (Log (sys.argv[1], path, folder), seen, wrong)
    formats = {MONO if '.mlpd' in path else GHC for path in sys.argv[2:]}
    for name, log_format, *_ in FIGURES:
        if log_format in formats and seen.get (name, 0) < 2:
            wrong.append ('%s: no log has it in two places' % name)
    print ('\n'.join (wrong))
    print ('%d figures of %d logs, %d comparisons' % (len (seen), len (sys.argv) - 2, checks))
    sys.exit (bool (wrong))


main ()
