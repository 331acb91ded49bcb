"""random-call-stacks.py LOG FOLDED STACKS SAMPLES SEED ORDER [bare] -- eventlogs with stacks of ghc-stack-profiler.

So many different stacks are written in so many samples, with the frame first that ORDER names: innermost or outermost.
FOLDED gets what `proflog export --format folded` is to print, sorted.  Names come before the samples, after them, or
never.  "bare": the same log without the names of info tables.
"""
import random
import struct
import sys

log, folded, n_stacks, n_samples, seed, order = sys.argv[1:3] + [int (x) for x in sys.argv[3:6]] + [sys.argv[6]]
IPE, BINARY, BLOCK, NO_CAP = 169, 181, 18, 0xFFFF
BLOCK_BYTES = 1 << 20
bare = sys.argv[7:] == ["bare"]
rng = random.Random (seed)


class Blocks:
    """Events of capabilities, as blocks in the order in which they are full."""
    def __init__ (self, out):
        self.out, self.open, self.time = out, {}, 1000

    def add (self, cap, tag, payload):
        self.time += 1000
        body = self.open.setdefault (cap, bytearray ())
        body += struct.pack (">HQH", tag, self.time, len (payload)) + payload
        if len (body) > BLOCK_BYTES:
            self.flush (cap)

    def flush (self, cap):
        body = self.open.pop (cap)
        start = struct.unpack_from (">Q", body, 2)[0]
        self.out.write (struct.pack (">HQIQH", BLOCK, start, 24 + len (body), self.time, cap) + body)


def string (number, text):
    text = text.encode ()
    return b"\xff\xcc" + struct.pack (">QH", number, len (text)) + text


class Frame:
    """A function, or an annotation with or without its place."""
    def __init__ (self, number):
        kind = rng.choices (["table", "text", "placed"], [75, 20, 5])[0]
        is_named = number == 0 or rng.random () > 0.02
        self.late = rng.random () < 0.3
        self.definitions = []  # of tag and payload
        if kind == "table":
            table = 0x400000 + rng.randrange (1 << 40) * 8
            self.item = b"\x01" + struct.pack (">Q", table)
            module, label = "M%d" % (number % 50), "f%d" % number
            self.name = "%s.%s" % (module, label) if is_named else "0x%x" % table
            texts = ["%s_info" % label, "15", "", label, module, "src/%s.hs:%d:1-9" % (module, number)]
            body = struct.pack (">Q", table) + b"".join (t.encode () + b"\0" for t in texts)
            self.definitions += [(IPE, body)] * is_named
        else:
            self.name = "request %d" % (number % 1000) if is_named else "text %d" % number
            self.item = b"\x02" + struct.pack (">Q", number)
            self.definitions += [(BINARY, string (number, self.name))] * is_named
            if kind == "placed":
                self.item = b"\x03" + struct.pack (">QQ", number, number)
                place = b"\xff\xcd" + struct.pack (">QIIQ", number, 7, 3, 1 << 20)
                self.definitions.append ((BINARY, place))


def define (blocks, frames, late):
    for frame in frames:
        for tag, payload in frame.definitions if frame.late == late else []:
            if tag == IPE and bare:
                continue
            blocks.add (NO_CAP if tag == IPE else 0, tag, payload)


def write_stack (blocks, stack):
    """In parts, now and then."""
    thread, cap = rng.randrange (1, 9), rng.randrange (2)
    items = [frame.item for frame in (stack if order == "outermost" else reversed (stack))]
    size = len (items) if rng.random () > 0.02 else rng.randrange (1, len (items) + 1)
    parts = [items[i:i + size] for i in range (0, len (items), size)]
    for i, part in enumerate (parts):
        kind = 0xFFCA if i == len (parts) - 1 else 0xFFCB
        blocks.add (cap, BINARY, struct.pack (">HIIH", kind, cap, thread, len (part)) + b"".join (part))


def make_stacks (frames):
    """A stack is a part of another one, and what that calls."""
    stacks, seen = [[frames[0]]], set ()
    while len (stacks) <= n_stacks:
        old = stacks[rng.randrange (len (stacks))]
        stack = old[:rng.randrange (1, len (old) + 1)] + rng.choices (frames[1:], k=rng.randrange (1, 5))
        key = b"".join (frame.item for frame in stack)
        if key not in seen and len (stack) <= 60:
            seen.add (key)
            stacks.append (stack)
    return stacks[1:]


def main ():
    frames = [Frame (i) for i in range (min (2000, n_stacks))]
    stacks = make_stacks (frames)
    counts = [0] * n_stacks
    with open (log, "wb") as out:
        out.write (b"hdrbhetb")
        for tag, size in { BLOCK: 14, IPE: 0xFFFF, BINARY: 0xFFFF }.items ():
            out.write (b"etb\0" + struct.pack (">HHII", tag, size, 0, 0) + b"ete\0")
        out.write (b"hetehdredatb")
        blocks = Blocks (out)
        blocks.add (0, BINARY, string (1 << 20, "src/Main.hs"))
        define (blocks, frames, False)
        for i in range (n_samples):
            n = i if i < n_stacks else rng.randrange (n_stacks)
            counts[n] += 1
            write_stack (blocks, stacks[n])
        define (blocks, frames, True)
        for cap in list (blocks.open):
            blocks.flush (cap)
        out.write (b"\xff\xff")
    sums = {}
    for stack, count in zip (stacks, counts):
        if count != 0:
            line = ";".join (frame.name for frame in stack)
            sums[line] = sums.get (line, 0) + count
    with open (folded, "w") as out:
        out.writelines (sorted ("%s %d\n" % item for item in sums.items ()))


main ()
