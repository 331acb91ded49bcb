#!/bin/sh
# Call stacks of ghc-stack-profiler: random ones whose folded lines the generator knows, in either order, in parts, with
# names before and after them, from another log, or none.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# make ORDER STACKS SAMPLES [bare]: made.eventlog, made.folded.
make ()
{
  python3 "$tests/cli/random-call-stacks.py" made.eventlog made.folded "$2" "$3" 7 "$1" ${4:+"$4"} \
    || fail 'random-call-stacks.py'
}

# is_folded ARGUMENT...: the command prints the lines of made.folded.
is_folded ()
{
  "$proflog" "$@" >folded || fail "$*"
  sort folded >sorted
  sort made.folded | cmp -s - sorted || fail "$*: not the stacks of the generator"
  checks=$((checks + 1))
}

# What all these stacks may use.  Sanitizers need memory and time of their own.
mib=64 seconds=10
test "${SANITIZER:-no}" = no || mib=100000 seconds=1000
make outermost 100000 200000
python3 "$tests/cli/bounded.py" $mib $seconds /dev/null folded "$proflog" export -f folded made.eventlog >used \
  || fail "$(cat used)"
is_folded export -f folded made.eventlog
make innermost 5000 20000
is_folded export -f folded made.eventlog
is_folded flame -f folded made.eventlog

# Of all samples some are of thread 3; below its name they are the same.
"$proflog" flame -f folded --by-thread made.eventlog | sed -n 's/^Thread 3;//p' | sort >by_thread
"$proflog" flame -f folded --thread 3 made.eventlog | sort >of_thread
cmp -s by_thread of_thread || fail 'the stacks of a thread'
test -s of_thread || fail 'no stacks of thread 3'

# Figures.
samples=$(awk '{ n += $NF } END { print n }' made.folded)
run 0 report --reports=cpu,time_profile -f json made.eventlog
read_json
expect cpu.source samples
expect cpu.hits "$samples"
expect time_profile.samples "$samples"
expect time_profile.order 'innermost first'
expect time_profile.damaged 0
expect time_profile.incomplete 0
run 0 info -f json made.eventlog
read_json
expect content.time_samples "$samples"
expect content.messages 0
run 0 report --reports=time_profile made.eventlog
says out 'Stacks in parts'
says out 'Info tables without a name'

# All samples are in traces, too.
for format in chrome firefox perfetto; do
  run 0 export -f "$format" made.eventlog -o trace --force
done
run 0 export -f chrome made.eventlog -o trace --force
hits=$(grep -o '"samples":\[[0-9,]*\]' trace | tr -dc '0-9,[' | tr '[,' '\n\n' | grep -c .)
test "$hits" = "$samples" || fail "$hits of $samples samples in the trace"

# Names from another log of the same program.
cp made.eventlog named.eventlog
make innermost 5000 20000 bare
run 0 export -f folded made.eventlog
grep -q 'M1\.f' out && fail 'names in a log without them'
cp made.folded bare.folded
is_folded export -f folded --names-from named.eventlog made.eventlog
run 0 report --reports=cpu --names-from named.eventlog made.eventlog
grep -q 'M[0-9]*\.f[0-9]' out || fail 'no names from the other log'
run 0 flame -f folded --names-from named.eventlog --diff named.eventlog made.eventlog
awk '{ if ($NF != $(NF - 1)) exit 1 }' out || fail 'a log differs from itself'
run 3 export -f folded --names-from made.eventlog named.eventlog
says err 'it names no info tables'
run 3 export -f folded --names-from none made.eventlog
run 3 export -f folded --names-from "$small" made.eventlog
# Names of info tables are of no use for a log of Mono: it is refused, not read without a word.
for command in 'report' 'export -f folded' 'flame -f folded' 'heap growth' "diff $small"; do
  # shellcheck disable=SC2086 # words
  run 3 $command --names-from named.eventlog "$small"
  says err 'it has no info tables that --names-from could name'
done
run 3 query --names-from named.eventlog "$small" 'SELECT * FROM threads'
says err 'it has no info tables that --names-from could name'
done_checks
