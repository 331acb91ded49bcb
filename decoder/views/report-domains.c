/* report-domains.c -- application domains, and contexts in them. */
#include "config.h"

#include "decoder/views/report.h"

static const struct emitter_column domain_columns[]
    = { { "id", "Domain", EMIT_ADDRESS }, { "name", "Name", EMIT_TEXT } };
static const struct table_shape domains = { .key = "domains",
                                            .title = "Domains",
                                            TABLE_SHAPE_COLUMNS (domain_columns),
                                            .order = TABLE_KEYS ("id") };

static const struct emitter_column context_columns[]
    = { { "id", "Context", EMIT_ADDRESS }, { "domain", "Domain", EMIT_ADDRESS } };
static const struct table_shape contexts = { .key = "contexts",
                                             .title = "Contexts",
                                             TABLE_SHAPE_COLUMNS (context_columns),
                                             .order = TABLE_KEYS ("id") };

static void
put_domains (const struct report *r)
{
  struct table *t = section_table (r, &domains);
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, r->s->metadata.domains);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    SECTION_ROW (t, { .number = *(const uint64_t *) key }, { .text = NULL });
  table_write (t, r->e);
}

const struct section section_domains = {
  .key = "domains", .alias = "domain", .put = put_domains, .tables = SECTION_TABLES (&domains)
};

static void
put_contexts (const struct report *r)
{
  table_write (section_table (r, &contexts), r->e);
}

const struct section section_contexts = {
  .key = "contexts", .alias = "context", .put = put_contexts, .tables = SECTION_TABLES (&contexts)
};
