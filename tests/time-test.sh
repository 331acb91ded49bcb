#!/bin/bash
# time-test.sh TIMEOUT-ARGUMENT... TEST -- runs a test with a limit, and prints how long it took, as the
# last line of its log.  scripts/check lists the slowest tests.
#
# Environment: PROFLOG_LATER lists tests that are left out.
name=${!#}
for later in ${PROFLOG_LATER-}; do
  case $name in
  "$later" | */"$later")
    echo "left out: time (make check-all has it)"
    exit 77
    ;;
  esac
done
TIMEFORMAT='took %1R s, and %1U + %1S s of the processor'
time timeout "$@"
