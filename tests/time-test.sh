#!/bin/bash
# time-test.sh TIMEOUT-ARGUMENT... TEST -- runs a test with a limit, and prints how long it took, as the
# last line of its log.  scripts/check lists the slowest tests.
TIMEFORMAT='took %1R s, and %1U + %1S s of the processor'
time timeout "$@"
