"""hostile-logs.py KIND OUT [N] -- writes a crafted log that costs a careless reader memory or time."""
import struct
import sys


def leb (n):
    out = b""
    while n > 0x7F:
        out += bytes ([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes ([n])


def sleb (n):
    out = b""
    while not -0x40 <= n < 0x40:
        out += bytes ([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes ([n & 0x7F])


# ---- logs of Mono ----

def mono_header (version):
    start = struct.pack ("<IBBBBQII I", 0x4D505A01, 0, 4, version, 8, 0, 0, 0, 1)
    return start + (b"\0\0\0\0")


def buffer (body, time=0, thread=1, length=None):
    size = len (body) if length is None else length
    return struct.pack ("<IIQQQQQ", 0x4D504C01, size, time, 0, 0, thread, 0) + body


def buffers (events, size=60000, thread=1):
    """Events, which count from base 0, in buffers of about this size."""
    body = bytearray ()
    for event in events:
        body += event
        if len (body) > size:
            yield buffer (bytes (body), thread=thread)
            body = bytearray ()
    yield buffer (bytes (body), thread=thread)


def class_event (address, name):
    return b"\x22" + leb (1) + b"\1" + sleb (address) + sleb (0x50) + name + b"\0"


def jit_event (method, name):
    """The method's difference; its own address counts on."""
    return b"\x43" + leb (1) + sleb (method) + sleb (0x1000) + leb (16) + name + b"\0"


def mono_enters (n):
    """A million calls that never return, of methods without a name."""
    yield from buffers (b"\x23\1\1" for i in range (n))


def mono_recursion (n):
    yield from buffers (b"\x23\1\0" for i in range (n))


def mono_methods (n):
    """Methods of one name."""
    yield from buffers (jit_event (1, b"A:a ()") for i in range (n))


def mono_method_calls (n):
    """Methods of one name, each called once."""
    yield from mono_methods (n)
    yield from buffers (b"\x23\1\1\x13\1\0" for i in range (n))


def mono_classes (n):
    """Classes of one name."""
    yield from buffers (class_event (0x1000 + 8 * i, b"A") for i in range (n))


def mono_thread_names (n):
    yield from buffers (b"\x02\1\5" + sleb (i + 1) + b"t%d\0" % i for i in range (n))


def mono_threads (n):
    for i in range (n):
        yield buffer (b"\x23\1\1", time=i, thread=i + 1)


def mono_vtables (n):
    """A class with very many vtables, each of which has an object in each of two heap snapshots."""
    yield buffer (class_event (0x1000, b"A"))
    yield from buffers (b"\x22\1\7" + sleb (0x100000 + 8 * i) + sleb (1) + sleb (0x1000) for i in range (n))
    for shot in range (3):
        yield buffer (b"\x06\1")
        yield from buffers (b"\x26\1" + sleb (0x10000 + 4 * i) + sleb (0x100000 + 8 * i)
                            + leb (16 + 8 * shot) + b"\0" + leb (0) for i in range (n))
        yield buffer (b"\x16\1")


def mono_object_classes (n):
    """An object of a class of its own each, in heap snapshots."""
    yield from mono_classes (n)
    for shot in range (2):
        yield buffer (b"\x06\1")
        yield from buffers (b"\x26" + sleb (0x10000 + 4 * i) + sleb (0x1000 + 8 * i)
                            + leb (16) + leb (0) for i in range (n))
        yield buffer (b"\x16\1")


def mono_huge_objects (n):
    """Objects of a heap snapshot that overlap, and have some GiB each."""
    yield buffer (class_event (0x1000, b"A"))
    yield buffer (b"\x06\1" + b"".join (b"\x26" + sleb (0x1000 + 2 * i) + sleb (0x1000) + leb (1 << 30)
                                        + leb (0) for i in range (n)) + b"\x16\1")


def mono_large_objects (n):
    """Allocations of more than half of all memory each, one after a collection."""
    yield buffer (class_event (0x1000, b"A"))
    yield from buffers (b"\x00\1" + sleb (0x1000) + sleb (0x1000 + 4 * i) + leb (1 << 63)
                        + b"\x11\1\0\1" for i in range (n))


def mono_counters (n):
    """Counters that are never sampled."""
    def events ():
        for i in range (n):
            yield (b"\x08\1" + leb (1) + leb (1) + b"c%d\0" % i + b"\0" + b"\0\0" + leb (i + 1))
    yield from buffers (events ())


def mono_throws (n):
    """Exceptions at addresses that no allocation names."""
    yield from buffers (b"\x04\1" + sleb (0x1000 + 4 * i) for i in range (n))


def mono_locks (n):
    yield from buffers (b"\x15\1" + sleb (0x1000 + 4 * i) for i in range (n))


def mono_traces (n):
    """Allocations, each with a backtrace of its own."""
    yield buffer (class_event (0x1000, b"A"))
    yield from buffers (b"\x10\1" + sleb (0x1000) + sleb (0x1000 + 4 * i) + leb (16) + b"\0" + leb (2)
                        + sleb (0x2000 + i) + sleb (0x3000 + i * 7) for i in range (n))


def mono_samples (n):
    """Samples at an address each."""
    yield from buffers (b"\x07" + leb (1) + leb (i) + leb (1) + sleb (0x1000 + 5 * i) for i in range (n))


def mono_handles (n):
    yield from buffers (b"\x41\1" + leb (2) + leb (i) + sleb (0x1000 + 4 * i) for i in range (n))


def mono_moves (n):
    """Objects that are moved, and were never allocated."""
    yield from buffers ((b"\x31\1" + leb (2) + sleb (0x1000 + 4 * i) + sleb (0x9000000 + 4 * i)
                         for i in range (n)))


def mono_counts (n):
    """Events with counts that no log has, each in a buffer of its own."""
    for count in (1 << 31, (1 << 32) - 1, 1 << 62, (1 << 63) + 5, (1 << 64) - 1):
        c = leb (count)
        yield buffer (b"\x31\1" + c + b"\1\1\1")
        yield buffer (b"\x10\1\1\1\x10\0" + c + b"\1")
        yield buffer (b"\x26\1\1" + leb (16) + c + b"\1\1")
        yield buffer (b"\x07" + leb (1) + leb (1) + c + b"\1\1")
        yield buffer (b"\x36" + c + leb (1) + b"\1\1\1")
        yield buffer (b"\x08\1" + c + b"\1\1")
        yield buffer (b"\x21\1" + c)
        yield buffer (b"\x00\1\1\1" + c)
        yield buffer (b"\x06\1\x26\1\1" + c + leb (0) + b"\x16\1")


def mono_lebs (n):
    """Numbers that do not end, in buffers of 1 MiB."""
    for i in range (n >> 20):
        yield buffer (b"\x23" + b"\x80" * (1 << 20))


def mono_headers (n):
    """65 bytes again and again: a header that is none, as its thread is too large, and 17 zeros."""
    block = buffer (b"", thread=1 << 60) + bytes (17)
    yield b"\xff" * 7
    yield from (block * 1000 for i in range (n // 1000))


def mono_ids (n):
    """The bytes with which the id of a buffer begins, without end."""
    yield b"\xff" * 7
    yield from (b"\x01\x4c\x50" * 1000 for i in range (n // 1000))


def mono_ones (n):
    yield b"\xff" * 7
    yield from (b"\1" * 10000 for i in range (n // 10000))


def mono_empty (n):
    """Empty buffers."""
    yield from (buffer (b"") * 1000 for i in range (n // 1000))


def mono_short (n):
    """Buffers with an event that no version has: each is damage."""
    yield from (buffer (b"\x0f") * 1000 for i in range (n // 1000))


def mono_one_buffer (n):
    """A single buffer."""
    yield buffer (b"", length=3 * (n // 100000) * 100000)
    yield from (b"\x23\1\0" * 100000 for i in range (n // 100000))


def mono_other (n):
    """Another log follows, which is not read."""
    yield buffer (b"\x23\1\0")
    yield mono_header (1)
    yield from (bytes (100000) for i in range (n // 100000))


def mono_damaged (n):
    """A single buffer that is damaged at its first event."""
    yield buffer (b"\x0f", length=n // 100000 * 100000 + 1)
    yield from (b"\xff" * 100000 for i in range (n // 100000))


# ---- eventlogs ----

GHC_SIZES = { 0: 4, 1: 4, 2: 10, 3: 4, 9: 0, 10: 0, 16: 0xFFFF, 17: 2, 18: 14, 19: 0xFFFF, 25: 6, 27: 6, 29: 0xFFFF,
              33: 8, 44: 0xFFFF, 45: 2, 49: 12, 53: 50, 55: 10, 58: 0xFFFF, 63: 0, 160: 0xFFFF, 162: 9, 163: 0xFFFF,
              164: 0xFFFF }


def ghc_header ():
    out = b"hdrbhetb"
    for tag in sorted (GHC_SIZES):
        out += b"etb\0" + struct.pack (">HHII", tag, GHC_SIZES[tag], 0, 0) + b"ete\0"
    return out + b"hetehdredatb"


def event (tag, time, payload=b""):
    size = GHC_SIZES[tag]
    head = struct.pack (">HQ", tag, time)
    return head + (struct.pack (">H", len (payload)) if size == 0xFFFF else b"") + payload


def block (body, first=1, last=1 << 40, cap=0):
    return struct.pack (">HQIQH", 18, first, 24 + len (body), last, cap) + body


def blocks (events, size=60000):
    body = bytearray (event (17, 1, struct.pack (">H", 1)) + event (45, 1, struct.pack (">H", 0)))
    for e in events:
        body += e
        if len (body) > size:
            yield block (bytes (body))
            body = bytearray ()
    yield block (bytes (body)) + b"\xff\xff"


def ghc_labels (n):
    """Labels of threads."""
    yield from blocks (event (44, 2 + i, struct.pack (">I", i + 1) + b"x" * 8) for i in range (n))


def ghc_long_labels (n):
    """... of 400 characters."""
    yield from blocks (event (44, 2 + i, struct.pack (">I", i + 1) + b"x" * 400) for i in range (n))


def ghc_threads (n):
    yield from blocks (event (0, 2 + i, struct.pack (">I", i + 1)) for i in range (n))


def ghc_runs (n):
    """Threads that run once."""
    yield from blocks (event (1, 2 + 2 * i, struct.pack (">I", i + 1))
                       + event (2, 3 + 2 * i, struct.pack (">IHI", i + 1, 1, 0)) for i in range (n))


def ghc_caps (n):
    """Blocks of as many capabilities as there can be."""
    yield from (block (event (1, 2, struct.pack (">I", 1)), cap=i % 65535) for i in range (n))
    yield b"\xff\xff"


def ghc_capsets (n):
    yield from blocks (event (25, 2 + i, struct.pack (">IH", i, 1)) for i in range (n))


def ghc_messages (n):
    yield from blocks (event (19, 2 + i, b"m%d" % i) for i in range (n))


def ghc_marks (n):
    yield from blocks (event (58, 2 + i, b"m%d" % i) for i in range (n))


def ghc_zero_sizes (n):
    """Declared without a payload, and used: of types whose payload is read."""
    sizes = dict.fromkeys (GHC_SIZES, 0)
    sizes[18] = 14
    out = b"hdrbhetb"
    for tag in sorted (sizes):
        out += b"etb\0" + struct.pack (">HHII", tag, sizes[tag], 0, 0) + b"ete\0"
    yield out + b"hetehdredatb"
    yield block (b"".join (struct.pack (">HQ", tag, 2) for tag in sizes if tag != 18)) + b"\xff\xff"


def ghc_resync (n):
    """Markers of blocks in which nothing fits, after damage."""
    yield b"\xee" * 40
    marker = struct.pack (">HQIQH", 18, 5, 1 << 20, 1 << 40, 0)
    yield from ((marker + event (1, 6, struct.pack (">I", 1)) * 2 + b"\xee\xee") * 1000 for i in range (n // 1000))


def ghc_chains (n):
    """Events that are in order, but never enough of them."""
    yield b"\xee" * 40
    part = b"".join (event (1, 6 + i, struct.pack (">I", 1)) for i in range (2)) + b"\xee\xee\xee"
    yield from (part * 1000 for i in range (n // 1000))


def ghc_walks (n):
    """Blocks of 1 MiB whose last event is none, each a byte after the other's beginning."""
    yield b"\xee" * 40
    marker = struct.pack (">HQIQH", 18, 5, 1 << 20, 1 << 40, 0)
    yield marker * (n // 100)
    yield from (event (9, 6) * 1000 for i in range (n // 1000))
    yield b"\xee" * (1 << 20)


def ghc_nested (n):
    """... of which each is walked to its end, as all are markers and events."""
    yield b"\xee" * 40
    for i in range (n // 1000):
        marker = struct.pack (">HQIQH", 18, 5, (1 << 20) - 3, 1 << 40, 0)
        yield marker + event (9, 6) * 1000


def ghc_zeros (n):
    yield b"\xee" * 40
    yield from (bytes (100000) for i in range (n // 100000))


def ghc_headers (n):
    """Headers of 65 bytes with one type."""
    yield b"\xee" * 40
    header = (b"hdrbhetbetb\0" + struct.pack (">HHI", 18, 14, 25) + b"x" * 25 + struct.pack (">I", 0)
              + b"ete\0hetehdredatb")
    yield from (header * 1000 for i in range (n // 1000))


def ghc_cut_headers (n):
    """The beginning of headers."""
    yield b"\xee" * 40
    yield from ((b"hdrbhetb" + b"etb\0" * 14 + b"x") * 1000 for i in range (n // 1000))


def ghc_ended_headers (n):
    """Headers, each with the end of its log."""
    yield b"\xff\xff"
    header = (b"hdrbhetbetb\0" + struct.pack (">HHI", 18, 14, 23) + b"x" * 23 + struct.pack (">I", 0)
              + b"ete\0hetehdredatb\xff\xff")
    yield from (header * 1000 for i in range (n // 1000))


def ghc_empty_blocks (n):
    yield b"\xee" * 40
    marker = struct.pack (">HQIQH", 18, 5, 24, 1 << 40, 0)
    yield from (marker * 1000 for i in range (n // 1000))


def ghc_markers (n):
    """Markers of large blocks, each in the one before."""
    yield b"\xee" * 40
    marker = struct.pack (">HQIQH", 18, 5, 1 << 23, 1 << 40, 0)
    yield from (marker * 1000 for i in range (n // 1000))


def ghc_marked_events (n):
    """... with three events each."""
    yield b"\xee" * 40
    marker = struct.pack (">HQIQH", 18, 5, 1 << 23, 1 << 40, 0)
    yield from ((marker + event (9, 6) * 3) * 1000 for i in range (n // 1000))


def ghc_ends (n):
    yield b"\xee" * 40
    yield from (b"\xff" * 10000 for i in range (n // 10000))


def ghc_long_events (n):
    """Events of 64 KiB within each other."""
    yield b"\xee" * 40
    yield from ((struct.pack (">HQH", 19, 6, 65000) + b"\xee") * 1000 for i in range (n // 1000))


def ghc_strings (n):
    """Payloads of events whose lists of texts are read."""
    yield b"\xee" * 40
    yield from ((struct.pack (">HQH", 29, 6, 60000) + bytes (7)) * 1000 for i in range (n // 1000))


def main ():
    kind, out = sys.argv[1:3]
    n = int (sys.argv[3]) if len (sys.argv) > 3 else 500000
    with open (out, "wb") as file:
        if kind == "ghc_zero_sizes":
            pass
        elif kind.startswith ("ghc"):
            file.write (ghc_header ())
        else:
            file.write (mono_header (17 if kind in ("mono_vtables",) else 2 if kind == "mono_counters" else 1))
        for part in globals ()[kind] (n):
            file.write (part)


main ()
