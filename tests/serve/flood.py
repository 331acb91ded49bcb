#!/usr/bin/env python3
"""flood.py PORT USER KIND SECONDS: as this user, connections that do not come to a request.

KIND: half     half a request, then nothing
      trickle  a byte of a header every 0.2 s
      abort    half a request, and closed at once
      ask      whole requests that do not know the secret, kept alive
Prints the number of connections that were made, and how long the longest one stayed open, in seconds.
"""
import os
import select
import socket
import sys
import time

port, user, kind, seconds = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
os.setgroups([])
os.setgid(user)
os.setuid(user)
most = 400  # at a time
begun, made, longest = {}, 0, 0.0
end = time.monotonic() + seconds
turn = 0.0


def close(s):
    global longest
    longest = max(longest, time.monotonic() - begun.pop(s))
    s.close()


while time.monotonic() < end:
    while len(begun) < most and made < 2000:
        s = socket.socket()
        s.settimeout(1)
        try:
            s.connect(("127.0.0.1", port))
            s.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % port + (b"\r\n" if kind == "ask" else b"X-Slow: "))
        except OSError:
            s.close()
            break
        made += 1
        begun[s] = time.monotonic()
        if kind == "abort":
            close(s)
            time.sleep(0.002)
    ready, _, _ = select.select(list(begun), [], [], 0.05)
    for s in ready:
        try:
            if not s.recv(4096):
                close(s)
        except OSError:
            close(s)
    if kind == "trickle" and time.monotonic() - turn > 0.2:
        turn = time.monotonic()
        for s in list(begun):
            try:
                s.send(b"x")
            except OSError:
                close(s)
for s in list(begun):
    close(s)
print(made, round(longest, 1))
