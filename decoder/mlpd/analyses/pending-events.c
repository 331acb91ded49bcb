/* pending-events.c -- counts the events whose types were pending, at the end. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"

static void
finish (void *state, const struct analysis_model *m)
{
  (void) state;
  pending_types_count (m->pending_types);
}

const struct analysis pending_types_analysis = { .is_bounded = true, .finish = finish };
