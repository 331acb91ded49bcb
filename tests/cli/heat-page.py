"""heat-page.py PAGE... -- reads pages of `proflog heatmap` without their script.

  heat-page.py sums PAGE              the sum of each weight, a line each: key, sum
  heat-page.py stacks PAGE            the samples as folded stacks
  heat-page.py rectangle PAGE WEIGHT FROM TO TOP BOTTOM
                                      the sum of a rectangle of columns and rows, ends excluded
"""
import base64
import collections
import json
import sys
import zlib


def read_page(path):
    text = open(path, encoding='utf-8').read()
    begin = text.index('id="data">') + len('id="data">')
    return json.loads(text[begin:text.index('</script>', begin)])


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def bytes(self, n):
        self.at += n
        return self.data[self.at - n:self.at]


def entries_of(page, piece):
    """Yields column, row, stack, amount, span of each entry of a piece."""
    reader = Reader(zlib.decompress(base64.b64decode(piece['data'])))
    rows, n = page['rows'], piece['entries']
    counts = [reader.number() for _ in range(piece['columns'] * rows)]
    assert sum(counts) == n, 'the counts of cells are not the number of entries'
    stacks = [reader.number() for _ in range(reader.number())]
    places = list(reader.bytes(n))
    rare = [i for i in range(n) if places[i] == 255]
    for factor in (1, 256, 65536):
        for i, byte in zip(rare, reader.bytes(len(rare))):
            places[i] += byte * factor
    is_counted = page['weights'][piece['weight']]['counts']
    amounts = [1] * n if is_counted else [reader.number() for _ in range(n)]
    spans = [0] * n if is_counted else [reader.number() for _ in range(n)]
    assert reader.at == len(reader.data), 'bytes are left'
    entry = 0
    for cell, count in enumerate(counts):
        for i in range(entry, entry + count):
            yield piece['from'] + cell // rows, cell % rows, stacks[places[i]], amounts[i], spans[i]
        entry += count


def entries(page, weight):
    for piece in page['pieces']:
        if page['weights'][piece['weight']]['key'] == weight:
            yield from entries_of(page, piece)


def name_of(page, stack):
    frames = []
    while stack:
        frames.append(page['frames'][page['names'][stack - 1]])
        stack = page['parents'][stack - 1]
    return ';'.join(reversed(frames))


def rectangle(page, weight, begin, end, top, bottom):
    """What lasts beyond the range of time that it began in is not a part of it; waits stand where they ended."""
    rows, total = page['rows'], 0
    is_backward = any(w['key'] == weight and w['backward'] for w in page['weights'])
    is_whole = top == 0 and bottom == rows
    for column, row, _, amount, span in entries(page, weight):
        if not (begin <= column < end and top <= row < bottom):
            continue
        ends_within = column * rows + row + span < end * rows if is_whole else row + span < bottom
        if is_backward or ends_within:
            total += amount
    return total


def main():
    what, page = sys.argv[1], read_page(sys.argv[2])
    if what == 'sums':
        for weight in page['weights']:
            print(weight['key'], sum(e[3] for e in entries(page, weight['key'])))
    elif what == 'stacks':
        sums = collections.Counter()
        for _, _, stack, amount, _ in entries(page, sys.argv[3] if len(sys.argv) > 3 else 'samples'):
            sums[name_of(page, stack)] += amount
        for name in sorted(sums):
            print(name, sums[name])
    else:
        print(rectangle(page, sys.argv[3], *map(int, sys.argv[4:8])))


main()
