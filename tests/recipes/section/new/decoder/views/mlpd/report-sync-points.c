/* report-sync-points.c -- how often buffers of all threads were written. */
#include "config.h"

#include "decoder/mlpd/analyses/sync-points.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

static const struct emitter_column columns[]
    = { { "type", "Reason", EMIT_TEXT }, { "count", "Sync points", EMIT_NUMBER } };
static const struct table_shape types = { .key = "types",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("count"),
                                          .whole = true };

static void
put_sync_points (const struct report *r)
{
  const struct sync_points *points = SUMMARY_STATE (r->s, sync_points);
  struct table *t = section_table (r, &types);
  section_open (r, "sync_points", "Sync points", points->count != 0);
  result_number_if (r->e, SYNC_POINTS_COUNT, points->count != 0, points->count);
  for (unsigned type = 0; type < SYNC_POINT_TYPES; type++)
    if (points->by_type[type] != 0)
      SECTION_ROW (t, { .text = mlpd_value_name (MLPD_UNIT_SYNC_TYPE, type) },
                   { .number = points->by_type[type] });
  table_write (t, r->e);
  emitter_close (r->e);
}

const struct section section_sync_points
    = { .key = "sync_points", .put = put_sync_points, .tables = SECTION_TABLES (&types) };
