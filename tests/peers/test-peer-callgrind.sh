#!/bin/sh
# callgrind_annotate finds in our callgrind files the costs that the folded stacks have.
. "${srcdir:-.}/tests/peers/peers.sh"
need callgrind_annotate

# plain: folded stacks have ':' for ';'; awk makes one blank of several.
plain ()
{
  sed 's/;/:/g; s/  */ /g'
}

# judge_costs LOG OPTION...: its functions have the same own costs, and their sum is the total.
judge_costs ()
{
  log=$(path_of "$1")
  shift
  "$proflog" export -q --format callgrind "$@" "$log" >"$work/callgrind.out" || fail "export $log"
  "$proflog" export -q --format folded "$@" "$log" >"$work/folded" || fail "export $log"
  callgrind_annotate --auto=no --threshold=100 "$work/callgrind.out" >"$work/out" 2>"$work/err" \
    || fail "callgrind_annotate of $log"
  test ! -s "$work/err" || fail "callgrind_annotate complains of $log"
  sed -n -e 's/^ *\([0-9,]*\) ([ 0-9.]*%)  unknown:\(.*\)$/\1 \2/p' \
    -e 's/^ *\([0-9,]*\) (100.0%)  PROGRAM TOTALS$/\1 total/p' \
    "$work/out" | awk '{ gsub (/,/, "", $1); if ($1 != 0) print }' | plain | sort >"$work/found"
  awk '
    { cost = $NF; sub (/ [0-9]+$/, ""); n = split ($0, frames, ";"); own[frames[n]] += cost; total += cost }
    END {
      for (name in own) printf "%.0f %s\n", own[name], name
      printf "%.0f total\n", total
    }' "$work/folded" | plain | sort >"$work/expected"
  test "$(wc -l <"$work/expected")" -gt 1 || fail "$log has too few functions"
  same "$work/found" "$work/expected"
}

# judge_all LOG: each of its costs.
judge_all ()
{
  for source in samples calls allocations locks exceptions; do
    ! "$proflog" export -q --format folded --source $source "$1" >"$work/any" 2>"$work/err" \
      || judge_costs "$1" --source $source
  done
}

judge_given judge_all
judge_costs stock-samples.mlpd.gz
judge_costs all-v17.mlpd
judge_costs module-calls.mlpd.gz
judge_costs all-v17.mlpd --source calls
judge_costs ghc-ticks.eventlog.gz
