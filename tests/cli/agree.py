# agree.py [--some] PROFLOG LOG... -- each figure is the same, whatever command prints it.
# agree.py --table -- the figures and the commands, as a table of docs/reliability.md.
#
# A figure is a row: its name, the format of its logs, and where it stands.  "report gc.collections" is that key of
# `proflog report --format json`; "rows TABLE KEY" is the sum of a column of it; "query SQL" is the one value of a
# statement; "top KEY" a key of the last line of `proflog top --format jsonl`; "page KEY" a figure of the report's
# page, "page-sum SECTION TABLE KEY" the sum of a column there; "cells TABLE KEY,...", "stats-cells TABLE KEY,...",
# "page-cells SECTION TABLE KEY,..." and "select SQL" are rows, in any order, "lists SECTION KEY,..." those of lists of
# figures in the page; with "groups", "csv-groups" and "page-groups" rows of one first cell are added up.  "drawn-sum
# TABLE KEY", "drawn-pauses", "drawn-heap" and "drawn-lines" are of the data that the page's scripts draw.  "decoder
# NAME" is what decode_mono.py or decode_ghc.py, which share nothing with proflog, find in the log, "drawn decoder NAME"
# the rows of it that the page draws; "converted" and "back" are reports of what `proflog convert` makes of the log, and
# of that again.  The first place is the one that the others are compared with.  Where a command has no such figure
# (null, or no such row), it is left out; a place in which no log has it is a mistake of the table, unless these are
# only some of the logs (--some).
import csv
import gzip
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

import decode_ghc
import decode_mono

GHC, MONO = 'ghc', 'mono'
COLLECTING = 'time of the stops without stopping and restarting'


def of_kind(kind):
    return "query SELECT COUNT(*) FROM events WHERE kind = '%s'" % kind


def rows (name, log_format, decoded, path, keys, table=None, page=None):
    """A figure of rows: of the decoder, of a table of the report and, if these are given, of SQL and of the page."""
    places = ['decoder ' + decoded, 'cells %s %s' % (path, keys)]
    if table:
        places.append ('select %s FROM %s' % (keys, table))
    if page:
        places.append ('page-cells %s %s' % (page, keys))
    return (name, log_format, *places)


NAMES_OF_MARKS = ('names of marks', 'marks.names', 'name,count,first_ns,last_ns', 'marks_names', 'marks names')
OF_LOCKS = 'object,contentions,acquired,failed,wait_total_ns,wait_max_ns'
INTERVALS = ('intervals', 'marks.intervals', 'name,count,total_ns,max_ns,unfinished,across_threads', 'marks_intervals',
             'marks intervals')

FIGURES = [
    # Collections.
    ('collections', GHC, 'report gc.collections', 'rows gc.generations collections', 'stats gc.collections',
     'info content.collections', 'report gc.pauses.main.count', 'rows caps collections_led',
     'rows cap_generations collections_led', 'rows gc.pause_histogram count',
     "query SELECT value FROM figures WHERE key = 'gc.collections'",
     'query SELECT SUM(collections) FROM gc_generations', 'query SELECT SUM(collections_led) FROM caps',
     'top collections_all', 'top pauses_all', 'page gc.collections', 'text stats colls',
     'converted gc.collections', 'back gc.collections', 'rows-of converted gc.generations collections',
     'decoder collections', 'drawn-sum pauses count'),
    ('parallel collections', GHC, 'report gc.parallel', 'rows gc.generations parallel', 'stats gc.parallel',
     'text stats par', 'page gc.parallel',
     'decoder parallel collections'),
    ('time of collections', GHC, 'report time.gc_ns', 'stats time.gc_ns', 'report gc.pause_total_ns',
     'rows gc.generations elapsed_ns', 'rows gc.pause_histogram total_ns', 'report gc.pauses.main.total_ns',
     'query SELECT SUM(elapsed_ns) FROM gc_generations', 'top pause_ns_all', 'converted gc.pause_total_ns',
     'back gc.pause_total_ns', 'page time.gc_ns',
     'decoder main pauses', 'drawn-sum pauses amount'),
    ('longest pause', GHC, 'report gc.pause_max_ns', 'report gc.pauses.main.max_ns', 'greatest gc.generations '
     'pause_max_ns', 'stats gc.pause_max_ns', 'top pause_max_ever_ns', 'converted gc.pause_max_ns',
     'back gc.pause_max_ns', 'query SELECT MAX(pause_max_ns) FROM gc_generations',
     'decoder longest main pause'),
    ('half of the pauses', GHC, 'report gc.pause_p50_ns', 'report gc.pauses.main.p50_ns', 'stats gc.pause_p50_ns',
     'converted gc.pause_p50_ns', 'back gc.pause_p50_ns'),
    ('99 % of the pauses', GHC, 'report gc.pause_p99_ns', 'report gc.pauses.main.p99_ns', 'stats gc.pause_p99_ns',
     'converted gc.pause_p99_ns', 'back gc.pause_p99_ns'),
    ('parts in collections', GHC, 'rows caps collections', 'rows cap_generations collections',
     'query SELECT SUM(collections) FROM caps', 'drawn-sum collections count'),
    ('time of parts in collections', GHC, 'report gc.caps_ns', 'rows caps gc_ns', 'rows cap_generations gc_ns',
     'series gc_ns', 'query SELECT SUM(gc_ns) FROM caps',
     'decoder time of parts', 'drawn-sum collections amount'),
    ('idle time in collections', GHC, 'report gc.idle_ns', 'rows caps gc_idle_ns', 'rows cap_generations gc_idle_ns',
     'decoder idle time'),
    ('copied bytes', GHC, 'report heap.copied_bytes', 'stats heap.copied_bytes', 'rows gc.generations copied_bytes',
     'text stats bytes copied during GC', 'query SELECT SUM(copied) FROM gc_stats_ghc',
     'decoder copied bytes'),
    ('not paused', GHC, 'report gc.utilisation_permille', 'stats gc.utilisation_permille',
     'report time.productivity_permille', 'stats time.productivity_permille', 'text stats Productivity'),
    ('collections of Mono', MONO, 'report gc.collections', 'rows gc.generations collections', 'stats gc.collections',
     'top collections_all', 'query SELECT SUM(collections) FROM gc_generations',
     'page-sum gc generations collections',
     'query SELECT COUNT(*) FROM gc_event WHERE event = 0',
     "query SELECT value FROM figures WHERE key = 'gc.collections'", 'version17 gc.collections',
     'version1 gc.collections',
     'decoder collections'),
    ('stops of the program', MONO, 'rows gc.generations pauses', 'rows gc.generation_pauses count', 'top pauses_all',
     'rows gc.pause_histogram count',
     'version17-rows gc.generations pauses', 'query SELECT SUM(pauses) FROM gc_generations',
     'decoder stops', 'drawn-sum pauses count'),
    ('time of the stops', MONO, 'report gc.pause_total_ns', 'rows gc.generations pause_total_ns',
     'rows gc.pause_histogram total_ns', 'stats gc.pause_total_ns', 'top pause_ns_all',
     'version17 gc.pause_total_ns', 'version1 gc.pause_total_ns',
     'decoder time of stops',
     'page-sum gc generations pause_total_ns', 'drawn-sum pauses amount'),
    (COLLECTING, MONO, 'phase collect total_ns',
     'converted gc.pause_total_ns', 'back gc.pause_total_ns'),
    ('longest stop', MONO, 'report gc.pause_max_ns', 'greatest gc.generations pause_max_ns', 'stats gc.pause_max_ns',
     'top pause_max_ever_ns', 'version1 gc.pause_max_ns',
     'decoder longest stop'),
    ('collections of logs that are converted', MONO, 'converted gc.collections', 'back gc.collections',
     'rows-of converted gc.generations collections'),
    ('half of the stops', MONO, 'report gc.pause_p50_ns', 'stats gc.pause_p50_ns', 'version17 gc.pause_p50_ns'),
    ('not stopped', MONO, 'report gc.utilisation_permille', 'stats gc.utilisation_permille', 'text stats Productivity'),
    ('objects moved', MONO, 'report gc.moves', 'stats gc.moves', 'version17 gc.moves', 'version1 gc.moves',
     'decoder moves'),
    # The heap.
    ('largest heap', GHC, 'report heap.max_memory_bytes', 'stats heap.max_memory_bytes', 'top heap_max_bytes',
     'query SELECT MAX(bytes) FROM heap_size', 'converted gc.max_heap_bytes', 'page heap.max_memory_bytes',
     'decoder largest heap'),
    ('allocated bytes', GHC, 'report heap.allocated_bytes', 'stats heap.allocated_bytes', 'rows caps allocated_bytes',
     'top alloc_bytes_all', 'query SELECT SUM(allocated_bytes) FROM caps', 'text stats bytes allocated in the heap',
     'page heap.allocated_bytes',
     'decoder allocated bytes'),
    ('most live bytes', GHC, 'report heap.max_residency_bytes', 'stats heap.max_residency_bytes',
     'query SELECT MAX(bytes) FROM heap_live',
     'decoder most live bytes'),
    ('samples of live bytes', GHC, 'report heap.residency_samples', 'stats heap.residency_samples',
     of_kind ('heap-live'),
     'decoder samples of live bytes'),
    ('slop', GHC, 'report heap.max_slop_bytes', 'stats heap.max_slop_bytes', 'text stats bytes maximum slop',
     'decoder slop'),
    ('fragmentation', GHC, 'report heap.fragmentation_bytes', 'stats heap.fragmentation_bytes'),
    ('largest heap of Mono', MONO, 'report gc.max_heap_bytes', 'stats gc.max_heap_bytes', 'top heap_max_bytes',
     'query SELECT MAX(size) FROM gc_resize', 'converted heap.max_memory_bytes', 'version17 gc.max_heap_bytes',
     'decoder largest heap'),
    ('resizes of the heap', MONO, 'report gc.resizes', 'stats gc.resizes', of_kind ('gc-resize'),
     'decoder resizes',
     'version1 gc.resizes'),
    ('allocated objects', MONO, 'report allocations.objects', 'rows allocations.types objects',
     'top alloc_objects_all', of_kind ('alloc'), 'query SELECT SUM(objects) FROM allocations_types',
     'version17 allocations.objects', 'version1 allocations.objects', 'page allocations.objects',
     'decoder objects', 'drawn-sum allocations count'),
    ('allocated bytes of Mono', MONO, 'report allocations.bytes', 'rows allocations.types bytes', 'top alloc_bytes_all',
     'query SELECT SUM(size) FROM alloc', 'query SELECT SUM(bytes) FROM allocations_types',
     'version17 allocations.bytes', 'version1 allocations.bytes', 'converted heap.allocated_bytes',
     'decoder bytes',
     'page allocations.bytes', 'drawn-sum allocations amount'),
    # Time.
    ('time of the program', GHC, 'report time.total_ns', 'stats time.total_ns', 'page time.total_ns',
     'sum time.mutator_ns time.gc_ns',
     'decoder time of the program'),
    ('time between collections', GHC, 'report time.mutator_ns', 'stats time.mutator_ns'),
    ('rate of allocation', GHC, 'report time.allocation_rate', 'stats time.allocation_rate'),
    ('time of the log', GHC, 'report log.duration_ns', 'info log.duration_ns',
     "query SELECT MAX(time_ns) - MIN(time_ns) FROM events WHERE kind != 'block-marker'", 'top log_ns',
     'decoder time of the log'),
    ('time of the log of Mono', MONO, 'report log.duration_ns', 'info log.duration_ns',
     'top log_ns',
     'decoder time of the log'),
    ('time of threads', GHC, 'report cpu.total_ns', 'rows cpu.threads self_ns', 'rows idle_caps run_ns',
     'query SELECT SUM(self_ns) FROM cpu_threads', 'page cpu.total_ns',
     'decoder run time', 'drawn-sum threads amount'),
    ('time of waits', GHC, 'rows wait_kinds total_ns', 'rows waits total_ns',
     'query SELECT SUM(total_ns) FROM waits',
     'decoder wait time'),
    ('waits', GHC, 'rows wait_kinds count', 'rows waits count', 'query SELECT SUM(count) FROM waits',
     'decoder waits'),
    # The log.
    ('events', GHC, 'report log.events', 'info log.events', 'top events_all',
     "query SELECT COUNT(*) FROM events WHERE kind != 'block-marker'", 'except kinds events block-marker',
     'check log.events',
     'decoder events'),
    ('bytes of the log', GHC, 'report log.bytes', 'info log.bytes'),
    ('blocks', GHC, 'report log.blocks', 'info log.blocks', of_kind ('block-marker'),
     'decoder blocks'),
    ('capabilities', GHC, 'info content.caps', 'count caps'),
    ('events of Mono', MONO, 'report log.events', 'info log.events', 'top events_all',
     'query SELECT COUNT(*) FROM events', 'except kinds events -', 'check log.events',
     'decoder events'),
    ('bytes of the log of Mono', MONO, 'report log.bytes', 'info log.bytes', 'top log_bytes_all'),
    ('buffers', MONO, 'report log.blocks', 'info log.blocks', 'query SELECT COUNT(*) FROM blocks',
     'decoder buffers'),
    ('lost events', GHC, 'report damage.lost_events', 'info damage.lost_events', 'stats damage.lost_events',
     'top lost_events_all'),
    ('lost events of Mono', MONO, 'report damage.lost_events', 'info damage.lost_events', 'top lost_events_all',
     'version17 damage.lost_events',
     'decoder lost events'),
    ('process', GHC, 'report log.pid', 'info log.pid', 'converted log.pid', 'back log.pid'),
    ('process of Mono', MONO, 'report log.pid', 'info log.pid', 'converted log.pid', 'back log.pid',
     'version1 log.pid',
     'decoder process'),
    # Threads, tasks, sparks.
    ('threads', GHC, 'info content.threads', 'count threads', 'query SELECT COUNT(*) FROM threads',
     'decoder threads'),
    ('threads of Mono', MONO, 'count threads', 'query SELECT COUNT(*) FROM threads',
     'decoder threads'),
    ('sparks that are created', GHC, 'report sparks.created', 'stats sparks.created', 'page sparks.created',
     'decoder sparks created'),
    ('sparks that are converted', GHC, 'report sparks.converted', 'stats sparks.converted',
     'decoder sparks converted'),
    ('sparks that fizzle', GHC, 'report sparks.fizzled', 'stats sparks.fizzled',
     'decoder sparks fizzled'),
    # Marks.
    ('marks', GHC, 'report marks.count', 'rows marks.names count', 'top marks_all',
     "query SELECT COUNT(*) FROM events WHERE kind IN ('user-msg', 'user-marker')",
     'decoder marks'),
    ('messages and marks', GHC, 'info content.messages', "query SELECT COUNT(*) FROM events WHERE kind IN ("
     "'user-msg', 'user-marker', 'log-msg')"),
    ('binary messages', GHC, 'info content.binary_messages', of_kind ('user-binary-msg')),
    ('marks of Mono', MONO, 'report marks.count', 'rows marks.names count', 'top marks_all', 'version17 marks.count',
     'decoder marks'),
    # What methods do.
    ('calls', MONO, 'report calls.total', 'rows calls.methods calls', of_kind ('method-enter'),
     'page calls.total',
     'decoder calls',
     'query SELECT SUM(calls) FROM calls_methods', 'version17 calls.total', 'version1 calls.total'),
    ('exceptions', MONO, 'report exceptions.throws', 'rows exceptions.types throws', 'info content.throws',
     'top exceptions_all', of_kind ('exception-throw'), 'version17 exceptions.throws', 'version1 exceptions.throws',
     'decoder throws',
     'page exceptions.throws', 'drawn-sum exceptions count'),
    ('contentions', MONO, 'report monitors.contentions', 'rows monitors.objects contentions', 'top contentions_all',
     'version17 monitors.contentions', 'query SELECT COUNT(*) FROM monitor WHERE event = 1',
     'decoder contentions',
     'page monitors.contentions', 'drawn-sum monitors count'),
    ('waits for locks', MONO, 'report monitors.wait_total_ns', 'rows monitors.objects wait_total_ns',
     'top wait_ns_all', 'version17 monitors.wait_total_ns',
     'decoder lock wait',
     'page monitors.wait_total_ns', 'drawn-sum monitors amount'),
    ('compiled methods', MONO, 'report jit.methods', 'info content.compiled_methods', 'version17 jit.methods',
     'decoder compiled methods'),
    ('classes', MONO, 'report metadata.classes', 'info content.classes',
     'decoder classes'),
    ('images', MONO, 'report metadata.images', 'info content.images', 'version17 metadata.images',
     'decoder images'),
    ('heap snapshots', MONO, 'count heapshots', 'info content.heapshots', of_kind ('heap-start'),
     'decoder heap snapshots'),
    ('hits of samples', MONO, 'report cpu.hits', of_kind ('sample-hit'),
     'decoder hits'),
    # Rows.
    rows ('generations', GHC, 'generations', 'gc.generations',
          'generation,collections,parallel,elapsed_ns,pause_max_ns,copied_bytes', 'gc_generations', 'gc generations')
    + ('stats-cells gc.generations generation,collections,parallel,elapsed_ns,pause_max_ns,copied_bytes',),
    rows ('collections of each capability', GHC, 'parts of caps', 'caps', 'cap,collections,collections_led,gc_ns,gc_max_ns',
          'caps', 'caps caps') + ('stats-cells caps cap,collections,collections_led,gc_ns,gc_max_ns',),
    rows ('allocated bytes of each capability', GHC, 'allocated bytes of caps', 'caps', 'cap,allocated_bytes', 'caps',
          'caps caps') + ('stats-cells caps cap,allocated_bytes',),
    rows ('run time of each thread', GHC, 'run times', 'cpu.threads', 'id,self_ns', 'cpu_threads', 'cpu threads'),
    rows ('states of each thread', GHC, 'states of threads', 'threads', 'id,run_ns,runnable_ns,blocked_ns,runs', 'threads',
          'threads threads'),
    rows ('waits of each thread', GHC, 'waits of threads', 'waits', 'thread,reason,total_ns,count', 'waits', 'waits waits'),
    rows ('waits by reason', GHC, 'waits by reason', 'wait_kinds', 'reason,total_ns,count', 'wait_kinds',
          'wait_kinds wait_kinds')
    + ('cells scheduling.waits reason,total_ns,count', 'page-cells scheduling waits reason,total_ns,count'),
    rows ('idle threads', GHC, 'idle threads', 'idle_threads', 'name,total_ns', 'idle_threads',
          'idle_threads idle_threads'),
    rows ('names of marks of Mono', MONO, *NAMES_OF_MARKS),
    rows ('intervals of Mono', MONO, *INTERVALS),
    rows ('names of marks', GHC, *NAMES_OF_MARKS),
    rows ('intervals', GHC, *INTERVALS),
    rows ('samples of heap profiles', GHC, 'samples of heap profiles', 'heap_profiles.samples', 'time_ns,bytes',
          'heap_profiles_samples', 'heap_profiles samples') + ('drawn-heap',),
    rows ('bands of heap profiles', GHC, 'bands of heap profiles', 'heap_profiles.bands', 'name,max_bytes'),
    ('bands over time', GHC, 'drawn decoder bands over time', 'drawn-lines'),
    ('sums of bands', GHC, 'decoder sums of bands', 'select label, SUM (bytes), COUNT (*) FROM heap_samples '
     'WHERE label IS NOT NULL GROUP BY label'),
    ('each pause', GHC, 'decoder each pause', 'drawn-pauses'),
    ('events of each tag', GHC, 'decoder tags', 'info-cells kinds tag,events'),
    ('events of each kind', GHC, 'decoder kinds',
     'select kind, COUNT(*) FROM events GROUP BY kind'),
    ('pauses of all capabilities', GHC, 'decoder span pauses', 'report gc.pauses.span.total_ns'),
    rows ('generations of Mono', MONO, 'generations', 'gc.generations',
          'generation,collections,total_ns,max_ns,pauses,pause_total_ns,pause_max_ns', 'gc_generations', 'gc generations')
    + ('stats-cells gc.generations generation,collections,total_ns,max_ns,pauses,pause_total_ns,pause_max_ns',),
    ('each stop', MONO, 'decoder pauses', 'select time_ns, pause_ns, generation, thread FROM gc_pauses'),
    ('each stop over time', MONO, 'decoder stops over time', 'select elapsed_ns, pause_ns, generation FROM gc_pauses',
     'drawn-pauses'),
    rows ('types of allocated objects', MONO, 'types', 'allocations.types', 'name,objects,bytes', 'allocations_types',
          'allocations types'),
    rows ('methods', MONO, 'methods', 'calls.methods', 'name,calls,self_ns,total_ns', 'calls_methods', 'calls methods'),
    ('locks', MONO, 'decoder locks', "select printf ('0x%x', object), SUM (contentions), SUM (acquired), SUM (failed), "
     'SUM (wait_total_ns), MAX (wait_max_ns) FROM monitors_objects GROUP BY object',
     'groups monitors.objects ' + OF_LOCKS, 'csv-groups monitors ' + OF_LOCKS, 'page-groups monitors objects ' + OF_LOCKS),
    ('waits for locks of each thread', MONO, 'decoder waits of threads', "select printf ('0x%x', thread), "
     'SUM (total_ns), SUM (count) FROM waits GROUP BY thread', 'groups waits thread,total_ns,count',
     'page-groups waits waits thread,total_ns,count'),
    rows ('waits by kind', MONO, 'waits by kind', 'wait_kinds', 'kind,total_ns,count', 'wait_kinds',
          'wait_kinds wait_kinds'),
    ('rows of threads', MONO, 'decoder rows of threads', 'cells threads id,start_ns,end_ns,events,name',
     "select printf ('0x%x', id), start_ns, end_ns, events, name FROM threads",
     'page-cells threads threads id,start_ns,end_ns,events,name'),
    rows ('rows of heap snapshots', MONO, 'shots', 'heapshots', 'index,time_ns,objects,bytes,references'),
    ('heap snapshots in sections', MONO, 'decoder shots of the page',
     'lists heapshots time_ns,objects,bytes,references'),
    ('heap over time', MONO, 'decoder bytes over time', 'drawn-heap'),
    ('objects of heap snapshots', MONO, 'decoder objects of shots', 'select shot, time_ns, COUNT (*), SUM (bytes) '
     'FROM heap_objects WHERE bytes > 0 GROUP BY shot'),
    ('references of heap snapshots', MONO, 'decoder references of shots', 'select shot, COUNT (*) FROM heap_refs '
     'GROUP BY shot'),
    rows ('types in heap snapshots', MONO, 'types of shots', 'heapshots.types', 'name,objects,bytes', None,
          'heapshots types'),
    ('types of each heap snapshot', MONO, 'decoder types of each shot', 'select shot, type, COUNT (*), SUM (bytes) '
     'FROM heap_objects WHERE bytes > 0 GROUP BY shot, type'),
    ('classes over time', MONO, 'drawn decoder classes over time', 'drawn-lines'),
    ('events of each kind of Mono', MONO, 'decoder kinds', 'info-cells kinds kind,events',
     'select kind, COUNT(*) FROM events GROUP BY kind'),
]

WORDS = {'decoder': 'the decoder of the tests', 'cells': '`report` (rows)', 'info-cells': '`info` (rows)',
         'select': '`query`', 'page-cells': 'the page', 'page-groups': 'the page', 'page-sum': 'the page',
         'lists': 'the page',
         'drawn': 'the decoder of the tests', 'drawn-sum': 'the page', 'drawn-pauses': 'the page',
         'drawn-heap': 'the page', 'drawn-lines': 'the page', 'groups': '`report` (rows)',
         'csv-groups': '`report` (CSV)', 'stats-cells': '`stats` (rows)',
         'report': '`report`', 'stats': '`stats`', 'info': '`info`', 'check': '`check`',
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

    def decoded (self):
        def decode ():
            with open (self.path, 'rb') as file:
                data = file.read ()
            if data.startswith (b'\x1f\x8b'):
                data = gzip.decompress (data)
            return (decode_mono if self.format == MONO else decode_ghc).figures (data)
        return self.once ('decoded', decode)

    def page (self):
        return self.once ('page', lambda: self.run ('report', '-q', '--format', 'html', '--raw', '--limit', '0', self.path))

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


def rows_of_page (log, section, table, keys):
    rows = []
    unknown = () if section == 'marks' else ('-', 'unknown')  # a mark has a name, which may be such a word
    for found in re.findall (r'<table data-section="%s" data-table="%s">(.*?)</table>' % (section, table), log.page (),
                             re.S):
        head = re.findall (r'<th [^>]*?(?:data-key="([^"]*)")?>', found)
        for row in re.findall (r'<tr>(<td.*?)</tr>', found, re.S):
            cells = [int (value) if re.fullmatch ('-?[0-9]+', value) else
                     value or (None if text in unknown else html.unescape (text))
                     for value, text in re.findall (r'<td(?: data-value="([^"]*)")?[^>]*>(.*?)</td>', row, re.S)]
            # A column of zeros or of no names is left out.
            by_key = {key: None if key == 'name' else 0 for key in keys.split (',')} | dict (zip (head, cells))
            rows.append ([by_key.get (key) for key in keys.split (',')])
    return rows


def lists_of_page (log, section, keys):
    """A row of each list of figures, of which a section has one or, in a section of several, as many."""
    rows = []
    for found in re.findall (r'<section data-section="%s">(.*?)</section>' % section, log.page (), re.S):
        for part in re.findall (r'<dl>(.*?)</dl>', found, re.S):
            values = dict (re.findall (r'<dd data-key="([^"]*)" data-value="([^"]*)"', part))
            rows.append ([int (values[key]) if key in values else None for key in keys.split (',')])
    return rows


def data_of_page (log):
    """What the page's scripts draw."""
    def find ():
        found = re.search (r'<script type="application/json" id="timeline-1">(.*?)</script>', log.page (), re.S)
        return json.loads (found.group (1)) if found else None
    return log.once ('data', find)


def lines_of_page (log):
    """Of the plots of the heap: the bytes of each time, and those by time and name of the lines with a name."""
    every, named = Counter (), Counter ()
    for plot in data_of_page (log)['heaps']:
        every.update (dict.fromkeys (plot['times'], 0))
        for line in plot['series']:
            for time, number in zip (plot['times'], line['values']):
                every[time] += number
                if not line.get ('isRest'):
                    named[time, line['name']] += number
    return every, named


PARTS_OF_AN_OBJECT = 1024  # in the data of a page
LINES = 10  # that a plot has: the names of most bytes, and more of those that grow


def of_drawn (log, rows):
    """Those rows (time, name, bytes) whose name a plot of the page has; all, if it has too few."""
    drawn = {name for _, name in lines_of_page (log)[1]}
    few = len (drawn) < min (LINES, len ({row[1] for row in rows}))
    return rows if few else [row for row in rows if row[1] in drawn]


def value_of_data (log, kind, rest):
    data = data_of_page (log)
    if data is None:
        return None
    if kind == 'drawn-sum':
        table, key = rest.split ()
        found = sum (data['tables'][table]['cells'][3 if key == 'count' else 4::5])
        return found / PARTS_OF_AN_OBJECT if (table, key) == ('allocations', 'count') else found
    if kind == 'drawn-pauses':
        if data['left_out']['pauses']:  # shorter ones
            return None
        of_page = data['pauses']
        times = [data['begin'] + time for time in of_page[::3]]
        return in_order (zip (times, of_page[1::3], *[of_page[2::3]] * (log.format == MONO)))
    if kind == 'drawn':
        return in_order (of_drawn (log, log.decoded ()[rest.partition (' ')[2]]))
    every, named = lines_of_page (log)
    if kind == 'drawn-heap':
        return in_order (every.items ())
    return in_order ((*key, number) for key, number in named.items () if number)


def added (rows, keys):
    """Rows of one first cell are one."""
    sums = {}
    for first, *cells in map (plain, rows):
        before = sums.setdefault (first, [0] * len (cells))
        sums[first] = [max (pair) if '_max' in key else sum (pair)
                       for key, *pair in zip (keys.split (',')[1:], before, cells)]
    return in_order ((first, *cells) for first, cells in sums.items ())


def rows_of_csv (log, section, keys):
    text = log.once (('csv', section), lambda: log.run ('report', '-q', '--format', 'csv', '--limit', '0',
                                                        '--reports=' + section, log.path))
    return [[int (row[key]) if row[key].isdigit () else row[key] for key in keys.split (',')]
            for row in csv.DictReader (io.StringIO (text))]


def value_of_page (log, path):
    page = log.page ()
    section, key = path.split ('.')
    found = re.search (r'data-section="%s".*?</section>' % section, page, re.S)
    cell = re.search (r'data-key="%s" data-value="([^"]*)"' % key, found.group (0)) if found else None
    return int (cell.group (1)) if cell else None


def rows_of_query (log, sql):
    done = subprocess.run ([log.proflog, 'query', '-q', '--format', 'json', log.path, sql], capture_output=True,
                           check=False)
    if b'no such' in done.stderr:  # the log has no such table or column
        return None
    if done.returncode not in (0, 1):
        raise SystemExit ('agree: %s: %s: %s' % (log.path, sql, done.stderr.decode (errors='replace')))
    rows = json.loads (done.stdout)
    rows = rows if isinstance (rows, list) else next (v for v in rows.values () if isinstance (v, list))
    return rows


def value_of_query (log, sql):
    rows = rows_of_query (log, sql)
    return next (iter (rows[0].values ())) if rows else None


def plain (row):
    """Its cells, which compare: addresses are numbers, what is no UTF-8 is one mark, and so are control characters."""
    def cell (value):
        if not isinstance (value, str):
            return value
        value = re.sub ('[\x01-\x1f\x7f]', '?', re.sub ('\ufffd+', '\ufffd', value))  # as in the page
        return int (value, 16) if re.fullmatch ('0x[0-9a-f]+', value) else value
    return tuple (cell (value) for value in row)


def in_order (rows):
    return sorted ((plain (row) for row in rows), key=repr)


def rows_at (value, path):
    """The rows of a table; of one that is in rows of another, all of them."""
    key, _, rest = path.partition ('.')
    inner = value.get (key) or []
    if not rest:
        return inner
    return [row for outer in (inner if isinstance (inner, list) else [inner]) for row in rows_at (outer, rest)]


def value_of (log, place):
    kind, _, rest = place.partition (' ')
    report = log.json ('report')
    if kind in ('report', 'info', 'stats', 'check'):
        return at (log.json (kind), rest)
    if kind in ('rows', 'greatest'):
        cells = column (report, *rest.split ())
        return total (cells) if kind == 'rows' else max (cells) if cells else None
    if kind in ('cells', 'info-cells', 'stats-cells', 'groups'):
        path, keys = rest.split ()
        rows = rows_at (log.json (kind.split ('-')[0]) if kind.endswith ('-cells') else report, path)
        rows = [[row[key] for key in keys.split (',')] for row in rows]
        return added (rows, keys) if kind == 'groups' else in_order (rows)
    if kind in ('page-cells', 'page-groups'):
        if kind == 'page-groups' and '<section data-section="%s"' % rest.split ()[0] not in log.page ():
            return None  # all figures are 0
        rows = rows_of_page (log, *rest.split ())
        return added (rows, rest.split ()[-1]) if kind == 'page-groups' else in_order (rows)
    if kind == 'page-sum':
        return total ([row[0] for row in rows_of_page (log, *rest.split ())])
    if kind == 'csv-groups':
        return added (rows_of_csv (log, *rest.split ()), rest.split ()[-1])
    if kind == 'lists':
        return in_order (lists_of_page (log, *rest.split ()))
    if kind.startswith ('drawn'):
        return value_of_data (log, kind, rest)
    if kind == 'select':
        rows = rows_of_query (log, place)
        return None if rows is None else in_order (row.values () for row in rows)
    if kind == 'decoder':
        value = log.decoded ()[rest]
        return in_order (value) if isinstance (value, list) else value
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


# Of logs whose events come in an order that no program has: what does not depend on it.
OF_ANY_ORDER = {'events', 'blocks', 'events of each kind', 'events of each tag', 'bytes of the log', 'threads',
                'names of marks', 'marks',
                'intervals', 'calls', 'methods', 'events of Mono', 'buffers', 'events of each kind of Mono',
                'allocated objects', 'allocated bytes of Mono', 'types of allocated objects', 'compiled methods'}
# Of random events, which give an address one name after the other.
OF_NAMES = {'classes', 'images', 'types of allocated objects', 'types in heap snapshots', 'types of each heap snapshot',
            'classes over time'}


def kind_of_random (path):
    """Of the logs of test-cli-decoders.sh."""
    kind = os.path.basename (path).partition ('-')[0]
    return kind if kind in ('random', 'chaos') else None


def is_left_out (log, name, place):
    """What is another figure there."""
    report = log.json ('report')
    kind = kind_of_random (log.path)
    if kind and place.startswith (('converted', 'back', 'rows-of', 'version', 'info content.caps')):
        return True
    if kind == 'chaos' and name not in OF_ANY_ORDER or kind == 'random' and name in OF_NAMES:
        return True
    if place.startswith ('top '):  # its figures begin anew with each log of a file
        return (at (report, 'log.headers') or 1) > 1
    if place == 'drawn-sum monitors amount':  # waits that do not end are drawn to the end of their thread
        return log.decoded ()['unfinished waits'] != 0
    if log.format == MONO and name in ('waits for locks of each thread', 'waits by kind'):  # others are of samples
        return any (row['source'] != 'monitors' for row in report['waits'])
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
        if len (values) > 1 and any (value != [] for _, value in values):
            seen.setdefault ((name, log_format), set ()).update (place for place, _ in values)
        for place, value in values[1:]:
            checks += 1
            if isinstance (value, list) != isinstance (values[0][1], list):
                wrong.append ('%s: %s: "%s" is no figure' % (log.path, name, place))
            elif isinstance (value, list) and value != values[0][1]:
                here, there = Counter (values[0][1]), Counter (value)
                wrong.append ('%s: %s: only "%s" has %s, only "%s" has %s'
                              % (log.path, name, values[0][0], str (list ((here - there).elements ())[:3]), place,
                                 str (list ((there - here).elements ())[:3])))
            elif not isinstance (value, list) and float (value) != float (values[0][1]):
                wrong.append ('%s: %s: "%s" has %s, "%s" has %s'
                              % (log.path, name, values[0][0], values[0][1], place, value))
    return checks


def main ():
    if sys.argv[1] == '--table':
        print_table ()
        return
    some = sys.argv[1] == '--some'
    proflog, *logs = sys.argv[1 + some:]
    seen, wrong, checks = {}, [], 0
    for path in logs:
        with tempfile.TemporaryDirectory (dir='.') as folder:
            checks += check_log (Log (proflog, path, folder), seen, wrong)
    formats = set () if some else {MONO if '.mlpd' in path else GHC for path in logs if not kind_of_random (path)}
    for name, log_format, *places in FIGURES:
        wrong += ['%s: no log has it in "%s"' % (name, place) for place in places
                  if log_format in formats and place not in seen.get ((name, log_format), ())]
    print ('\n'.join (wrong))
    print ('%d figures of %d logs, %d comparisons' % (len (seen), len (logs), checks))
    sys.exit (bool (wrong))


main ()
