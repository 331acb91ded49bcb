#!/bin/sh
# Log, replay, log: the same events.  Logs of the fake host's scenarios and of real programs are
# replayed into the module, and what it writes then is replayed again.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built LIBFFI proflog-replay

# The module keeps the tables of names that it has outgrown, as some thread may be looking there.
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
export ASAN_OPTIONS

scenarios=$tests/host/scenarios
host=$top_builddir/tests/host/proflog-host

events ()
{
  "$readers/tests/replay/log-events" "$1" >"$2" || fail "$1 cannot be read"
}

# again OPTIONS: log.mlpd, replayed, comes to what it states; and that, too.
again ()
{
  events log.mlpd once
  test "$(wc -l <once)" -ge "$least" || fail "only $(wc -l <once) events"
  for from in log again; do
    to=again
    test $from = log || to=last
    run 0 replay $from.mlpd --into "$module:$1,output=$work/$to.mlpd"
    quiet err
    "$readers/tests/host/check-log" $to.mlpd >out 2>&1 || fail "$to.mlpd is wrong"
    events $to.mlpd then
    same once then
  done
}

# scenario LEAST OPTIONS NAME...: a log of at least this many events.
scenario ()
{
  least=$1 options=$2
  shift 2
  echo "scenario: $*"
  files=
  for name in world "$@"; do
    files="$files $scenarios/$name.scn"
  done
  # shellcheck disable=SC2086
  "$host" --module "$module" --profile="proflog:$options,output=$work/log.mlpd" $files >out 2>err \
    || fail "the fake host fails"
  again "$options"
}

scenario 40 alloc,calls events
scenario 70 calls calls
scenario 400 calls deep
scenario 700 gcmove moves
scenario 3000 alloc,calls collecting
scenario 1000 heapshot heap shots
scenario 70000 heapshot shots-race
scenario 10000 alloc naming
scenario 10 alloc,calls reborn
scenario 15 alloc,calls long-names
scenario 4000 alloc short-threads
# Much of the same: too long with sanitizers.
if test "${SANITIZER:-no}" = no; then
  scenario 100000 alloc,heapshot large-heap
  scenario 100000 alloc,calls parallel
fi

# A log that goes on where another ended announces all names again; no module is informed of these: a name
# is announced to it when it is used.
echo "rotated"
"$host" --module "$module" --profile="proflog:alloc,rotate=1M,output=$work/log.mlpd" \
  "$scenarios/world.scn" "$scenarios/parallel.scn" >out 2>err || fail "the fake host fails"
mv log.0002.mlpd log.mlpd || fail "the log has one part"
run 0 replay log.mlpd --into "$module:alloc,output=$work/again.mlpd" --format json
read_json
grep -q '^replay.said_again	[1-9]' figures || fail "no names are announced again"
events log.mlpd once
events again.mlpd then
grep '^thread' once >once.events
grep '^thread' then >then.events
test "$(wc -l <once.events)" -ge 10000 || fail "hardly any events"
same once.events then.events
! grep -q '[?]\|<unknown' then || fail "names are missing"

# Real programs: five and six threads, among them those of the runtime.
for recorded in alloc calls; do
  echo "recorded: $recorded"
  least=1500
  gunzip -c "$logs/module-$recorded.mlpd.gz" >log.mlpd || fail "no log"
  again "$recorded,clauses,gcmove"
done
done_checks
