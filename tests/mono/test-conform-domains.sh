#!/bin/sh
# Application domains of the stock profiler: made, run in, unloaded.
. "${srcdir:-.}/tests/mono/conform.sh"

names=reused
without_code_sizes
conform alloc conf-domains
holds count:metadata-domain.name count:metadata-domain.unload count:metadata-context.unload
expect_truth
conform heapshot conf-domains 4

# In data versions 16 and 17 an image's id follows when it is loaded.  mprof-report takes it to be
# there when it is unloaded as well, so that it loses what follows up to the next 0.
conform_to_managed alloc conf-domains 3 images
holds count:metadata-image.unload count:metadata-assembly.unload
expect_truth
test "$(figure bytes:metadata.unload "$work/mprof")" -gt "$(figure bytes:metadata.unload "$work/ours")" \
  || fail "mprof-report reads unloaded images right"
