#!/bin/sh
# Crafted logs cost no more than 64 MiB beside the file and what is printed, and little time.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# Sanitizers need memory and time of their own: only crashes count.
mib=64 seconds=3
test "${SANITIZER:-no}" = no || mib=100000 seconds=1000

# craft KIND [N]: the log of hostile-logs.py is in crafted.
craft ()
{
  case=$1
  python3 "$tests/cli/hostile-logs.py" "$1" crafted ${2:+"$2"} || fail "no log"
}

# bounded ARGUMENT...: proflog with these and the crafted log.
bounded ()
{
  python3 "$tests/cli/bounded.py" $mib $seconds crafted out "$proflog" "$@" crafted >used 2>err || fail "$*: $(cat used)"
  grep -q Sanitizer err && fail "$*: a sanitizer reports"
  checks=$((checks + 1))
}

# repair does not hold what it skips, nor a large buffer.
for kind in mono_other mono_damaged mono_one_buffer ghc_zeros; do
  craft $kind 30000000
  gzip -1 <crafted >crafted.gz
  mv crafted.gz crafted # now the file is small
  bounded repair --max-ratio 0
done
craft ghc_nested 5000000
bounded repair
craft mono_one_buffer 5000000
bounded repair
same out crafted

# The search for what comes after damage: 65 MB and more in a second or two of the processor.  Without the
# mends these take 5 to 60 s, and `show` of very many headers 13 GiB.
for kind in mono_headers mono_ids mono_ones ghc_resync ghc_chains ghc_headers ghc_cut_headers ghc_ended_headers; do
  n=1000000
  case $kind in mono_ids) n=20000000 ;; mono_ones) n=60000000 ;; ghc_resync | ghc_chains) n=2000000 ;; esac
  test "$mib" = 64 || n=$((n / 20))
  craft $kind $n
  for command in info show; do
    bounded $command -q
  done
done
# Each buffer is damaged.
craft mono_short 500000
for command in info report show; do
  bounded $command -q
done

# A thread for each buffer.
craft mono_threads 45000
for command in info report check show; do
  bounded $command -q
done

# Objects that would cover all addresses; a stack of a million methods; blocks of all capabilities.
craft mono_large_objects 100
bounded export --format heaptrack -q
bounded flame --cost live -q
# The last two need up to 64 MiB more: a node for each call, and 1 KiB for each of 65,535 capabilities.
mib=$((mib + 64))
craft mono_enters 500000
bounded flame -q
craft ghc_caps 200000
bounded info -q
mib=$((mib - 64))

# Objects that a log states in a few bytes: their contents are not written beyond 64 MiB, or 200 times the log.
craft mono_huge_objects 1
bounded export --format hprof
test "$(wc -c <out)" -lt 68000000 || fail "$(wc -c <out) bytes"
says err '1 objects are written with 67108864 bytes, as the contents of all of them are more than 67108864'
says err '--max-ratio N'
test "${SANITIZER:-no}" = no || { done_checks; exit; }
craft mono_huge_objects 100000
bounded export --format hprof
says err '100000 objects are written with 2048 bytes'
test "$(wc -c <out)" -lt $((200 * $(wc -c <crafted) + 4000000)) || fail "$(wc -c <out) bytes"
craft mono_huge_objects 1
bounded export --format hprof --max-ratio 0
test "$(wc -c <out)" -gt 1073741824 || fail "$(wc -c <out) bytes"
done_checks
