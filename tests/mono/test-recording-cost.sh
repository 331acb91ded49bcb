#!/bin/sh
# What the recording itself takes is one frame, in no share and no total of the program's methods, and all commands
# state the same.  Truth: the samples of the log as it is, whose innermost frame or native function raises events.
. "${srcdir:-.}/tests/mono/lib.sh"
need python3
compile boxes

# raw: hits, and those of the recording, of the samples in the dump.
raw ()
{
  "$proflog" dump "$log" 2>"$work/err" | grep -E " (method-jit|sample-symbol|sample-hit) " >"$work/dump" || fail "dump: $(cat "$work/err")"
  python3 - "$work/dump" <<'END'
import re, sys
wrappers, code, hits, cost = set(), [], 0, 0
for line in open(sys.argv[1], errors='replace'):
    if ' method-jit ' in line and '__icall_wrapper_mono_profiler_raise_' in line:
        wrappers.add(re.search(r'method=(\w+)', line).group(1))
    elif ' sample-symbol ' in line and re.search(r'name="(libmono-profiler-proflog|mono_profiler_raise_)', line):
        address, size = re.search(r'address=(\w+) size=(\d+)', line).groups()
        code.append((int(address, 16), int(size)))
for line in open(sys.argv[1], errors='replace'):
    if ' sample-hit ' not in line:
        continue
    hits += 1
    ips, frames = re.search(r'ips=\[(\w*).*frames=\[(?:\{ method=(\w+))?', line).groups()
    cost += frames in wrappers or any(at <= int(ips, 16) < at + max(size, 1) for at, size in code)
print(hits, cost)
END
}

# of_pprof FILE: the sum of the values of the samples whose innermost frame is the recording.
of_pprof ()
{
  python3 - "$1" <<'END'
import gzip, sys
data = open(sys.argv[1], 'rb').read()
data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
def number(b, at):
    value = shift = 0
    while True:
        byte = b[at]; at += 1
        value |= (byte & 127) << shift; shift += 7
        if byte < 128:
            return value, at
def fields(b):
    at = 0
    while at < len(b):
        key, at = number(b, at)
        if key & 7 == 0:
            value, at = number(b, at)
        else:
            n, at = number(b, at)
            value = b[at:at + n]; at += n
        yield key >> 3, value
def packed(value):
    if isinstance(value, int):
        return [value]
    at, all = 0, []
    while at < len(value):
        v, at = number(value, at)
        all.append(v)
    return all
samples, functions, locations, strings = [], {}, {}, []
for field, value in fields(data):
    if field == 2:
        s = {1: [], 2: []}
        for f, v in fields(value):
            if f in s:
                s[f] += packed(v)
        samples.append(s)
    elif field == 4:
        l = dict(fields(value))
        locations[l[1]] = dict(fields(l[4]))[1]
    elif field == 5:
        f = dict(fields(value))
        functions[f[1]] = f[2]
    elif field == 6:
        strings.append(value.decode())
print(sum(s[2][-1] for s in samples if strings[functions[locations[s[1][0]]]] == '[recording]'))
END
}

# expect_same WHAT VALUE
expect_same ()
{
  test "$2" = "$cost_ns" || fail "$1 states $2 ns of the recording, not $cost_ns"
  checks=$((checks + 1))
}

# costs OPTIONS LEAST: the recording takes at least so many percent of the samples.
costs ()
{
  profiled "sample=1000,$1,output=$log" boxes 300 >"$truth" || fail "$1: the program failed"
  read_figures
  raw >"$work/raw"
  read -r hits cost <"$work/raw"
  interval=$(figure cpu.interval_ns)
  cost_ns=$((cost * interval))
  test $((100 * cost)) -ge $(($2 * hits)) || fail "$1: only $cost of $hits samples are of the recording"
  expect cpu.hits "$hits"
  expect cpu.recording_hits "$cost"
  expect cpu.recording_ns "$cost_ns"
  expect "cpu.methods[[recording]].self_ns" "$cost_ns"
  grep -q '^cpu\..*profiler_raise' "$figures" && fail "$1: a function that raises events is a method"
  grep -q '^cpu\.native.*libmono-profiler' "$figures" && fail "$1: native functions of the module are the program's"
  # All else is the program's, and nothing of the recording is in its totals.
  awk -F '\t' -v own=$(((hits - cost) * interval)) '
    /^cpu\.methods.*\.self_ns\t/ && !/\[\[recording\]\]/ { self += $2 }
    /^cpu\.methods.*\.total_ns\t/ && !/\[\[recording\]\]/ && $2 > own { print "total: " $0; bad = 1 }
    END { if (self != own) print "own time: " self ", not " own; exit bad || self != own }' "$figures" \
    || fail "$1: of the program's own time"
  "$proflog" report --reports=cpu --limit 0 "$log" >"$work/text" 2>/dev/null
  awk '/ \[recording\]$/ { seen = $2 == "-" } END { exit !seen }' "$work/text" || fail "$1: the recording has a share"
  # Other commands.
  "$proflog" info --format json "$log" | "$json_paths" >"$work/info" || fail "$1: info"
  expect_same info "$(figure content.recording_ns "$work/info")"
  "$proflog" info "$log" | grep -q '^ *Recording took  *[0-9.]* [num]*s ([0-9.]* % of processor time)' || fail "$1: $("$proflog" info "$log")"
  "$proflog" export --format folded "$log" >"$work/folded" 2>"$work/err" || fail "folded: $(cat "$work/err")"
  expect_same folded "$(awk '/(^|;)\[recording\] / { sum += $NF } END { printf "%.0f", sum }' "$work/folded")"
  "$proflog" export --format pprof "$log" -o "$work/pprof" --force 2>"$work/err" || fail "pprof: $(cat "$work/err")"
  expect_same pprof "$(of_pprof "$work/pprof")"
  "$proflog" flame --by-thread --format folded "$log" >"$work/by-thread" 2>"$work/err" || fail "flame: $(cat "$work/err")"
  expect_same 'flame --by-thread' "$(awk '/(^|;)\[recording\] / { sum += $NF } END { printf "%.0f", sum }' "$work/by-thread")"
  "$proflog" top --once "$log" >"$work/top" 2>"$work/err" || fail "top: $(cat "$work/err")"
  grep -q " $((cost_ns / 1000000))\.0 .* \[recording\]\$" "$work/top" || fail "top: $(cat "$work/top")"
  "$proflog" report --reports=findings "$log" >"$work/text" 2>/dev/null
  grep -q 'The recording itself took .* of processor time' "$work/text" || fail "$1: no finding: $(cat "$work/text")"
  "$proflog" report --reports=findings,cpu --time-range 50%- --format json "$log" 2>/dev/null | "$json_paths" >"$work/half"
  grep -q '^cpu\..*profiler_raise' "$work/half" && fail "$1: of a part, a function that raises events is a method"
  test "$(figure cpu.recording_ns "$work/half")" -gt 0 || fail "$1: a part has nothing of the recording"
}

costs alloc,stacks=walk 30
"$proflog" report --reports=allocations "$log" >"$work/text" 2>/dev/null
grep -q 'Bytes per second, slowed by the recording' "$work/text" || fail "the rate is not marked: $(cat "$work/text")"
costs alloc,calls 30

# Without a costly recording nothing is said of it.
profiled "sample,output=$log" boxes 500 >"$truth" || fail 'the program failed'
read_figures
"$proflog" report "$log" >"$work/text" 2>/dev/null
grep -q 'recording itself' "$work/text" && fail 'a finding without a cost'
test "$(figure cpu.recording_ns)" -le $(($(figure cpu.total_ns) / 10)) || fail 'samples cost more than a tenth'

# Threads of the module itself: the log states what they used, which is a part of what the process used, and more if
# they compress.
threads_ns ()
{
  profiled "$1,output=$log" boxes 300 >"$truth" || fail "$1: the program failed"
  "$proflog" info --format json "$log" | "$json_paths" >"$work/info" || fail "$1: info"
  "$proflog" report --format json "$log" | "$json_paths" >"$work/figures-of-log" || fail "$1: report"
  case $1 in *zip*) gzip -dc "$log" ;; *) cat "$log" ;; esac | tail -c 48 >"$work/end"
  ns=$(od -An -tu8 -j 16 -N 8 "$work/end" | tr -d ' ')
  for of in info figures-of-log; do
    found=$(figure log.recording_threads_ns "$work/$of")
    test "$found" = "$ns" || fail "$1: $of states $found ns of the module's threads, the end mark $ns"
    checks=$((checks + 1))
  done
  test "$ns" -gt 0 || fail "$1: the module's threads used nothing"
}

before=$(awk '{ print $16 + $17 }' /proc/$$/stat)
threads_ns alloc
plain=$ns
threads_ns alloc,zip
test "$ns" -gt "$plain" || fail "compressed, the module's threads used $ns ns, else $plain ns"
after=$(awk '{ print $16 + $17 }' /proc/$$/stat)
all=$(((after - before) * 1000000000 / $(getconf CLK_TCK)))
test $((plain + ns)) -lt "$all" || fail "the module's threads used $plain and $ns ns, all processes $all ns"

# At the end of a run.
export PROFLOG_MODULE_DIR="$module_dir"
"$proflog" run --allocs --with stacks=walk -o "$log" --force mono "$programs/boxes.exe" 300 >"$truth" 2>"$work/err" || fail 'run'
grep -q 'the recording itself took [0-9.]* s of [0-9.]* s of processor time.*--allocs=512k' "$work/err" \
  || fail "the end of a run: $(cat "$work/err")"
"$proflog" run -o "$log" --force mono "$programs/boxes.exe" 500 >"$truth" 2>"$work/err" || fail 'run'
grep -q 'recording itself' "$work/err" && fail "the end of a run without a cost: $(cat "$work/err")"

echo "$checks checks"
