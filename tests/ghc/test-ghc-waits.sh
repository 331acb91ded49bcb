#!/bin/sh
# Sections cpu and waits of eventlogs: the times that threads ran and waited, by reason, and those in which
# the capability was idle, are those of the program's own clock, within 10 %; of a time profile, cpu has
# the samples of its cost centres.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"
. "$sources/truth.sh"
LC_ALL=C.UTF-8

record waits vanilla Waits +RTS -ls
"$proflog" report --reports cpu,waits --format csv --limit 0 waits.eventlog >"$work/report" \
  || fail "no report"

# found REASON LABEL: the time of it in the report.
found ()
{
  case $1 in
    run) sed -n "s/^cpu.threads,\\([0-9]*\\),[0-9]*,[0-9]*,$2\$/\\1/p" "$work/report" ;;
    idle) sed -n 's/^idle_caps,0,[0-9]*,[0-9]*,[0-9]*,\([0-9]*\)$/\1/p' "$work/report" ;;
    *) sed -n "s/^waits,\\([0-9]*\\),[0-9]*,threads,[a-z]*,$1,,[0-9]*,$2\$/\\1/p" "$work/report" ;;
  esac
}

while read -r reason label ns; do
  in_report=$(found "$reason" "$label")
  echo "$reason $label: ${in_report:-nothing} ns in the report, $ns by the program's clock"
  awk -v found="${in_report:-0}" -v expected="$ns" \
    'BEGIN { exit !(found > 0.9 * expected && found < 1.1 * expected) }' \
    || fail "$label: $reason is not within 10 %"
  checks=$((checks + 1))
done <waits.truth
test "$checks" -ge 6 || fail "the program reported $checks times"
grep -q '^waits,.*,threads,sleep,delay,,' "$work/report" || fail "a delay is no sleep"
"$proflog" report --reports cpu waits.eventlog | grep -q '^  Source  *threads$' \
  || fail "cpu has another source"

# Of a log with a time profile, the hits of cost centres are those of the section time_profile; MAIN is there a
# figure of its own.
"$proflog" report --reports cpu --format csv --limit 0 --fields hits,kind,module,name "$tests/logs/ghc-ticks.eventlog.gz" \
  | sed -n '/,MAIN,MAIN$/d; s/^cpu.methods,\([0-9]*\),cost-centre,[^,]*,\(.*\)$/\2 \1/p' | sort >"$work/hits"
"$proflog" report --reports time_profile --format csv --limit 0 --fields self_samples,name \
  "$tests/logs/ghc-ticks.eventlog.gz" | sed -n 's/^time_profile.cost_centres,\([0-9]*\),\(.*\)$/\2 \1/p' \
  | sort >"$work/samples"
test -s "$work/hits" && cmp "$work/hits" "$work/samples" || fail "cpu has other hits than the time profile"
done_checks
