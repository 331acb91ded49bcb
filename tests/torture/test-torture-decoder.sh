#!/bin/sh
# Each allocation, mmap, open, read, write, ftruncate and pthread_create of the commands fails in turn, once or
# from then on.  A command ends as if nothing had failed, with the same output; or with status 3 and one line; or,
# where reading failed, it shows what it has read, with a warning.  PROFLOG_FAILURES is the number of calls of
# one kind that fail for a command, 4 without it; `all` fails every one.  A command of two logs has a line for each.
. "${srcdir:-.}/tests/cli/lib.sh"

library=$top_builddir/.libs/libfail-calls.so
test -f "$library" || fail "$library is not built"
kinds='malloc mmap open read write ftruncate posix_fallocate pthread_create'
failures=${PROFLOG_FAILURES-4}
most=0
runs=0
ulimit -c 0

# with_failure N ARGUMENT...: proflog, of whose calls of $kind the Nth fails (0: none).  Sets $status.
with_failure ()
{
  number=$1
  shift
  rm -f made counts
  LD_PRELOAD=$library PROFLOG_FAIL_CALLS=$kind PROFLOG_FAIL_AT=$number PROFLOG_FAIL_MODE=$mode \
    PROFLOG_FAIL_COUNTS=$work/counts timeout 20 "$proflog" "$@" >out 2>err
  status=$?
  runs=$((runs + 1))
}

# shows_damage: an error of reading is a warning, or in what `check` prints.
shows_damage ()
{
  test "$kind" = read && grep -q 'reading it .*failed\|it has 0 bytes\|warning: .* cannot be read' err out
}

# is_right: as if nothing had failed, or with status 3 and a line (at most $logs_named) beside those about what a format
# does not have, or what was read, with a warning.
is_right ()
{
  cmp -s out right && cmp -s err right.err && test "$status" = "$right_status" && {
    test ! -e right.made || cmp -s made right.made
  } && return
  test "$status" -le 4 || return
  lines=$(grep -vc ': not in a' err)
  test "$status" = 3 && test "$lines" -ge 1 && test "$lines" -le "$logs_named" && grep -q '^proflog\|^GLib ' err &&
    return
  shows_damage
}

# torture ARGUMENT...
torture ()
{
  mode=once
  logs_named=$(printf '%s\n' "$@" | grep -c '\(mlpd\|eventlog\)$')
  for kind in $kinds; do
    with_failure 0 "$@"
    counted=$(od -An -t u8 counts | awk '{ print $1 }')
    test "$counted" -le "$most" || most=$counted
    mv out right
    mv err right.err
    right_status=$status
    rm -f right.made
    test ! -e made || mv made right.made
    test "$counted" != 0 || continue
    step=1
    test "$failures" = all || step=$((counted / failures + 1))
    for mode in once on; do
      # Other calls with each command.
      n=$((1 + (runs / 7) % step))
      while test "$n" -le "$counted"; do
        with_failure "$n" "$@"
        is_right || fail "$kind $n of $counted fails ($mode), proflog $*: status $status"
        n=$((n + step))
      done
    done
    mode=once
  done
}

for log in "$small" "$logs/small.eventlog"; do
  case $log in
  *.mlpd) cp "$log" log.mlpd && log=log.mlpd other=ghc ;;
  *) cp "$log" log.eventlog && log=log.eventlog other=mono ;;
  esac
  torture report "$log"
  torture info --format json "$log"
  torture stats "$log"
  torture check "$log"
  torture heap "$log"
  torture show "$log"
  torture show --order file "$log"
  torture dump "$log"
  torture export --format chrome "$log" -o made
  torture repair "$log" -o made
  torture cut --time-range '0~50%' "$log" -o made
  torture export --format firefox "$log" -o made
  torture export --format perfetto "$log" -o made
  torture anonymize --key "a key of the test" "$log" -o made
  torture convert --to "$other" "$log" -o made
  torture flame "$log" -o made
  torture validate "$log"
  torture diff "$log" "$log"
  torture dump "$log" "$log"
  torture follow -q --timeout 0 "$log"
  torture report --index "$log" -q
done
torture export --format hprof log.mlpd -o made
torture export --format heaptrack log.mlpd -o made
torture convert --data-version 1 log.mlpd -o made
torture dump log.mlpd log.eventlog
torture simulate threads log.eventlog
for format in mlpd eventlog; do
  for half in 0~50% 50%~; do
    "$proflog" cut -q --time-range "$half" "log.$format" -o "${half%%~*}.$format" || fail "no half of log.$format"
  done
  torture merge "0.$format" "50%.$format" -o made
done

# Logs are read several times, here in order of time, and once the header is not there again.
all_kinds=$kinds some_failures=$failures
failures=all kinds=read
torture show log.mlpd
torture show log.eventlog

# Last, as gcov does not survive a failing malloc before the program that this runs.
kinds=$all_kinds failures=$some_failures
for log in log.mlpd log.eventlog; do
  test ! -x "$top_builddir/proflog-query" || torture query "$log" 'SELECT count(*) FROM events'
done
test "$most" -gt 500 || fail "at most $most calls were counted"

echo "$runs runs"
