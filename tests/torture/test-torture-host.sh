#!/bin/sh
# What the module says if one call of the system fails in it: one line, and the program, which is the fake host, runs
# to its end.
. "${srcdir:-.}/tests/host/host-lib.sh"
library=$top_builddir/.libs/libfail-calls.so
[ -f "$library" ] || fail "$library is not built"

# says_once SETS LINE OPTIONS: where one of the module's calls of the sets fails, whichever that is.
says_once () {
  begin "$2"
  n=0
  until [ "$(cat "$work/err" 2>/dev/null)" = "proflog: $2" ]; do
    n=$((n + 1))
    [ "$n" -le 40 ] || fail "no call of $1 that fails has it said"
    rm -f "$log" "$log.spool"
    LD_PRELOAD=$library PROFLOG_FAIL_CALLS=$1 PROFLOG_FAIL_AT=$n PROFLOG_FAIL_FROM=libmono-profiler-proflog \
      host_run 7 "proflog:output=$log,$3" "$scenarios/world.scn" "$scenarios/exit-7.scn"
    rm -f "$truth"
  done
}

again='Resource temporarily unavailable'
says_once pthread_create "samples and counters are not recorded: $again" counters
says_once pthread_create "heapshot-fork: $again; heap snapshots stop the program" heapshot-fork,heapshot=ondemand
says_once pthread_create "save-on: nothing is saved: $again" save-on=signal,rotate=1M,keep=2
says_once mmap 'no samples: Cannot allocate memory' sample
