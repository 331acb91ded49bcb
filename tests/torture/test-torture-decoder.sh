#!/bin/sh
# Each allocation and each call of the system that may fail (the sets of fail-calls.c) fails in turn, once or from
# then on, in the commands that read logs.  A command ends as if nothing had failed, with the same output; or with
# status 3 and one line, or one for each of two logs; or, where reading failed, it shows what it has read, with a
# warning.  PROFLOG_FAILURES is the number of calls of one kind that fail for a command, 4 without it; `all` fails
# every one.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/torture/lib.sh"
export PROFLOG_KEY="a key of the test"
failures=${PROFLOG_FAILURES-4}
most=0

# shows_damage: an error of reading is a warning, or in what `check` prints.
shows_damage ()
{
  case $kind in
  read | lseek) ;;
  *) return 1 ;;
  esac
  grep -q 'reading it .*failed\|it has 0 bytes\|warning: .* cannot be read' err out
}

# is_right: as if nothing had failed, or with status 3 and a line (at most $logs_named) beside those about what a format
# does not have, or what was read, with a warning.
is_right ()
{
  cmp -s out right && cmp -s err right.err && test "$status" = "$right_status" && {
    test ! -e right.made || cmp -s made right.made
  } && return
  test "$status" -le 4 || return
  lines=$(grep -vc ': not in a\|as the format cannot' err)
  test "$status" = 3 && test "$lines" -ge 1 && test "$lines" -le "$logs_named" && grep -q '^proflog\|^GLib ' err &&
    return
  shows_damage
}

# try N ARGUMENT...
try ()
{
  with_failure "$@"
  is_right || fail "$kind $1 of $counted fails ($mode), proflog $*: status $status"
}

# torture ARGUMENT...
torture ()
{
  mode=once
  logs_named=$(printf '%s\n' "$@" | grep -c '\(mlpd\|eventlog\)$')
  for kind in $kinds; do
    with_failure 0 "$@"
    counted=$(calls_counted)
    test "$counted" -le "$most" || most=$counted
    mv out right
    mv err right.err
    right_status=$status
    rm -f right.made
    test ! -e made || mv made right.made
    each_failure "$failures" "$counted" try "$@"
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
  torture anonymize "$log" -o made
  torture convert --to "$other" "$log" -o made
  torture flame "$log" -o made
  torture heatmap "$log" -o made
  torture validate "$log"
  torture stacks "$log"
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
