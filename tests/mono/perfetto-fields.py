"""perfetto-fields.py TRACE -- prints "HOLDER FIELD TARGET" for each reference in the heap graph of a Perfetto trace, by
the numbers of heap_graph.proto."""
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message: number, and value or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            raise SystemExit(f'wire {tag & 7} of field {tag >> 3} is not expected')
        yield tag >> 3, value


def packed(data):
    numbers, at = [], 0
    while at < len(data):
        number, at = varint(data, at)
        numbers.append(number)
    return numbers


PACKETS, GRAPH = 1, 56
OBJECTS, NAMES, TYPES = 2, 4, 9
names, types, objects = {}, {}, {}
with open(sys.argv[1], 'rb') as file:
    trace = file.read()
for number, packet in fields(trace):
    for field, graph in fields(packet) if number == PACKETS else ():
        for part, value in fields(graph) if field == GRAPH else ():
            if part in (NAMES, TYPES):
                it = dict(fields(value))
                (names if part == NAMES else types)[it[1]] = it[2 if part == NAMES else 3].decode()
            elif part == OBJECTS:
                it = dict(fields(value))
                objects[it[1]] = it[2], packed(it.get(4, b'')), packed(it.get(5, b''))
for kind, through, targets in objects.values():
    for name, target in zip(through, targets):
        print(types[kind], names[name], types[objects[target][0]])
