/* report-calls.c -- calls and times by method. */
#include "config.h"

#include "decoder/views/report-traces.h"
#include "decoder/views/report.h"

static const struct emitter_column caller_columns[] = { { "calls", "Calls from", EMIT_NUMBER } };
static const struct table_shape callers
    = { .key = "traces", TABLE_SHAPE_COLUMNS (caller_columns), .details = TABLE_KEYS ("frames") };

static const struct emitter_column columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                 { "self_ns", "Self ms", EMIT_NS },
                                                 { "calls", "Calls", EMIT_NUMBER },
                                                 { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (columns),
                                            .order = TABLE_KEYS ("total_ns", "calls"),
                                            .name = "name",
                                            .time = "total_ns",
                                            .inner = TABLE_SHAPES (&callers) };

static void
put_callers (const void *data, uint64_t method, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &callers, &r->s->calls.callers, (guint) method, TRACES_BY_COUNT);
}

static void
put_calls (const struct report *r)
{
  const struct calls *c = &r->s->calls;
  section_open (r, "calls", "Calls", c->total + c->unmatched_leaves != 0);
  emitter_number (r->e, "total", "Calls", c->total);
  emitter_number (r->e, "unmatched_leaves",
                  c->unmatched_leaves != 0 ? "Leaves without enter" : NULL, c->unmatched_leaves);
  struct table *t = section_table (r, &methods);
  table_set_text (t, "name", section_method_name, r->s);
  table_set_ties (t, section_compare_methods, r->s);
  if (c->keeps_stacks)
    table_set_detail (t, put_callers, r);
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0)
      SECTION_ROW_ID (t, i, { .number = sum->total_ns }, { .number = sum->self_ns },
                      { .number = sum->calls }, { .number = i });
  }
  table_write (t, r->e);
  emitter_close (r->e);
}

const struct section section_calls
    = { .key = "calls", .alias = "call", .put = put_calls, .tables = SECTION_TABLES (&methods) };
