#!/bin/sh
# `proflog stacks` of an eventlog: the threads that had not ended, what each waited for, as the program arranged it, and
# the circle of two that wait for each other's values.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
. "$sources/programs.sh"
. "$sources/truth.sh"
LC_ALL=C.UTF-8

# record_killed NAME PROGRAM [ARGUMENT] +RTS [OPTION...]
record_killed ()
{
  name=$1 program=$2
  shift 2
  (cd "$work" && "./$program" "$@" "-ol$name.eventlog" >"$name.truth" 2>"$name.err")
  test $? = 137 || { cat "$work/$name.err"; fail "$name: the program was not killed"; }
}

# expect NAME: the threads of its log with labels of the program's, and their states.
expect ()
{
  "$proflog" stacks --format json "$1.eventlog" >"$work/$1.json" 2>"$work/err" || { cat "$work/err"; fail "$1: stacks"; }
  python3 - "$work/$1.json" "$work/$1.truth" >"$work/found" <<'PYTHON'
import json, sys
threads = json.load(open(sys.argv[1]))['threads']
names = {t['thread']: t['name'] for t in threads}
told = [line.split()[0] for line in open(sys.argv[2])]
for t in threads:
    if t['name'] == 'brief' or t['name'] in told:
        print(t['name'], t['state'], *([names[t['owner']]] if t['owner'] is not None else []),
              *(['circle'] if t['circle'] else []))
PYTHON
  awk '{ print $0 ($1 == "left" || $1 == "right" ? " circle" : "") }' "$1.truth" | sort >"$work/expected"
  sort "$work/found" | diff "$work/expected" - || fail "$1: other states than the program's"
  checks=$((checks + $(wc -l <"$work/expected")))
  "$proflog" stacks "$1.eventlog" >"$work/out" || fail "$1: stacks as text"
  grep -q '^ *Deadlock of 2 threads: left ([0-9]*) waits for right ([0-9]*) waits for left ([0-9]*)$' "$work/out" \
    || { cat "$work/out"; fail "$1: the circle is not named"; }
  grep -q '^ *[0-9]* .*third .* waits for a value that thread [0-9]* (left) computes' "$work/out" \
    || { cat "$work/out"; fail "$1: the owner of the black hole"; }
}

need python3
compile threaded Stuck
record_killed stuck Stuck-threaded +RTS -l
expect stuck
record_killed stuck-N2 Stuck-threaded +RTS -la -N2
expect stuck-N2
compile vanilla Stuck
record_killed stuck-vanilla Stuck-vanilla vanilla +RTS -l
expect stuck-vanilla

# Of a log without events of threads, as of a program whose buffers were never full, that is stated.
compile vanilla Waits
(cd "$work" && ./Waits-vanilla +RTS -l-a -olnothing.eventlog >/dev/null) || fail 'Waits'
"$proflog" stacks nothing.eventlog >"$work/out" || fail 'stacks of no events'
grep -q '^No thread has an event' "$work/out" || { cat "$work/out"; fail 'no events of threads'; }
checks=$((checks + 1))

# A program without one is accused of none.
record waits vanilla Waits +RTS -ls
"$proflog" stacks waits.eventlog >"$work/out" || fail "waits"
! grep 'Deadlock' "$work/out" || fail 'a deadlock that there is not'
done_checks
