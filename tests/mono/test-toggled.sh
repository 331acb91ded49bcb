#!/bin/sh
# Recording is started and stopped again and again: the log has what the program did in between, and its memory does
# not grow.  PROFLOG_TOGGLES is how often, 25 without it.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"

toggles=${PROFLOG_TOGGLES:-25}
begin alloc,calls,format=17
step print
ctl 0 stop
step "skip 20000" # of the collector's memory all is touched then that is touched at all
toggle=0
: >"$work/rss"
while test "$toggle" -lt "$toggles"; do
  toggle=$((toggle + 1))
  ctl 0 start
  step "count 3"
  ctl 0 stop
  step "skip 2"
  awk '/^VmRSS:/ { print $2 }' "/proc/$pid/status" >>"$work/rss"
done
end_steps
! grep '^proflog' "$work/stderr" || fail "the module complains"
tail -n 200 "$work/out" | grep -v '^done' | tail -n 4 >"$truth"
read_figures
expect_truth
expect "allocations.types[Probe.Item].objects" $((3 * toggles))
awk '{ kb[++n] = $1 }
  END { for (i = 1; i <= n; i++) { if (i <= n / 4 && kb[i] > first) first = kb[i]; if (i > n * 3 / 4 && kb[i] > last) last = kb[i] }
        print first + 0, last + 0 }' "$work/rss" >"$work/quarters"
read -r first last <"$work/quarters"
echo "$toggles starts and stops; at most $first kB resident in the first quarter, $last kB in the last"
test "$toggles" -lt 1000 || test $((last - first)) -le 2048 || fail "the program grows by $((last - first)) kB"
