#!/bin/sh
# protoc decodes our export for OpenTelemetry without a field that it does not know, and the samples in it have the sums
# of the folded stacks.
. "${srcdir:-.}/tests/peers/peers.sh"
need protoc python3

# judge_otlp LOG: its stacks have as much time as in the folded text, or as many samples where no time is known.
judge_otlp ()
{
  "$proflog" export -q --format otlp -o "$work/profile.otlp" --force "$1" || fail "export $1"
  protoc --decode=otlp.ProfilesData -I "$tests/cli" "$tests/cli/otlp.proto" <"$work/profile.otlp" >"$work/text" \
    2>"$work/err" || fail "protoc of $1"
  python3 "$tests/cli/read-otlp.py" samples <"$work/text" >"$work/samples" || fail "$1 is not of the protocol"
  found=$(awk '{ sums[$1] += $3 } END { printf "%.0f", "cpu" in sums ? sums["cpu"] : sums["samples"] }' "$work/samples")
  expected=$("$proflog" export -q --format folded "$1" | awk '{ sum += $NF } END { printf "%.0f", sum }')
  test "$found" = "$expected" || fail "$1: $found, not $expected"
  test "$found" != 0 || fail "$1: nothing is in it"
}

# judge_metrics LOG: the collections of all generations, as they are at the end, are those of the report.
judge_metrics ()
{
  "$proflog" export -q --format otlp-metrics -o "$work/metrics.otlp" --force "$1" || fail "export $1"
  protoc --decode=otlp.MetricsData -I "$tests/cli" "$tests/cli/otlp.proto" <"$work/metrics.otlp" >"$work/text" \
    2>"$work/err" || fail "protoc of the metrics of $1"
  python3 "$tests/cli/read-otlp.py" metrics <"$work/text" >"$work/metrics" || fail "$1 is not of the protocol"
  found=$(awk '$1 ~ /\.gc\.collections$/ && $6 >= last[$3] { last[$3] = $6 } END { for (g in last) sum += last[g]; printf "%.0f", sum }' \
    "$work/metrics")
  expected=$("$proflog" report -q --format json "$1" | "$json_paths" | awk -F '\t' '$1 == "gc.collections" { print $2 }')
  test "$found" = "$expected" || fail "$1: $found collections, not $expected"
}

judge_both ()
{
  judge_otlp "$1"
  judge_metrics "$1"
}
judge_given judge_both
judge_both "$tests/logs/all-v17.mlpd"
judge_metrics "$tests/logs/ghc-collect.eventlog.gz"
