#!/usr/bin/env python3
"""control-stub.py -- a program with a control socket, which gives one reply to all requests, for tests.

control-stub.py FOLDER REPLY REQUESTS [NAME]: listens in the folder, prints its process id, and appends each
request to the file REQUESTS.  REPLY is a file; an empty one closes the connection without a reply, and with "reset" the
connection is closed before the request was read.  NAME is that of its thread.
"""
import contextlib
import os
import socket
import sys


def main():
    folder, reply, requests, *name = sys.argv[1:]
    if name:
        with open("/proc/self/comm", "w", encoding="ascii") as comm:
            comm.write(name[0])
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(os.path.join(folder, "proflog-%d.control" % os.getpid()))
    listener.listen(20)
    print(os.getpid(), flush=True)
    while True:
        client, _ = listener.accept()
        with client, open(requests, "ab") as log, open(reply, "rb") as answer:
            # A client may only check that there is a listener.
            text = answer.read()
            line = client.recv(65536, socket.MSG_PEEK)
            log.write(line)
            if line and text != b"reset":
                client.recv(65536)
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    client.sendall(text)


if __name__ == "__main__":
    main()
