#!/bin/sh
# Of every log, and of parts of it: the totals of the report, of the tree, of flame graphs and of exported stacks
# are one.
. "${srcdir:-.}/tests/cli/lib.sh"

# figure SECTION PATH: of the report of $log and the selection $part; numbers of several rows are added up.
figure ()
{
  "$proflog" report -q --format json --reports="$1" --limit 0 ${3:-} $part "$log" | "$json_paths" --places \
    | awk -F '\t' -v path="$2" '{ name = $1; gsub(/\[[0-9]+\]/, "", name) } name == path { sum += $2 }
        END { printf "%.0f\n", sum }'
}

# agree EXPECTED WORDS COMMAND...: the folded stacks add up to it; without any, it is 0.
agree ()
{
  expected=$1 words=$2
  shift 2
  sum=$("$proflog" "$@" -q --format folded $part "$log" 2>err | awk '{ sum += $NF } END { printf "%.0f\n", sum }')
  test "$sum" = "$expected" || fail "$log $part: $words has $sum, and the report $expected"
  checks=$((checks + 1))
}

# Other exports of stacks state their total, too.
agree_exports ()
{
  test "$1" != 0 || return 0
  "$proflog" export -q --format speedscope --source "$2" $part "$log" >out || fail "$log $part: no export"
  total=$(sed -n 's/.*"endValue":\([0-9]*\).*/\1/p' out)
  test "$total" = "$1" || fail "$log $part: speedscope has $total, and the report $1"
  "$proflog" export -q --format callgrind --source "$2" $part "$log" >out || fail "$log $part: no export"
  total=$(sed -n 's/^totals: //p' out)
  own=$(awk '/^calls=/ { getline; next } /^0 / { sum += $2 } END { printf "%.0f\n", sum }' out)
  test "$total" = "$1" -a "$own" = "$1" || fail "$log $part: callgrind has $total and $own, and the report $1"
  checks=$((checks + 2))
}

seen=
for log in "$logs"/all-v17.mlpd "$logs"/stock-*.mlpd.gz "$logs"/module-*.mlpd.gz; do
  thread=$("$proflog" dump -q "$log" 2>/dev/null | awk '$3 ~ /^0x/ && !($3 in n) { order[++k] = $3 } $3 ~ /^0x/ { n[$3]++ }
    END { for (t in n) if (n[t] > n[best]) best = t; print best }')
  for part in '' "--thread=$thread" '--time-range=20%~70%'; do
    calls=$(figure calls calls.total)
    self=$(figure tree tree.nodes.self_ns --source=calls)
    agree "$calls" 'flame --cost calls' flame --cost calls
    if test "$calls" != 0; then
      seen="$seen calls"
      agree "$self" 'flame --cost self' flame --cost self
      agree "$self" 'export folded' export --source calls
      agree_exports "$self" calls
    fi
    agree "$(figure allocations allocations.bytes)" 'flame --cost alloc' flame --cost alloc
    agree "$(figure exceptions exceptions.throws)" 'flame --cost exception' flame --cost exception
    agree "$(figure monitors monitors.wait_total_ns)" 'flame --cost lock' flame --cost lock
  done
done
case $seen in
  *calls*calls*calls*) ;;
  *) fail "only$seen were compared" ;;
esac
done_checks
