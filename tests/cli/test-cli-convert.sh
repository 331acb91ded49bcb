#!/bin/sh
# Logs of Mono as other data versions, and as eventlogs.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/mono-figures.sh"

# Stock logs of data version 17: there, back, and there again.
for name in alloc calls default exceptions heapshot monitors; do
  log=$logs/stock-$name.mlpd.gz
  run 0 convert -q --data-version 17 "$log" -o same.mlpd
  quiet err
  run 0 convert --data-version 1 "$log" -o one.mlpd
  says err "not in data version 1: "
  run 0 convert -q --data-version 17 one.mlpd -o back.mlpd
  common_figures "$log" wanted
  for log in same.mlpd one.mlpd back.mlpd; do
    common_figures $log seen
    cmp wanted seen || fail "$name: other figures in $log"
  done
  rm same.mlpd one.mlpd back.mlpd
done

# A log of our module: the mark at its end, the losses, the types of thrown objects and the repeated names stay.
for name in alloc calls; do
  log=$logs/module-$name.mlpd.gz
  run 0 convert -q --data-version 17 "$log" -o new.mlpd
  run 0 convert --data-version 1 new.mlpd -o old.mlpd
  quiet err
  run 0 check --strict old.mlpd
  common_figures "$log" wanted
  grep -q '"throws": 1, .*"name": "System[.]' wanted || fail "$name has no type of a thrown object"
  for log in new.mlpd old.mlpd; do
    common_figures $log seen
    cmp wanted seen || fail "$name: other figures in $log"
  done
  rm new.mlpd old.mlpd
done

# All data versions become the newest one, in which everything of theirs is named or listed.
for log in "$logs"/all-v*.mlpd; do
  run 0 convert -q --data-version 17 "$log" -o new.mlpd
  run 0 convert -q --data-version 1 new.mlpd -o old.mlpd
  run 0 dump new.mlpd
  run 0 dump old.mlpd
  rm new.mlpd old.mlpd
done

# Debian's reader counts the same.
if has mprof-report; then
  for name in stock-alloc stock-calls module-alloc; do
    for version in 1 17; do
      run 0 convert -q --data-version $version "$logs/$name.mlpd.gz" -o $version.mlpd
      mprof-report $version.mlpd 2>&1 | sed -n 's/^\t*//; /^Total memory\|^Total calls/p' >$version.peer
      rm $version.mlpd
    done
    test -s 1.peer || fail "mprof-report does not count $name"
    cmp 1.peer 17.peer || fail "mprof-report counts otherwise in $name"
  done
fi

# An event with a value for which the version has no room: a clause of type 300, which was LEB128 before data
# version 13.  It is listed, and the next one is there.
{
  head -c 36 "$small"
  printf '\013\0\0\0'
  tail -c +41 "$small" | head -c 40
  printf '\024\001\254\002\001\0\024\001\001\001\0'
} >clauses.mlpd
run 0 dump -q clauses.mlpd
test "$(grep -c ' exception-clause ' out)" = 2 || fail "not two clauses are there"
run 0 convert --data-version 17 clauses.mlpd -o new.mlpd
says err 'clauses.mlpd: not in data version 17: 1 exception-clause'
run 0 dump new.mlpd
test "$(grep -c ' exception-clause ' out)" = 1 || fail "not one clause is left"
rm new.mlpd

# A name that is no text, of an assembly in a damaged log: in data version 1, where assemblies may have no name,
# the event and the next one are read as they are.
{
  head -c 36 "$small"
  printf '\113\0\0\0'
  tail -c +41 "$small" | head -c 40
  printf '\042\001\003\002\0\240\256\001System.Runtime.CompilerServices.RuntimeHelpers\0'
  printf '\024\001\001\001\0\024\001\001\001\0\024\001\001\001\0'
  printf '\024\001\001\001\0'
} >assembly.mlpd
run 0 dump -q assembly.mlpd
says out 'System.Runtime.CompilerServices.RuntimeHelpers'
test "$(grep -c ' exception-clause ' out)" = 4 || fail "not four clauses follow"

# What makes no sense.
refuse ()
{
  text=$1
  shift
  run 2 convert "$@"
  says err "$text"
  test ! -e new.mlpd && test ! -e new.eventlog || fail "$* wrote a file"
}
cp "$small" own.mlpd
refuse 'it is a log of Mono already' own.mlpd -o new.mlpd
refuse 'which format?' own.mlpd
refuse '--data-version is for logs of Mono' --data-version 1 own.mlpd -o new.eventlog
refuse 'it is an eventlog already' "$logs/small.eventlog" -o new.eventlog
refuse 'data version 1 has no counters' --data-version 1 "$logs/small.eventlog" -o new.mlpd
refuse 'one log at a time' own.mlpd own.mlpd -o new.eventlog
refuse 'there are 1 and 17' --data-version 2 own.mlpd -o new.mlpd
run 2 convert --data-version 1 own.mlpd -o own.mlpd --force
says err 'cannot be the output too'
cmp own.mlpd "$small" || fail 'the input was overwritten'
