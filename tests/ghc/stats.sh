# stats.sh -- compares `proflog stats` with what the same program printed with +RTS -s: all that a
# log can state is the same, to the last digit.  Sourced after tests/cli/lib.sh.

# figures FILE: what both can state, in one form.  Times of the CPU, what is made of them, and what no
# log has is dropped: what was lost due to fragmentation, kinds of tasks, concurrent collections.
figures ()
{
  sed -n \
    -e 's/([0-9]* Mi*B lost due to fragmentation)//' \
    -e '/bytes allocated in the heap/p' \
    -e '/bytes copied during GC/p' \
    -e '/bytes maximum/p' \
    -e '/MiB total memory in use/p' \
    -e 's/^\( *Gen  *[0-9]* .* par\) *[0-9.]*s  *\([0-9.]*s  *[0-9.]*s  *[0-9.]*s\)$/\1 \2/' \
    -e '/^ *Gen  *[0-9]* *concurrent/d' \
    -e '/^ *Gen  *[0-9]/p' \
    -e '/work balance/p' \
    -e 's/\(TASKS: [0-9]*\) (.*using -N\([0-9]*\))/\1 \2/p' \
    -e '/SPARKS/p' \
    -e 's/^ *\(GC\|Total\)  *time .*( *\([0-9.]*s\) elapsed)/\1 \2/p' \
    "$1" | sed 's/  */ /g; s/^ //; s/ $//'
}

# compare_stats LOG STATS
compare_stats ()
{
  run 0 stats --reports=summary "$1"
  quiet err
  figures "$2" >expected
  figures out >got
  # What profiles took is a part of the collections' time in logs.
  if grep -q ', with RP and PROF)' out; then
    says "$2" '  PROF '
    sed -i '/^GC /d' expected
  fi
  # Threads of the concurrent collector are tasks of which logs do not state.
  if grep -q 'concurrent,' "$2"; then
    sed -i '/^TASKS/d' expected got
  fi
  test "$(wc -l <expected)" -ge 8 || fail "$2 has few figures"
  same got expected
}
