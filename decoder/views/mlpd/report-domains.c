/* report-domains.c -- application domains, and contexts in them. */
#include "config.h"

#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/views/mlpd/report.h"

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
                                                         { "load_ns", "Created ms", EMIT_ANY },
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

/* Each program has one of them. */
static bool
has_to_be_shown (const struct report *r, const struct lifetimes *lifetimes)
{
  return !r->view->is_brief || lifetimes->all->len > 1;
}

static void
put_lifetimes (const struct report *r, const struct lifetimes *lifetimes,
               const struct table_shape *shape)
{
  struct table *t = section_table (r, shape);
  struct emitter_any *any = g_new (struct emitter_any, (size_t) lifetimes->all->len * 2 + 1);
  for (guint i = 0; i < lifetimes->all->len; i++) {
    const struct lifetime *lifetime = g_ptr_array_index (lifetimes->all, i);
    const union emitter_value load = when (r, lifetime->loaded, lifetime->load_time, &any[2 * i]);
    const union emitter_value unload
        = when (r, lifetime->unloaded, lifetime->unload_time, &any[2 * i + 1]);
    if (shape == &contexts)
      SECTION_ROW (t, { .number = lifetime->id }, { .number = lifetime->owner }, load, unload);
    else
      SECTION_ROW (t, { .number = lifetime->id }, load, unload, { .text = lifetime->name });
  }
  table_write (t, r->e);
  g_free (any);
}

static void
put_domains (const struct report *r)
{
  const struct loaded *loaded = SUMMARY_STATE (r->s, loaded);
  if (loaded->domains.all->len == 0)
    section_absent_rare (r, "Domains");
  if (has_to_be_shown (r, &loaded->domains))
    put_lifetimes (r, &loaded->domains, &domains);
}

const struct section section_domains = {
  .key = "domains", .alias = "domain", .put = put_domains, .tables = SECTION_TABLES (&domains)
};

static void
put_contexts (const struct report *r)
{
  const struct loaded *loaded = SUMMARY_STATE (r->s, loaded);
  if (loaded->contexts.all->len == 0)
    section_absent_rare (r, "Contexts");
  if (has_to_be_shown (r, &loaded->contexts))
    put_lifetimes (r, &loaded->contexts, &contexts);
}

const struct section section_contexts = {
  .key = "contexts", .alias = "context", .put = put_contexts, .tables = SECTION_TABLES (&contexts)
};
