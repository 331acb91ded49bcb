"""intervals.py -- marks, and the intervals from START to STOP, by docs/haskell.md: for the second decoders."""


class Interval:
    """The STARTs and STOPs of a name."""

    def __init__(self):
        self.open, self.times, self.left, self.across = {}, [], [], 0

    def start(self, owner, place):
        self.open.setdefault(owner, []).append(place)

    def stop(self, owner, place):
        if self.open.get(owner):
            self.times.append(place[0] - self.open[owner].pop()[0])
        else:
            self.left.append(place)

    def finish(self):
        """A STOP without a START of its thread ends the oldest one that is still open then."""
        starts, unfinished = sorted(place for of_owner in self.open.values() for place in of_owner), 0
        for stop in self.left:
            if starts and starts[0] < stop:
                self.times.append(stop[0] - starts.pop(0)[0])
                self.across += 1
            else:
                unfinished += 1
        self.unfinished = unfinished + len(starts)


def figures_of_marks(marks):
    """Of marks (time, (kind, name), owner), in the order of time."""
    names, intervals = {}, {}
    for number, (now, key, owner) in enumerate(marks):
        name = key[1]
        row = names.setdefault(key, [0, now, 0])
        row[0], row[2] = row[0] + 1, now
        word, _, rest = name.partition(' ')
        if word in ('START', 'STOP') and rest:
            interval = intervals.setdefault(rest, Interval())
            (interval.start if word == 'START' else interval.stop)(owner, (now, number))
    for interval in intervals.values():
        interval.finish()
    return {
        'marks': len(marks),
        'names of marks': [(name, *row) for (_, name), row in names.items()],
        'intervals': [(name, len(i.times), sum(i.times), max(i.times, default=0), i.unfinished, i.across)
                      for name, i in intervals.items()],
    }
