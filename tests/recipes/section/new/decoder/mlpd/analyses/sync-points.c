/* sync-points.c -- counts them. */
#include "config.h"

#include "decoder/mlpd/analyses/sync-points.h"
#include "decoder/mlpd/analyses/analysis.h"

static void
handle_sync_point (void *state, const struct analysis_event *e)
{
  struct sync_points *points = state;
  const unsigned type = e->payload->meta_sync_point.sync_type;
  points->count++;
  if (type < SYNC_POINT_TYPES)
    points->by_type[type]++;
}

static const struct analysis_handlers handlers[] = {
  { MLPD_META_SYNC_POINT, handle_sync_point, NULL },
};

const struct analysis sync_points_analysis = { .state_bytes = sizeof (struct sync_points),
                                               .is_bounded = true,
                                               ANALYSIS_HANDLERS (handlers) };
