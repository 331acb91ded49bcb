"""memory-log.py FILE -- writes a log of Mono of 5 s: each second the parts of the memory, in MiB as below, and samples
of native memory after the first: seven times 64 KiB below Load, of which two are freed after the fourth second, and once
below Draw, which is freed, too."""
import sys
from mlpd_writer import Buffer, header, text, uleb

NAMES = 'resident', 'files', 'nursery', 'old generation', 'large objects', 'JIT code', 'metadata', 'thread stacks'
READINGS = (1, (100, 20, 4, 10, 6, 2, 3, 1)), (2, (160, 20, 4, 10, 26, 2, 3, 1)), (3, (90, 20, 4, 10, 6, 2, 3, 1)), \
    (4, (120, 20, 4, 10, 6, 2, 3, 1)), (5, (110, 20, 4, 10, 6, 2, 3, 5))
SECOND, ULONG, BASE, FIRST = 10 ** 9, 4, 0x10000, 7

LOAD, DRAW = BASE + 0x1000, BASE + 0x2000
ID, SIZE, FREED, METHOD = 999975, 999973, 999974, 999972
events = Buffer(0, BASE + 16, BASE, 0, BASE)
for method, name in (LOAD, 'Shop.Image:Load (int)'), (DRAW, 'Shop.Image:Draw ()'):
    events.put(0x43, SECOND // 2, events.at_method(method), events.address(method), uleb(64), text(name))
events.put(0x37, SECOND // 2, uleb(len(NAMES) + 1), *[
    uleb(0x10000) + text(name) + uleb(ULONG) + uleb(0x1000000) + uleb(0x40000000) + uleb(FIRST + i)
    for i, name in enumerate(['Memory: ' + name for name in NAMES] + ['Memory'])])


def native(seconds, *values):
    events.put(0x47, seconds * SECOND + 2, *[uleb(index) + uleb(ULONG) + uleb(value) for index, value in values], uleb(0))


before = [0] * len(NAMES)
for seconds, parts in READINGS:
    changes = [(FIRST + i, (now - old) % (1 << 44) << 20) for i, (now, old) in enumerate(zip(parts, before)) if now != old]
    changes.append((FIRST + len(NAMES), 1 << 30))  # another counter
    events.put(0x47, seconds * SECOND, *[uleb(index) + uleb(ULONG) + uleb(change) for index, change in changes], uleb(0))
    before = parts
    for number, method in enumerate([LOAD] * 7 + [DRAW], 1) if seconds == 1 else ():
        native(seconds, (ID, number), (SIZE, 64 << 10), (METHOD, method))
    for number in (2, 8, 5) if seconds == 4 else ():
        native(seconds, (FREED, number))
with open(sys.argv[1], 'wb') as out:
    end = Buffer(5 * SECOND + 2, BASE + 16, 0, 0, 0)  # a buffer without events
    out.write(header(8, 'proflog:sample', 'x86-64', 'linux') + events.bytes() + end.bytes())
