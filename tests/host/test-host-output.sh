#!/bin/sh
# Where the log goes: names, descriptors, modes, and what is refused.
. "${srcdir:-.}/tests/host/host-lib.sh"

# to OUTPUT: records a lock event there and exits with 7.
to () {
  host_run 7 "proflog:output=$1" "$scenarios/exit-7.scn"
  module_was_loaded
}

# holds FILE: the log is there and complete.
holds () {
  [ -f "$1" ] || fail "no $1"
  "$check_log" "$1" truth="$truth" same=monitor monitor=2 || fail "the log $1 is wrong"
}

mode_is () {
  [ "$(stat -c %a "$2")" = "$1" ] || fail "the mode of $2 is $(stat -c %a "$2")"
}

begin "a new file has mode 600, whatever the umask"
(umask 0 && to "$log")
quiet
holds "$log"
mode_is 600 "$log"
(rm "$log" && umask 0777 && to "$log" && chmod 600 "$log" "$truth")
mode_is 600 "$log"

begin "a file that exists is replaced"
{ printf '\001\132\120\115'; head -c 100000 /dev/zero; } >"$log"
chmod 666 "$log"
to "$log"
quiet
holds "$log"
mode_is 600 "$log"

begin "+FILE adds the process id"
to "+$log"
quiet
holds "$log.$(sed -n 's/^pid //p' "$truth")"

begin "%p %t %%"
to "$work/a%p-%t-%%b.mlpd"
quiet
pid=$(sed -n 's/^pid //p' "$truth")
set -- "$work/a$pid"-*"-%b.mlpd"
holds "$1"
stamp=${1#"$work/a$pid-"}
stamp=${stamp%"-%b.mlpd"}
echo "$stamp" | grep -Eqx '20[0-9]{12}' || fail "%t gave $stamp"
now=$(date -u +%Y%m%d%H%M%S)
[ "$stamp" -le "$now" ] && [ "$stamp" -ge "$(date -u -d '-1 minute' +%Y%m%d%H%M%S)" ] \
  || fail "%t gave $stamp at $now"

begin "a name with blanks and commas"
to "$work/a\\, b.mlpd"
quiet
holds "$work/a, b.mlpd"
to "'$work/c, d.mlpd'"
holds "$work/c, d.mlpd"

begin "#FD"
to '#5' 5>"$log"
quiet
holds "$log"

begin "a pipe as #FD"
to '#1'
! grep -aqx "the program ran" "$work/err" || fail "stdout went elsewhere"
[ "$(od -An -tx1 -N4 "$work/out")" = " 01 5a 50 4d" ] || fail "no log on stdout"

# dd sets the flag for all that have the pipe open.
begin "a pipe as #FD in which writes do not wait for the reader"
mkfifo "$work/slow"
{ sleep 0.5; cat; } <"$work/slow" >"$log" &
reader=$!
exec 6>"$work/slow"
dd oflag=nonblock count=0 </dev/null >&6 2>/dev/null
host_run 0 "proflog:output=#6,alloc,overflow=block" "$scenarios/world.scn" "$parallel"
exec 6>&-
wait "$reader"
quiet
check same=alloc alloc=$all

begin "a FIFO with a reader"
mkfifo "$work/fifo"
cat "$work/fifo" >"$log" &
reader=$!
exec 6>"$work/fifo" # waits for the reader
to "$work/fifo"
exec 6>&-
wait "$reader"
quiet
holds "$log"

# refuse OUTPUT PATTERN
refuse () {
  to "$1"
  one_line "$2"
  grep -qx "the program ran" "$work/out" || fail "the program did not run"
}

begin "a FIFO without a reader"
refuse "$work/fifo" fifo
begin "a directory"
refuse "$work" "$work"
begin "a folder that is not there"
refuse "$work/none/log.mlpd" none/log.mlpd
begin "a full disk"
refuse /dev/full /dev/full
begin "a full disk, with zip"
host_run 7 "proflog:zip,output=/dev/full" "$scenarios/exit-7.scn"
one_line /dev/full
begin "a symbolic link to a file"
echo precious >"$work/target"
ln -s target "$work/link"
refuse "$work/link" link
[ "$(cat "$work/target")" = precious ] || fail "the target was written"
[ -L "$work/link" ] || fail "the link is gone"
begin "a symbolic link to nothing"
ln -s nothing "$work/dangling"
refuse "$work/dangling" dangling
[ ! -e "$work/nothing" ] || fail "its target was made"
if [ "$(id -u)" != 0 ]; then
  begin "a file that cannot be read"
  printf '\001\132\120\115' >"$work/secret"
  chmod 200 "$work/secret"
  refuse "$work/secret" "secret': Permission denied; the program runs unprofiled"
fi
begin "%q"
refuse "$work/a%q" "a%q"
begin "% at the end"
refuse "$work/a%" "a%"
begin "descriptors that are none"
for fd in '#' '#x' '#5x' '#-1' '#77' '#99999999999'; do
  refuse "$fd" "$fd"
done
begin "a descriptor that cannot be written"
to '#5' 5<"$work/target"
one_line '#5'

# Both files meet the limit.
spool_and_log () {
  incomplete "$log" "File too large"
  [ "$lost" -gt 1000 ] || fail "$lost events are lost"
  [ ! -e "$log.spool" ] || fail "the spool is left"
}

begin "a file's size limit is reached"
(
  trap '' XFSZ
  ulimit -f 256
  host_run 7 "proflog:output=$log" "$scenarios/world.scn" "$scenarios/much.scn"
)
spool_and_log
grep -qx "the program ran" "$work/out" || fail "the program did not run"
[ "$(stat -c %s "$log")" -gt 60000 ] || fail "hardly anything was written"
check cut "monitor>=1000"

begin "a file's size limit is reached, without a handler of the signal"
(
  ulimit -f 256
  host_run 7 "proflog:output=$log" "$scenarios/world.scn" "$scenarios/much.scn"
)
spool_and_log

begin "the reader goes"
head -c 1000 "$work/fifo" >"$log" &
reader=$!
exec 6>"$work/fifo"
(
  exec 6>&-
  host_run 7 "proflog:output=$work/fifo" "$scenarios/world.scn" "$scenarios/much.scn"
)
exec 6>&-
wait "$reader"
incomplete "$work/fifo" "Broken pipe"
[ "$lost" -gt 1000 ] || fail "$lost events are lost"
grep -qx "the program ran" "$work/out" || fail "the program did not run"
check cut

begin "exec closes the log"
record "" "$scenarios/descriptors.scn"
grep -qxF "descriptor cloexec 600 $log" "$truth" || fail "$(grep descriptor "$truth")"
begin "exec closes the copy of a descriptor"
host_run 0 'proflog:output=#5' "$scenarios/world.scn" "$scenarios/descriptors.scn" 5>"$log"
[ "$(grep "^descriptor.* $log\$" "$truth" | cut -d' ' -f2 | sort | tr '\n' ' ')" \
  = "cloexec inherited " ] || fail "$(grep descriptor "$truth")"
