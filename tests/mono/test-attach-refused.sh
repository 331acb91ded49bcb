#!/bin/sh
# Programs that `proflog attach` cannot record, and modules that it cannot load: one line with the reason, and the
# program goes on.  They are stand-ins, as Mono does none of this.
. "${srcdir:-.}/tests/mono/lib.sh"
need cc
test "$(uname -m)" = x86_64 || { leave_out MACHINE 'attach is of x86-64 programs'; exit 77; }

source_top=$(cd "$tests/.." && pwd)
build () { cc -O1 -I"$source_top" "$@" "$sources/stand-in.c" || fail "the stand-in does not compile"; }
build -rdynamic -o "$work/stand-in"
for n in 0 1 2 3; do
  mkdir "$work/$n"
  build -shared -fPIC -DMODULE="$n" -o "$work/$n/libmono-profiler-proflog.so"
done
mkdir "$work/text"
echo 'no library' >"$work/text/libmono-profiler-proflog.so"
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT

# begin MODE [FILE]: a stand-in runs.
begin ()
{
  : >"$work/ready"
  "$work/stand-in" "$@" >"$work/ready" &
  pid=$!
  wait_for test -s "$work/ready"
}

# refused MODULE TEXT
refused ()
{
  PROFLOG_MODULE_DIR=$work/$1 "$proflog" attach "$pid" -o "$work/x.mlpd" --duration 1s >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = 3 || { cat "$work/err"; fail "$2: status $status"; }
  says "$work/err" "$2"
  test "$(wc -l <"$work/err")" = 1 || { cat "$work/err"; fail "$2: several lines"; }
}

# Its thread waits in a call that begins again with each of them.
begin wait
refused text "process $pid: it could not load the module: "
refused 0 'it has loaded a module of another version of proflog'
refused 3 'the stand-in refuses'
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

begin wait
refused 1 'it can have no more threads: Resource temporarily unavailable'
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

begin wait
refused 2 'it ended while the module started'

mkdir "$work/lib"
echo musl >"$work/lib/ld-musl-x86_64.so.1"
begin map "$work/lib/ld-musl-x86_64.so.1"
refused 3 'it uses the C library musl, in which no other thread may load a library'
kill "$pid"

begin spin
refused 3 'none of its threads waited in a system call within 10 s'
kill -0 "$pid" || fail 'the program ended'
kill "$pid"

# Another file system at the module's place.
if test "$(id -u)" = 0 && has unshare && unshare -m true 2>/dev/null; then
  : >"$work/ready"
  unshare -m sh -c "mount -t tmpfs none '$work/3' && exec '$work/stand-in' wait" >"$work/ready" &
  pid=$!
  wait_for test -s "$work/ready"
  refused 3 "it has another file system, in which $work/3/libmono-profiler-proflog.so is not: No such file"
  : >"/proc/$pid/root$work/3/libmono-profiler-proflog.so"
  refused 3 "it has another file system, in which $work/3/libmono-profiler-proflog.so is another file"
  kill "$pid"
fi
pid=
echo "$checks checks"
