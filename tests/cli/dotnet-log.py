# dotnet-log.py OUT -- a log as the log profiler of .NET writes it in a browser: data version 17, pointers of 4 bytes,
# one thread, domain 1, and no end, as a browser does not end its program.  Made by hand from docs/mlpd-format.md.
#
# Main calls Load three times, 1 ms each; each allocates two Items of 16 bytes.  One collection of generation 1 stops
# the program for 2 ms.  The last call does not return: the log stops in it.
import sys

from mlpd_writer import Buffer, header, sleb, text, uleb

MS = 1000000
BASE = 0x20000000
THREAD, IMAGE, CLASS, VTABLE = BASE + 0x10, BASE + 0x100, BASE + 0x200, BASE + 0x300
MAIN, LOAD, OBJECT = BASE + 0x1000, BASE + 0x2000, BASE + 0x80000


def buffer(time):
    return Buffer(time, THREAD, BASE, OBJECT, MAIN)


names = buffer(0)
names.metadata(1000, 4, names.address(1))
names.metadata(1000, 4, names.address(1), text("browser"), action=0)
names.metadata(1000, 6, names.address(0), names.address(1))
names.metadata(1000, 5, names.address(THREAD))
names.metadata(1000, 5, names.address(THREAD), text("Main"), action=0)
names.metadata(1000, 2, names.address(IMAGE), text("App.dll"), text("00000000-0000-0000-0000-000000000001"))
names.metadata(1000, 1, names.address(CLASS), names.address(IMAGE), text("App.Item"))
names.metadata(1000, 7, names.address(VTABLE), names.address(1), names.address(CLASS))
for method, name in (MAIN, "App.Program:Main ()"), (LOAD, "App.Program:Load ()"):
    names.put(0x43, 2000, names.at_method(method), names.address(method + 0x100), uleb(64), text(name))

run = buffer(MS)
now = MS
item = 0
run.put(0x23, now, run.at_method(MAIN))
for call in range(3):
    now += MS
    run.put(0x23, now, run.at_method(LOAD))
    for _ in range(2):
        run.put(0x10, now, run.address(VTABLE), sleb(item * 2), uleb(16), uleb(2), run.at_method(MAIN), run.at_method(LOAD))
        item += 1
    now += MS
    if call < 2:
        run.put(0x13, now, run.at_method(LOAD))
    if call == 0:
        for phase, after in (6, 0), (10, 0), (7, 0), (0, 0), (5, 2 * MS), (8, 0), (9, 0), (11, 0):
            now += after
            run.put(0x11, now, bytes([phase, 1]))

with open(sys.argv[1], "wb") as out:
    out.write(header(4, "log:alloc,output=output.mlpd", "wasm32", "browser") + names.bytes() + run.bytes())
