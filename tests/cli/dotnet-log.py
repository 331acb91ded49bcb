# dotnet-log.py OUT -- a log as the log profiler of .NET writes it in a browser: data version 17, pointers of 4 bytes,
# one thread, domain 1, and no end, as a browser does not end its program.  Made by hand from docs/mlpd-format.md.
#
# Main calls Load three times, 1 ms each; each allocates two Items of 16 bytes.  One collection of generation 1 stops
# the program for 2 ms.  The last call does not return: the log stops in it.
import struct
import sys

MS = 1000000
BASE = 0x20000000
THREAD, IMAGE, CLASS, VTABLE = BASE + 0x10, BASE + 0x100, BASE + 0x200, BASE + 0x300
MAIN, LOAD, OBJECT = BASE + 0x1000, BASE + 0x2000, BASE + 0x80000


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


class Buffer:
    def __init__(self, time):
        self.start = self.time = time
        self.method = MAIN
        self.events = b""

    def put(self, byte, time, *fields):
        self.events += bytes([byte]) + uleb(time - self.time) + b"".join(fields)
        self.time = time

    def at_method(self, method):
        difference, self.method = method - self.method, method
        return sleb(difference)

    def bytes(self):
        return struct.pack("<IIQQQQQ", 0x4D504C01, len(self.events), self.start, BASE, OBJECT // 8, THREAD,
                           MAIN) + self.events


def address(a):
    return sleb(a - BASE)


def metadata(buffer, time, mtype, *fields, action=0x20):
    buffer.put(0x02 | action, time, bytes([mtype]), *fields)


def header_text(s):
    return struct.pack("<I", len(s) + 1) + text(s)


log = struct.pack("<IBBBBQQIIIH", 0x4D505A01, 3, 0, 17, 4, 1700000000000, 0, 0, 0, 42, 0)
log += header_text("log:alloc,output=output.mlpd") + header_text("wasm32") + header_text("browser")

names = Buffer(0)
metadata(names, 1000, 4, address(1))
metadata(names, 1000, 4, address(1), text("browser"), action=0)
metadata(names, 1000, 6, address(0), address(1))
metadata(names, 1000, 5, address(THREAD))
metadata(names, 1000, 5, address(THREAD), text("Main"), action=0)
metadata(names, 1000, 2, address(IMAGE), text("App.dll"), text("00000000-0000-0000-0000-000000000001"))
metadata(names, 1000, 1, address(CLASS), address(IMAGE), text("App.Item"))
metadata(names, 1000, 7, address(VTABLE), address(1), address(CLASS))
for method, name in (MAIN, "App.Program:Main ()"), (LOAD, "App.Program:Load ()"):
    names.put(0x43, 2000, names.at_method(method), address(method + 0x100), uleb(64), text(name))

run = Buffer(MS)
now = MS
item = 0
run.put(0x23, now, run.at_method(MAIN))
for call in range(3):
    now += MS
    run.put(0x23, now, run.at_method(LOAD))
    for _ in range(2):
        run.put(0x10, now, address(VTABLE), sleb(item * 2), uleb(16), uleb(2), run.at_method(MAIN), run.at_method(LOAD))
        item += 1
    now += MS
    if call < 2:
        run.put(0x13, now, run.at_method(LOAD))
    if call == 0:
        for phase, after in (6, 0), (10, 0), (7, 0), (0, 0), (5, 2 * MS), (8, 0), (9, 0), (11, 0):
            now += after
            run.put(0x11, now, bytes([phase, 1]))

with open(sys.argv[1], "wb") as out:
    out.write(log + names.bytes() + run.bytes())
