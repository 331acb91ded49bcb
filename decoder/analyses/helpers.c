/* helpers.c -- counts JIT helpers. */
#include "decoder/analyses/helpers.h"
#include "config.h"

void
helpers_add (struct helpers *h, const struct mlpd_runtime_jit_helper *event)
{
  const uint64_t type
      = event->helper_type < HELPER_TYPES - 1 ? event->helper_type : HELPER_TYPES - 1;
  h->types[type].count++;
  h->types[type].bytes += event->size;
  h->all.count++;
  h->all.bytes += event->size;
}
