#!/bin/sh
# proflog heap of eventlogs: samples and bands as in the .hp file that the same program wrote.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# hp_sample NAME N: the bands of sample N of its .hp file, which begins with an empty one.
hp_sample ()
{
  gzip -dc "$logs/ghc-$1.hp.gz" | awk -F '\t' -v wanted="$2" '/^BEGIN_SAMPLE/ { n++; next } /^END_SAMPLE/ { next }
    n == wanted + 2 && NF == 2 && $2 > 0 { print $1 "\t" $2 }' | sort
}

# our_sample NAME N
our_sample ()
{
  "$proflog" heap histogram "$logs/ghc-$1.eventlog.gz" "$2" --format json \
    | python3 -c 'import json, sys
for band in json.load(sys.stdin)["heap_profiles"][0]["bands"]:
    print(band["name"], band["bytes"], sep="\t")' | sort
}

for name in heap-hT heap-hy heap-hd heap-hm; do
  n=$("$proflog" heap "$logs/ghc-$name.eventlog.gz" --format csv | sed 1d | wc -l)
  test "$n" -gt 3 || fail "$name has $n samples"
  for sample in 0 1 $((n / 2)) $((n - 1)); do
    hp_sample "$name" "$sample" >expected
    our_sample "$name" "$sample" >got
    cmp expected got || fail "sample $sample of $name: other bands than in the .hp file"
    checks=$((checks + 1))
  done
done

# From one sample to another, as the .hp file has them.
log=$logs/ghc-heap-hT.eventlog.gz
hp_sample heap-hT 1 | awk -F '\t' '{ printf "%s\t%d\n", $1, -$2 }' >changes
hp_sample heap-hT 10 >>changes
awk -F '\t' '{ sum[$1] += $2 } END { for (band in sum) if (sum[band] != 0) print band "\t" sum[band] }' changes | sort >expected
run 0 heap diff "$log" 1 10 --format csv
sed 1d out | awk -F , '{ print $NF "\t" $2 }' | sort >got
cmp expected got || fail 'diff: other changes than in the .hp file'

# What grows; conditions.
run 1 heap leaks "$log" --exit-code
says out 'main:Main.Pair'
run 0 heap leaks "$log"
run 1 heap growth "$log" --fail-above 50%
run 0 heap growth "$log" --fail-above 220K
run 1 heap diff "$log" 0 10 --fail-above 200K
run 0 heap diff "$log" 10 11 --exit-code
run 0 heap diff "$log" --format csv
mv out first-to-last
run 0 heap diff "$log" 0 10 --format csv
cmp first-to-last out || fail 'diff: not from the first to the last sample'
run 0 heap diff "$logs/stock-heapshot.mlpd.gz" --format csv
mv out first-to-last
run 0 heap diff "$logs/stock-heapshot.mlpd.gz" 1 4 --format csv
cmp first-to-last out || fail 'diff: not from the first to the last snapshot'

# 190 bytes more of a heap of 500 MB are no growth, 10 MB are: what grows less than that is not even a row.
eventlog_of ()
{
  { echo '0 1000 run 1'
    echo '0 2000 heap-begin 4'
    for n in $(seq 20); do
      at=$((n * 100000000))
      printf '0 %d heap-sample 0\n0 %d band %d small\n0 %d band 500000000 flat\n' $at $at $((100 + n * $1)) $at
    done
    echo '0 2100000000 stop 1'
  } | python3 "$tests/cli/make-eventlog.py" "$2"
}
eventlog_of 10 little.eventlog
eventlog_of 500000 much.eventlog
run 0 heap leaks little.eventlog --exit-code
says out 'No band grows steadily, by a hundredth of the heap, from sample 0 to sample 19.'
run 1 heap leaks much.eventlog --exit-code
says out 'small'
run 3 heap diff much.eventlog much.eventlog
says err "'proflog diff --reports=heap_profiles' compares the heap profiles of two logs"

# A band that grew to the middle of the profile, and fell, does not grow; one that grows to the end does.
{
  echo '0 1000 run 1'
  echo '0 2000 heap-begin 4'
  for n in $(seq 20); do
    at=$((n * 100000000))
    fallen=$((n <= 10 ? n * 1000000 : (21 - n) * 100000))
    printf '0 %d heap-sample 0\n0 %d band %d parsed\n0 %d band %d kept\n' $at $at $fallen $at $((n * 50000))
  done
  echo '0 2100000000 stop 1'
} | python3 "$tests/cli/make-eventlog.py" fell.eventlog
run 1 heap leaks fell.eventlog --exit-code
says out 'kept'
! grep -q parsed out || fail 'a band that fell grows'
run 0 report --reports=heap_profiles --format json fell.eventlog
read_json
expect 'heap_profiles[1].peak_bytes' 10500000
expect 'heap_profiles[1].bands[parsed].grows' null
expect 'heap_profiles[1].bands[parsed].growth_bytes' -900000
expect 'heap_profiles[1].bands[parsed].first_bytes' 1000000
expect 'heap_profiles[1].bands[parsed].last_bytes' 100000
expect 'heap_profiles[1].bands[kept].grows' yes
expect 'heap_profiles[1].bands[kept].growth_bytes' 950000
run 0 report fell.eventlog
! grep -q 'keeps growing: parsed' out || fail 'a finding on a band that fell'

# What there is not.
run 3 heap histogram "$log" 12
says err 'there is no sample 12: the heap profile has 12, from 0'
run 3 heap refs "$log" 0x10
says err "it has no objects for 'refs'"
run 3 heap histogram "$log" --by size
run 3 heap "$logs/ghc-collect.eventlog.gz"
says err 'the log has no heap profile'
run 3 heap histogram "$logs/all-v17.mlpd" 0
says err 'heap snapshots are numbered from 1'
done_checks
