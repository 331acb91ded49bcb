/* report-monitors.c -- contention by lock. */
#include "config.h"

#include "decoder/views/mlpd/report-traces.h"
#include "decoder/views/mlpd/report.h"

static const struct emitter_column contended_columns[]
    = { { "contentions", "Contentions", EMIT_NUMBER } };
static const struct table_shape contended_at = { .key = "traces",
                                                 TABLE_SHAPE_COLUMNS (contended_columns),
                                                 .details = TABLE_KEYS ("frames") };

static const struct emitter_column columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                 { "wait_max_ns", "Max ms", EMIT_NS },
                                                 { "contentions", "Contentions", EMIT_NUMBER },
                                                 { "acquired", "Acquired", EMIT_NUMBER },
                                                 { "failed", "Failed", EMIT_NUMBER },
                                                 { "object", "Lock", EMIT_ADDRESS },
                                                 { "type", "Type", EMIT_TEXT } };
static const struct table_shape objects = { .key = "objects",
                                            TABLE_SHAPE_COLUMNS (columns),
                                            .order = TABLE_KEYS ("wait_total_ns", "object"),
                                            .name = "type",
                                            .time = "wait_total_ns",
                                            .inner = TABLE_SHAPES (&contended_at) };

/* In place of a symbol, where the log does not state the type. */
#define UNKNOWN_TYPE UINT64_MAX

static char *
type_name (const void *summary, uint64_t symbol)
{
  return symbol == UNKNOWN_TYPE ? NULL : section_class_name (summary, symbol);
}

static void
put_traces (const void *data, uint64_t lock, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &contended_at, &r->s->monitors.traces, (guint) lock, TRACES_BY_COUNT);
}

static void
put_objects (const struct report *r)
{
  struct table *t = section_table (r, &objects);
  table_set_text (t, "type", type_name, r->s);
  if (r->view->traces)
    table_set_detail (t, put_traces, r);
  for (guint i = 0; i < r->s->monitors.locks->len; i++) {
    const struct monitor_sum *sum = g_ptr_array_index (r->s->monitors.locks, i);
    SECTION_ROW_ID (
        t, sum->number, { .number = sum->wait_total_ns }, { .number = sum->wait_max_ns },
        { .number = sum->contentions }, { .number = sum->acquired }, { .number = sum->failed },
        { .number = sum->object }, { .number = sum->type_known ? sum->type : UNKNOWN_TYPE });
  }
  table_write (t, r->e);
}

static void
put_monitors (const struct report *r)
{
  const struct monitor_sum *all = &r->s->monitors.all;
  section_open (r, "monitors", "Monitors", all->contentions + all->acquired + all->failed != 0);
  emitter_number (r->e, "contentions", "Contentions", all->contentions);
  emitter_number (r->e, "acquired", "Acquired", all->acquired);
  emitter_number (r->e, "failed", "Failed", all->failed);
  emitter_ns (r->e, "wait_total_ns", "Wait, total", all->wait_total_ns);
  emitter_ns (r->e, "wait_max_ns", "Wait, longest", all->wait_max_ns);
  put_objects (r);
  emitter_close (r->e);
}

const struct section section_monitors = {
  .key = "monitors", .alias = "monitor", .put = put_monitors, .tables = SECTION_TABLES (&objects)
};
