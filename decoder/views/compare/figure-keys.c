/* figure-keys.c -- the keys of the figures that results.def declares. */
#include "config.h"

#include "decoder/views/compare/compare.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

static const struct section *const *const reports[] = { report_sections, ghc_report_sections };

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
add_columns (GPtrArray *keys, const struct result_table *table, const struct section *const *all)
{
  if (!result_is_usual (table->section, all))
    return;
  g_autoptr (GPtrArray) shapes = result_shapes (table, all);
  for (guint i = 0; i < shapes->len; i++) {
    const struct table_shape *shape = g_ptr_array_index (shapes, i);
    for (size_t c = 0; c < shape->n_columns; c++)
      if (shape->columns[c].key != NULL && is_figure (shape->columns[c].type))
        add_key (keys, g_strdup_printf ("%s[NAME].%s", table->key, shape->columns[c].key));
  }
}

GPtrArray *
figure_keys_new (void)
{
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
  for (enum result i = 0; i < RESULTS; i++)
    if (is_figure (result_values[i].type)
        && (result_is_usual (result_section (i), report_sections)
            || result_is_usual (result_section (i), ghc_report_sections)))
      add_key (keys, g_strdup (result_values[i].key));
  for (size_t r = 0; r < G_N_ELEMENTS (reports); r++)
    for (const struct result_table *t = result_tables; t->section != NULL; t++)
      add_columns (keys, t, reports[r]);
  return keys;
}
