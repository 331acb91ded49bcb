#!/bin/sh
# The commands of docs/ci.md, twice, as two runs of a job: with its budgets, and with one that is exceeded.  The jobs have
# the same commands.
. "${srcdir:-.}/tests/mono/lib.sh"
page=$tests/../docs/ci.md
awk '/^```/ { inside = !inside && $0 == "```sh"; next } inside' "$page" >"$work/commands"
awk '/^```/ { inside = !inside && $0 == "```text"; next } inside' "$page" >"$work/budgets.txt"
test "$(wc -l <"$work/commands")" = 3 || fail 'the page has other commands than this test'
while read -r line; do
  test "$(grep -cF "$line" "$page")" = 3 || fail "the jobs have not: $line"
done <"$work/commands"
mcs -nologo -out:"$work/app.exe" "$tests/../examples/quickstart.cs" || fail 'the program does not compile'
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$proflog" >"$work/bin/proflog"
chmod +x "$work/bin/proflog"
export PROFLOG_MODULE_DIR="$module_dir"
PATH=$work/bin:$PATH
cd "$work" || exit 1

# job: sets $status and $shown.
job ()
{
  status=0
  sh -e commands >out 2>err || status=$?
}

job
test "$status" = 0 || { cat err; fail "the first job has status $status"; }
test -s report.txt || fail 'there is no report'
test "$(grep -c '<testcase ' budgets.xml)" = 3 || fail "budgets.xml: $(cat budgets.xml)"
test ! -e comment.md || fail 'there is a comparison with nothing'
mv new.mlpd old.mlpd
job
test "$status" = 0 || { cat err; fail "the second job has status $status"; }
grep -q '^|.*|' comment.md || fail "the comment: $(cat comment.md)"
echo 'cpu.total_ns=1ns' >>budgets.txt
job
test "$status" = 1 || { cat err; fail "with an exceeded budget the job has status $status"; }
grep -q '<failure' budgets.xml || fail "budgets.xml: $(cat budgets.xml)"
echo "$((checks + 8)) checks"
