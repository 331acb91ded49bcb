#!/bin/bash
# time-test.sh -k SECONDS LIMIT TEST -- runs a test with a limit, and prints how long it took, as the last
# line of its log.  scripts/check lists the slowest tests.  Of a test that reaches its limit it prints what
# its processes wait for.
TIMEFORMAT='took %1R s, and %1U + %1S s of the processor'
# list_processes -- of the group that timeout, our child, leads.
list_processes ()
{
  local dir words parent group of=
  for dir in /proc/[0-9]* /proc/[0-9]*; do
    # pid (name) state ppid pgrp ...; a name may hold spaces and parentheses.
    { IFS= read -r words <"$dir/stat"; } 2>/dev/null || continue
    read -r _ parent group _ <<<"${words##*) }"
    [ "$parent" != $$ ] || [ "${dir#/proc/}" != "$group" ] || of=$group
    [ "$group" = "$of" ] || continue
    printf '%s: %s waits in %s\n' "${dir#/proc/}" "$(tr '\0' ' ' <"$dir/cmdline")" \
      "$(sed 's/^0$/no call/; s/$/ /' "$dir"/task/*/wchan 2>/dev/null | tr -d '\n')"
  done | sort -u
}
# Nothing is written to this pipe.
exec {never}<> <(:)
{
  read -r -t $(($3 - 5)) -u "$never" _
  list_processes
} &
watcher=$!
time timeout "$@" {never}<&-
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
