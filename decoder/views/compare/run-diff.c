/* run-diff.c -- joins the figures of runs by their names. */
#include "config.h"

#include "decoder/views/compare/compare.h"
#include <math.h>
#include <string.h>

/* Names of a row at most. */
#define NAMES_MAX 4
#define NO_NAME "(no name)"

void
run_diff_row_clear (void *row)
{
  g_free (((struct run_diff_row *) row)->name);
}

enum run_spread
run_diff_spread (const struct run_diff_row *row)
{
  if (row->base.runs == 0 || row->now.runs == 0 || row->base.runs + row->now.runs == 2)
    return RUN_SPREAD_UNKNOWN;
  return row->now.min > row->base.max || row->now.max < row->base.min ? RUN_SPREAD_BEYOND
                                                                      : RUN_SPREAD_WITHIN;
}

int64_t
run_diff_change (const struct run_diff_row *row)
{
  return row->base.runs != 0 && row->now.runs != 0 ? (int64_t) (row->now.median - row->base.median)
                                                   : 0;
}

double
run_diff_percent (const struct run_diff_row *row)
{
  if (row->base.runs == 0 || row->now.runs == 0 || row->base.median == 0)
    return NAN;
  return 100 * (double) run_diff_change (row) / (double) row->base.median;
}

/* ---- values ---- */

static struct run_amounts
amounts_of (const GPtrArray *runs, const char *key, enum emitter_type *type)
{
  g_autofree uint64_t *amounts = g_new (uint64_t, runs->len);
  guint n = 0;
  for (guint i = 0; i < runs->len; i++) {
    const struct run_figures *run = g_ptr_array_index (runs, i);
    const struct emitter_record_value *value = emitter_record_value (run->record, key);
    if (value == NULL || !emitter_record_is_amount (value->type) || run_figures_lacks (run, key))
      continue;
    *type = value->type;
    amounts[n++] = value->value.number;
  }
  return run_amounts_of (amounts, n);
}

bool
run_diff_value (const struct run_groups *groups, const char *key, struct run_diff_row *row)
{
  *row = (struct run_diff_row){ .type = EMIT_NUMBER };
  row->base = amounts_of (groups->base, key, &row->type);
  row->now = amounts_of (groups->now, key, &row->type);
  if (row->base.runs + row->now.runs == 0)
    return false;
  row->name = g_strdup (key);
  return true;
}

/* ---- rows ---- */

/* Rows by name, with an amount of each run. */
struct join {
  GHashTable *places; /* of char *: the number of the row, from 1 */
  GPtrArray *names;
  GArray *amounts; /* of uint64_t, row by row */
  guint runs;
  enum emitter_type type;
};

static uint64_t *
amount_at (struct join *j, const char *name, guint run)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (j->places, name));
  if (place == 0) {
    char *own = g_strdup (name);
    g_ptr_array_add (j->names, own);
    place = j->names->len;
    g_hash_table_insert (j->places, own, GUINT_TO_POINTER (place));
    g_array_set_size (j->amounts, place * j->runs);
  }
  return &g_array_index (j->amounts, uint64_t, (place - 1) * j->runs + run);
}

static void
append_name (GString *name, const struct emitter_any *cell)
{
  if (cell->type == EMIT_TEXT && cell->value.text == NULL)
    return;
  if (name->len != 0)
    g_string_append_c (name, ' ');
  if (cell->type == EMIT_TEXT)
    g_string_append (name, cell->value.text);
  else
    g_string_append_printf (name, "%" G_GUINT64_FORMAT, cell->value.number);
}

static bool
add_run (struct join *j, guint run, const struct emitter_record *record, const char *table,
         const char *column, char **keys)
{
  const struct emitter_record_table *t = emitter_record_table (record, table);
  const guint place = t != NULL ? emitter_record_column (t, column) : 0;
  if (t == NULL || place == t->columns->len)
    return false;
  guint names[NAMES_MAX], n_names = 0;
  for (; *keys != NULL && n_names < NAMES_MAX; keys++)
    if ((names[n_names] = emitter_record_column (t, *keys)) < t->columns->len)
      n_names++;
  g_autoptr (GString) name = g_string_new (NULL);
  j->type = g_array_index (t->columns, struct emitter_record_column, place).type;
  for (guint row = 0; row < emitter_record_rows (t); row++) {
    g_string_truncate (name, 0);
    for (guint i = 0; i < n_names; i++)
      append_name (name, emitter_record_cell (t, row, names[i]));
    uint64_t *sum = amount_at (j, name->len != 0 ? name->str : NO_NAME, run);
    *sum = run_figures_add_cell (column, *sum, emitter_record_cell (t, row, place));
  }
  return true;
}

static uint64_t
size_of_change (const struct run_diff_row *row)
{
  const int64_t change = run_diff_change (row);
  return change < 0 ? -(uint64_t) change : (uint64_t) change;
}

static int
compare_rows (const void *a, const void *b)
{
  const struct run_diff_row *x = a, *y = b;
  const uint64_t left = size_of_change (x), right = size_of_change (y);
  return left != right ? (left < right) - (left > right) : strcmp (x->name, y->name);
}

static GArray *
rows_of (const struct join *j, guint base_runs)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct run_diff_row));
  g_array_set_clear_func (rows, run_diff_row_clear);
  for (guint i = 0; i < j->names->len; i++) {
    uint64_t *amounts = &g_array_index (j->amounts, uint64_t, i * j->runs);
    const struct run_diff_row row
        = { .name = g_strdup (g_ptr_array_index (j->names, i)),
            .type = j->type,
            .base = run_amounts_of (amounts, base_runs),
            .now = run_amounts_of (amounts + base_runs, j->runs - base_runs) };
    g_array_append_val (rows, row);
  }
  g_array_sort (rows, compare_rows);
  return rows;
}

GArray *
run_diff_rows (const struct run_groups *groups, const char *table, const char *column,
               const char *names)
{
  const GPtrArray *const sides[] = { groups->base, groups->now };
  struct join j = { .places = g_hash_table_new (g_str_hash, g_str_equal),
                    .names = g_ptr_array_new_with_free_func (g_free),
                    .amounts = g_array_new (FALSE, TRUE, sizeof (uint64_t)),
                    .runs = groups->base->len + groups->now->len };
  g_auto (GStrv) keys = g_strsplit (names, ",", -1);
  bool is_on_all_sides = true;
  guint run = 0;
  for (size_t side = 0; side < G_N_ELEMENTS (sides); side++) {
    bool is_here = false;
    for (guint i = 0; i < sides[side]->len; i++, run++) {
      const struct run_figures *figures = g_ptr_array_index (sides[side], i);
      is_here |= !run_figures_lacks (figures, table)
                 && add_run (&j, run, figures->record, table, column, keys);
    }
    is_on_all_sides &= is_here;
  }
  GArray *rows = is_on_all_sides ? rows_of (&j, groups->base->len) : NULL;
  g_hash_table_unref (j.places);
  g_ptr_array_unref (j.names);
  g_array_unref (j.amounts);
  return rows;
}
