# split-log.py LOG PREFIX N -- writes the log into N files as a writer does that goes on in others (rotate=):
# PREFIX.0001.mlpd and so on.  Each begins with the file header; those after the first have an empty buffer of
# repeated names ("again") then, and those before the last an end mark, which is as late as those names.
import struct
import sys

FIXED, BUFFER = 20, 48
AGAIN = 0x6e69616761


def header_size(log):
    major = log[4]
    at = 8 + 8 + (8 if major >= 3 else 0) + 4 + 4 + 4 + 2 + (2 if major == 0 else 0)
    for _ in range(3 if major >= 1 else 0):
        length, = struct.unpack_from('<I', log, at)
        at += 4 + length
    return at


def mark(time, base):
    return struct.pack('<IIQQQQQ', 0x4D504C01, 0, time, 0, base, 0, 0)


with open(sys.argv[1], 'rb') as file:
    log = file.read()
size = header_size(log)
buffers, at = [], size
while at < len(log):
    _, length, time = struct.unpack_from('<IIQ', log, at)
    buffers.append((at, at + BUFFER + length, time))
    at += BUFFER + length
assert at == len(log)
n = int(sys.argv[3])
begun = 0
latest = 0
for i in range(n):
    end = len(buffers) * (i + 1) // n
    part = b''.join(log[a:b] for a, b, _ in buffers[begun:end])
    before = mark(latest + i, AGAIN) if i else b''
    latest = max([latest] + [time for _, _, time in buffers[begun:end]])
    after = mark(latest + i + 1, 0) if i < n - 1 else b''
    with open('%s.%04d.mlpd' % (sys.argv[2], i + 1), 'wb') as file:
        file.write(log[:size] + before + part + after)
    begun = end
