# early-log.py OUT COLLECTIONS -- an eventlog of three capabilities as early runtimes write it: no event states who leads
# a collection.  Its header declares such events nevertheless.
#
# In each collection the capabilities begin one after the other, 1 us apart, and end 200, 300 and 400 us after the first
# began; capability 1 requests it, which lasts 299 us there.  A collection is each 10 ms.
import struct
import sys

TYPES = {0: 4, 1: 4, 2: 10, 9: 0, 10: 0, 12: 0, 18: 14, 53: 58, 54: 0}
US = 1000


def event(tag, time, payload=b''):
    return struct.pack('>HQ', tag, time) + payload


def capability(number, collections):
    events = event(0, 100, struct.pack('>I', number + 1)) + event(1, 200, struct.pack('>I', number + 1))
    for i in range(1, collections + 1):
        at = i * 10000 * US
        events += event(2, at - 2 * US, struct.pack('>IHI', number + 1, 1, 0))
        if number == 1:
            events += event(12, at - US)
        events += event(9, at + number * US) + event(10, at + (200 + 100 * number) * US)
        events += event(1, at + 500 * US, struct.pack('>I', number + 1))
    end = (collections + 1) * 10000 * US
    events += event(2, end, struct.pack('>IHI', number + 1, 5, 0))
    return event(18, 50, struct.pack('>IQH', len(events) + 24, end, number)) + events


with open(sys.argv[1], 'wb') as out:
    out.write(b'hdrbhetb')
    for tag, size in TYPES.items():
        out.write(b'etb\0' + struct.pack('>HHI', tag, size, 1) + b'x' + struct.pack('>I', 0) + b'ete\0')
    out.write(b'hetehdredatb')
    for cap in range(3):
        out.write(capability(cap, int(sys.argv[2])))
    out.write(struct.pack('>H', 0xffff))
