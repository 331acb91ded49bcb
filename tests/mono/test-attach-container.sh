#!/bin/sh
# A program in a container, which has neither the module nor the directory of the log, is attached to from outside, with
# default options.
. "${srcdir:-.}/tests/mono/lib.sh"
test "$(id -u)" = 0 && has unshare chroot && unshare -m --pid --fork true 2>/dev/null \
  || { leave_out NAMESPACES 'no container can be made'; exit 77; }
export PROFLOG_MODULE_DIR="$module_dir"
compile attached
root=$work/root
mkdir "$root" "$root/app" "$root/tmp" "$root/proc" "$root/dev" "$work/here"
cp "$exe" "$root/app/inside.exe"
mkfifo "$work/in"
cat >"$work/enter" <<END
set -e
for directory in usr lib lib64 bin etc dev; do
  test -d "/\$directory" || continue
  mkdir -p "$root/\$directory"
  mount --bind "/\$directory" "$root/\$directory"
done
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
exec chroot "$root" mono /app/inside.exe throw keep
END
unshare -m --pid --fork sh "$work/enter" <"$work/in" >"$work/out" 2>"$work/program-err" &
shell_pid=$!
exec 7>"$work/in"
wait_for grep -qs pid "$work/out"
test "$(cat "$work/out")" = 'pid 1' || fail "the program in the container printed: $(cat "$work/out")"
found=
for directory in /proc/[0-9]*; do
  line=$({ tr '\0' ' ' <"$directory/cmdline"; } 2>"$work/ended")
  test "$line" != 'mono /app/inside.exe throw keep ' || found=${directory#/proc/}
done
pid=${found:?}
watched=$pid

# attached TEXT: it records for a second; $log is the file.
attached ()
{
  (cd "$work/here" && "$proflog" attach "$pid" --duration 1s) 2>"$work/err" || fail "attach: $(cat "$work/err")"
  log=$(sed -n 's/^proflog attach: the log is \(.*\); read it with: .*/\1/p' "$work/err")
  test "$log" = "/proc/$pid/root/tmp/inside.$pid.mlpd" || fail "the log is $log: $(cat "$work/err")"
  "$proflog" check "$log" >"$work/checked" 2>&1 || fail "the log is damaged: $(cat "$work/checked")"
  read_figures
  test "$(figure exceptions.throws)" -gt 0 || fail 'no exception is recorded'
  checks=$((checks + 3))
}

"$proflog" doctor "$pid" >"$work/doctor" 2>&1 || fail "doctor: $(cat "$work/doctor")"
attached
test -z "$(find "/proc/$pid/root/tmp" -name '*.so')" || fail 'a copy of the module is left'
grep -q 'libmono-profiler-proflog.so (deleted)$' "/proc/$pid/maps" || fail 'it has no copy of the module'
rm "$log"
attached # the module that is there records again

# A directory that the container has not.
"$proflog" attach "$pid" --duration 1s -o "$work/here/x.mlpd" 2>"$work/err"
test $? = 3 || fail "attach with another directory: $(cat "$work/err")"
says "$work/err" "process $pid: output '$work/here/x.mlpd': No such file or directory"

watched=
exec 7>&-
wait "$shell_pid"
test $? = 7 || fail "the program ended with $?"
test "$(tail -n 1 "$work/out")" = ended || fail "the program printed: $(cat "$work/out")"
test ! -s "$work/program-err" || fail "the program wrote to its standard error: $(cat "$work/program-err")"
echo "$checks checks"
