#!/bin/sh
# Application domains of the stock profiler: made, run in, unloaded.
. "${srcdir:-.}/tests/mono/conform.sh"

names=reused
conform alloc conf-domains
holds count:metadata-domain.name count:metadata-domain.unload count:metadata-context.unload \
  count:metadata-assembly.unload
expect_truth
conform heapshot conf-domains 4
