#!/bin/sh
# proflog pid: the process of a log of Mono.
. "${srcdir:-.}/tests/cli/lib.sh"

run 0 pid "$small"
same_lines out 4711
quiet err
run 3 pid "$logs/small.eventlog"
says err "the pid of a GHC program is in 'proflog info'"
