#!/bin/sh
# Programs with a fault have a finding about it, whose figures are those of the report; a program without has
# none.
. "${srcdir:-.}/tests/mono/lib.sh"

# finds ID OPTIONS ARGUMENT: this finding alone.
finds ()
{
  expected_id=$1
  record 0 "$2" findings "$3"
  same_findings "$work/report.json"
  test "$findings" = 1 || fail "$3: there are $findings findings"
  grep -qx "$expected_id" "$work/ids" || fail "$3: the finding is $(cat "$work/ids")"
  checks=$((checks + 1))
}

finds exceptions-as-control-flow exception,format=17 throw
test "$(figure exceptions.throws)" -ge 2000 || fail "fewer exceptions than were thrown"
finds one-contended-lock monitor contend
test "$(figure 'findings[0].figures[wait].value')" -ge 200000000 || fail "a short wait"
finds main-thread-sleeps sample-real,format=17 sleep
finds one-allocated-type alloc allocate
finds gc-pauses gc collect
finds growing-heap heapshot=1gc,format=17 grow
# What accumulates is first, with its way from the root, as 'proflog heap leaks' has it.
record 0 heapshot=1gc,format=17 findings keep
same_findings "$work/report.json"
test "$(head -n 1 "$work/ids")" = growing-class || fail "keep: the findings are $(cat "$work/ids")"
way=$(figure 'findings[0].figures[way].value')
case $way in *'static Findings.sessions -> List<Session>._items -> '*Session*) ;; *) fail "keep: the way is '$way'" ;; esac
"$proflog" heap leaks "$log" | grep -qF "$way" || fail "keep: heap leaks has another way"
checks=$((checks + 1))

# Of processor time: the program's own method, with what it called of the libraries, and who called it.
record 0 sample,format=17 findings search
same_findings "$work/report.json"
test "$findings" = 1 && grep -qx hot-method "$work/ids" || fail "search: the findings are $(cat "$work/ids")"
test "$(figure 'findings[0].figures[method].value')" = Probe.Findings:Normalize || fail 'search: another method'
test "$(figure 'findings[0].figures[caller].value')" = 'lambda in Probe.Findings:Search' || fail 'search: another caller'
test "$(figure 'findings[0].figures[share].value')" -ge 800 || fail 'search: a small share'
record 0 sample,format=17 findings append
same_findings "$work/report.json"
grep -qx garbage "$work/ids" || fail "append: the findings are $(cat "$work/ids")"
checks=$((checks + 2))

finds nothing-of-time-and-memory gc sleep

# The sentence, and its absence.
"$proflog" report "$log" >"$work/out" || fail "no report"
sed -n '1,2p' "$work/out" | tr '\n' ' ' | grep -q '^Findings *- The log has ' \
  || fail "the report does not begin with the finding"
"$proflog" report --no-findings "$log" >"$work/out" || fail "no report without findings"
grep -q Findings "$work/out" && fail "findings that are not wanted"

for options in exception,monitor,gc alloc sample; do
  record 0 "$options,format=17" findings nothing
  same_findings "$work/report.json"
  test "$findings" = 0 || fail "$options: a healthy program has $(cat "$work/ids")"
  checks=$((checks + 1))
done
echo "$checks findings agree"
