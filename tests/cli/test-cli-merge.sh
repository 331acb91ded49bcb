#!/bin/sh
# proflog merge: several eventlogs in one.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/eventlog-lines.sh"

# merge_to ARGUMENT...: the result has the events in `expected`, in this order, and is whole.
merge_to ()
{
  "$proflog" merge -o - "$@" >all 2>err || fail "proflog merge $*: status $?"
  quiet err
  run 0 dump --strict all
  quiet err
  lines out >got
  same got expected
}

# As a second log: capabilities 0 and 1 are 2 and 3, sets 0 and 1 are 2 and 3, threads 1 and 2 are 3
# and 4.  Its blocks begin no earlier than those of the first.
sed -e 's/^\([0-9.]*\) 0 /\1 2 /' -e 's/^\([0-9.]*\) 1 /\1 3 /' \
  -e '/block-marker/s/cap=0/cap=2/' -e '/block-marker/s/cap=1$/cap=3/' \
  -e 's/capset=0 /capset=2 /' -e 's/capset=1 /capset=3 /' \
  -e 's/thread=2/thread=4/' -e 's/thread=1/thread=3/' events >second
cat events second >expected
merge_to "$eventlog" "$eventlog"
run 0 merge result "$eventlog" "$eventlog"
quiet out
quiet err
same result all
gzip -c "$eventlog" | "$proflog" merge -o - "$eventlog" - >other || fail "status $?"
same other all
cat "$eventlog" | "$proflog" merge -o - - "$eventlog" >other || fail "status $?"
same other all

# A log whose clock is 5 us later: its events are 5 us later, and its blocks come by their
# beginnings.  The number of nanoseconds stands 22 bytes after the event's beginning.
at=$("$proflog" dump "$eventlog" | awk '/wall-clock-time/ { print $1 }')
{ head -c $((at + 22)) "$eventlog"; printf '\000\000\023\215'; tail -c +$((at + 27)) "$eventlog"; } >later
run 0 dump later
says out "nanoseconds=5005"
sed -e 's/nanoseconds=5$/nanoseconds=5005/' -e 's/end_time=3100000/end_time=3105000/' \
  -e 's/end_time=3200000/end_time=3205000/' second \
  | awk '{ ns = substr ($1, 3) + 5000; $1 = ""; printf "0.%09d%s\n", ns, $0 }' \
  >second.later
cat events second.later >expected
merge_to "$eventlog" later
# The other way round the first log is the later one: the second begins the clock, and its first two
# blocks come first, but the third, which the file has after them, only when these are there.
sed -e 's/^\([0-9.]*\) 2 /\1 0 /' -e 's/^\([0-9.]*\) 3 /\1 1 /' \
  -e '/block-marker/s/cap=2/cap=0/' -e '/block-marker/s/cap=3$/cap=1/' \
  -e 's/capset=2 /capset=0 /' -e 's/capset=3 /capset=1 /' \
  -e 's/thread=3/thread=1/' -e 's/thread=4/thread=2/' second.later >first.later
cat second first.later >expected
merge_to later "$eventlog"

# Three, one of which does not state the time of day.
"$proflog" cut --no-event wall-clock-time "$eventlog" >timeless || fail "status $?"
"$proflog" merge -o - "$eventlog" timeless later >all 2>err || fail "status $?"
says err "timeless: warning: it has no time of day: its beginning is aligned with that of the first log that has one"
run 0 dump --strict all
says out '0.001405000 5 run-thread thread=6'
says out '0.001400000 3 run-thread thread=4'
test "$(grep -c ' end$' out)" = 1 || fail "there is not one end"
run 0 merge -q -o - "$eventlog" timeless
quiet err

# One log with two headers comes to have one; without a clock that is nothing to state.
cat "$eventlog" "$eventlog" >parts
cat events events >expected
merge_to parts
test "$(grep -c -e ' header ' -e ' end$' out)" = 2 || fail "not one header and one end"
run 0 merge timeless -o result.1
quiet err

# Damage.
head -c -40 "$eventlog" >damaged
run 4 merge --strict -o strict "$eventlog" damaged
says err "damaged: warning: the log ends at offset"
run 0 dump --strict strict
test "$(grep -c program-args out)" = 1 || fail "program-args of both"
head -c 1000 "$eventlog" >headless
run 3 merge result.2 "$eventlog" headless
says err "headless: the log ends at offset 1000 inside a header"
run 3 merge result.2 "$eventlog" nothing-there
run 3 merge result.2 "$eventlog" /dev/null

# What makes no sense.
run 2 merge
run 2 merge result.2
says err "OUT and two logs are needed"
run 2 merge result.2 "$eventlog"
says err "OUT and two logs are needed at least, or -o OUT and one log"
run 3 merge result "$eventlog" "$eventlog"
says err "File exists (--force replaces it)"
run 0 merge --force result "$eventlog" "$eventlog"
cp "$eventlog" log
run 2 merge --force log log "$eventlog"
says err "is an input"
run 2 merge result.mlpd "$eventlog" "$small"
says err "is an eventlog of GHC"
test ! -e result.mlpd || fail "something was written"

# Real logs of one and the same GHC, and with parts that the header of another does not have.
"$proflog" merge -o - "$logs"/ghc-blocks-N2.eventlog.gz "$logs"/ghc-collect-N2.eventlog.gz >real \
  || fail "status $?"
run 0 dump --strict real
quiet err
events=$(grep -c '^ *[0-9][0-9]* [0-9]*\.' out)
sum=0
for log in ghc-blocks-N2 ghc-collect-N2; do
  run 0 dump "$logs/$log.eventlog.gz"
  sum=$((sum + $(grep -c '^ *[0-9][0-9]* [0-9]*\.' out)))
done
test "$events" = "$sum" || fail "$events events of $sum"
for machines in threads,threadrun,threadpool tasks; do
  run 0 validate $machines real
done
# Programs find each process by its capability set.
for what in report stats; do
  run 0 $what --format json real
  read_json
  run 0 $what --format csv --reports processes real
  grep '^processes\.heap,[0-9]' out | cut -d, -f2 >sets
  printf '0\n2\n' >expected
  same sets expected
done
if has ghc-events; then
  # events FILE: what ghc-events shows of it, sorted.
  events ()
  {
    LC_ALL=C.UTF-8 ghc-events show "$1" >shown 2>err || fail "ghc-events does not read $1"
    sed '1,/^Events:/d' shown | grep . | sort
  }
  # The log that began first is in there as it was; of the other as many events.
  for log in ghc-blocks-N2 ghc-collect-N2; do
    gzip -dc "$logs/$log.eventlog.gz" >$log
    events $log >$log.events
  done
  events real >both
  test $(($(wc -l <ghc-blocks-N2.events) + $(wc -l <ghc-collect-N2.events))) = "$(wc -l <both)" \
    || fail "ghc-events finds another number of events"
  events all >three
  events "$eventlog" >one
  test "$(comm -23 one three | wc -l)" = 0 || fail "ghc-events finds other events"
  comm -13 both ghc-blocks-N2.events >lost.1
  comm -13 both ghc-collect-N2.events >lost.2
  test ! -s lost.1 || test ! -s lost.2 || fail "neither log is as it was"
fi

# ---- parts of one log ----

# figures_of LOG: its report, without its own name, its sizes and its blocks; and all of its events, sorted.
figures_of ()
{
  "$proflog" report -q --format json "$1" | "$json_paths" \
    | grep -Ev '^(log[.](name|bytes|blocks)|findings.*[.](command|text)|log_writing|events)'
}
events_of ()
{
  "$proflog" dump -q --format csv "$1" | sed 1d | cut -d , -f 3- | grep -Ev '(block-marker|header|,end)' | sort
}

# Cut by times, and merged in any order, they are the whole log again: numbers, announcements and all events.
parts=0
for log in "$logs"/ghc-*.eventlog.gz; do
  name=${log##*/}
  n=0 names=
  for range in '~30%' '30%~31%' '31%~99%' '99%~'; do
    n=$((n + 1))
    "$proflog" cut -q --time-range="$range" "$log" -o $n.eventlog || fail "cut of $name: status $?"
    names="$n.eventlog $names"
  done
  # shellcheck disable=SC2086 # names of parts are words
  "$proflog" merge -q $names -o whole.eventlog || fail "merge of $name: status $?"
  rm -f [1-4].eventlog
  gunzip -c "$log" >log.eventlog
  events_of log.eventlog >expected
  events_of whole.eventlog >got
  same expected got
  case $name in
    ghc-restart*) ;; # it was stopped and began anew, with a header each time; the result has one
    *)
      figures_of log.eventlog >expected
      figures_of whole.eventlog >got
      same expected got
      ! has ghc-events || for which in log whole; do
        LC_ALL=C.UTF-8 ghc-events show $which.eventlog 2>/dev/null | grep -v 'event block' | sort >$which.shown
      done
      ! has ghc-events || cmp log.shown whole.shown || fail "ghc-events finds other events in the parts of $name" ;;
  esac
  parts=$((parts + n))
  rm -f -- *.eventlog
done
test $parts -ge 20 || fail "only $parts parts"

# Damaged logs: what can be read of them, and a warning of what cannot, once.
gunzip -c "$logs/ghc-blocks.eventlog.gz" >whole.eventlog
length=$(wc -c <whole.eventlog)
cp whole.eventlog one.eventlog
overwrite one.eventlog $((length / 2)) '\0001\0001\0001\0001\0001\0001\0001\0001'
cp one.eventlog two.eventlog
overwrite two.eventlog $((length / 3)) '\0001\0001\0001\0001\0001\0001\0001\0001'
gzip -c whole.eventlog | head -c 3000 >packed.eventlog
for damaged in one two packed; do
  rm -f merged.eventlog
  run 0 merge -o merged.eventlog $damaged.eventlog "$logs/ghc-collect-N2.eventlog.gz"
  grep -v 'it has no time of day' err >warnings
  case $damaged in
    one) lines=1 text=' offset ' ;;
    two) lines=1 text='; and 1 more: ' ;;
    packed) lines=2 text='the compressed log is cut: its file ends at offset 3000' ;;
  esac
  test "$(wc -l <warnings)" = "$lines" || { cat err; fail "$damaged: not $lines warnings"; }
  says warnings "proflog: $damaged.eventlog: warning: "
  says warnings "$text"
  rm -f merged.eventlog
  run 0 merge -q -o merged.eventlog $damaged.eventlog "$logs/ghc-collect-N2.eventlog.gz"
  quiet err
  run 0 info merged.eventlog
  case $damaged in
    packed) quiet err ;;
    *) says err 'the log was made of a damaged one, whose damaged bytes it lacks' ;;
  esac
done
# Two logs with the capability 65533: the highest can be 65534.
gzip -dc "$logs/ghc-blocks.eventlog.gz" >high.eventlog
created=$("$proflog" dump high.eventlog | awk '/ cap-create / { print $1; exit }')
overwrite high.eventlog $((created + 10)) '\0377\0375' # after the event's number and time
cp high.eventlog high2.eventlog
rm -f merged.eventlog
run 3 merge -o merged.eventlog high.eventlog high2.eventlog
text='proflog merge: there are not numbers enough for all capabilities: those of log 2 go up to 65533, and those of the'
same_lines err "$text logs before it to 65533; the highest can be 65534"
test ! -e merged.eventlog || fail 'a part of the result is left'
head -c 30 whole.eventlog >beginning.eventlog
rm -f merged.eventlog
run 3 merge -o merged.eventlog whole.eventlog beginning.eventlog
says err 'beginning.eventlog: '
test ! -e merged.eventlog || fail 'a part of the result is left'
done_checks
