#!/bin/sh
# Eventlogs with what the same program printed with +RTS -s: all that a log can tell is the same, to
# the last digit.  PROFLOG_CONFORMANCE tells the folder in which ghc-pairs lies.
. "${srcdir:-.}/tests/cli/lib.sh"
pairs=${PROFLOG_CONFORMANCE:-}/ghc-pairs
if test ! -d "$pairs"; then
  echo "SKIP: PROFLOG_CONFORMANCE names no folder with ghc-pairs"
  exit 77
fi

# figures FILE: what both can tell, in one form; times of the CPU, and what is made of them, is
# dropped.
figures ()
{
  sed -n \
    -e 's/(0 MB lost due to fragmentation)//' \
    -e '/bytes allocated in the heap/p' \
    -e '/bytes copied during GC/p' \
    -e '/bytes maximum/p' \
    -e '/MiB total memory in use/p' \
    -e 's/^\( *Gen  *[0-9]* .* par\) *[0-9.]*s  *\([0-9.]*s  *[0-9.]*s  *[0-9.]*s\)$/\1 \2/' \
    -e '/^ *Gen  *[0-9]/p' \
    -e '/work balance/p' \
    -e 's/\(TASKS: [0-9]*\) (.*using -N\([0-9]*\))/\1 \2/p' \
    -e '/SPARKS/p' \
    -e 's/^ *\(GC\|Total\)  *time .*( *\([0-9.]*s\) elapsed)/\1 \2/p' \
    "$1" | sed 's/  */ /g; s/^ //; s/ $//'
}

for stats in "$pairs"/*.stats; do
  log=${stats%.stats}.eventlog
  run 0 stats --reports=summary "$log"
  quiet err
  figures "$stats" >expected
  figures out >got
  test "$(wc -l <expected)" -ge 9 || fail "$stats tells too little"
  same got expected
  "$proflog" stats --reports=summary - <"$log" >from-pipe || fail "status $?"
  same from-pipe out
done
done_checks
