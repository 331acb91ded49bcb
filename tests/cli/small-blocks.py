"""small-blocks.py IN OUT EVENTS -- divides the blocks of an eventlog into ones of so many events."""
import struct
import sys


def sizes_of (data):
    """The payload of each type, None if it varies; and where the events begin."""
    sizes, at = {}, 8
    while data[at : at + 4] == b"etb\0":
        tag, size, length = struct.unpack_from (">HHI", data, at + 4)
        extra = struct.unpack_from (">I", data, at + 12 + length)[0]
        sizes[tag] = None if size == 0xFFFF else size
        at += 12 + length + 4 + extra + 4
    return sizes, at + 12


def events_of (data, at, end, sizes):
    """The events up to the end, or to an end mark; and where that is."""
    events = []
    while at < end and data[at : at + 2] != b"\xff\xff":
        tag, time = struct.unpack_from (">HQ", data, at)
        size = sizes[tag]
        length = 10 + size if size is not None else 12 + struct.unpack_from (">H", data, at + 10)[0]
        events.append ((time, data[at : at + length]))
        at += length
    return events, at


def main ():
    data = open (sys.argv[1], "rb").read ()
    count = int (sys.argv[3])
    sizes, at = sizes_of (data)
    out = bytearray (data[:at])
    while at < len (data) and data[at : at + 2] == b"\0\x12":
        begin, size, end, cap = struct.unpack_from (">QIQH", data, at + 2)
        events, stop = events_of (data, at + 24, at + size, sizes)
        for i in range (0, len (events), count):
            some = events[i : i + count]
            body = b"".join (event for time, event in some)
            first, last = min (t for t, e in some), max (t for t, e in some)
            out += struct.pack (">HQIQH", 18, first, 24 + len (body), last, cap) + body
        at = stop
    out += data[at:]
    open (sys.argv[2], "wb").write (out)


main ()
