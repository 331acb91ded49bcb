#!/bin/sh
# Logs of random events: convert to the other data versions and back, to an eventlog and back, cut and merge.
# PROFLOG_LOGS is how many (30), PROFLOG_TEST_SEED the first of their seeds.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/mono-figures.sh"
. "$tests/cli/ghc-events.sh"
sources=$tests/mono
. "$sources/agree.sh"
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

# What all data versions can represent.
in_common ()
{
  common_figures "$1" common
  cat common
}

# begins LOG: the time that its first buffer begins at.
begins ()
{
  "$proflog" dump -q "$1" | sed -n '/ buffer /{s/.* time_base=\([0-9]*\).*/\1/p;q;}'
}

# same_in_common LOG OTHER.  Without the events of its first buffer (coverage, seed 540; a class that is unloaded, seed
# 930812) a log begins later, and so do all its times.
same_in_common ()
{
  test "$(begins "$1")" != "$(begins "$2")" || same_of in_common "$1" "$2"
}

# The markers of exceptions, which both formats have.
markers_of ()
{
  "$proflog" report -q --reports marks --format json "$1" | "$json_paths" | grep '^marks[.]names\[throw .*[.]count' || true
}

# What mprof-report adds up of any log.  Here an address has several names, for which it has other rules.
sums='^(log\.data_version|gc\.(resizes|max_heap_bytes|moves)|gc\.generations\[[0-9]+\]\.collections'
sums="$sums|allocations\\.(objects|bytes)|calls\\.total|exceptions\\.throws|exceptions\\.clauses\\[.*\\]\\.count"
sums="$sums|monitors\\.(contentions|acquired|failed))\$"

# figures_of_parts LOG: those that remain where a log is cut in the middle.  Now and then the generator's clock goes back:
# a finalizer or a wait that ends before it begins may be cut between the two, and lasts from an earlier begin on then.
figures_of_parts ()
{
  "$proflog" dump -q new.mlpd | awk '{ kind = $4 ~ /^gc-finalize-/ ? "finalizers" : $4 == "monitor" ? "waits" : "" }
    $2 ~ /^[0-9]/ { if (kind != "" && $2 < last[$3]) print kind; if ($2 > last[$3]) last[$3] = $2 }' >backwards
  figures_of "$1" | awk '
    FILENAME == "backwards" { backwards[$1] = 1; next }
    /^    "finalizers": {/ && "finalizers" in backwards { skip = "^    }" }
    /^  "(monitors|wait[a-z_]*)": [[{]$/ && "waits" in backwards { skip = "^  []}]" }
    skip == "" { print }
    skip != "" && $0 ~ skip { skip = "" }' backwards - | grep .
}

# judge_mprof LOG: it counts what proflog counts.
judge_mprof ()
{
  log=$work/$1 recorded="$1 of seed $seed"
  timeout 60 mprof-report --verbose "$log" >mprof.out 2>err || fail "mprof-report cannot read $recorded"
  awk -f "$sources/mprof-paths.awk" mprof.out >mprof.figures || fail "mprof-paths.awk fails"
  "$proflog" report -q --format json "$log" 2>err | "$json_paths" >our.figures || fail "no report of $recorded"
  agree mprof-report mprof.figures proflog our.figures "$sums" "$no_key"
  checks=$((checks + 1))
}

# judge_by_others: other readers count the same in what is made of the log of this seed.
judge_by_others ()
{
  if has ghc-events; then
    read_by_ghc_events one.eventlog
    read_by_ghc_events two.eventlog
  fi
  has mprof-report || return 0
  judge_mprof back.mlpd
  rm -f -- *.mlpd
  "$write_random" "$seed" plain >plain.mlpd || fail "no plain log of seed $seed"
  made convert -q --data-version 1 plain.mlpd -o one.mlpd
  made convert -q --data-version 17 plain.mlpd -o new.mlpd
  judge_mprof one.mlpd
  judge_mprof new.mlpd
}

# Seed 47 has a thread before the log's first buffer.
for seed in 47 $(seq "$first" $((first + n - 1))); do
  rm -f -- *.mlpd *.eventlog
  "$write_random" "$seed" >log.mlpd || fail "no log of seed $seed"
  version=$("$proflog" info -q --format json log.mlpd | "$json_paths" | awk -F '\t' '$1 == "log.data_version" { print $2 }')

  # There, back, and there again.  What version 1 has, all have; so the first step leaves out what it lacks.
  made convert -q --data-version 1 log.mlpd -o one.mlpd
  made convert -q --data-version 17 one.mlpd -o two.mlpd
  made convert -q --data-version 1 two.mlpd -o three.mlpd
  undamaged one.mlpd
  undamaged two.mlpd
  same_in_common one.mlpd two.mlpd
  same_in_common one.mlpd three.mlpd
  made convert -q --data-version 17 log.mlpd -o new.mlpd
  test "$version" -lt 13 || same_in_common log.mlpd new.mlpd

  # To an eventlog and back.
  made convert -q log.mlpd -o one.eventlog
  undamaged one.eventlog
  made convert -q one.eventlog -o back.mlpd
  undamaged back.mlpd
  same_of markers_of one.eventlog back.mlpd
  cat got >>all-markers
  made convert -q back.mlpd -o two.eventlog
  same_of markers_of one.eventlog two.eventlog

  # All parts are the whole.
  made cut -q --time-range=~40% new.mlpd -o a.mlpd
  made cut -q --time-range=40%~70% new.mlpd -o b.mlpd
  made cut -q --time-range=70%~ new.mlpd -o c.mlpd
  made merge -q c.mlpd a.mlpd b.mlpd -o merged.mlpd
  undamaged merged.mlpd
  same_of figures_of_parts new.mlpd merged.mlpd

  test $((seed % 10)) != 0 || judge_by_others
done
test -s all-markers || fail "no log had a marker"
done_checks
