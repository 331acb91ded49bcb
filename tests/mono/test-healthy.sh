#!/bin/sh
# Programs of usual kinds, without a fault: their reports have no finding, and with all allocations or with heap
# snapshots at most one; the heap of the latter has no suspect.
. "${srcdir:-.}/tests/mono/lib.sh"
compile healthy
PROFLOG_MODULE_DIR=$module_dir
export PROFLOG_MODULE_DIR
cd "$work" || exit 1

mono "$programs/healthy.exe" >names || fail "the programs are not listed"
test "$(wc -l <names)" -ge 20 || fail "there are fewer than 20 programs"

# healthy MOST NAME [OPTION]: the program's report has at most so many findings.
healthy ()
{
  most=$1 name=$2
  shift 2
  "$proflog" run "$@" --force -o "$log" mono "$programs/healthy.exe" "$name" >out 2>err \
    || { cat err; fail "$name $*: the program failed"; }
  "$proflog" report --format json "$log" >report.json 2>err || { cat err; fail "$name $*: no report"; }
  same_findings report.json
  test "$findings" -le "$most" \
    || { "$proflog" report --reports=findings "$log"; fail "$name $*: $findings findings"; }
  checks=$((checks + 1))
}

while read -r program; do
  healthy 0 "$program"
  healthy 1 "$program" --allocs
  healthy 1 "$program" --heapshot
  "$proflog" heap leaks "$log" >printed 2>err || { cat err; fail "$program: heap leaks"; }
  ! grep '^Suspect ' printed || { cat printed; fail "$program: a suspect"; }
  # A snapshot at each of many collections: what a program fetches at its start is no trend.
  (MONO_GC_PARAMS=nursery-size=64k; export MONO_GC_PARAMS; healthy 0 "$program" --heapshot=1gc) || exit 1
  checks=$((checks + 1))
  "$proflog" heap leaks "$log" >printed 2>err || { cat err; fail "$program: heap leaks, of many snapshots"; }
  ! grep '^Suspect ' printed || { cat printed; fail "$program: a suspect of many snapshots"; }
done <names
# The reports are of what was recorded.
grep -q '"heapshots": \[$' report.json || fail "there is no heap snapshot"
echo "$checks reports of $(wc -l <names) programs"
