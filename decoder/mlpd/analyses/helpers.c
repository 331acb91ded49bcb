/* helpers.c -- counts JIT helpers. */
#include "config.h"

#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/analysis.h"

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

/* ---- as an analysis ---- */

static void
handle_helper (void *state, const struct analysis_event *e)
{
  helpers_add (state, &e->payload->runtime_jit_helper);
}

static const struct analysis_handlers handlers[]
    = { { MLPD_RUNTIME_JIT_HELPER, handle_helper, NULL } };

const struct analysis helpers_analysis
    = { .state_bytes = sizeof (struct helpers), ANALYSIS_HANDLERS (handlers) };
