"""make-eventlog.py OUT -- writes an eventlog of the events in standard input, one a line:

CAP TIME run THREAD | CAP TIME stop THREAD | CAP TIME give THREAD | CAP TIME msg TEXT | CAP TIME mark TEXT | CAP TIME span NUMBER [NAME]
CAP TIME spark run|steal | CAP TIME perf-name NUMBER NAME | CAP TIME perf-count NUMBER PERIOD | CAP TIME perf-hit NUMBER

A span of opentelemetry with a name begins, one without ends.

A time is in ns.  Each capability has one block, in the order in which they come first.
"""
import struct
import sys

RUN, STOP, BLOCK, MESSAGE, MARK, BINARY, VARIABLE = 1, 2, 18, 19, 58, 181, 0xFFFF
SPARK_RUN, SPARK_STEAL, PERF_NAME, PERF_COUNT, PERF_HIT = 38, 39, 140, 141, 142
SIZES = { RUN: 4, STOP: 10, BLOCK: 14, MESSAGE: VARIABLE, MARK: VARIABLE, BINARY: VARIABLE, SPARK_RUN: 0,
          SPARK_STEAL: 2, PERF_NAME: VARIABLE, PERF_COUNT: 20, PERF_HIT: 12 }
FINISHED, YIELDING = 5, 3


def head_of (tag, time):
    return struct.pack (">HQ", tag, time)


def perf (time, what, text):
    number, _, rest = text.partition (" ")
    if what == "perf-name":
        body = struct.pack (">I", int (number)) + rest.encode ()
        return head_of (PERF_NAME, time) + struct.pack (">H", len (body)) + body
    if what == "perf-count":
        return head_of (PERF_COUNT, time) + struct.pack (">IQQ", int (number), 7, int (rest))
    return head_of (PERF_HIT, time) + struct.pack (">IQ", int (number), 7)


def event (time, what, text):
    if what.startswith ("perf"):
        return perf (time, what, text)
    if what == "spark":
        return head_of (SPARK_RUN, time) if text == "run" else head_of (SPARK_STEAL, time) + struct.pack (">H", 0)
    head = struct.pack (">HQ", { "run": RUN, "stop": STOP, "give": STOP, "msg": MESSAGE, "mark": MARK, "span": BINARY }[what], time)
    if what == "run":
        return head + struct.pack (">I", int (text))
    if what in ("stop", "give"):
        return head + struct.pack (">IHI", int (text), FINISHED if what == "stop" else YIELDING, 0)
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
