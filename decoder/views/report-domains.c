/* report-domains.c -- application domains, and contexts in them. */
#include "config.h"

#include "decoder/views/report.h"

static const struct emitter_column domain_columns[] = { { "id", "Domain", EMIT_ADDRESS },
                                                        { "load_ns", "Loaded ms", EMIT_ANY },
                                                        { "unload_ns", "Unloaded ms", EMIT_ANY },
                                                        { "name", "Name", EMIT_TEXT } };
static const struct table_shape domains = { .key = "domains",
                                            .title = "Domains",
                                            TABLE_SHAPE_COLUMNS (domain_columns),
                                            .order = TABLE_KEYS ("id"),
                                            .whole = true };

static const struct emitter_column context_columns[] = { { "id", "Context", EMIT_ADDRESS },
                                                         { "domain", "Domain", EMIT_ADDRESS },
                                                         { "load_ns", "Made ms", EMIT_ANY },
                                                         { "unload_ns", "Freed ms", EMIT_ANY } };
static const struct table_shape contexts = { .key = "contexts",
                                             .title = "Contexts",
                                             TABLE_SHAPE_COLUMNS (context_columns),
                                             .order = TABLE_KEYS ("id", "domain"),
                                             .whole = true };

/* When it happened, if it did; `any` holds it. */
static union emitter_value
when (const struct report *r, bool happened, uint64_t time, struct emitter_any *any)
{
  if (!happened)
    return (union emitter_value){ .any = NULL };
  *any = (struct emitter_any){ .type = EMIT_TIME, .value.change = log_when (&r->s->log, time) };
  return (union emitter_value){ .any = any };
}

static void
put_lives (const struct report *r, const struct lives *lives, const struct table_shape *shape)
{
  struct table *t = section_table (r, shape);
  struct emitter_any *any = g_new (struct emitter_any, (size_t) lives->all->len * 2 + 1);
  for (guint i = 0; i < lives->all->len; i++) {
    const struct life *life = g_ptr_array_index (lives->all, i);
    const union emitter_value load = when (r, life->loaded, life->load_time, &any[2 * i]);
    const union emitter_value unload = when (r, life->unloaded, life->unload_time, &any[2 * i + 1]);
    if (shape == &contexts)
      SECTION_ROW (t, { .number = life->id }, { .number = life->owner }, load, unload);
    else
      SECTION_ROW (t, { .number = life->id }, load, unload, { .text = life->name });
  }
  table_write (t, r->e);
  g_free (any);
}

static void
put_domains (const struct report *r)
{
  if (r->s->runtime.domains.all->len == 0)
    section_absent_rare (r, "Domains");
  put_lives (r, &r->s->runtime.domains, &domains);
}

const struct section section_domains = {
  .key = "domains", .alias = "domain", .put = put_domains, .tables = SECTION_TABLES (&domains)
};

static void
put_contexts (const struct report *r)
{
  if (r->s->runtime.contexts.all->len == 0)
    section_absent_rare (r, "Contexts");
  put_lives (r, &r->s->runtime.contexts, &contexts);
}

const struct section section_contexts = {
  .key = "contexts", .alias = "context", .put = put_contexts, .tables = SECTION_TABLES (&contexts)
};
