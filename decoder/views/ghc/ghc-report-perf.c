/* ghc-report-perf.c -- the events of perf that an importer added to an eventlog. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"

static const struct emitter_column columns[] = { { "count", "Times", EMIT_NUMBER },
                                                 { "counted", "Counted", EMIT_NUMBER },
                                                 { "kind", "Kind", EMIT_TEXT },
                                                 { "number", NULL, EMIT_NUMBER },
                                                 { "name", "Name", EMIT_TEXT } };
static const struct table_shape shape = { .key = "perf",
                                          .title = "Events of perf",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("count", "counted", "number"),
                                          .name = "name" };

static void
put_perf (const struct report *r)
{
  const GArray *all = r->ghc->perf.all;
  struct table *t = section_table (r, &shape);
  if (all->len == 0)
    section_absent_rare (r, "Events of perf");
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_perf_event *event = &g_array_index (all, struct ghc_perf_event, i);
    g_autofree char *number = g_strdup_printf ("event %u", event->number);
    if (event->count != 0)
      SECTION_ROW (t, { .number = event->count }, { .number = event->counted },
                   { .text = event->is_counter ? "counter" : "tracepoint" },
                   { .number = event->number },
                   { .text = event->name != NULL ? event->name : number });
  }
  table_write (t, r->e);
}

const struct section ghc_section_perf = {
  .key = "perf", .put = put_perf, .features = GHC_FEATURE_PERF, .tables = SECTION_TABLES (&shape)
};
