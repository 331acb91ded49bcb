#!/bin/sh
# A socket of the program's own has one reader after the other: each gets a log that is complete in
# itself, and what passed between them is counted.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

peer=$PWD/tests/host/log-peer
path=$work/socket
reader=
trap 'touch "$work/go"; kill -9 $running $reader 2>/dev/null || :; rm -rf "$work"' EXIT

# The program goes on from phase to phase; each fires this many events, of objects of another class.
cat >"$work/phases" <<END
repeat i 100
  fire gc_allocation nodes[\$i]
end
print one
await $work/two
class Between app Program Between
method Again Between Again "Program.Between:Again ()" 0x409000 10
objects betweens Between 0x7f0000600000 24 1000
stack Again Main
repeat i 70
  fire gc_allocation betweens[\$i]
end
thread other
on other
  fire gc_allocation strings[1]
end
print two
await $work/three
repeat i 30
  fire gc_allocation betweens[\$i]
end
print three
await $work/go
repeat i 5
  fire gc_allocation leaves[\$i]
end
END

# read_into FILE: a reader comes; it is in $reader.
read_into () {
  "$peer" connect "$path" >"$work/$1" </dev/null &
  reader=$!
}

# has_all FILE: the file has all that was written up to now.
has_all () {
  ctl_json 0 status
  bytes=$(sed 's/.*"bytes_written":\([0-9]*\),.*/\1/' "$work/reply")
  [ "$(wc -c <"$work/$1")" = "$((bytes - ${2:-0}))" ]
}

# The same where that is compressed.
first_is_read () {
  [ "$("$proflog" dump --format csv "$work/first" 2>/dev/null | grep -c '^[^{]*,alloc,')" = 100 ]
}

lose_reader () {
  kill -9 "$reader"
  wait "$reader" 2>/dev/null || :
}

# phase NAME: the program goes on, to where it prints that.
phase () {
  touch "$work/$1"
  until_printed "$1"
}

# watched OPTIONS: the program with two readers, the first of which is killed.
watched () {
  rm -f "$work/two" "$work/three" "$work/first" "$work/second"
  start_host "output=unix-listen:$path,nodefaults,alloc,$1" "$(cat "$work/phases")"
  wait_for status_has "problem: nobody reads it"
  read_into first
  until_printed one
  wait_for status_has "problem: "
  ctl 0 flush
}

# losses N: the status states that this many events could not be written.
losses () {
  ctl_json 0 status
  grep -q "\"lost_events_not_written\":$1," "$work/reply" || fail "$(cat "$work/reply")"
}

begin "a reader is killed, and another one comes"
watched format=17
wait_for has_all first
first_bytes=$bytes
lose_reader
wait_for status_has "problem: nobody reads it"
phase two
ctl 0 flush
losses 71
ctl 0 status -v
grep -q "lost events not written 1\$" "$work/reply" || fail "the other thread's is not reported: $(cat "$work/reply")"
read_into second
wait_for status_has "problem: "
phase three
ctl 0 flush
wait_for has_all second "$first_bytes"
stop_host
wait "$reader"
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line"
grep -q "the log $path lacks 71 events ([0-9]* bytes), as they could not be written\$" "$work/err" \
  || fail "it is not reported what is lost"
[ ! -e "$path" ] || fail "the socket is left"

go_on "each reader has a log of its own"
"$check_log" "$work/first" cut alloc=100 again=0 || fail "the first log is wrong"
# The second is whole, and knows the class and the method that were announced to no one.
"$check_log" "$work/second" alloc=35 "again>=8" || fail "the second log is wrong"
"$proflog" dump "$work/second" >"$work/out"
[ "$(grep -c "Program.Between" "$work/out")" -ge 31 ] || fail "Between has no name"
status=0
"$proflog" report --strict --format json "$work/second" >"$work/out" 2>"$work/err2" || status=$?
[ "$status" = 4 ] || fail "report ended with $status"
grep -q "the profiler dropped 71 events" "$work/err2" || fail "the log does not state what it lacks"
# It is reported before the events that follow it.
"$proflog" dump "$work/second" | grep -n "sample-counters \|alloc " | head -n 1 | grep -q sample-counters \
  || fail "what is lost is reported late"

for options in format=1 format=17,zip format=eventlog; do
  begin "the same with $options"
  # In an eventlog allocations are no events.
  [ $options != format=eventlog ] || sed -i 's/fire gc_allocation .*/fire monitor_contention locks[0]/' "$work/phases"
  case $options in
    *eventlog) watched "$options,monitor" ;;
    *) watched "$options" ;;
  esac
  case $options in
    *zip) wait_for first_is_read ;;
    *) wait_for has_all first ;;
  esac
  lose_reader
  wait_for status_has "problem: nobody reads it"
  phase two
  ctl 0 flush
  read_into second
  wait_for status_has "problem: "
  phase three
  stop_host
  wait "$reader"
  case $options in
    *eventlog)
      "$proflog" validate all "$work/second" >"$work/out" 2>&1 || fail "validate: $(cat "$work/out")"
      "$proflog" show "$work/second" >"$work/out"
      grep -q "proflog: [0-9]* events had to be dropped" "$work/out" || fail "the loss is not reported"
      ;;
    *)
      "$check_log" "$work/second" alloc=35 "again>=8" || fail "the second log is wrong"
      ;;
  esac
done

begin "nobody comes, and the output goes on in a file"
rm -f "$work/else.mlpd"
sed -i 's/fire monitor_contention .*/fire gc_allocation strings[$i]/' "$work/phases"
watched format=17
wait_for has_all first
lose_reader
wait_for status_has "problem: nobody reads it"
phase two
ctl 0 flush
ctl 0 output "$work/else.mlpd"
[ ! -e "$path" ] || fail "others can still connect"
phase three
stop_host
"$check_log" "$work/else.mlpd" alloc=35 "again>=8" || fail "the log in the file is wrong"
