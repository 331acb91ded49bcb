#!/bin/sh
# Progress of what takes long, on a terminal and nowhere else.  A log that comes slowly takes long.
. "${srcdir:-.}/tests/cli/lib.sh"

need script
mkfifo pipe || fail "mkfifo"

# slowly: the log, in parts.
slowly ()
{
  head -c 300 "$small"
  sleep 1.3
  tail -c +301 "$small"
}

run 0 report --raw "$small"
sed '/^  Name  /d' out >expected

slowly >pipe &
script -qec "'$proflog' report --raw pipe >out" /dev/null >terminal </dev/null || fail "status $?"
grep -q 'MB/s' terminal || fail "no progress: $(cat -v terminal)"
# At the end nothing is left of it.
tail -c 4 terminal | od -An -c >end
says end '033   [   K'
sed '/^  Name  /d' out >got
same got expected

slowly >pipe &
script -qec "'$proflog' report --quiet pipe >out" /dev/null >terminal </dev/null || fail "status $?"
grep -q 'MB/s' terminal && fail "progress, although it was to be quiet"

slowly >pipe &
run 0 report pipe
quiet err

# Of many logs, the one that is read.
slowly >pipe &
script -qec "'$proflog' report --by all '$small' pipe '$small' >out" /dev/null >terminal </dev/null || fail "status $?"
grep -q 'log 2 of 3' terminal || fail "no progress: $(cat -v terminal)"
tail -c 4 terminal | od -An -c >end
says end '033   [   K'

# What is done at once needs none.
script -qec "'$proflog' report '$small' >out" /dev/null >terminal </dev/null || fail "status $?"
quiet terminal
done_checks
