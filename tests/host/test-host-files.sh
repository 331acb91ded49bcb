#!/bin/sh
# A program's log goes on in one file after the other: follow and top read all of them in turn, say which they
# missed, and read what is there of a program that is stopped.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"
readers=
trap 'touch "$work/go"; kill -9 $running $readers 2>/dev/null || :; rm -rf "$work"' EXIT

# reader NAME COMMAND...: in the background; its process id is in $reader.
reader () {
  name=$1
  shift
  : >"$work/$name"
  "$proflog" "$@" >"$work/$name" 2>"$work/$name.err" </dev/null &
  reader=$!
  readers="$readers $reader"
}

ended () {
  wait "$1" || fail "a reader ended with $?"
}

has_allocs () {
  [ "$(grep -c '"kind":"alloc"' "$work/$1")" -ge "$2" ]
}

has_text () {
  grep -q -- "$2" "$work/$1"
}

# The program goes on from phase to phase; each fires 10 events.
phases () {
  rm -f "$work"/phase-*
  for phase; do
    printf 'await %s\nrepeat i 10\n  fire gc_allocation nodes[$i]\nend\nprint "%s is over"\n' \
      "$work/phase-$phase" "$phase"
  done
  echo "await $work/go"
}

phase () {
  touch "$work/phase-$1"
  until_printed "$1 is over"
}

begin "the output goes on in other files"
start_host format=17,alloc "$(phases one two three)"
reader lines follow --start beginning --format jsonl "$pid"
lines=$reader
reader top top --start beginning --interval 100ms --format jsonl "$pid"
top=$reader
phase one
wait_for has_allocs lines 10
# Both at once: the second is not the one that follows what is read.
kill -STOP "$lines" "$top"
# What is no file in between is no file of the log.
ctl 0 output "|sh -c 'cat  >$work/piped'"
ctl 0 output "$work/a.mlpd"
phase two
ctl 0 output "$work/b.mlpd"
ctl 0 status -v
grep -qx "files: 3" "$work/reply" || fail "not three files: $(cat "$work/reply")"
grep -qx "  number 2, name $work/a.mlpd" "$work/reply" || fail "its second file is not reported"
kill -CONT "$lines" "$top"
phase three
wait_for has_allocs lines 30
stop_host
ended "$lines"
ended "$top"
[ "$(grep -c '"kind":"alloc"' "$work/lines")" = 30 ] || fail "not 30 events"
[ "$(grep -c '"item":"file-header"' "$work/lines")" = 3 ] || fail "not three headers"
tail -n 1 "$work/top" | grep -q '"alloc_objects_all":30,' \
  || fail "top has another count: $(tail -n 1 "$work/top")"

begin "more files than the program remembers"
start_host format=17,alloc "$(phases one two)"
reader lines follow --start beginning --format jsonl "$pid"
lines=$reader
phase one
wait_for has_allocs lines 10
kill -STOP "$lines"
i=1
while [ $i -le 18 ]; do
  ctl 0 output "$work/c$i.mlpd"
  i=$((i + 1))
done
kill -CONT "$lines"
phase two
wait_for has_allocs lines 20
stop_host
ended "$lines"
# The log and c1 to c18 are 19, of which 4 to 19 are known.
has_text lines.err "files 2 to 3 of the log are missed" || fail "$(cat "$work/lines.err")"
[ "$(grep -c '"item":"file-header"' "$work/lines")" = 17 ] || fail "not 17 headers"

begin "files with numbers, also those whose program has ended"
rm -f "$work"/log.*
# What another program has left is none of the files; the first ones are replaced.
touch "$work/old"
for i in 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
  cp "${srcdir:-.}/tests/logs/all-v17.mlpd" "$work/log.00$i.mlpd"
  touch -d "1 hour ago" "$work/log.00$i.mlpd"
done
start_host format=17,alloc,rotate=1M "$(phases one | sed 's/repeat i 10$/repeat i 600000/; s/\[\$i\]/[0]/')"
reader lines follow --start beginning --format jsonl "$pid"
lines=$reader
reader top top --start beginning --interval 100ms --format jsonl "$pid"
top=$reader
wait_for has_text lines file-header
wait_for test -s "$work/top"
kill -STOP "$lines" "$top"
phase one
stop_host
kill -CONT "$lines" "$top"
ended "$lines"
ended "$top"
count=$(find "$work" -name 'log.*.mlpd' -newer "$work/old" | wc -l)
[ "$count" -ge 3 ] && [ "$count" -le 19 ] || fail "$count files"
[ "$(grep -c '"item":"file-header"' "$work/lines")" = "$count" ] || fail "not $count headers"
[ "$(grep -c '"kind":"alloc"' "$work/lines")" = 600000 ] || fail "not all events"
tail -n 1 "$work/top" | grep -q '"alloc_objects_all":600000,' \
  || fail "top has another count: $(tail -n 1 "$work/top")"
rm -f "$work"/log.*

begin "a program that is stopped"
start_host format=17,alloc "$(phases one)"
phase one
ctl 0 flush
kill -STOP "$pid"
"$proflog" follow --start beginning --timeout 300ms --format jsonl "$pid" >"$work/lines" 2>"$work/lines.err" \
  || fail "follow ended with $?"
has_allocs lines 10 || fail "the log is not read"
has_text lines.err "process $pid does not answer: it is stopped" || fail "it is not reported"
"$proflog" top --timeout 300ms --start beginning --format jsonl "$pid" >"$work/top" 2>"$work/top.err" \
  || fail "top ended with $?"
tail -n 1 "$work/top" | grep -q '"alloc_objects_all":10,' || fail "top: $(cat "$work/top")"
has_text top.err "process $pid does not answer: it is stopped" || fail "it is not reported"
kill -CONT "$pid"
# And one that is stopped while it is read.
reader lines follow --format jsonl --timeout 2s "$pid"
wait_for has_text lines.err "are not printed"
kill -STOP "$pid"
ended "$reader"
kill -CONT "$pid"
has_text lines.err "process $pid does not answer: it is stopped" || fail "it is not reported"
stop_host
