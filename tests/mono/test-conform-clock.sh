#!/bin/sh
# Samples and counters of the stock profiler.
. "${srcdir:-.}/tests/mono/conform.sh"

conform sample=1000 conf-samples 500
holds count:sample-hit count:sample-symbol items:sample-hit.frames
conform nodefaults,sample-real=500 conf-samples 300
conform counter conf-counters 1500
holds count:sample-counters count:sample-counters-desc sum:sample-counters-desc.counters.user_section
