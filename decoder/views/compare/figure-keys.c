/* figure-keys.c -- the keys are those of reports of empty logs, and those that compare.def lists:
 * of objects that an empty log does not have. */
#include "config.h"

#include "decoder/views/compare/compare.h"
#include "decoder/views/compare/runs.h"

/* Moments are not. */
static bool
is_figure (enum emitter_type type)
{
  return emitter_record_is_amount (type) || type == EMIT_CHANGE || type == EMIT_REAL
         || type == EMIT_ANY;
}

static void
add_key (GPtrArray *keys, char *key)
{
  if (g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
    g_free (key);
  else
    g_ptr_array_add (keys, key);
}

/* Of an empty log, the value of any type is null. */
static void
add_values (GPtrArray *keys, const struct emitter_record *record)
{
  const GArray *values = emitter_record_values (record);
  for (guint i = 0; i < values->len; i++) {
    const struct emitter_record_value *value
        = &g_array_index (values, struct emitter_record_value, i);
    if (is_figure (value->type))
      add_key (keys, g_strdup (value->key));
  }
}

static void
add_columns (GPtrArray *keys, const struct emitter_record *record)
{
  const GPtrArray *tables = emitter_record_tables (record);
  for (guint i = 0; i < tables->len; i++) {
    const struct emitter_record_table *t = g_ptr_array_index (tables, i);
    for (guint c = 0; c < t->columns->len; c++) {
      const struct emitter_record_column *column
          = &g_array_index (t->columns, struct emitter_record_column, c);
      if (is_figure (column->type))
        add_key (keys, g_strdup_printf ("%s[NAME].%s", t->key, column->key));
    }
  }
}

static void
add_run (GPtrArray *keys, struct run_figures *run)
{
  add_values (keys, run->record);
  add_columns (keys, run->record);
  run_figures_free (run);
}

GPtrArray *
figure_keys_new (void)
{
  static const char *const listed[] = {
#define FIGURE(key) key,
#define ROWS(table, column, names, title) table "[NAME]." column,
#define ROWS_ELSE(table, column, names, title) table "[NAME]." column,
#define OTHER(key) key,
#define SAME(...)
#include "decoder/views/compare/compare.def"
  };
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
  add_run (keys, run_figures_new_empty ());
  add_run (keys, run_figures_new_empty_eventlog ());
  for (size_t i = 0; i < G_N_ELEMENTS (listed); i++)
    add_key (keys, g_strdup (listed[i]));
  return keys;
}
