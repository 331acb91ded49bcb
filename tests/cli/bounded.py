"""bounded.py MIB SECONDS INPUT OUT COMMAND... -- runs the command; its standard output goes to OUT.

It may use so many MiB beside the bytes of INPUT and of OUT, and so many seconds of a processor.  Prints what it used
and the command's status; fails if that is more.
"""
import os
import resource
import subprocess
import sys

mib, seconds, log, out = float (sys.argv[1]), float (sys.argv[2]), sys.argv[3], sys.argv[4]
with open (out, "w") as to:
    status = subprocess.run (sys.argv[5:], stdout=to).returncode
usage = resource.getrusage (resource.RUSAGE_CHILDREN)
peak, used = usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime
room = mib + (os.path.getsize (log) + os.path.getsize (out)) / (1 << 20)
print ("status %d, %.0f MiB of %.0f, %.2f s" % (status, peak, room, used))
sys.exit (peak > room or used > seconds or status < 0)
