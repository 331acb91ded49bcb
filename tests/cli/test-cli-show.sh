#!/bin/sh
# `proflog show`: eventlogs in order of time, in the words of ghc-events.
. "${srcdir:-.}/tests/cli/lib.sh"
eventlog=$logs/small.eventlog
test -f "$eventlog" || fail "there is no $eventlog"

# What make-eventlog.c writes, in order: of one time what comes first in the file.
cat >events <<'END'
400000: event block: cap 65535, end time: 3200000

500000: created capset 0 of type CapsetOsProcess
600000: capset 1: wall clock time 1600000000s 5ns (unix epoch)
700000: capset 0: RTS version "GHC-9.0.2 rts_thr_l"
800000: capset 0: args: ["./a.out","+RTS","-l"]
900000: cap 0: event block: cap 0, end time: 3100000

900000: cap 1: event block: cap 1, end time: 3100000

1000000: cap 0: creating thread 1
1100000: cap 0: thread 1 has label "main thread"
1200000: cap 0: running thread 1
1300000: cap 0: creating thread 2
1400000: cap 1: running thread 2
1500000: cap 1: hello
1600000: cap 1: stopping thread 2 (blocked on an MVar)
1700000: cap 1: something new
2000000: cap 0: stopping thread 1 (heap overflow)
2000100: cap 0: starting GC
2000800: cap 0: finished GC
2000900: cap 0: all caps stopped for GC
2000950: cap 0: GC stats for heap capset 0: generation 1, 4096 bytes copied, 100 bytes slop, 0 bytes fragmentation, 1 par threads, 0 bytes max par copied, 4096 bytes total par copied, 0 bytes balanced par copied
2001000: cap 0: allocated on heap capset 0: 65536 total bytes till now
2100000: cap 0: running thread 1
3000000: cap 0: stopping thread 1 (thread finished)

END

# events_of FILE: what is after the types.
events_of ()
{
  sed '1,/^Events:$/d' "$1"
}

run 0 show "$eventlog"
quiet err
events_of out >got
same got events
test "$(head -n 1 out)" = "Event Types:" || fail "no types"
says out '0: a thread was created (size 4)'
says out '300: something new (size variable)'
test "$(sed -n '/^Events:$/{g;p;q;};h' out)" = "" || fail "no empty line before the events"
cp out whole

# From everywhere.
same_from_anywhere show
"$proflog" show - <"$eventlog" >out 2>err || fail "status $?"
same out whole
run 0 show -o written "$eventlog"
quiet out
same written whole

# In order of the file: as dump has them.
run 0 show --order file "$eventlog"
quiet err
events_of out | grep . | sed 's/: .*//' >got
"$proflog" dump --format csv "$eventlog" | awk -F , 'NR > 1 && $4 != "" { print $4 }' >expected
same got expected
events_of out | sort >got
sort events >expected
same got expected
run 0 show --order time "$eventlog"
same out whole
run 2 show --order size "$eventlog"
says err "--order size: there are time and file"

# Several logs.
run 0 show "$eventlog" packed.mlpd
{ echo "log \"$eventlog\""; cat whole; echo 'log "packed.mlpd"'; cat whole; } >expected
same out expected
run 0 show --order file packed.mlpd "$eventlog"
test "$(grep -c '^Events:$' out)" = 2 || fail "not both logs"
# In one file: each has its types and events.
cat "$eventlog" "$eventlog" >twice.eventlog
run 0 show twice.eventlog
cat whole whole >expected
same out expected
"$proflog" show --order file "$eventlog" >once || fail "status $?"
run 0 show --order file twice.eventlog
cat once once >expected
same out expected

# What is chosen.
# chosen PATTERN ARGUMENT...: the events that are shown are those of the pattern, in both orders.
chosen ()
{
  pattern=$1
  shift
  run 0 show "$@" "$eventlog"
  events_of out | grep . >got
  grep -E "$pattern" events >expected
  same got expected
  run 0 show --order file "$@" "$eventlog"
  events_of out | grep . | sort >got
  sort expected >sorted
  same got sorted
}
chosen '^2[0-9]{6}:' --time-range 2ms~3ms
chosen '^[23][0-9]{6}:' --time-range '60%~'
chosen 'thread 2( |$)' --thread 2
chosen 'thread 1( |$)' --thread 'main*'
chosen 'hello|RTS"' --filter 'hello|RTS$'
chosen '65536' --min-bytes 60000
chosen 'cap 1: ' --cap 1
chosen 'cap [01]: ' --cap 0,1
chosen '^[0-9]+: (event block|created|capset)' --cap none
chosen 'cap 1: .*thread 2( |$)' --cap 1 --cap 7 --thread 2 --time-range 1ms~2ms
cat "$eventlog" | "$proflog" show --thread 'main*' - >out 2>err || fail "status $?"
events_of out | grep . >got
grep -E 'thread 1( |$)' events >expected
same got expected
run 0 show --cap 5 "$eventlog"
says err "nothing was selected: none of 23 events"
test "$(events_of out)" = "" || fail "events of another capability"
run 2 show --cap x "$eventlog"
says err "--cap x: numbers of capabilities are needed, or 'none'"
run 2 show --cap 65536 "$eventlog"
run 0 dump --cap 1 "$eventlog"
test "$(grep -c ' 1 \|block-marker block_size=90 ' out)" = 5 || fail "not the capability's events"
run 3 dump --cap 1 "$small"
says err "it has no capabilities"

# What it does not do.
run 2 show --format json "$eventlog"
says err "--format json: there is only text"
run 2 show --depth 3 "$eventlog"
echo no log >text
run 3 show text
says err "not a profiler log: it begins with the bytes"
run 3 show /dev/null
says err "is empty"
run 3 show nothing.eventlog

# Cut logs: what is there, and a warning.
head -c -40 "$eventlog" >cut.eventlog
run 0 show cut.eventlog
says err "inside an event: 38 bytes are missing there"
events_of out | grep . >got
grep . events | grep -v '^[78]00000:' >expected
same got expected
run 4 show --strict cut.eventlog
run 0 show -q cut.eventlog
quiet err
run 0 show --order file cut.eventlog
says err "inside an event: 38 bytes are missing there"
head -c 100 "$eventlog" >header.eventlog
run 3 show header.eventlog
says err "header"

# Damage in the middle: events before and after it.
offset=$("$proflog" dump "$eventlog" | awk '$4 == "gc-global-sync" && $2 == "0.002000900" { print $1 }')
{
  head -c "$offset" "$eventlog"
  printf '\377\376\377\377\377\377\377\377'
  tail -c +$((offset + 9)) "$eventlog"
} >damaged.eventlog
for order in time file; do
  run 0 show --order $order damaged.eventlog
  says err "no event begins at offset $offset"
  says err "(10 bytes skipped)"
  events_of out | grep . | sort >got
  grep . events | grep -v '^2000900:' | sort >expected
  same got expected
done

# A message that would draw a line of its own, and colours: nothing of it acts on a terminal.
message=$(printf 'a\n   999: cap 0: creating thread 7\033[31m \302\2331m \342\200\256 \177"\\end_')
message=${message%_}
bytes=$(printf %s "$message" | wc -c)
# number BYTES VALUE: the escapes for printf of a number.
number ()
{
  size=$1 value=$2 escapes=
  while test "$size" -gt 0; do
    escapes=\\$(printf %03o $((value & 255)))$escapes
    size=$((size - 1)) value=$((value >> 8))
  done
  printf %s "$escapes"
}
{
  # shellcheck disable=SC2059
  printf "hdrbhetb"
  printf "etb\\0$(number 2 18)$(number 2 14)$(number 4 5)block$(number 4 0)ete\\0"
  printf "etb\\0$(number 2 19)$(number 2 65535)$(number 4 5)m\\033sg\\n$(number 4 0)ete\\0hetehdredatb"
  printf "$(number 2 18)$(number 8 500)$(number 4 $((24 + 12 + bytes)))$(number 8 2000)$(number 2 0)"
  printf "$(number 2 19)$(number 8 1000)$(number 2 "$bytes")%s" "$message"
  printf '\377\377'
} >hostile.eventlog
run 0 show hostile.eventlog
says out '19: m\u001bsg\u000a (size variable)'
says out '1000: cap 0: a\u000a   999: cap 0: creating thread 7\u001b[31m \u009b1m \u202e \u007f"\end'
LC_ALL=C grep -q '[[:cntrl:]]' out && fail 'a control character came through'
run 0 show threads hostile.eventlog
says out '1000: cap 0: a\u000a   999: cap 0'
run 0 show --raw-text hostile.eventlog
says out "$(printf '7\033[31m')"
says out '   999: cap 0: creating thread 7'
done_checks
