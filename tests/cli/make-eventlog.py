"""make-eventlog.py OUT -- writes an eventlog of the events in standard input, one a line:

CAP TIME run THREAD | CAP TIME stop THREAD | CAP TIME give THREAD | CAP TIME wait THREAD STATUS | CAP TIME msg TEXT | CAP TIME mark TEXT | CAP TIME span NUMBER [NAME]
CAP TIME label THREAD TEXT | CAP TIME span-tag NUMBER KEY VALUE | CAP TIME span-event NUMBER KEY VALUE | CAP TIME span-id NUMBER SPAN
CAP TIME span-parent NUMBER SPAN
CAP TIME allocated BYTES | CAP TIME held BYTES | CAP TIME live BYTES | CAP TIME blocks BYTES | CAP TIME return HELD NEEDED RETURNED (megablocks)
CAP TIME heap-begin BREAKDOWN | CAP TIME heap-sample | CAP TIME band BYTES NAME | CAP TIME stack BYTES CENTRE...
CAP TIME centre NUMBER NAME MODULE | CAP TIME table NUMBER|CLOSURE|TYPE|LABEL|MODULE|LOCATION (of an info table)
CAP TIME gc start|end|idle|work|done | CAP TIME collected GENERATION COPIED SLOP (the figures of a collection)
CAP TIME concurrent begin|end (a collection by the collector that does not move data)
CAP TIME spark run|steal | CAP TIME perf-name NUMBER NAME | CAP TIME perf-count NUMBER PERIOD | CAP TIME perf-hit NUMBER

A span of opentelemetry with a name begins, one without ends.

A time is in ns.  Each capability has one block, in the order in which they come first.
"""
import struct
import sys

RUN, STOP, BLOCK, MESSAGE, MARK, BINARY, VARIABLE = 1, 2, 18, 19, 58, 181, 0xFFFF
ALLOCATED, HELD, LIVE, RETURN, BLOCKS, CONC_BEGIN, CONC_END = 49, 50, 51, 90, 91, 200, 205
HEAP_BEGIN, CENTRE, HEAP_SAMPLE, STACK, BAND, TABLE = 160, 161, 162, 163, 164, 169
LABEL = 44
GC, GC_STATS = { "start": 9, "end": 10, "idle": 20, "work": 21, "done": 22 }, 53
SPARK_RUN, SPARK_STEAL, PERF_NAME, PERF_COUNT, PERF_HIT = 38, 39, 140, 141, 142
SIZES = { RUN: 4, STOP: 10, BLOCK: 14, MESSAGE: VARIABLE, MARK: VARIABLE, BINARY: VARIABLE, SPARK_RUN: 0,
          SPARK_STEAL: 2, PERF_NAME: VARIABLE, PERF_COUNT: 20, PERF_HIT: 12, ALLOCATED: 12, HELD: 12, LIVE: 12,
          LABEL: VARIABLE, HEAP_BEGIN: VARIABLE, CENTRE: VARIABLE, HEAP_SAMPLE: 8, STACK: VARIABLE, BAND: VARIABLE, TABLE: VARIABLE,
          RETURN: 16, BLOCKS: 12, CONC_BEGIN: 0, CONC_END: 0, GC_STATS: 58, **{ tag: 0 for tag in GC.values () } }
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


def memory (time, what, text):
    if what == "return":
        return head_of (RETURN, time) + struct.pack (">IIII", 0, *map (int, text.split ()))
    tags = { "allocated": ALLOCATED, "held": HELD, "live": LIVE, "blocks": BLOCKS }
    return head_of (tags[what], time) + struct.pack (">IQ", 0, int (text))


def span (time, what, text):
    number, rest = text.split (" ", 1)
    body = bytes ([ord ("O"), ord ("T"), 3]), struct.pack ("<Q", int (number))
    if what in ("span-tag", "span-event"):
        kind, more = 3 if what == "span-tag" else 4, rest.replace (" ", "\0", 1).encode ()
    elif what == "span-parent":
        kind, more = 5, struct.pack ("<QQ", int (rest), 99)
    elif what == "span-id":
        kind, more = 7, struct.pack ("<Q", int (rest))
    else:
        kind, more = 1 if rest else 2, rest.encode ()
    body = body[0] + bytes ([kind]) + body[1] + more
    return head_of (BINARY, time) + struct.pack (">H", len (body)) + body


def variable (tag, time, body):
    return head_of (tag, time) + struct.pack (">H", len (body)) + body


def texts (*all_of_them):
    return b"".join (text.encode () + b"\0" for text in all_of_them)


def profile (time, what, text):
    words = text.split ()
    if what == "heap-begin":
        return variable (HEAP_BEGIN, time, struct.pack (">BQI", 0, 100000000, int (text)) + bytes (7))
    if what == "heap-sample":
        return head_of (HEAP_SAMPLE, time) + bytes (8)
    if what == "band":
        return variable (BAND, time, struct.pack (">BQ", 0, int (words[0])) + texts (text.partition (" ")[2]))
    if what == "stack":
        centres = [int (word) for word in words[1:]]
        return variable (STACK, time, struct.pack (">BQB", 0, int (words[0]), len (centres))
                         + b"".join (struct.pack (">I", centre) for centre in centres))
    if what == "centre":
        return variable (CENTRE, time, struct.pack (">I", int (words[0])) + texts (words[1], words[2], "f.hs:1:1") + b"\0")
    number, closure, kind, label, module, location = text.split ("|")
    return variable (TABLE, time, struct.pack (">Q", int (number)) + texts ("t_info", closure, kind, label, module, location))


def event (time, what, text):
    if what == "label":
        number, _, name = text.partition (" ")
        return variable (LABEL, time, struct.pack (">I", int (number)) + name.encode ())
    if what in ("heap-begin", "heap-sample", "band", "stack", "centre", "table"):
        return profile (time, what, text)
    if what.startswith ("span"):
        return span (time, what, text)
    if what in ("allocated", "held", "live", "blocks", "return"):
        return memory (time, what, text)
    if what == "gc":
        return head_of (GC[text], time)
    if what == "collected":
        generation, copied, slop = [int (word) for word in text.split ()]
        return head_of (GC_STATS, time) + struct.pack (">IHQqQIQQQ", 0, generation, copied, slop, 0, 1, 0, copied, 0)
    if what == "concurrent":
        return head_of (CONC_BEGIN if text == "begin" else CONC_END, time)
    if what.startswith ("perf"):
        return perf (time, what, text)
    if what == "spark":
        return head_of (SPARK_RUN, time) if text == "run" else head_of (SPARK_STEAL, time) + struct.pack (">H", 0)
    if what == "wait":
        return head_of (STOP, time) + struct.pack (">IHI", *map (int, text.split ()), 0)
    head = struct.pack (">HQ", { "run": RUN, "stop": STOP, "give": STOP, "msg": MESSAGE, "mark": MARK }[what], time)
    if what == "run":
        return head + struct.pack (">I", int (text))
    if what in ("stop", "give"):
        return head + struct.pack (">IHI", int (text), FINISHED if what == "stop" else YIELDING, 0)
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
