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
# Where the vtable of a new domain is at the address of one of an unloaded domain, the stock profiler now and then
# announces it in a buffer after the one that has an object of it: then that counts for the old class.
images ()
{
  conform_to_managed alloc conf-domains 3 images
  holds count:metadata-image.unload count:metadata-assembly.unload
  expect_truth
}
images=
for attempt in 1 2 3; do
  if (images); then
    images=agree
    break
  fi
  echo "a vtable may have come late, attempt $attempt"
done
test "$images" = agree || fail "three logs of images differ"
test "$(figure bytes:metadata.unload "$work/mprof")" -gt "$(figure bytes:metadata.unload "$work/ours")" \
  || fail "mprof-report reads unloaded images right"
