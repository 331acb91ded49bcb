/* report-samples.c -- where the program was when it was sampled; counters. */
#include "config.h"

#include "decoder/views/report.h"

static const struct emitter_column method_columns[]
    = { { "hits", "Hits", EMIT_NUMBER }, { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("hits"),
                                            .name = "name" };

static void
put_samples (const struct report *r)
{
  emitter_open (r->e, "samples", NULL);
  emitter_number (r->e, "hits", NULL, 0);
  emitter_number (r->e, "managed", NULL, 0);
  emitter_number (r->e, "unmanaged", NULL, 0);
  emitter_number (r->e, "unresolved", NULL, 0);
  table_write (section_table (r, &methods), r->e);
  emitter_close (r->e);
}

const struct section section_samples = {
  .key = "samples", .alias = "sample", .put = put_samples, .tables = SECTION_TABLES (&methods)
};

static const struct emitter_column counter_columns[] = { { "section", "Section", EMIT_TEXT },
                                                         { "name", "Counter", EMIT_TEXT },
                                                         { "unit", "Unit", EMIT_TEXT },
                                                         { "last", "Last", EMIT_NUMBER } };
static const struct table_shape counters
    = { .key = "counters", .title = "Counters", TABLE_SHAPE_COLUMNS (counter_columns) };

static void
put_counters (const struct report *r)
{
  table_write (section_table (r, &counters), r->e);
}

const struct section section_counters
    = { .key = "counters", .put = put_counters, .tables = SECTION_TABLES (&counters) };
