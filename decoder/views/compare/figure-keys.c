/* figure-keys.c -- the keys of the figures that results.def declares. */
#include "config.h"

#include "decoder/views/compare/compare.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"

/* Moments are not. */
static bool
is_figure (enum emitter_type type)
{
  return emitter_record_is_amount (type) || type == EMIT_CHANGE || type == EMIT_REAL
         || type == EMIT_ANY;
}

/* Takes the key. */
static void
add_key (GPtrArray *keys, char *key)
{
  if (g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
    g_free (key);
  else
    g_ptr_array_add (keys, key);
}

static void
add_columns (GPtrArray *keys, const struct result_table *table, const struct section *section)
{
  g_autoptr (GPtrArray) shapes = section_shapes (section, table);
  for (guint i = 0; i < shapes->len; i++) {
    const struct table_shape *shape = g_ptr_array_index (shapes, i);
    for (size_t c = 0; c < shape->n_columns; c++)
      if (shape->columns[c].key != NULL && is_figure (shape->columns[c].type))
        add_key (keys, g_strdup_printf ("%s[NAME].%s", table->key, shape->columns[c].key));
  }
}

static void
add_section (GPtrArray *keys, const struct section *section)
{
  for (enum result i = 0; i < RESULTS; i++)
    if (result_is_in (i, section->key) && is_figure (result_values[i].type))
      add_key (keys, g_strdup (result_values[i].key));
  for (const struct result_table *t = result_tables; t->section != NULL; t++)
    add_columns (keys, t, section);
}

GPtrArray *
figure_keys_new (void)
{
  static const struct section *const *const reports[] = { report_sections, ghc_report_sections };
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
  for (size_t r = 0; r < G_N_ELEMENTS (reports); r++)
    for (guint i = 0; reports[r][i] != NULL; i++)
      if (!reports[r][i]->extra)
        add_section (keys, reports[r][i]);
  return keys;
}
