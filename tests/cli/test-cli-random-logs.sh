#!/bin/sh
# Logs of random events: convert to the other data versions and back, to an eventlog and back, cut and merge.
# PROFLOG_LOGS is how many (30), PROFLOG_TEST_SEED the first of their seeds.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/mono-figures.sh"
write_random=$top_builddir/tests/cli/write-random-log
test -x "$write_random" || fail "$write_random is not built"
first=${PROFLOG_TEST_SEED:-1} n=${PROFLOG_LOGS:-30}
test "${SANITIZER:-no}" = no || n=5

# made COMMAND ARGUMENT...: a log, without a damaged place.
made ()
{
  "$proflog" "$@" 2>err || fail "proflog $*: status $?, seed $seed: $(cat err)"
}

# undamaged LOG: it may state things that contradict each other.
undamaged ()
{
  status=0
  "$proflog" check --strict "$1" >out 2>err || status=$?
  test "$status" -le 1 || fail "$1 is damaged, seed $seed: $(cat err)"
}

# same_of FUNCTION LOG OTHER
same_of ()
{
  "$1" "$2" >expected
  "$1" "$3" >got
  cmp -s expected got || { diff expected got | head -n 20; fail "$1 of $2 and $3 differ, seed $seed"; }
  checks=$((checks + 1))
}

# The sums of all sections.  In random logs an address has several names, and code lies where none can be.
in_common ()
{
  common_figures "$1" common
  grep -v -e '[][{}]' -e '"code_bytes"' -e '_per_second"' -e utilisation common # lost events may be the last
}

# begins LOG: the time that its first buffer begins at.
begins ()
{
  "$proflog" dump -q "$1" | sed -n '/ buffer /{s/.* time_base=\([0-9]*\).*/\1/p;q;}'
}

# The markers of exceptions, which both formats have.
markers_of ()
{
  "$proflog" report -q --reports marks --format json "$1" | "$json_paths" | grep '^marks[.]names\[throw .*[.]count' || true
}

# Seed 374 has a thread before the log's first buffer.
for seed in 374 $(seq "$first" $((first + n - 1))); do
  rm -f -- *.mlpd *.eventlog
  "$write_random" "$seed" >log.mlpd || fail "no log of seed $seed"
  version=$("$proflog" info -q --format json log.mlpd | "$json_paths" | awk -F '\t' '$1 == "log.data_version" { print $2 }')

  # There, back, and there again.  What version 1 has, all have; so the first step leaves out what it lacks.
  made convert -q --data-version 1 log.mlpd -o one.mlpd
  made convert -q --data-version 17 one.mlpd -o two.mlpd
  made convert -q --data-version 1 two.mlpd -o three.mlpd
  undamaged one.mlpd
  undamaged two.mlpd
  same_of in_common one.mlpd two.mlpd
  same_of in_common one.mlpd three.mlpd
  made convert -q --data-version 17 log.mlpd -o new.mlpd
  # Without the events of its first buffer (coverage, seed 540) a log begins later, and so do all its times.
  test "$version" -lt 13 || test "$(begins log.mlpd)" != "$(begins new.mlpd)" || same_of in_common log.mlpd new.mlpd

  # To an eventlog and back.
  made convert -q log.mlpd -o one.eventlog
  undamaged one.eventlog
  made convert -q one.eventlog -o back.mlpd
  undamaged back.mlpd
  same_of markers_of one.eventlog back.mlpd
  cat got >>all-markers
  made convert -q back.mlpd -o two.eventlog
  same_of markers_of one.eventlog two.eventlog

  # All parts are the whole, but for what random counters and buffers out of order do to times.
  made cut -q --time-range=~40% new.mlpd -o a.mlpd
  made cut -q --time-range=40%~70% new.mlpd -o b.mlpd
  made cut -q --time-range=70%~ new.mlpd -o c.mlpd
  made merge -q c.mlpd a.mlpd b.mlpd -o merged.mlpd
  undamaged merged.mlpd
  same_of in_common new.mlpd merged.mlpd

  # What other readers make of some of them.
  if test $((seed % 10)) = 0 && has ghc-events; then
    LC_ALL=C.UTF-8 ghc-events show two.eventlog >shown 2>err || fail "ghc-events, seed $seed: $(cat err)"
    test "$(sed -n '1,/^Events:/d; s/^ *[0-9]*: //p' shown | wc -l)" -gt 0 || fail "ghc-events shows nothing, seed $seed"
  fi
done
test -s all-markers || fail "no log had a marker"
done_checks
