#!/bin/sh
# A program with a fault, recorded by the command that README names for its symptom: the first line of the report names
# the fault.
. "${srcdir:-.}/tests/mono/lib.sh"
compile findings
compile starve
PROFLOG_MODULE_DIR=$module_dir
export PROFLOG_MODULE_DIR
cd "$work" || exit 1

# names PATTERN PROGRAM ARGUMENT [OPTION...]: `proflog run OPTION...` records the program, whose first finding has the
# pattern.
names ()
{
  pattern=$1 program=$2 argument=$3
  shift 3
  grep -q -F "proflog run ${*:+$* }-o" "$tests/../README.md" || fail "README does not have proflog run $*"
  "$proflog" run "$@" --force -o "$log" mono "$programs/$program.exe" "$argument" >out 2>err || fail "$argument: run"
  "$proflog" report "$log" >out || fail "$argument: report"
  test "$(head -n 1 out)" = Findings || fail "$argument: the report does not begin with a finding"
  sed -n 2p out | grep -Eq "$pattern" || fail "$argument: the first finding is another"
  checks=$((checks + 1))
}

# It is slow.
names 'processor time is in Probe\.Findings:Normalize .* called by lambda in Probe\.Findings:Price' findings await
# In 80 columns names are whole but for namespaces.
COLUMNS=80 "$proflog" report --limit 40 "$log" >out || fail 'await: report'
grep -q 'lambda in .*Findings:Price' out || fail 'the lambda has no words'
! grep -e 'c__' -e '\.\.\.[A-Za-z]*\.' out || fail 'names have lost parts of words'
names 'processor time is in Probe\.Findings:Format ' findings format
names 'The program allocates a lot: .*--allocs' findings append
names '2000 of them are System\.FormatException' findings throw
names 'waited .* for one lock, of type Probe\.Gate' findings contend
# It waits.
names 'threads waited in Probe\.Starve:Handle \(int\) for events,' starve 8 --wall
names 'waited .* for one lock, of type Probe\.Gate' findings contend --wall
# It leaks memory.
names 'more and more objects of Probe\.Findings\.Poller.*-> TimerCallback\.m_target -> Poller' findings poll \
  --allocs --heapshot
names 'more and more objects of Probe\.Findings\.Receipt.*static Findings\.receipts -> Dictionary' findings cache \
  --allocs --heapshot
# Its cost is no method of the program.
! "$proflog" report --limit 0 "$log" | grep -e walk_frame -e raise_gc_allocation || fail 'the recording has methods'
echo "$checks faults named"
