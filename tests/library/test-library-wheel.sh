#!/bin/sh
# The package for pip has all that the module needs: unpacked in a folder, it reads a log as the command does.
. "${srcdir:-.}/tests/library/lib.sh"
need python3 readelf strip
test -n "$(find "$(cd "$top_builddir" && pwd)/.libs" -name 'libproflog.so.0')" || { leave_out SHARED 'the library is static'; exit 77; }
test "${SANITIZER:-no}" = no || { leave_out SANITIZER 'Python does not begin with the library'; exit 77; }
python3 "$source_top/scripts/make-wheel" "$(cd "$top_builddir" && pwd)" wheel || fail 'no package'
python3 -m zipfile -e wheel/*.whl unpacked || fail 'it cannot be unpacked'
unset PROFLOG_LIBRARY LD_LIBRARY_PATH
events=$("$proflog" query -f csv "$source_top/tests/logs/all-v17.mlpd" 'SELECT count(*) FROM alloc' | tail -n 1)
PYTHONPATH=unpacked python3 -c '
import sys, proflog
print(len(proflog.columns(sys.argv[1], "alloc", "time")["time"]))
print({line.split()[-1] for line in open("/proc/self/maps") if "libproflog" in line or "libglib" in line})
' "$source_top/tests/logs/all-v17.mlpd" >out || fail 'it does not load'
test "$events" -gt 0 || fail 'the log has no allocations'
test "$(head -n 1 out)" = "$events" || fail "it reads $(head -n 1 out) allocations, not $events"
test "$(tr ',' '\n' <out | grep -c unpacked/proflog_libraries)" = 2 || { cat out; fail 'its libraries are others'; }
