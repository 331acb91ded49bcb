#!/bin/sh
# Each command of docs/production.md, in order, with paths of the test: the unit's lines start the service as systemd
# would, with a /tmp and a runtime directory of its own where this user may do that.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/mono/service.sh"
need unshare
page=$tests/../docs/production.md
name=service$$
mkdir "$work/bin" "$work/srv" "$work/var" "$work/container" "$work/etc" "$work/home"
mkdir -m 700 "$work/run" "$work/logs"
cp "$exe" "$work/srv/$name.exe"
services=
trap 'kill -9 $services 2>/dev/null; rm -rf "$work"' EXIT
printf '#!/bin/sh\nexec "%s" "$@"\n' "$proflog" >"$work/bin/proflog"
chmod +x "$work/bin/proflog"
export PROFLOG_MODULE_DIR="$module_dir"
PATH=$work/bin:$PATH
unset XDG_RUNTIME_DIR
printf '0123456789abcdef0123456789abcdef\n' >"$work/etc/proflog-token"
chmod 600 "$work/etc/proflog-token"

# blocks KIND: the code blocks of the page of this kind, to $work/block.KIND.NUMBER, with the paths of the test.
blocks ()
{
  awk -v kind="$1" -v to="$work/block.$1." '
    /^```/ { inside = !inside && $0 == "```" kind; if (inside) { n++; file = to n } next }
    inside { print >file }' "$page"
  for block in "$work/block.$1".*; do
    sed -i "s|/srv/service[.]exe|$work/srv/$name.exe throw some keep|; s|service[.]exe|$name.exe|g
      s|/usr/bin/mono|mono|; s|/usr/local/lib|$module_dir|; s|/run/service|$work/run|g; s|/var/log/service|$work/logs|g
      s|/var/tmp|$work/var|g; s|/etc/proflog-token|$work/etc/proflog-token|" "$block"
  done
}

# lines NUMBER: runs the commands of this block.
lines ()
{
  sh -e "$work/block.sh.$1" >"$work/shown" 2>"$work/shown-err" || fail "$(cat "$work/block.sh.$1"): $(cat "$work/shown-err")"
  checks=$((checks + $(wc -l <"$work/block.sh.$1")))
}

# value KEY: of the unit, all of several.
value ()
{
  sed -n "s/^$1=//p" "$work/block.ini.1"
}

blocks sh
blocks ini
blocks cron
test -e "$work/block.sh.7" && test ! -e "$work/block.sh.8" || fail 'the page has other commands than this test'

# ---- attach ----

exe=$work/srv/$name.exe
begins throw some keep
lines 1
says "$work/shown" 'objects of Kept accumulate'
ends

# ---- the unit ----

privately=
if unshare -m true 2>/dev/null; then
  # The folder of the test is the same there.
  cat >"$work/privately" <<END
mkdir "$work/private" && mount -t tmpfs none "$work/private" && mkdir "$work/private/${work##*/}" || exit 1
mount --bind "$work" "$work/private/${work##*/}" && mount --rbind "$work/private" /tmp && exec "\$@"
END
  case $work:$top_builddir in /tmp/*:/tmp/*) ;; /tmp/*) privately="unshare -m sh $work/privately" ;; esac
fi
start=$(value ExecStart | sed 's/%%/%/g')
rm -f "$work/out" # of the commands before
# shellcheck disable=SC2046,SC2086
env $(value Environment) $privately $start <"$work/in" >"$work/out" 2>"$work/program-err" &
shell_pid=$!
services=$shell_pid
exec 7>"$work/in"
wait_for grep -qs '^pid [0-9]' "$work/out"
pid=$(sed -n 's/^pid //p' "$work/out")
test "$(value RuntimeDirectoryMode)" = 0700 || fail 'the runtime directory is not the service'"'"'s alone'
wait_for test -e "$work/run/proflog-$pid.control"
lines 2
says "$work/shown" "$name.exe throw some keep"
says "$work/shown" "saved: $work/logs/now.mlpd"
whole "$work/logs/now.mlpd"
test ! -e "/tmp/proflog-$(id -u)/proflog-$pid.control" || fail 'its /tmp is not its own'

# A night's recording of a service that is recorded: it says so.  Then of one that is not.
kill -9 "$pid"
wait "$shell_pid"
exec 7>&-
lines 3
says "$work/shown-err" 'was read, too: the program did not end normally'
recorded_with=
begins throw some keep
sed 's/^[0-9*]* [0-9*]* [*] [*] [*] //; s/\\%/%/g; s/60s/1s/' "$work/block.cron.1" >"$work/job"
sh -e "$work/job" || fail "$(cat "$work/job"): $(cat "$work/logs/attach.log")"
ends
whole "$work/logs/$(date +%F).mlpd"
for day in 2026-11-25 2026-11-26; do
  cp "$work/logs/$(date +%F).mlpd" "$work/$day" && mv "$work/$day" "$work/logs/$day.mlpd"
done
lines 7
test -e "$work/logs/2026-11-25.mlpd" || fail 'the newest files are deleted'
touch -d '20 days ago' "$work/logs/2026-11-25.mlpd"
lines 7
test ! -e "$work/logs/2026-11-25.mlpd" || fail 'old files are not deleted'

# ---- a page of all ----

sed -i 's/--port 9700/--port 0/; s/$/ \&/' "$work/block.sh.4"
echo 'echo $! >"$0.pid"' >>"$work/block.sh.4"
lines 4
services=$(cat "$work/block.sh.4.pid")
wait_for grep -qs '^http://127.0.0.1:[0-9]*/0123456789abcdef0123456789abcdef/$' "$work/shown"
# A command in the background ignores SIGINT.  Left over, it would ask all programs of this user to flush.
has_ended () { ! kill -0 "$services" 2>/dev/null; }
kill "$services"
wait_for has_ended
services=
grep -q '^ssh -N -L 9700:127.0.0.1:9700 ' "$work/block.sh.5" || fail 'the tunnel is of another port'
checks=$((checks + 1))

# ---- in a container: what it runs, with the volume ----

sed 's/^docker run -v [^:]*:\([^ ]*\) IMAGE //' "$work/block.sh.6" >"$work/inside"
if unshare -m true 2>/dev/null; then
  sed -i "s|=/log/|=$work/container/log/|; s|$name.exe|$work/srv/$name.exe throw some|" "$work/inside"
  mkdir "$work/container/log"
  rm "$work/out"
  LD_LIBRARY_PATH=$module_dir unshare -m --pid --fork sh -c "mount --bind '$work/logs' '$work/container/log' && exec $(cat "$work/inside")" \
    <"$work/in" >"$work/out" 2>"$work/program-err" &
  shell_pid=$!
  exec 7>"$work/in"
  wait_for grep -qs '^pid [0-9]' "$work/out"
  sleep 0.5
  exec 7>&-
  wait "$shell_pid"
  test $? = 7 || fail 'the program in the container'
  whole "$work"/logs/app.*.mlpd
fi
echo "$checks checks"
