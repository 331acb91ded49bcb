"""random-eventlog.py SEED OUT -- an eventlog of a random program as GHC would write it: threads that run, wait, wake each
other and move between capabilities, parallel and sequential collections, marks and intervals, blocks that overlap."""
import random
import struct
import sys

SIZES = {0: 4, 1: 4, 2: 10, 4: 6, 8: 6, 9: 0, 10: 0, 11: 0, 12: 0, 18: 14, 19: 0xffff, 20: 0, 21: 0, 22: 0, 34: 56,
         44: 0xffff, 45: 2, 49: 12, 50: 12, 51: 12, 53: 58, 54: 0, 58: 0xffff}
STATUSES = (1, 1, 2, 3, 3, 5, 6, 7, 7, 8, 9, 10, 11, 12, 18, 20)
SEED, OUT = sys.argv[1:]
dice = random.Random(int(SEED))
if dice.random() < .7:  # else GHC 7.8.2 has other numbers of reasons to stop
    SIZES[59] = 0
CAPS = range(dice.randint(1, 4))
GENERATIONS = dice.randint(1, 3)


class Cap:
    def __init__(self, number):
        self.number, self.now, self.allocated, self.events = number, dice.randint(1000, 9000), 0, []
        self.put(45, struct.pack('>H', number))

    def put(self, tag, payload=b'', at=None):
        if at is None:
            self.now += dice.choice((0, 1, 100, 5000, 90000))
        time = self.now if at is None else at
        length = struct.pack('>H', len(payload)) if SIZES[tag] == 0xffff else b''
        self.events.append((time, struct.pack('>HQ', tag, time) + length + payload))
        return time


class Thread:
    number = 0

    def __init__(self, cap):
        Thread.number += 1
        self.number, self.cap, self.status = Thread.number, cap, 3
        cap.put(0, struct.pack('>I', self.number))
        if dice.random() < .3:
            cap.put(44, struct.pack('>I', self.number) + b'worker')


def put_mark(cap):
    words = dice.choice(('', 'START ', 'START ', 'STOP ', 'STOP '))
    cap.put(dice.choice((19, 58)), (words + dice.choice('abc')).encode())


def run(thread):
    """It runs for a time and stops, where it was or elsewhere."""
    cap = thread.cap
    if thread.status > 6:  # something has to wake it
        dice.choice((cap, cap, None)) and cap.put(8, struct.pack('>IH', thread.number, cap.number))
    cap.put(1, struct.pack('>I', thread.number))
    for _ in range(dice.choice((0, 0, 1, 3))):
        put_mark(cap)
    cap.allocated += dice.randint(0, 1 << 20)
    thread.status = dice.choice(STATUSES)
    cap.put(2, struct.pack('>IHI', thread.number, thread.status, 0))
    if dice.random() < .1:
        put_mark(cap)


stated = 0  # when the last collection was


def collect(caps):
    """All that take part have started before one of them ends; the next collection begins when this one is stated."""
    global stated
    lead, generation = dice.choice(caps), dice.randrange(GENERATIONS)
    others = [cap for cap in caps if cap is not lead] if dice.random() < .7 else []
    lead.put(12 if others else 11)
    start = max(stated, *(cap.now for cap in [lead, *others])) + dice.randint(1, 5000)
    for cap in [lead, *others]:
        cap.now = start + dice.randint(0, 900)
        cap.put(9, at=cap.now)
        cap.now = start + 1000
        for _ in range(dice.randint(0, 3)):
            for tag in (21, 20, 22):
                cap.put(tag)
        cap.put(49, struct.pack('>IQ', 0, cap.allocated))
    for cap in others:
        cap.put(10)
    end = lead.now + 1  # stated after what comes later
    lead.now += 100
    lead.put(54)
    lead.put(53, struct.pack('>IHQQQIQQQ', 0, generation, dice.randint(0, 1 << 20), dice.randint(0, 999), 0,
                             1 + len(others), 5, 9, 3))
    lead.put(10, at=end)
    stated = lead.now
    if generation == GENERATIONS - 1:
        lead.put(51, struct.pack('>IQ', 0, dice.randint(0, 1 << 30)))
    lead.put(50, struct.pack('>IQ', 0, dice.randint(1, 1 << 10) << 20))


def blocks(cap):
    """Some of the events each, until all are written."""
    while cap.events:
        part = [cap.events.pop(0) for _ in range(min(len(cap.events), dice.randint(1, 60)))]
        while cap.events and cap.events[0][0] < part[-1][0]:  # an end that is stated late stays in its block
            part.append(cap.events.pop(0))
        times, body = [time for time, _ in part], b''.join(bytes for _, bytes in part)
        yield struct.pack('>HQIQH', 18, min(times), 24 + len(body), max(times), cap.number) + body


def main():
    caps = [Cap(number) for number in CAPS]
    threads = []
    for _ in range(dice.randint(1, 12)):
        for thread in threads:
            if thread.status != 5 and dice.random() < .15:
                to = dice.choice(caps)
                thread.cap.put(4, struct.pack('>IH', thread.number, to.number))
                to.now, thread.cap = max(to.now, thread.cap.now + 1), to  # later than it stopped there
        threads += [Thread(dice.choice(caps)) for _ in range(dice.randint(0, 4))]
        for _ in range(dice.randint(0, 3)):
            for thread in dice.sample(threads, len(threads)):
                if thread.status != 5:
                    run(thread)
        if dice.random() < .7:
            collect(caps)
    for cap in caps:
        cap.put(34, struct.pack('>7Q', *(dice.randint(0, 50) for _ in range(7))))
    with open(OUT, 'wb') as out:
        out.write(b'hdrbhetb')
        for tag, size in SIZES.items():
            out.write(b'etb\0' + struct.pack('>HHII', tag, size, 0, 0) + b'ete\0')
        out.write(b'hetehdredatb')
        written = [list(blocks(cap)) for cap in caps]
        while any(written):  # of each capability in its order
            out.write(dice.choice([of_cap for of_cap in written if of_cap]).pop(0))
        out.write(b'\xff\xff')


main()
