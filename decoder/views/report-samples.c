/* report-samples.c -- where the program was when it was sampled. */
#include "config.h"

#include "decoder/formats/mlpd-describe.h"
#include "decoder/views/report.h"

static const struct emitter_column type_columns[]
    = { { "hits", "Hits", EMIT_NUMBER }, { "type", "Of", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types", TABLE_SHAPE_COLUMNS (type_columns), .whole = true };

static const struct emitter_column method_columns[] = { { "hits", "Hits", EMIT_NUMBER },
                                                        { NULL, "%", EMIT_SHARE },
                                                        { "total", "Total", EMIT_NUMBER },
                                                        { "kind", NULL, EMIT_TEXT },
                                                        { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("hits", "total", "name"),
                                            .name = "name" };

static const struct emitter_column thread_columns[]
    = { { "hits", "Hits", EMIT_NUMBER }, { "id", "Thread", EMIT_ADDRESS } };
static const struct table_shape threads = { .key = "threads",
                                            TABLE_SHAPE_COLUMNS (thread_columns),
                                            .order = TABLE_KEYS ("hits", "id") };

static void
put_types (const struct report *r)
{
  struct table *t = section_table (r, &types);
  for (uint64_t i = 1; i < SAMPLE_TYPES; i++)
    if (r->s->runtime.samples.types[i] != 0)
      SECTION_ROW (t, { .number = r->s->runtime.samples.types[i] },
                   { .text = mlpd_value_name (MLPD_UNIT_SAMPLE_TYPE, i) });
  table_write (t, r->e);
}

static void
put_managed (const struct report *r, struct table *t)
{
  const struct samples *s = &r->s->runtime.samples;
  for (guint i = 0; i < s->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    if (sum->hits + sum->total == 0)
      continue;
    char *name = section_method_name (r->s, i);
    SECTION_ROW (t, { .number = sum->hits }, { .number = sum->hits * 1000 / s->hits },
                 { .number = MAX (sum->hits, sum->total) }, { .text = "managed" },
                 { .text = name });
    g_free (name);
  }
}

/* Code has symbols at several addresses: those of one name are one. */
static void
put_native (const struct report *r, struct table *t)
{
  const struct samples *s = &r->s->runtime.samples;
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (struct sample_symbol));
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, symbol->name));
    if (symbol->hits == 0)
      continue;
    if (place != 0) {
      g_array_index (sums, struct sample_symbol, place - 1).hits += symbol->hits;
      continue;
    }
    g_array_append_val (sums, *symbol);
    g_hash_table_insert (by_name, (gpointer) symbol->name, GUINT_TO_POINTER (sums->len));
  }
  for (guint i = 0; i < sums->len; i++) {
    const struct sample_symbol *sum = &g_array_index (sums, struct sample_symbol, i);
    SECTION_ROW (t, { .number = sum->hits }, { .number = sum->hits * 1000 / s->hits },
                 { .number = sum->hits }, { .text = "native" }, { .text = sum->name });
  }
  g_array_free (sums, TRUE);
  g_hash_table_destroy (by_name);
}

static void
put_methods (const struct report *r)
{
  struct table *t = section_table (r, &methods);
  put_managed (r, t);
  put_native (r, t);
  table_write (t, r->e);
}

static void
put_threads (const struct report *r)
{
  struct table *t = section_table (r, &threads);
  GHashTableIter iter;
  gpointer id, hits;
  g_hash_table_iter_init (&iter, r->s->runtime.samples.threads);
  while (g_hash_table_iter_next (&iter, &id, &hits))
    SECTION_ROW (t, { .number = *(const uint64_t *) hits }, { .number = *(const uint64_t *) id });
  table_write (t, r->e);
}

static void
put_samples (const struct report *r)
{
  const struct samples *s = &r->s->runtime.samples;
  emitter_open (r->e, "samples", s->hits != 0 ? "Samples" : NULL);
  if (s->hits == 0)
    section_absent_rare (r, "Samples");
  emitter_number (r->e, "hits", "Hits", s->hits);
  emitter_number (r->e, "managed", "Managed", s->managed);
  emitter_number (r->e, "unmanaged", "Unmanaged", s->unmanaged);
  emitter_number (r->e, "unresolved", "Of these unresolved", s->unresolved);
  put_types (r);
  put_methods (r);
  put_threads (r);
  emitter_close (r->e);
}

const struct section section_samples = { .key = "samples",
                                         .alias = "sample",
                                         .put = put_samples,
                                         .tables = SECTION_TABLES (&types, &methods, &threads) };
