/* report-allocations.c -- objects and bytes by type. */
#include "config.h"

#include "decoder/views/mlpd/report-traces.h"
#include "decoder/views/mlpd/report.h"

static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types = { .key = "types",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("bytes", "objects"),
                                          .name = "name",
                                          .apart = "image",
                                          .bytes = "bytes",
                                          .inner = TABLE_SHAPES (&traces_shape) };

static void
put_traces (const void *data, uint64_t klass, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &traces_shape, &r->s->allocation_traces.classes, (guint) klass, TRACES_BY_BYTES);
}

static void
put_allocations (const struct report *r)
{
  const struct allocations *a = &r->s->allocations;
  section_open (r, "allocations", "Allocations", a->objects != 0);
  emitter_number (r->e, "objects", "Objects", a->objects);
  emitter_number (r->e, "bytes", "Bytes", a->bytes);
  if (a->samples != 0) {
    emitter_number (r->e, "samples", "Estimated from", a->samples);
    emitter_number (r->e, "sampling_bytes", "One in bytes", a->sampling);
  }
  struct table *t = section_table (r, &types);
  table_set_text (t, "image", section_class_image, r->s);
  table_set_text (t, "name", section_class_name, r->s);
  table_set_ties (t, section_compare_classes, r->s);
  if (r->view->traces)
    table_set_detail (t, put_traces, r);
  for (guint i = 0; i < a->types.classes->len; i++) {
    const struct type_sum *sum = &g_array_index (a->types.classes, struct type_sum, i);
    if (sum->objects != 0)
      SECTION_ROW_ID (t, i, { .number = sum->bytes }, { .number = sum->objects }, { .number = i },
                      { .number = i });
  }
  table_write (t, r->e);
  emitter_close (r->e);
}

const struct section section_allocations = {
  .key = "allocations", .alias = "alloc", .put = put_allocations, .tables = SECTION_TABLES (&types)
};
