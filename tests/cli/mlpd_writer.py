"""mlpd_writer.py -- writes logs of Mono by hand: data version 17, one thread.  From docs/mlpd-format.md."""
import struct


def uleb(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out + bytes([n]))


def sleb(n):
    out = bytearray()
    while not -0x40 <= n < 0x40:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out + bytes([n & 0x7F]))


def text(s):
    return s.encode() + b"\0"


def header_text(s):
    return struct.pack("<I", len(s) + 1) + text(s)


def header(pointer_size, arguments, architecture, system):
    return struct.pack("<IBBBBQQIIIH", 0x4D505A01, 3, 0, 17, pointer_size, 1700000000000, 0, 0, 0, 42, 0) + \
        header_text(arguments) + header_text(architecture) + header_text(system)


class Buffer:
    """The events of the thread from a time on; bases are those of its header."""

    def __init__(self, time, thread, pointer, object_base, method):
        self.header = time, pointer, object_base // 8, thread, method
        self.time, self.pointer, self.method = time, pointer, method
        self.events = bytearray()

    def put(self, byte, time, *fields):
        self.events += bytes([byte]) + uleb(time - self.time) + b"".join(fields)
        self.time = time

    def at_method(self, method):
        difference, self.method = method - self.method, method
        return sleb(difference)

    def address(self, address):
        return sleb(address - self.pointer)

    def metadata(self, time, mtype, *fields, action=0x20):
        self.put(0x02 | action, time, bytes([mtype]), *fields)

    def bytes(self):
        return struct.pack("<IIQQQQQ", 0x4D504C01, len(self.events), *self.header) + bytes(self.events)
