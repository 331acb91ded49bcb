#!/bin/sh
# The parts of the process's memory: what a program adds to one of them is in that, and in no other.
. "${srcdir:-.}/tests/mono/lib.sh"
mkdir -p "$programs"
compile memory -unsafe

# most NAME: the largest of the quarters.
most ()
{
  awk -F '\t' -v name="memory.quarters[" -v key="].$1_bytes" '
    index ($1, name) == 1 && substr ($1, length ($1) - length (key) + 1) == key && $2 > most { most = $2 }
    END { print most + 0 }' "$figures"
}

# read_parts NATIVE MANAGED THREADS: what there is at most of each.
read_parts ()
{
  rm -f "$log"
  profiled "sample=100,nogc,output=$log" memory "$@" >"$truth" || fail "memory.exe $*"
  read_figures
  resident=$(most resident) heap=$(most heap) stacks=$(most stacks) rest=$(most rest) files=$(most files)
}

# grew NAME FROM TO MB SLACK: by so many MB, and at most SLACK kB more or less.
grew ()
{
  difference=$(($3 - $2 - ($4 << 20)))
  if test "$difference" -lt $((-($5 << 10))) || test "$difference" -gt $(($5 << 10)); then
    fail "$1 grew by $(($3 - $2)) bytes, not by $4 MB"
  fi
  checks=$((checks + 1))
}

read_parts 0 0 0
resident0=$resident heap0=$heap stacks0=$stacks rest0=$rest
# The kernel's own counts are exact to some 100 pages a processor.
grew 'what the kernel states' "$(printed resident)" "$resident" 0 2048
test "$(most code)" -gt 0 || fail "no JIT code"
test "$(most metadata)" -gt 0 || fail "no metadata"
test "$files" -gt 1000000 || fail "no files"
test "$heap" -ge $((4 << 20)) || fail "the nursery has 4 MB, the heap $heap bytes"
test "$stacks" -gt 0 || fail "no stacks"

read_parts 64 0 0
grew resident "$resident0" "$resident" 64 8192 # pages of files come and go
grew rest "$rest0" "$rest" 64 3072
grew heap "$heap0" "$heap" 0 2048
grew stacks "$stacks0" "$stacks" 0 256

read_parts 0 48 0
grew resident "$resident0" "$resident" 48 8192
grew heap "$heap0" "$heap" 48 4096
grew rest "$rest0" "$rest" 0 4096
test "$(figure memory.large_bytes)" -ge $((48 << 20)) || fail "large objects have $(figure memory.large_bytes) bytes"

read_parts 0 0 12
grew stacks "$stacks0" "$stacks" 12 1024
grew heap "$heap0" "$heap" 0 2048

# With the counters of the runtime they are among these; without either there are none.
profiled "counter,output=$log" memory 0 0 0 >"$truth" || fail 'memory.exe with counter'
read_figures
grew 'with counter: what the kernel states' "$(printed resident)" "$(most resident)" 0 2048
profiled "format=17,output=$log" memory 0 0 0 >"$truth" || fail 'memory.exe with neither'
read_figures
expect memory.resident_bytes null

# They go on in each file.
profiled "sample=100,rotate=1s,output=$log" memory 0 0 0 >"$truth" || fail 'memory.exe with rotate'
last=$(find "$work" -name 'log.0*.mlpd' | sort | tail -n 1)
test -n "$last" || fail 'no other file'
read_figures "$last"
grew 'in the last file: what the kernel states' "$(printed resident)" "$(most resident)" 0 2048
if has mprof-report; then
  timeout 60 mprof-report --verbose --reports=counters "$last" >"$judged" 2>&1 || fail mprof-report
  says "$judged" 'Memory: resident'
fi
echo "$checks checks"
