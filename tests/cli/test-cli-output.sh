#!/bin/sh
# Where results go, and what happens if they cannot.
. "${srcdir:-.}/tests/cli/lib.sh"

# leftovers: nothing but what this test made.
no_leftovers ()
{
  set -- result*.*
  test "$1" = 'result*.*' || fail "left over: $*"
}

for command in report dump info; do
  run 0 $command "$small"
  cp out expected
  run 0 $command -o result "$small"
  quiet out
  quiet err
  same result expected
  no_leftovers
  # What is there stays, unless --force is given.
  echo precious >result
  run 3 $command -o result "$small"
  quiet out
  says err result
  says err --force
  test "$(cat result)" = precious || fail "it was overwritten"
  run 0 $command --output=result --force "$small"
  same result expected
  no_leftovers
  # The log itself is no place for it.
  cp "$small" log.mlpd
  run 2 $command -o ./log.mlpd --force log.mlpd
  says err 'cannot be the output'
  same log.mlpd "$small"
  # Nothing to write, no file; and none that is replaced.
  run 3 $command -o result2 nowhere.mlpd
  test ! -e result2 || fail "a file of nothing"
  echo precious >result
  run 3 $command -o result --force nowhere.mlpd
  test "$(cat result)" = precious || fail "it was overwritten with nothing"
  no_leftovers
  rm result

  run 3 $command -o nowhere/result "$small"
  says err nowhere/result
  mkdir -p directory
  run 3 $command --force -o directory "$small"
  says err directory
  run 0 $command -o - "$small"
  same out expected
  # A device is written to, not replaced.
  ln -s /dev/null null
  run 0 $command --force -o null "$small"
  test -h null && test -c null || fail "the device was replaced"
  rm null
  # So is what a link stands for, be it a name of standard output; the link stays.
  ln -s /proc/self/fd/1 link
  { echo before && "$proflog" $command --force -o link "$small" && echo after; } >through 2>err \
    || fail "-o link"
  { echo before && cat expected && echo after; } >around
  same through around
  "$proflog" $command -o link "$small" 2>err >>through || fail "-o link without --force"
  cat around expected >twice
  same through twice
  "$proflog" $command -o link "$small" 2>err | cat >through
  same through expected
  test -h link || fail "the link was replaced"
  rm link around twice through
  mkdir -p far
  ln -s far/result link
  ln -s link link2
  run 3 $command -o link2 "$small"
  says err --force
  test ! -e far/result || fail "a link was followed"
  run 0 $command --force -o link2 "$small"
  same far/result expected
  echo precious >far/result
  run 3 $command -o link2 "$small"
  says err --force
  test "$(cat far/result)" = precious || fail "it was overwritten"
  run 0 $command -o link2 --force "$small"
  test -h link && test -h link2 || fail "a link was replaced"
  same far/result expected
  cp "$small" far/log.mlpd
  ln -s far/log.mlpd log-link
  run 2 $command -o log-link --force far/log.mlpd
  says err 'cannot be the output'
  ln -s nowhere/result link3
  run 3 $command -o link3 "$small"
  says err link3
  ln -s circle circle
  run 3 $command --force -o circle "$small"
  says err 'levels of symbolic links'
  test -h circle || fail "a link was replaced"
  # Not even one that no longer has a name.
  exec 7>unnamed 8<unnamed
  rm unnamed
  run 0 $command --force -o /dev/fd/7 "$small"
  cat <&8 >through
  same through expected
  exec 7>&- 8<&-
  no_leftovers
  set -- far/*
  test $# = 2 || fail "left over: $*"
  rm -r link link2 link3 log-link circle far through

  mkfifo pipe
  cat pipe >through &
  run 0 $command -o pipe "$small"
  wait $!
  same through expected
  rm pipe

  # A reader that stops ends the command without a message.
  { "$proflog" $command "$small" 2>err; } | true
  quiet err

  if test -c /dev/full; then
    for arguments in "$small" --help "--format json $small"; do
      # shellcheck disable=SC2086
      "$proflog" $command $arguments >/dev/full 2>err
      status=$?
      test "$status" = 3 || fail "$command $arguments >/dev/full: status $status"
      says err 'No space left'
      test "$(wc -l <err)" = 1 || fail "more than one line"
    done
    run 3 $command -o /dev/full "$small"
    says err 'No space left'
  fi
done
if test -c /dev/full; then
  "$proflog" --help >/dev/full 2>err && fail "--help >/dev/full ends with 0"
  says err 'No space left'
fi

# A link with a whole path; a socket, which no file takes the place of; a file that no longer has a name, beside another
# one that has the name which the system shows of it.
"$proflog" info "$small" >expected
ln -s "$work/aim" link
run 0 info --force -o link "$small"
same aim expected
test -h link || fail 'the link is replaced'
rm link aim
if has python3; then
  python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
  run 3 info -o socket "$small"
  says err 'cannot write socket: No such device or address'
  rm socket
fi
for other in no yes; do
  : >gone
  exec 5<gone
  rm gone
  test $other = no || : >'gone (deleted)'
  run 0 info --force -o /proc/self/fd/5 "$small"
  cat <&5 >got
  exec 5<&-
  same got expected
  test $other = no || test ! -s 'gone (deleted)' || fail 'another file is written'
done
rm 'gone (deleted)'
# Signals that are ignored stay so.
(trap '' INT HUP; run 0 info -o result "$small") || exit 1
same result expected
rm result

# A file may not grow beyond a limit: an error like a full disk, and no file is left.
for format in text csv; do
  (
    ulimit -f 1
    "$proflog" dump --format $format -q -o result "$small" "$small" "$small" "$small" 2>err
  )
  status=$?
  test "$status" = 3 || fail "a file that is too large: status $status"
  says err 'cannot write result: File too large'
  test ! -e result || fail "a part of a result"
  no_leftovers
  (
    ulimit -f 1
    "$proflog" dump --format $format -q "$small" "$small" "$small" "$small" >redirected 2>err
  )
  status=$?
  test "$status" = 3 || fail "standard output that is too large: status $status"
  says err 'File too large'
done
umask 027
run 0 info -o result "$small"
test "$(ls -l result | cut -c1-10)" = -rw-r----- || fail "$(ls -l result)"
rm result

# What comes to the place of the result, or goes, while the log is read.  begun: there is the temporary file.
begun ()
{
  set -- place/result.*
  test -e "$1"
}

# meanwhile STATUS REASON ACTION OPTION...
meanwhile ()
{
  meanwhile_status=$1 reason=$2 action=$3
  shift 3
  rm -rf place
  mkdir place
  mkfifo pipe
  "$proflog" dump -q "$@" -o place/result - <pipe >out 2>err &
  pid=$!
  exec 9>pipe
  head -c 100 "$small" >&9
  wait_for begun
  $action
  tail -c +101 "$small" >&9
  exec 9>&-
  wait $pid
  status=$?
  rm pipe
  test "$status" = "$meanwhile_status" || fail "$action: status $status"
  same_lines err "proflog dump: cannot write place/result: $reason"
  ! begun || fail "$action: the temporary file is left"
}
precious ()
{
  echo precious >place/result
}
meanwhile 3 'File exists (--force replaces it)' precious
test "$(cat place/result)" = precious || fail 'it was overwritten'
meanwhile 3 'File exists' 'mkdir place/result' --force
rmdir place/result || fail 'the folder was replaced'
for option in '' --force; do
  # shellcheck disable=SC2086 # no word, or one
  meanwhile 3 'No such file or directory' 'rm -r place' $option
done

# A terminal that goes while the log is read.
if has python3; then
  PAGER="cat" python3 - "$proflog" "$small" >err <<'END' || fail 'without a terminal'
import array, fcntl, os, subprocess, sys, termios, time
terminal, screen = os.openpty()
log = open(sys.argv[2], "rb").read()
command = subprocess.Popen([sys.argv[1], "info", "-"], stdin=subprocess.PIPE, stdout=screen, stderr=subprocess.PIPE)
os.close(screen)
command.stdin.write(log[:100])
command.stdin.flush()
unread = array.array("i", [1])
while unread[0] != 0:
    time.sleep(0.01)
    fcntl.ioctl(command.stdin, termios.FIONREAD, unread)
os.close(terminal)
said = command.communicate(log[100:])[1]
sys.stdout.buffer.write(said)
sys.exit(command.returncode != 3)
END
  same_lines err 'proflog info: cannot write to standard output: Input/output error'
fi

# A signal leaves nothing after.
for signal in INT QUIT TERM HUP; do
  mkfifo pipe
  # A shell has background processes ignore SIGINT.
  env --default-signal=INT,QUIT "$proflog" dump -o result - <pipe 2>err &
  pid=$!
  exec 9>pipe
  head -c 100 "$small" >&9
  tries=0
  while set -- result.* && test ! -e "$1"; do
    tries=$((tries + 1))
    test "$tries" -lt 100 || fail "no temporary file came"
    sleep 0.05
  done
  kill -$signal $pid
  wait $pid
  status=$?
  exec 9>&-
  test "$status" -gt 128 || fail "SIG$signal: status $status"
  test ! -e result || fail "a part of a result"
  no_leftovers
  rm pipe
  checks=$((checks + 1))
done
done_checks
