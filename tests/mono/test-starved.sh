#!/bin/sh
# A program whose thread pool starves waits nearly all the time.  The first line of the report says so, also of the
# recording without options; with --wall it names the program's own method, not the runtime's threads.
. "${srcdir:-.}/tests/mono/lib.sh"

compile starve
cd "$work" || exit 1

# first_line OPTIONS...: of the report of a run, joined.
first_line ()
{
  "$proflog" run --force "$@" -o b.mlpd mono "$programs/starve.exe" 8 >"$truth" 2>"$work/stderr" || fail "run $*"
  log=$work/b.mlpd
  read_figures
  "$proflog" report b.mlpd >out || fail "report"
  test "$(head -n 1 out)" = Findings || { cat out; fail "the report does not begin with a finding"; }
  sed -n 2p out >first
  cat first
}

# As long as the pool adds a thread each half second, eight need some seconds.
first_line
grep -q '^  - The program waits (or the machine is too busy to run it): its threads used .* of processor time in .*--wall' first || fail "the program does not wait"
same_findings "$work/report.json"
test "$(cat ids)" = little-processor-time || fail "the findings are $(cat ids)"
test "$(figure log.duration_ns)" -gt 2000000000 || fail "the pool does not starve"

first_line --wall
grep -Eq '^  - The program waits: its threads ran .* threads waited in Probe\.Starve:Handle \(int\) for events,' first \
  || fail "the method that waits is not named"
grep -Eq '[4-8] are workers of the thread pool' first || fail 'the pool is not named'
same_findings "$work/report.json"
test "$(cat ids)" = program-waits || fail "the findings are $(cat ids)"
sed -n '/^Waits by method/,/^$/p' out | sed -n 3p >row
grep -q 'event *Probe\.Starve:Handle (int)$' row || { cat row; fail "another method is first"; }

# The threads that wait are at most those of the tasks; each hit may stand for a long time.
"$proflog" report --reports=waits --format csv b.mlpd | grep '^wait_methods.*,event,,Probe.Starve:Handle (int)$' >row \
  || fail "no row of Handle"
threads=$(cut -d , -f 4 row) waited=$(cut -d , -f 2 row)
test "$threads" -ge 4 && test "$threads" -le 9 || fail "$threads threads wait"
duration=$(figure log.duration_ns)
test "$waited" -gt "$duration" && test "$waited" -le $((threads * duration)) || fail "$waited ns of $duration"

# The last of both clocks is used.
"$proflog" run --wall --sample -o c.mlpd --force mono "$programs/starve.exe" 1 >/dev/null 2>&1 || fail "--wall --sample"
"$proflog" info --format json c.mlpd | grep -q sample-real && fail "--sample after --wall has the wall clock"
echo "$checks figures agree"
