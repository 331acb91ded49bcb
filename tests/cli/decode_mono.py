"""decode_mono.py -- reads Mono logs and adds up their figures, of all data versions.

It is a second decoder, for tests: written from the description of the format (docs/mlpd-format.md, mlpd-events.md and
the published text), and sharing nothing with proflog's own, neither code nor lists of events.  It reads undamaged logs
only; anything unknown is an error.
"""
import struct
from collections import Counter

from intervals import figures_of_marks

U64 = (1 << 64) - 1


# Fields are words 'NAME:SIGN'.  Signs are those of docs/mlpd-format.md, and N: a size; K: a backtrace; lists have
# longer names, and functions of their own.
def layout(byte, mtype, v):
    """The kind of an event and its fields; mtype is the byte after the time of metadata."""
    kind, ex = byte & 15, byte & 0xf0
    small = 'B' if v >= 13 else 'U'
    time = 'time:T ' if v >= 13 else ''  # of events that had none before
    flags = 'flags:U ' if v < 13 else ''
    trace = ' trace:K'
    if kind == 0:
        return 'alloc', 'time:T type:P object:O size:N' + trace * (ex == 0x10)
    if kind == 1:
        return {0x10: ('gc-event', f'time:T event:{small} generation:{small}'),
                0x20: ('gc-resize', 'time:T size:N'),
                0x30: ('gc-move', 'time:T objects:objects'),
                0x40: ('gc-handle-created', 'time:T type:U handle:U object:O'),
                0x50: ('gc-handle-destroyed', 'time:T type:U handle:U'),
                0x60: ('gc-handle-created', 'time:T type:U handle:U object:O' + trace),
                0x70: ('gc-handle-destroyed', 'time:T type:U handle:U' + trace),
                0x80: ('gc-finalize-start', 'time:T'),
                0x90: ('gc-finalize-end', 'time:T'),
                0xa0: ('gc-finalize-object-start', 'time:T object:O'),
                0xb0: ('gc-finalize-object-end', 'time:T object:O')}[ex]
    if kind == 2:
        name = ' name:Z' if ex == 0 else ''
        mvid = ' mvid:Z' if v >= 16 and ex == 0x20 else ''
        head = 'time:T mtype:B address:P '
        return {1: ('metadata-class', head + f'image:P {flags}name:Z'),
                2: ('metadata-image', head + f'{flags}name:Z' + mvid),
                3: ('metadata-assembly', head + ('image:P ' if v >= 14 else flags) + 'name:Z'),
                4: ('metadata-domain', head + flags + name),
                5: ('metadata-thread', head + flags + name),
                6: ('metadata-context', head + flags + 'domain:P'),
                7: ('metadata-vtable', head + 'domain:P class:P')}[mtype]
    if kind == 3:
        return {0x10: ('method-leave', 'time:T method:M'),
                0x20: ('method-enter', 'time:T method:M'),
                0x30: ('method-exc-leave', 'time:T method:M'),
                0x40: ('method-jit', 'time:T method:M code:P size:N name:Z')}[ex]
    if kind == 4 and ex & 0x70 == 0x10:
        return 'exception-clause', f'time:T clause:{small} number:U method:M' + ' object:O' * (v >= 14)
    if kind == 4:
        return 'exception-throw', 'time:T object:O' + trace * (ex == 0x80)
    if kind == 5:
        return 'monitor', 'time:T ' + 'event:B ' * (v >= 14) + 'object:O' + trace * (ex & 0x80 != 0)
    if kind == 6:
        return {0x00: ('heap-start', 'time:T'),
                0x10: ('heap-end', 'time:T'),
                0x20: ('heap-object', f'{time}object:O type:P size:N ' + 'generation:B ' * (v >= 16) + 'refs:refs'),
                0x30: ('heap-root', f'{time}roots:roots'),
                0x40: ('heap-root-register', 'time:T start:P size:U source:B key:P name:Z'),
                0x50: ('heap-root-unregister', 'time:T start:P')}[ex]
    if kind == 7:
        hit = ('time:T thread:P ips:ips frames:frames' if v >= 14 else
               'time:T stype:B thread:P ips:ips frames:frames' if v == 13 else
               'stype:U at:U ' + 'thread:P ' * (v >= 11) + 'ips:ips ' + 'frames:frames' * (v >= 6))
        return {0x00: ('sample-hit', hit),
                0x10: ('sample-symbol', f'{time}address:P size:U name:Z'),
                0x20: ('sample-binary', 'time:T address:' + ('P' if v >= 14 else 'S') + ' offset:U size:U name:Z'),
                0x30: ('sample-counters-desc', f'{time}counters:counters'),
                0x40: ('sample-counters', ('time:T' if v >= 13 else 'ms:U') + ' values:values')}[ex]
    if kind == 8:
        return 'runtime-jit-helper', f'time:T type:{small} address:P size:U name:helper'
    if kind == 9:
        return {0x00: ('coverage-assembly', f'{time}name:Z guid:Z file:Z methods:U full:U partial:U'),
                0x10: ('coverage-method', f'{time}assembly:Z class:Z name:Z signature:Z file:Z token:U id:U count:U'),
                0x20: ('coverage-statement', f'{time}id:U offset:U count:U line:U column:U'),
                0x30: ('coverage-class', f'{time}assembly:Z class:Z methods:U full:U partial:U')}[ex]
    if kind == 10:
        return {0x00: ('meta-sync-point', 'time:T type:B'),
                0x10: ('meta-aot-id', 'time:T id:Z')}[ex]
    raise ValueError(f'event byte {byte:#x}')


class Buffer:
    """The events of a buffer: dictionaries of their fields, and of kind, thread and time, where it has one."""

    def __init__(self, log, at):
        magic, self.length, self.now, self.base, self.objects, self.thread, self.method = \
            struct.unpack_from('<IIQQQQQ', log.data, at)
        if magic != 0x4d504c01:
            raise ValueError(f'no buffer at {at}')
        self.log, self.data, self.at, self.end = log, log.data, at + 48, at + 48 + self.length
        self.begin, self.version = self.now, log.version
        self.mask = (1 << 8 * log.pointer_size) - 1
        if self.end > len(self.data):
            raise ValueError(f'the buffer at {at} is cut')

    def read_B(self):
        self.at += 1
        return self.data[self.at - 1]

    def read_U(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value & U64
            shift += 7

    def read_S(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if byte & 0x40 else value

    def read_Z(self):
        end = self.data.index(0, self.at)
        text = bytes(self.data[self.at:end])
        self.at = end + 1
        return text

    def read_T(self):
        self.now = (self.now + self.read_U()) & U64
        return self.now

    def read_P(self):
        return (self.base + self.read_S()) & self.mask

    def read_O(self):
        return (self.objects + self.read_S()) << 3 & self.mask

    def read_M(self):
        self.method = (self.method + self.read_S()) & self.mask
        return self.method

    def read_N(self):
        """Old writers have sizes in an int, which comes with its sign."""
        value = self.read_U()
        return value & 0xffffffff if value >= 1 << 63 else value

    def read_K(self):
        """Outermost first."""
        if self.version < 13:
            self.read_U()
            return [self.read_P() for _ in range(self.read_U())]
        return [self.read_M() for _ in range(self.read_U())]

    def read_objects(self):
        return [self.read_O() for _ in range(self.read_U())]

    def read_ips(self):
        return [self.read_P() for _ in range(self.read_U())]

    def read_refs(self):
        return [(self.read_U() if self.version >= 2 else None, self.read_O()) for _ in range(self.read_U())]

    def read_roots(self):
        count = self.read_U()
        if self.version >= 15:
            return [(self.read_P(), self.read_O()) for _ in range(count)]
        self.read_U()
        kind = self.read_B if self.version == 13 else self.read_U
        return [(None, self.read_O(), kind(), self.read_U()) for _ in range(count)]

    def read_frames(self):
        """Innermost first."""
        frames = []
        for _ in range(self.read_U()):
            frames.append(self.read_M())
            if self.version < 13:
                self.read_S(), self.read_S()
        return frames

    def read_counters(self):
        small, found = self.read_B if self.version in (13, 14) else self.read_U, []
        for _ in range(self.read_U()):
            section = self.read_U()
            title = self.read_Z() if section == 0x8000 else b''
            name = self.read_Z()
            found.append((section, title, name, small(), small(), small(), self.read_U()))
        return found

    def read_values(self):
        small, found = self.read_B if self.version in (13, 14) else self.read_U, []
        while index := self.read_U():
            kind = small()
            if kind == 5:
                value = struct.unpack_from('<d', self.data, self.at)[0]
                self.at += 8
            elif kind == 6:
                value = self.read_Z() if self.read_B() else None
            else:
                value = self.read_U() if kind in (1, 4) else self.read_S()
            found.append((index, kind, value))
        return found

    def read_helper(self):
        """Only specific trampolines have a name."""
        return self.read_Z() if self.event['type'] == (5 if self.version >= 14 else 6) else b''

    def events(self):
        layouts = self.log.layouts
        while self.at < self.end:
            byte = self.data[self.at]
            self.at += 1
            mtype = None
            if byte & 15 == 2:  # metadata: the byte after the time
                at, now = self.at, self.now
                self.read_U()
                mtype = self.data[self.at]
                self.at, self.now = at, now
            key = byte, mtype
            if key not in layouts:
                kind, words = layout(byte, mtype, self.version)
                fields = [word.split(':') for word in words.split()]
                layouts[key] = kind, [(name, getattr(Buffer, 'read_' + sign)) for name, sign in fields]
            kind, fields = layouts[key]
            event = {'kind': kind, 'thread': self.thread, 'buffer': self, 'ex': byte & 0xf0, 'time': self.now}
            self.event = event
            for name, read in fields:
                event[name] = read(self)
            if 'at' in event:
                event['time'] = event['at']
            if kind == 'monitor' and self.version < 14:
                event['event'] = byte >> 4 & 3
            yield event
        if self.at != self.end:
            raise ValueError(f'an event goes beyond its buffer, which ends at {self.end}')


MARKS = {0x74736f6c: 'lost', 0x736d7573: 'sums', 0x6e69616761: 'again', 0x74726170: 'part'}
SAMPLE_ELAPSED = 999998  # the value of a hit's time since the hit before it


class Log:
    def __init__(self, data):
        self.data, self.layouts = data, {}
        magic, major, minor, self.version, self.pointer_size = struct.unpack_from('<IBBBB', data)
        if magic != 0x4d505a01:
            raise ValueError('no log of Mono')
        self.pid, = struct.unpack_from('<I', data, 32 if major >= 3 else 24)
        at = 32
        if major > 0:
            at = 38 if major >= 3 else 30
            for _ in range(3):
                at += 4 + struct.unpack_from('<I', data, at)[0]
        self.buffers = []
        while at < len(data):
            buffer = Buffer(self, at)
            buffer.role = MARKS.get(buffer.objects) if buffer.objects != 0 else None
            at = buffer.end
            self.buffers.append(buffer)


def text(value):
    return value.decode('utf-8', 'replace')


def signed(time):
    """Times before the log's first buffer are negative."""
    return time - (1 << 64) if time >> 63 else time


class Names:
    """What addresses are called: the last announcement before a use counts, else the first one after it."""

    def __init__(self):
        self.of = {}  # of lists of (place in the file, name)

    def add(self, place, address, name):
        self.of.setdefault(address, []).append((place, name))

    def find(self, place, address):
        found = self.of.get(address)
        if not found:
            return None
        before = [name for at, name in found if at <= place]
        return before[-1] if before else found[0][1]


def names_of(events):
    classes, vtables, methods = Names(), Names(), Names()
    for e in events:
        place = e['place']
        if e['kind'] == 'metadata-class' and e['ex'] == 0x20:
            classes.add(place, e['address'], text(e['name']))
        elif e['kind'] == 'metadata-vtable' and e['ex'] == 0x20:
            vtables.add(place, e['address'], e['class'])
        elif e['kind'] == 'method-jit':
            methods.add(place, e['method'], text(e['name']))
    return classes, vtables, methods


def collection_figures(events, start):
    """A collection counts from its START on and lasts to the END of its thread, a stop from PRE_STOP_WORLD to
    POST_START_WORLD of its thread."""
    collections, pauses, starts, open_at, stopped_at = [], [], Counter(), {}, {}
    for e in events:
        if e['kind'] != 'gc-event':
            continue
        thread, what, g, now = e['thread'], e['event'], e['generation'], e['time']
        if what == 0:
            starts[g] += 1
            open_at[thread, g] = now
        elif what == 5 and (thread, g) in open_at:
            collections.append((g, max(now - open_at.pop((thread, g)), 0)))
        elif what == 6:
            stopped_at[thread] = now
        elif what == 9 and thread in stopped_at:
            stop = stopped_at.pop(thread)
            pauses.append((stop, max(now - stop, 0), g, thread))
    rows = []
    for g in {*starts} | {p[2] for p in pauses}:
        times = [ns for n, ns in collections if n == g]
        stops = [p[1] for p in pauses if p[2] == g]
        rows.append((g, starts[g], sum(times), max(times, default=0), len(stops), sum(stops), max(stops, default=0)))
    return {
        'collections': starts.total(), 'generations': rows, 'pauses': pauses,
        'stops over time': [(stop - start, ns, g) for stop, ns, g, _ in pauses],
        'stops': len(pauses), 'time of stops': sum(p[1] for p in pauses),
        'longest stop': max((p[1] for p in pauses), default=0),
        'resizes': sum(e['kind'] == 'gc-resize' for e in events),
        'largest heap': max((e['size'] for e in events if e['kind'] == 'gc-resize'), default=None),
        'moves': sum(len(e['objects']) // 2 for e in events if e['kind'] == 'gc-move'),
    }


def allocation_figures(events, type_name):
    types, objects = {}, [e for e in events if e['kind'] == 'alloc']
    for e in objects:
        row = types.setdefault(type_name(e), [0, 0])
        row[0], row[1] = row[0] + 1, row[1] + e['size']
    return {'objects': len(objects), 'bytes': sum(e['size'] for e in objects),
            'types': [(name, *row) for name, row in types.items()]}


def call_figures(events, methods):
    """Stacks of threads.  A leave ends all calls down to its own; a call that never ends lasts to the last event of
    its thread."""
    stacks, last, ended, sums, unmatched = {}, {}, {}, {}, 0

    def close(stack, now):
        name, began, inner = stack.pop()
        row, ns = sums[name], max(now - began, 0)  # clocks may go back
        row[1] += max(ns - inner, 0)
        if all(frame[0] != name for frame in stack):
            row[2] += ns
        if stack:
            stack[-1][2] += ns

    for e in events:
        kind, thread, now, place = e['kind'], e['thread'], e['time'], e['place']
        stack = stacks.setdefault(thread, [])
        if ended.get(thread, e['buffer']) is not e['buffer']:  # another thread, of the same id
            del ended[thread]
            while stack:
                close(stack, last[thread])
        last[thread] = now
        if kind == 'method-enter':
            stack.append([(e['method'], methods.find(place, e['method'])), now, 0])
            sums.setdefault(stack[-1][0], [0, 0, 0])[0] += 1
        elif kind in ('method-leave', 'method-exc-leave'):
            name = e['method'], methods.find(place, e['method'])
            if all(frame[0] != name for frame in stack):
                unmatched += 1
                continue
            while stack[-1][0] != name:
                close(stack, now)
            close(stack, now)
        elif kind == 'metadata-thread' and e['ex'] == 0x40 and e['address'] == thread:
            ended[thread] = e['buffer']
    for thread, stack in stacks.items():
        while stack:
            close(stack, last[thread])
    return {'calls': sum(row[0] for row in sums.values()), 'unmatched leaves': unmatched,
            'methods': [(name or f'unresolved method {method:#x}', *row) for (method, name), row in sums.items()]}


def lock_figures(events):
    """A wait is from a contention to the next DONE or FAIL of its thread, of whatever lock: a lock may move meanwhile."""
    locks, waits, open_at = {}, {}, {}
    for e in events:
        if e['kind'] != 'monitor':
            continue
        row = locks.setdefault(e['object'], [0, 0, 0, 0, 0])
        if e['event'] in (1, 2, 3):
            row[e['event'] - 1] += 1
        if e['event'] == 1:
            open_at[e['thread']] = e['time']
        elif e['event'] in (2, 3) and e['thread'] in open_at:
            ns = e['time'] - open_at.pop(e['thread'])
            row[3], row[4] = row[3] + ns, max(row[4], ns)
            of_thread = waits.setdefault(e['thread'], [0, 0])
            of_thread[0], of_thread[1] = of_thread[0] + ns, of_thread[1] + 1
    return {'contentions': sum(row[0] for row in locks.values()),
            'unfinished waits': len(open_at),
            'lock wait': sum(row[3] for row in locks.values()),
            'longest lock wait': max((row[4] for row in locks.values()), default=0),
            'locks': [(lock, *row) for lock, row in locks.items()],
            'waits of threads': [(thread, *row) for thread, row in waits.items()],
            'waits by kind': [('lock', *map(sum, zip(*waits.values())))] if waits else []}


class Thread:
    def __init__(self, number):
        self.number, self.name, self.times, self.stated = number, None, [], []
        self.ended_at, self.ended_in = None, None


def thread_figures(events, start):
    """A thread is from its start to its end, which it states itself: ids are used again.  Events of others that state
    its start, name or end are not its own, and say when it was only where it has none."""
    found = {}

    def of_buffer(number, buffer):
        threads = found.setdefault(number, [])
        if not threads or threads[-1].ended_in not in (None, buffer):
            threads.append(Thread(number))
        return threads[-1]

    def at(number, now):
        threads = found.setdefault(number, [])
        if not threads or threads[-1].ended_at is not None and now > threads[-1].ended_at:
            threads.append(Thread(number))
        return threads[-1]

    samples, hit = [], None
    for e in events:
        now, buffer = e['time'] - start, e['buffer']
        before, hit = hit, None
        if e['kind'] == 'sample-hit':
            hit = [e['thread'], now]
            if e['thread'] != buffer.thread:
                samples.append(hit)
                continue
        if e['kind'] == 'sample-counters' and before:
            elapsed = [value for index, _, value in e['values'] if index == SAMPLE_ELAPSED]
            before[1] -= sum(elapsed) // 2  # the middle of what it was in is surely its thread's
            if elapsed:
                continue
        own = of_buffer(e['thread'], buffer)
        own.times.append(now)
        if e['kind'] == 'metadata-thread':
            thread = own if e['address'] == e['thread'] else at(e['address'], now)
            thread.stated.append(now)
            if e['ex'] == 0:
                thread.name = text(e['name'])
            elif e['ex'] == 0x40 and thread is own:
                thread.ended_at, thread.ended_in = now, buffer
    for number, now in samples:  # in buffers of the profiler's own threads
        threads = found.setdefault(number, [Thread(number)])
        next((t for t in threads if t.ended_at is None or now <= t.ended_at), threads[-1]).times.append(now)
    everyone = [t for threads in found.values() for t in threads]
    return {'threads': len(everyone),
            'rows of threads': [(t.number, min(t.times or t.stated), max(t.times or t.stated), len(t.times), t.name)
                                for t in everyone]}


def shot_figures(events, type_name, start):
    """A snapshot is what its thread writes from its START to its END, or to the next START.  A part of an object
    without a size goes on with it."""
    shots, open_shots = [], {}
    for e in events:
        if e['kind'] == 'heap-start':
            shot = {'time': e['time'] - start, 'objects': 0, 'bytes': 0, 'references': 0, 'types': {}, 'known': set(),
                    'sizes': {}, 'targets': [], 'ended': False}
            shots.append(shot)
            open_shots[e['thread']] = shot
        elif e['kind'] == 'heap-end' and e['thread'] in open_shots:
            open_shots.pop(e['thread'])['ended'] = True
        elif e['kind'] == 'gc-event' and e['event'] == 6:  # a snapshot is within one stop
            open_shots.pop(e['thread'], None)
        elif e['kind'] == 'heap-object' and e['thread'] in open_shots:
            shot = open_shots[e['thread']]
            if e['size'] != 0:
                shot['objects'] += 1  # and once more, if a log that no program wrote has it again
                shot['bytes'] += e['size']
                shot['sizes'].setdefault(e['object'], e['size'])  # SQL has an object once
                row = shot['types'].setdefault(type_name(e), [0, 0])
                row[0], row[1] = row[0] + 1, row[1] + e['size']
            shot['references'] += len(e['refs'])
            shot['known'].add(e['object'])
            shot['targets'] += [to for _, to in e['refs']]
    numbered = list(enumerate(shots, 1))
    by_type = [(i, s, name, *row) for i, s in numbered for name, row in s['types'].items()]
    known = [(i, sum(to in s['known'] for to in s['targets'])) for i, s in numbered]
    for before, now in zip(shots, shots[1:]):  # types that are gone have a row, too
        now['types'].update({name: [0, 0] for name, row in before['types'].items()
                             if row[0] and name not in now['types']})
    return {'heap snapshots': len(shots),
            'shots': [(i, s['time'], s['objects'], s['bytes'], s['references']) for i, s in numbered],
            'shots of the page': [(s['time'], s['objects'], s['bytes'], s['references']) for s in shots],
            'objects of shots': [(i, start + s['time'], len(s['sizes']), sum(s['sizes'].values()))
                                 for i, s in numbered if s['objects']],
            'references of shots': [(i, number) for i, number in known if number],
            'types of each shot': [(i, name, *row) for i, _, name, *row in by_type],
            # Plots have whole snapshots, those with objects.
            'bytes over time': [(s['time'], s['bytes']) for s in shots if s['ended'] and s['objects']],
            'classes over time': [(s['time'], name, bytes) for _, s, name, _, bytes in by_type if s['ended']],
            'types of shots': [(name, *row) for s in shots for name, row in s['types'].items()]}


def mark_figures(events, start):
    """A mark is a counter of the profiler's; a value is how often it was made since the value before."""
    numbers, marks = {}, []
    for e in events:
        if e['kind'] == 'sample-counters-desc':
            numbers.update({counter[-1]: text(counter[2][len(b'Mark: '):]) for counter in e['counters']
                            if counter[0] == 0x10000 and counter[2].startswith(b'Mark: ')})
        elif e['kind'] == 'sample-counters':
            marks += [(e['time'] - start, ('mark', numbers[index]), e['thread']) for index, _, value in e['values']
                      if index in numbers for _ in range(value)]
    return figures_of_marks(sorted(marks, key=lambda mark: mark[0]))


def figures(data):
    log = Log(data)
    buffers = [b for b in log.buffers if b.role not in ('lost', 'sums')]
    everything = [(b, e) for b in buffers for e in b.events()]
    start = buffers[0].begin
    for place, (_, e) in enumerate(everything):
        e['place'] = place
    events = [e for b, e in everything if b.role is None]
    classes, vtables, methods = names_of([e for _, e in everything])

    def type_name(e):
        address = vtables.find(e['place'], e['type']) if log.version >= 15 else e['type']
        name = classes.find(e['place'], address) if address is not None else None
        return name or f"unresolved class {e['type']:#x}"

    times = [e['time'] for _, e in everything]
    found = {
        'events': len(everything), 'buffers': len(log.buffers),
        'kinds': list(Counter(e['kind'] for _, e in everything).items()),
        'time of the log': max(times, default=start) - start, 'process': log.pid,
        'lost events': sum(b.base for b in log.buffers if b.role == 'lost'),
        'throws': sum(e['kind'] == 'exception-throw' for e in events),
        'hits': sum(e['kind'] == 'sample-hit' for e in events),
        # What is announced twice is there once.
        'classes': len({(e['address'], e['name']) for e in events if e['kind'] == 'metadata-class' and e['ex'] == 0x20}),
        'images': len({(e['address'], e['name']) for e in events if e['kind'] == 'metadata-image' and e['ex'] == 0x20}),
        'compiled methods': len({(e['method'], e['code']) for e in events if e['kind'] == 'method-jit' and e['code']}),
    }
    for part in (collection_figures(events, start), allocation_figures(events, type_name),
                 call_figures(events, methods), lock_figures(events), thread_figures(events, start),
                 shot_figures(events, type_name, start), mark_figures(events, start)):
        found.update(part)
    return found
