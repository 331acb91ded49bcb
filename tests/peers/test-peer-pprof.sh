#!/bin/sh
# pprof finds in our profiles the numbers and weights that the reports of their logs state.
. "${srcdir:-.}/tests/peers/peers.sh"
need_peer pprof pprof

# figure LOG PATH: the sum of the figures of its report at this path; [] are all rows.
figure ()
{
  "$proflog" report -q --format json --limit 0 "$1" >"$work/report" || fail "report $1"
  "$json_paths" <"$work/report" >"$work/paths" || fail "the report of $1 is not JSON"
  awk -F '\t' -v path="$2" '
    { sub (/\[.*\]/, "[]", $1) }
    $1 == path { sum += $2 }
    END { printf "%.0f", sum }' "$work/paths"
}

# judge_profile LOG SOURCE TYPES COUNT WEIGHT: pprof has these types of values, and these sums of them.
judge_profile ()
{
  log=$(path_of "$1")
  "$proflog" export -q --format pprof --source "$2" -o "$work/profile.pb" --force "$log" || fail "export $1"
  "$PROFLOG_PEERS/pprof" -raw "$work/profile.pb" >"$work/out" 2>"$work/err" || fail "pprof of $1"
  test ! -s "$work/err" || fail "pprof complains of $1"
  test "$(sed -n '/^Samples:/{n;p;}' "$work/out")" = "$3" || fail "$1 $2: other types"
  found=$(awk '/^Locations/ { exit } /^ *[0-9]+.*: / { sub (/:.*/, ""); a += $1; b += $2 } END { printf "%.0f %.0f", a, b }' "$work/out")
  expected="$(figure "$log" "$4") $(figure "$log" "$5")"
  test "$found" = "$expected" || fail "$1 $2: sums are $found, not $expected"
  test "${found% *}" != 0 || fail "$1 $2: nothing is in it"
}

# judge_all LOG: all that a log of Mono has, or the time profile of an eventlog.
judge_all ()
{
  if test "$(figure "$1" calls.total)" != 0; then
    judge_profile "$1" calls 'calls/count time/nanoseconds[dflt]' calls.total 'calls.methods[].self_ns'
    judge_profile "$1" allocations 'alloc_objects/count alloc_space/bytes[dflt]' allocations.objects allocations.bytes
    judge_profile "$1" locks 'contentions/count delay/nanoseconds[dflt]' monitors.contentions monitors.wait_total_ns
    judge_profile "$1" exceptions 'exceptions/count[dflt]' exceptions.throws none
  fi
  judge_profile "$1" samples 'samples/count cpu/nanoseconds[dflt]' "$(test "$(figure "$1" cpu.running)" = 0 \
    && echo cpu.hits || echo cpu.running)" cpu.total_ns
}

judge_given judge_all
judge_profile stock-samples.mlpd.gz samples 'samples/count[dflt]' cpu.hits none
judge_profile module-calls.mlpd.gz calls 'calls/count time/nanoseconds[dflt]' calls.total 'calls.methods[].self_ns'
judge_profile all-v17.mlpd calls 'calls/count time/nanoseconds[dflt]' calls.total 'calls.methods[].self_ns'
judge_profile module-alloc.mlpd.gz allocations 'alloc_objects/count alloc_space/bytes[dflt]' \
  allocations.objects allocations.bytes
judge_profile stock-monitors.mlpd.gz locks 'contentions/count delay/nanoseconds[dflt]' \
  monitors.contentions monitors.wait_total_ns
judge_profile stock-exceptions.mlpd.gz exceptions 'exceptions/count[dflt]' exceptions.throws none
