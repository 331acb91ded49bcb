"""decode_ghc.py -- reads eventlogs of GHC and adds up their figures, of all versions.

It is a second decoder, for tests: written from the description of the format (docs/ghc-format.md and the published
text), and sharing nothing with proflog's own, neither code nor lists of events.  It reads undamaged logs only;
anything unknown is an error.
"""
import struct
from collections import Counter

from intervals import figures_of_marks

NO_CAP = 0xffff

# Of each tag: the kind, and its fields.  Signs: B, H, I and Q are numbers of 1, 2, 4 and 8 bytes; z is a text with a
# NUL; s the rest as a text; n the numbers of a stack.  A field that the event is too short for is None.
EVENTS = {
    0: 'create-thread thread:I', 1: 'run-thread thread:I', 2: 'stop-thread thread:I status:H info:I',
    3: 'thread-runnable thread:I', 4: 'migrate-thread thread:I new_cap:H', 5: 'run-spark thread:I',
    6: 'steal-spark thread:I victim_cap:H', 7: 'shutdown', 8: 'thread-wakeup thread:I other_cap:H',
    9: 'gc-start', 10: 'gc-end', 11: 'request-seq-gc', 12: 'request-par-gc', 15: 'create-spark-thread thread:I',
    16: 'log-msg text:s', 17: 'startup caps:H', 18: 'block-marker size:I end:Q block_cap:H', 19: 'user-msg text:s',
    20: 'gc-idle', 21: 'gc-work', 22: 'gc-done', 23: 'version text:s', 24: 'program-invocation text:s',
    25: 'capset-create capset:I type:H', 26: 'capset-delete capset:I', 27: 'capset-assign-cap capset:I a_cap:H',
    28: 'capset-remove-cap capset:I a_cap:H', 29: 'rts-identifier capset:I text:s', 30: 'program-args capset:I text:s',
    31: 'program-env capset:I text:s', 32: 'osprocess-pid capset:I pid:I', 33: 'osprocess-ppid capset:I pid:I',
    34: 'spark-counters created:Q dud:Q overflowed:Q converted:Q gcd:Q fizzled:Q remaining:Q',
    35: 'spark-create', 36: 'spark-dud', 37: 'spark-overflow', 38: 'spark-run', 39: 'spark-steal victim_cap:H',
    40: 'spark-fizzle', 41: 'spark-gc', 42: 'intern-string text:s', 43: 'wall-clock-time capset:I sec:Q nsec:I',
    44: 'thread-label thread:I text:s', 45: 'cap-create a_cap:H', 46: 'cap-delete a_cap:H', 47: 'cap-disable a_cap:H',
    48: 'cap-enable a_cap:H', 49: 'heap-allocated capset:I bytes:Q', 50: 'heap-size capset:I bytes:Q',
    51: 'heap-live capset:I bytes:Q', 52: 'heap-info-ghc capset:I gens:H max:Q area:Q mblock:Q block:Q',
    53: 'gc-stats-ghc capset:I generation:H copied:Q slop:Q frag:Q threads:I par_max:Q par_total:Q balanced:Q',
    54: 'gc-global-sync', 55: 'task-create task:Q a_cap:H tid:Q', 56: 'task-migrate task:Q a_cap:H new_cap:H',
    57: 'task-delete task:Q', 58: 'user-marker text:s', 59: 'hack-bug-t9003', 60: 'eden-start-receive',
    61: 'eden-end-receive', 62: 'create-process process:I', 63: 'kill-process process:I',
    64: 'assign-thread-to-process thread:I process:I', 65: 'create-machine machine:H start:Q',
    66: 'kill-machine machine:H', 67: 'send-message msg:B process:I thread:I machine:H to_process:I inport:I',
    68: 'receive-message msg:B process:I inport:I machine:H from_process:I thread:I size:I',
    69: 'send-receive-local-message msg:B process:I thread:I to_process:I inport:I',
    90: 'mem-return capset:I current:I needed:I returned:I', 91: 'blocks-size capset:I bytes:Q',
    100: 'mer-start-par-conjunction dyn:Q static:I', 101: 'mer-stop-par-conjunction dyn:Q',
    102: 'mer-stop-par-conjunct dyn:Q', 103: 'mer-create-spark dyn:Q spark:I', 104: 'mer-fut-create future:Q name:I',
    105: 'mer-fut-wait-nosuspend future:Q', 106: 'mer-fut-wait-suspended future:Q', 107: 'mer-fut-signal future:Q',
    108: 'mer-looking-for-global-context', 109: 'mer-work-stealing', 110: 'mer-release-context thread:I',
    111: 'mer-engine-sleeping', 112: 'mer-looking-for-local-spark', 113: 'mer-calling-main',
    140: 'perf-name perf:I text:s', 141: 'perf-counter perf:I tid:Q period:Q', 142: 'perf-tracepoint perf:I tid:Q',
    160: 'heap-prof-begin profile:B period:Q breakdown:I a:z b:z c:z d:z e:z f:z g:z',
    161: 'heap-prof-cost-centre centre:I label:z module:z location:z flags:B', 162: 'heap-prof-sample-begin era:Q',
    163: 'heap-prof-sample-cost-centre profile:B bytes:Q stack:n', 164: 'heap-prof-sample-string profile:B bytes:Q label:z',
    165: 'heap-prof-sample-end era:Q', 166: 'heap-bio-prof-sample-begin era:Q at:Q',
    167: 'prof-sample-cost-centre a_cap:I tick:Q stack:n', 168: 'prof-begin interval:Q',
    169: 'ipe table:Q name:z closure:z type:z label:z module:z location:z', 181: 'user-binary-msg text:s',
    200: 'conc-mark-begin', 201: 'conc-mark-end marked:I', 202: 'conc-sync-begin', 203: 'conc-sync-end',
    204: 'conc-sweep-begin', 205: 'conc-sweep-end', 206: 'conc-upd-rem-set-flush a_cap:H',
    207: 'nonmoving-heap-census', 208: 'nonmoving-pruned-segments pruned:I left:I',
    210: 'ticky-counter-def counter:Q arity:H kinds:z name:z', 211: 'ticky-counter-sample counter:Q entries:Q allocs:Q allocd:Q',
    212: 'ticky-counter-begin-sample',
}
SIZES = {'B': 1, 'H': 2, 'I': 4, 'Q': 8}
# Ids of threads and processes that GHC 6.12 declares with 8 bytes and writes with 4.
IDS = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 8: 1, 15: 1, 62: 1, 63: 1, 64: 2, 67: 3, 68: 3, 69: 3, 110: 1}


class Log:
    """The events, in the order of the file: dictionaries of their fields, and of kind, tag, time, cap, offset and part."""

    def __init__(self, data):
        self.data, self.at, self.events, self.headers = data, 0, [], 0
        while self.at < len(data):
            self.headers += 1
            self.header()
            while self.at < len(data) and not self.is_header():
                self.event()

    def is_header(self):
        return self.data[self.at:self.at + 4] == b'hdrb'

    def take(self, form):
        values = struct.unpack_from('>' + form, self.data, self.at)
        self.at += struct.calcsize('>' + form)
        return values if len(values) > 1 else values[0]

    def expect(self, *words):
        for word in words:
            if self.data[self.at:self.at + 4] != word:
                raise ValueError(f'no {word} at {self.at}')
            self.at += 4

    def header(self):
        self.sizes, self.block_end, self.cap = {}, 0, NO_CAP
        self.expect(b'hdrb', b'hetb')
        while self.data[self.at:self.at + 4] == b'etb\0':
            self.at += 4
            tag, self.sizes[tag] = self.take('HH')
            for _ in range(2):  # the description, and more
                length = self.take('I')
                self.at += length
            self.expect(b'ete\0')
        self.expect(b'hete', b'hdre', b'datb')
        self.is_7_8_2 = 58 in self.sizes and 59 not in self.sizes
        if self.sizes.get(0) == 8:  # GHC 6.12
            for tag, ids in IDS.items():
                if self.sizes.get(tag) == least(tag) + 4 * ids:
                    self.sizes[tag] = least(tag)
            if self.sizes.get(17) == 0:
                self.sizes[17] = 2

    def event(self):
        begin = self.at
        if begin >= self.block_end:
            self.cap = NO_CAP
        tag = self.take('H')
        if tag == 0xffff:  # the end of the data
            return
        if tag not in self.sizes:
            raise ValueError(f'event {tag} at {begin} is not declared')
        time, size = self.take('Q'), self.sizes[tag]
        end = self.at + size if size != 0xffff else self.take('H') + self.at
        if end > len(self.data):
            raise ValueError(f'the event at {begin} is cut')
        kind, *fields = EVENTS.get(tag, 'unknown').split()
        event = {'kind': kind, 'tag': tag, 'time': time, 'offset': begin, 'part': self.headers}
        for field in fields:
            name, sign = field.split(':')
            event[name] = self.field(sign, end)
        if tag == 18:
            self.block_end, self.cap = begin + event['size'], event['block_cap']
        event['cap'] = self.cap
        if tag == 2 and self.is_7_8_2:
            event['status'] = STATUS_7_8_2.get(event['status'], event['status'] if event['status'] < 8 else 0)
        self.events.append(event)
        # GHC counts a byte too many in the length of tag 169, which ends with its last text.
        self.at = self.at if tag == 169 and self.at == end - 1 else end

    def field(self, sign, end):
        """The next number or text; None if the event ends before."""
        if sign in SIZES:
            return self.take(sign) if self.at + SIZES[sign] <= end else None
        if sign == 'n':
            count = self.take('B')
            return [self.take('I') for _ in range(count)]
        stop = self.data.find(0, self.at, end) if sign == 'z' else -1
        text = self.data[self.at:stop if stop >= 0 else end]
        self.at = stop + 1 if stop >= 0 else end
        return text


# GHC 7.8.2 put a reason to stop before the others.
STATUS_7_8_2 = {8: 20, 9: 8, 10: 9, 11: 10, 12: 11, 13: 12, 14: 13, 17: 18, 18: 19}


def least(tag):
    """The bytes of the fields that all writers have."""
    size = sum(SIZES[field[-1]] for field in EVENTS[tag].split()[1:])
    return size - 4 if tag == 2 else size


WAITS = {4: 'other', 6: 'foreign-call', 7: 'mvar', 8: 'black-hole', 9: 'read', 10: 'write', 11: 'delay', 12: 'stm',
         13: 'other', 16: 'foreign-call', 17: 'foreign-call', 18: 'throw-to', 20: 'read-mvar'}
BLOCKED = set(WAITS.values())
AGAIN, FINISHED = (1, 2, 3, 19), 5  # why a thread stops: it can run on (also elsewhere); it is done


def text(value):
    return value.decode('utf-8', 'replace')


def by_time(events):
    """Times of different capabilities overlap in the file; events of one time stay in its order."""
    return sorted(events, key=lambda event: event['time'])


class Thread:
    """The states of a thread, one after the other."""

    def __init__(self):
        self.times, self.counts = Counter(), Counter()
        self.state, self.since, self.label = None, None, ''

    def enter(self, state, now):
        if self.state is not None:
            self.times[self.state] += now - self.since
        self.counts[state] += state != self.state
        self.state, self.since = state, now


def thread_figures(events):
    """Between the parts of a log that was stopped and started again, nothing is known of any thread."""
    threads, part = {}, 1
    ends = Counter()
    for e in events:
        ends[e['part']] = max(ends[e['part']], e['time'])
    for e in by_time(e for e in events if e['tag'] in (0, 1, 2, 3, 4, 5, 6, 8, 15, 44)):
        if e['part'] != part:
            for t in threads.values():
                t.enter(None, ends[part])
            part = e['part']
        t, kind = threads.setdefault(e['thread'], Thread()), e['kind']
        if kind == 'run-thread':
            t.enter('run', e['time'])
        elif kind == 'stop-thread':
            status = e['status']
            t.enter('capability' if status in AGAIN else 'finished' if status == FINISHED else
                    WAITS.get(status, 'other'), e['time'])
        elif kind in ('create-thread', 'thread-runnable', 'thread-wakeup'):
            t.enter('capability', e['time'])
        elif kind == 'thread-label':
            t.label = text(e['text'])
    for t in threads.values():
        t.enter(None, ends[part])
    waits, idle = {}, Counter()
    for number, t in threads.items():
        # Those that serve others wait for work, unless they could run on or wait for a value.
        serves = t.label.startswith(('IOManager', 'TimerManager'))
        idle_states = BLOCKED - {'black-hole'} if serves else set()
        idle[t.label] += sum(t.times[state] for state in idle_states)
        waits.update({(number, state): (t.times[state], t.counts[state])
                      for state in (BLOCKED | {'capability'}) - idle_states if t.counts[state]})
    kinds = {reason: [sum(w[i] for (_, r), w in waits.items() if r == reason) for i in (0, 1)] for _, reason in waits}
    return {
        'threads': len(threads),
        'run time': sum(t.times['run'] for t in threads.values()),
        'states of threads': [(n, t.times['run'], t.times['capability'], sum(t.times[w] for w in BLOCKED),
                               t.counts['run']) for n, t in threads.items()],
        'run times': [(n, t.times['run']) for n, t in threads.items() if t.times['run']],
        'wait time': sum(time for time, _ in waits.values()),
        'waits': sum(count for _, count in waits.values()),
        'waits of threads': [(*key, *wait) for key, wait in waits.items()],
        'idle threads': [(label, ns) for label, ns in idle.items() if ns],
        'waits by reason': [(reason, *sums) for reason, sums in kinds.items()],
    }


class Part:
    """A capability's part in a collection, from its GC_START to its GC_END."""

    def __init__(self, cap, start):
        self.cap, self.start, self.ns = cap, start, None
        self.leads, self.stats, self.idle, self.idle_since = False, None, 0, None
        self.standby, self.standby_since, self.has_worked = 0, start, False
        self.is_taken, self.is_requested = False, False

    def finish(self, now):
        self.end, self.ns = now, now - self.start


def parts_of(events):
    """Of a capability, in the order of the file: its GC_END is written after what describes the collection."""
    found, part, is_requested = [], None, False
    for e in events:
        kind, now = e['kind'], e['time']
        if kind in ('request-seq-gc', 'request-par-gc'):
            is_requested = True
        if kind == 'gc-start':
            part = Part(e['cap'], now)
            part.is_requested, is_requested = is_requested, False
        elif part is None:
            continue
        elif kind == 'gc-global-sync':
            part.leads = True
        elif kind == 'gc-stats-ghc':
            part.leads, part.stats = True, e
        elif kind in ('gc-idle', 'gc-work', 'gc-done', 'gc-end'):
            part.has_worked |= kind != 'gc-end'
            if part.idle_since is not None:
                part.idle += max(now - part.idle_since, 0)
            if part.standby_since is not None and part.has_worked:
                part.standby += max(now - part.standby_since, 0)
            part.idle_since = now if kind == 'gc-idle' else None
            part.standby_since = now if kind == 'gc-done' else None
        if kind == 'gc-end':
            part.finish(now)
            found.append(part)
            part = None
    return found


def early_collections(parts):
    """Early runtimes do not state who leads: parts that overlap are a collection, of who requested it or began first."""
    found, end = [], -1
    for p in sorted(parts, key=lambda p: p.start):
        if p.start > end:
            found.append([])
        found[-1].append(p)
        end = max(end, p.end)
    return [sorted(c, key=lambda p: not p.is_requested) for c in found]


def collections_of(events, caps):
    """Lists of parts, the leading one first, in the order of their starts: who overlaps the leading part, took part."""
    parts = {cap: parts_of(e for e in events if e['cap'] == cap) for cap in caps}
    found, everyone = [], [p for of_cap in parts.values() for p in of_cap]
    if not any(e['kind'] in ('gc-global-sync', 'gc-stats-ghc') for e in events):
        return early_collections(everyone)
    for lead in sorted((p for p in everyone if p.leads), key=lambda p: p.start):
        found.append([lead])
        for cap in caps:
            for p in parts[cap] if cap != lead.cap else []:
                if not p.is_taken and not p.leads and p.start <= lead.end and p.end >= lead.start:
                    p.is_taken = True
                    p.idle += p.standby  # who does not lead waits for who does
                    found[-1].append(p)
                    break
    return found


def collection_figures(events, caps):
    found = collections_of(events, caps)
    generation = {id(c): c[0].stats and c[0].stats['generation'] for c in found}
    is_parallel = {id(c): c[0].stats['threads'] > 1 if c[0].stats else len(c) > 1 for c in found}
    copied = [(e['generation'], e['copied']) for e in events if e['kind'] == 'gc-stats-ghc']
    figures, last_generation = {}, max((g for g in generation.values() if g is not None), default=None)
    pauses = {'main': lambda c: c[0].ns, 'average': lambda c: sum(p.ns for p in c) // len(c),
              'longest': lambda c: max(p.ns for p in c),
              'span': lambda c: max(p.end for p in c) - min(p.start for p in c)}
    for name, of in pauses.items():
        figures[f'{name} pauses'] = sum(map(of, found))
        figures[f'longest {name} pause'] = max(map(of, found), default=0)
    rows = []
    for g in set(generation.values()) | set(range(last_generation + 1 if last_generation is not None else 0)):
        of_g = [c for c in found if generation[id(c)] == g]
        rows.append((g, len(of_g), sum(is_parallel[id(c)] for c in of_g), sum(c[0].ns for c in of_g),
                     max((c[0].ns for c in of_g), default=0),
                     sum(bytes for n, bytes in copied if n == g) if copied else None))
    return {
        **figures,
        'collections': len(found),
        'parallel collections': sum(is_parallel.values()),
        'time of parts': sum(p.ns for c in found for p in c),
        'idle time': sum(p.idle for c in found for p in c),
        'copied bytes': sum(bytes for _, bytes in copied) if copied else None,
        'slop': max((e['slop'] for e in events if e['kind'] == 'gc-stats-ghc' and e['generation'] == last_generation),
                    default=None),
        'generations': rows,
        'each pause': [(c[0].start, c[0].ns) for c in found],
        'parts of caps': [(cap, sum(p.cap == cap for c in found for p in c), sum(c[0].cap == cap for c in found),
                           sum(p.ns for c in found for p in c if p.cap == cap),
                           max((p.ns for c in found for p in c if p.cap == cap), default=0)) for cap in caps],
    }


def mark_figures(events):
    """A mark is of the thread that runs on its capability, or else of the capability.  Its text ends at a NUL."""
    marks, running = [], {}
    for e in by_time(events):
        cap = e['cap']
        if e['kind'] == 'run-thread':
            running[cap] = e['thread']
        elif e['kind'] == 'stop-thread':
            running.pop(cap, None)
        elif e['kind'] in ('user-msg', 'user-marker'):
            owner = ('thread', running[cap]) if cap in running else ('cap', cap)
            marks.append((e['time'], (e['kind'], text(e['text']).replace('\0', '\\u0000')), owner))
    return figures_of_marks(marks)


def last_by_cap(events, kind):
    return {e['cap']: e for e in events if e['kind'] == kind}


def heap_figures(events, caps):
    allocated = last_by_cap(events, 'heap-allocated')
    live = [e['bytes'] for e in events if e['kind'] == 'heap-live']
    return {
        'allocated bytes': sum(e['bytes'] for e in allocated.values()) if allocated else None,
        'allocated bytes of caps': [(cap, allocated[cap]['bytes'] if cap in allocated else None) for cap in caps],
        'largest heap': max((e['bytes'] for e in events if e['kind'] == 'heap-size'), default=None),
        'most live bytes': max(live, default=None),
        'samples of live bytes': len(live),
    }


def profile_figures(events):
    """The samples of a heap profile are what stands between their beginnings, and before an end.  A band is what has a
    name, or a stack of cost centres."""
    samples, sample, centres, most = [], None, {}, Counter()
    sums, over_time, of_sample = {}, Counter(), Counter()
    for e in events:
        kind = e['kind']
        if kind == 'heap-prof-cost-centre':
            centres[e['centre']] = text(e['label']), text(e['module'])
        elif kind in ('heap-prof-sample-begin', 'heap-bio-prof-sample-begin'):
            sample, of_sample = [e.get('at', e['time']), 0], Counter()
            samples.append(sample)
        elif kind == 'heap-prof-sample-end':
            sample = None
        elif kind in ('heap-prof-sample-string', 'heap-prof-sample-cost-centre') and sample is not None:
            sample[1] += e['bytes']
            name = text(e['label']) if 'label' in e else name_of_stack([centres.get(c, '??') for c in e['stack']])
            if 'label' in e:
                sums[name] = [of_name + more for of_name, more in zip(sums.get(name, (0, 0)), (e['bytes'], 1))]
            of_sample[name] += e['bytes']
            over_time[sample[0], name] += e['bytes']
            most[name] = max(most[name], of_sample[name])
    return {'samples of heap profiles': [tuple(s) for s in samples],
            'bands of heap profiles': list(most.items()), 'sums of bands': [(name, *row) for name, row in sums.items()],
            'bands over time': [(*key, bytes) for key, bytes in over_time.items() if bytes]}


def name_of_stack(centres):
    """The innermost first; MAIN, which is around all, is none of them."""
    return '/'.join(f'{module}.{label}' if label == 'CAF' else label for label, module in centres) or 'MAIN'


NAMING_A_CAP = ('cap-create', 'capset-assign-cap')
SPARKS = {'created': 'spark-create', 'converted': 'spark-run', 'fizzled': 'spark-fizzle'}


def spark_figures(events):
    last = last_by_cap(events, 'spark-counters')
    if last:
        return {f'sparks {name}': sum(e[name] for e in last.values()) for name in SPARKS}
    kinds = Counter(e['kind'] for e in events)
    return {f'sparks {name}': kinds[kind] + (kinds['spark-steal'] if name == 'converted' else 0)
            for name, kind in SPARKS.items()}


def figures(data):
    log = Log(data)
    events = [e for e in log.events if e['kind'] != 'block-marker']
    caps = sorted({e['cap'] for e in events} - {NO_CAP} | {e['a_cap'] for e in events if e['kind'] in NAMING_A_CAP})
    times = [e['time'] for e in events]
    found = {
        'events': len(events), 'blocks': len(log.events) - len(events), 'headers': log.headers,
        'time of the program': None,
        'time of the log': max(times, default=0) - min(times, default=0),
        'tags': list(Counter(e['tag'] for e in log.events).items()),
        'kinds': list(Counter(e['kind'] for e in log.events).items()),
        'tasks': len({e['tid'] for e in events if e['kind'] == 'task-create'}),
        'events of caps': list(Counter(e['cap'] for e in events if e['cap'] != NO_CAP).items()),
    }
    of_caps = [e['time'] for e in events if e['cap'] != NO_CAP]
    first = next(((e['kind'], e['thread']) for e in by_time(events)
                  if e['kind'] in ('create-thread', 'run-thread', 'stop-thread') and e['cap'] != NO_CAP),
                 ('create-thread', 1))
    # The clock is 0 at the program's start; recording may begin later, which its threads show.  Where several
    # processes were merged, threads have other numbers.
    merged = len({e['capset'] for e in events if e['kind'] == 'osprocess-pid'}) > 1
    begins = first == ('create-thread', 1) or (merged and first[0] == 'create-thread')
    if of_caps:
        found['time of the program'] = max(of_caps) - (0 if begins else min(of_caps))
    for part in (thread_figures(events), collection_figures(events, caps), mark_figures(events),
                 heap_figures(events, caps), profile_figures(events), spark_figures(events)):
        found.update(part)
    return found
