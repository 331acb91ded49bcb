"""make-eventlog.py OUT -- writes an eventlog of the events in standard input, one a line:

CAP TIME run THREAD | CAP TIME stop THREAD | CAP TIME msg TEXT | CAP TIME mark TEXT | CAP TIME span NUMBER [NAME]

A span of opentelemetry with a name begins, one without ends.

A time is in ns.  Each capability has one block, in the order in which they come first.
"""
import struct
import sys

RUN, STOP, BLOCK, MESSAGE, MARK, BINARY, VARIABLE = 1, 2, 18, 19, 58, 181, 0xFFFF
SIZES = { RUN: 4, STOP: 10, BLOCK: 14, MESSAGE: VARIABLE, MARK: VARIABLE, BINARY: VARIABLE }
FINISHED = 5


def event (time, what, text):
    head = struct.pack (">HQ", { "run": RUN, "stop": STOP, "msg": MESSAGE, "mark": MARK, "span": BINARY }[what], time)
    if what == "run":
        return head + struct.pack (">I", int (text))
    if what == "stop":
        return head + struct.pack (">IHI", int (text), FINISHED, 0)
    if what == "span":
        number, name = text.split (" ", 1)
        body = bytes ([ord ("O"), ord ("T"), 3, 1 if name else 2]) + struct.pack ("<Q", int (number)) + name.encode ()
        return head + struct.pack (">H", len (body)) + body
    return head + struct.pack (">H", len (text.encode ())) + text.encode ()


def main ():
    blocks, times = {}, {}
    for line in sys.stdin:
        cap, time, what, text = line.rstrip ("\n").split (" ", 3)
        blocks.setdefault (int (cap), bytearray ()).extend (event (int (time), what, text))
        times.setdefault (int (cap), []).append (int (time))
    out = bytearray (b"hdrbhetb")
    for tag, size in SIZES.items ():
        out += b"etb\0" + struct.pack (">HHII", tag, size, 0, 0) + b"ete\0"
    out += b"hetehdredatb"
    for cap, body in blocks.items ():
        first, last = min (times[cap]), max (times[cap])
        out += struct.pack (">HQIQH", BLOCK, first, 24 + len (body), last, cap) + body
    open (sys.argv[1], "wb").write (out + b"\xff\xff")


main ()
