#!/bin/sh
# Programs that `proflog attach` cannot record, and modules that it cannot load: one line with the reason, and the
# program goes on.  They are stand-ins, as Mono does none of this.
. "${srcdir:-.}/tests/mono/lib.sh"
need cc
test "$(uname -m)" = x86_64 || { leave_out MACHINE 'attach is of x86-64 programs'; exit 77; }

source_top=$(cd "$tests/.." && pwd)
build () { cc -O1 -I"$source_top" "$@" "$sources/stand-in.c" || fail "the stand-in does not compile"; }
build -rdynamic -o "$work/stand-in"
for n in 0 1 2 3 4 5 6; do
  mkdir "$work/$n"
  build -shared -fPIC -DMODULE="$n" -o "$work/$n/libmono-profiler-proflog.so"
done
mkdir "$work/text"
echo 'no library' >"$work/text/libmono-profiler-proflog.so"
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT

# begin MODE [FILE]: a stand-in runs.
stand_in=$work/stand-in
begin ()
{
  : >"$work/ready"
  "$stand_in" "$@" >"$work/ready" &
  pid=$!
  wait_for test -s "$work/ready"
}

# refused MODULE TEXT [OPTION...]
refused ()
{
  module=$1 text=$2
  shift 2
  PROFLOG_MODULE_DIR=$work/$module "$proflog" attach "$pid" -o "$work/x.mlpd" --duration 1s "$@" >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = 3 || { cat "$work/err"; fail "$text: status $status"; }
  says "$work/err" "$text"
  test "$(wc -l <"$work/err")" = 1 || { cat "$work/err"; fail "$text: several lines"; }
}

# Its thread waits in a call that begins again with each of them.
begin wait
refused text "process $pid: it could not load the module: "
refused 0 'it has loaded a module of another version of proflog'
refused 3 'the stand-in refuses'
# The options come to the module in a text of 8 KiB, with the path of the log.
long=/$(head -c 4080 /dev/zero | tr '\0' x)
refused 3 "process $pid: the options have " --with "save-to=$long" --with "crash-buffer=$long"
says "$work/err" 'bytes; the limit is 8191'
# Another tracer has it, until that ends.
if has python3; then
  python3 -c '
import ctypes, sys, time
PTRACE_SEIZE = 0x4206
print(ctypes.CDLL(None).ptrace(PTRACE_SEIZE, int(sys.argv[1]), None, None), flush=True)
time.sleep(1000)' "$pid" >"$work/traced" &
  tracer=$!
  wait_for test -s "$work/traced"
  test "$(cat "$work/traced")" = 0 || fail 'the program cannot be traced'
  refused 3 'permission denied to trace it: a debugger or another tracer has it, or /proc/sys/kernel/yama/ptrace_scope or a '
  kill $tracer
  wait $tracer 2>/dev/null
fi
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

begin wait
refused 1 'it can have no more threads: Resource temporarily unavailable'
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

begin wait
refused 2 'it ended while the module started'

begin wait
refused 4 'it ended while the module was loaded'
begin wait
rm -f "$work/x.mlpd"
PROFLOG_MODULE_DIR=$work/5 "$proflog" attach "$pid" -o "$work/x.mlpd" 2>"$work/err" || fail "attach ended with $?"
test "$(head -n 1 "$work/err")" = "proflog attach: process $pid: the stand-in has a note" || fail 'no note'
kill "$pid"

# Linked statically: it is not even stopped.
if cc -O1 -I"$source_top" -static-pie -Wl,--export-dynamic-symbol=mono_profiler_create -o "$work/static" "$sources/stand-in.c" 2>"$work/err"; then
  stand_in=$work/static
  begin wait
  refused 3 'it has no dlopen: the program is linked statically'
  kill "$pid"
  stand_in=$work/stand-in
fi

mkdir "$work/lib"
echo musl >"$work/lib/ld-musl-x86_64.so.1"
begin map "$work/lib/ld-musl-x86_64.so.1"
refused 3 'it uses the C library musl, in which no other thread may load a library'
kill "$pid"

begin spin
refused 3 'none of its threads waited in a system call within 10 s'
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

# Another file system at the module's place: the process gets a copy.
in_namespace ()
{
  : >"$work/ready"
  unshare -m sh -c "$1" >"$work/ready" &
  pid=$!
  wait_for test -s "$work/ready"
}
if test "$(id -u)" = 0 && has unshare && unshare -m true 2>/dev/null; then
  in_namespace "mount -t tmpfs none '$work/3' && exec '$work/stand-in' wait"
  refused 3 'the stand-in refuses'
  : >"/proc/$pid/root$work/3/libmono-profiler-proflog.so"
  refused 3 'the stand-in refuses'
  kill "$pid"
  # Not where it can be written nowhere.
  in_namespace "mount -t tmpfs none /mnt && cp '$work/stand-in' /mnt && mount -t tmpfs -o ro none /tmp && exec /mnt/stand-in wait"
  test -e "/proc/$pid/root$work/3/libmono-profiler-proflog.so" \
    || refused 3 "it has another file system, in which $work/3/libmono-profiler-proflog.so is not, and in its /tmp no copy can be made: Read-only file system"
  kill "$pid"
fi

# A call of the system that fails, where the stand-in would refuse else.
if test "${SANITIZER:-no}" = no; then
  . "$tests/torture/lib.sh"
  cd "$work" || exit 1
  export PROFLOG_MODULE_DIR="$work/3"
  mode=once
  begin wait
  # refused_as REASON
  refused_as ()
  {
    says_once 3 "proflog attach: process $pid: $1" attach "$pid" -o x.mlpd
  }
  kind=open
  refused_as "Failed to open file */proc/$pid/maps*: Too many open files"
  refused_as 'its program cannot be read, or is no 64-bit one'
  kind=stat
  refused_as "$work/3/libmono-profiler-proflog.so: Permission denied"
  kind=ptrace fails_only=process_vm_writev
  refused_as 'the module could not be started: Operation not permitted'
  # Its threads cannot be listed.
  kind=open fails_only=opendir
  refused_as 'Too many open files'
  # The time until the module has started is over at once.
  kind=nanosleep fails_only='' mode=on PROFLOG_MODULE_DIR=$work/6
  says_at 1 3 "proflog attach: process $pid: the module has not started within 30 s" attach "$pid" -o x.mlpd
  kill -0 "$pid" || fail 'the program ended'
  kill "$pid"
fi
pid=
echo "$checks checks"
