#!/bin/sh
# Where logs come from: files, standard input, gzip; what is no log.
. "${srcdir:-.}/tests/cli/lib.sh"

# without_name: the text of a report but for the log's name.
without_name ()
{
  sed '/^  Name  /d' out >"$1"
}

# What is no log, and never ends, is not copied first.
for command in show validate 'dump --order time' 'convert -o converted.mlpd'; do
  status=0
  timeout 20 "$proflog" $command /dev/zero >out 2>err || status=$?
  test $status = 3 || fail "$command /dev/zero: status $status"
  same_lines err "proflog: /dev/zero: not a profiler log: it begins with the bytes 00 00 00 00, a log of Mono with \
01 5a 50 4d, an eventlog of GHC with 68 64 72 62"
done

for command in 'report --raw' dump info; do
  run 0 $command "$small"
  quiet err
  test -s out || fail "nothing was printed"
  without_name expected
  # Standard input: a file, a pipe that gives a bit at a time.
  "$proflog" $command - <"$small" >out 2>err || fail "status $?"
  quiet err
  without_name got
  same got expected
  { head -c 33 "$small"; sleep 0.1; tail -c +34 "$small"; } | "$proflog" $command - >out 2>err \
    || fail "status $?"
  quiet err
  without_name got
  same got expected
  # Compressed.
  gzip -c "$small" >small.gz || fail "gzip"
  run 0 $command small.gz
  quiet err
  without_name got
  same got expected
  "$proflog" $command - <small.gz >out 2>err || fail "status $?"
  without_name got
  same got expected
  # The name does not matter.
  cp small.gz plain.mlpd
  run 0 $command plain.mlpd
  without_name got
  same got expected

  run 3 $command nowhere.mlpd
  quiet out
  says err nowhere.mlpd
  says err 'No such file'
  mkdir -p directory
  run 3 $command directory
  quiet out
  says err directory
  : >empty
  run 3 $command empty
  quiet out
  says err empty
  echo 'This is a text and no log at all, but longer than a header of a log is.' >text
  run 3 $command text
  quiet out
  says err text
  # A file of zeros begins as the marker of a block of an eventlog does, and is none.
  head -c 100000 /dev/zero >zeros
  run 3 $command zeros
  says err 'zeros: not a profiler log'
  run 3 $command - </dev/null
  quiet out
  test -s err || fail "no message"
  # Less than a header: the message comes with --quiet, too.
  for bytes in 1 4 20 31; do
    head -c $bytes "$small" >header
    run 3 $command -q header
    says err header
  done
  # Data version 200: read as far as it is like those that are known.
  { head -c 6 "$small"; printf '\310'; tail -c +8 "$small"; } >version
  run 0 $command version
  says err 'data version 200'
  run 4 $command --strict version
done

# What is compressed twice is no log, whatever the command is, also where a log is copied to a file first.
gzip -c "$small" | gzip -c >twice
for command in report info stats check show dump 'dump --order time' 'validate all' 'heap list' 'query' \
  'convert --data-version 17 -o written' 'cut -o written' 'repair -o written' 'anonymize -o written' \
  'merge -o written' 'export --format perfetto -o written'; do
  for name in twice -; do
    # shellcheck disable=SC2086 # a command and its options
    case $command in query) set -- query "$name" 'SELECT 1 FROM events' ;; *) set -- $command "$name" ;; esac
    run 3 "$@" <twice
    quiet out
    says err 'it begins with the bytes 1f 8b'
    test ! -e written || fail "$command: a log was written"
  done
done

# A file whose bytes cannot be read, as of a disk with errors: the memory of a process at 0.  Every command
# reports that, not that it is no log of its kind.
for command in report stats info check show 'show --order file' dump 'dump --order time' 'validate all' \
  'report --time-range 10%~' 'report --thread 1' 'heap list' 'export --format perfetto -o written' \
  'cut -o written' 'repair -o written' 'anonymize -o written' 'merge -o written'; do
  # shellcheck disable=SC2086 # a command and its options
  run 3 $command /proc/self/mem
  quiet out
  says err 'proflog: /proc/self/mem: reading it at offset 0 failed (Input/output error)'
  test "$(wc -l <err)" = 1 || fail "$command: more than one line"
  test ! -e written || fail "$command: a log was written"
done

# Several logs: each is reported; one that cannot be read does not hide the others.
run 0 report --raw "$small" small.gz
test "$(grep -c '^  Duration' out)" = 2 || fail "not both logs"
grep -q '^  Name *small.gz$' out || fail "no name"
run 3 report --raw "$small" nowhere.mlpd small.gz
test "$(grep -c '^  Duration' out)" = 2 || fail "not both logs"
says err nowhere.mlpd
# The worst status of all counts: what is no log, or of another kind than is requested, is 3 wherever
# it stands, also beside a log in which check finds something (1).
eventlog=$logs/small.eventlog
run 1 check "$logs/all-v17.mlpd" "$small"
for others in zeros nowhere.mlpd 'zeros header'; do
  # shellcheck disable=SC2086 # names
  run 3 check "$logs/all-v17.mlpd" $others "$small"
  test "$(grep -c '^  State' out)" = 2 || fail "not both logs"
done
run 3 dump --cap 0 "$eventlog" "$small"
grep -q gc-start out || fail "the eventlog was not read"
run 3 dump --strict zeros header "$small"
run 0 dump "$small" small.gz
test "$(grep -c ' file-header ' out)" = 2 || fail "not both logs"
run 0 report --format json "$small" small.gz
test "$(grep -c '"schema": "proflog.report/1"' out)" = 2 || fail "not both logs"
done_checks
