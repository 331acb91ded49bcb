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
judge_given judge_otlp
judge_otlp "$tests/logs/all-v17.mlpd"
