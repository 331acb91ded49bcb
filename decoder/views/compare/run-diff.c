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

static bool
has_runs (const struct run_diff_row *row)
{
  return row->base.runs != 0 && row->now.runs != 0;
}

/* Of two runs: by their errors. */
static enum run_spread
spread_of_errors (const struct run_diff_row *row)
{
  const double error = hypot (row->base.error, row->now.error);
  return error == 0                                       ? RUN_SPREAD_UNKNOWN
         : fabs ((double) run_diff_change (row)) <= error ? RUN_SPREAD_WITHIN
                                                          : RUN_SPREAD_BEYOND;
}

enum run_spread
run_diff_spread (const struct run_diff_row *row)
{
  static const enum run_spread spreads[] = { [CHANCE_WITHIN] = RUN_SPREAD_WITHIN,
                                             [CHANCE_FEW] = RUN_SPREAD_FEW,
                                             [CHANCE_BEYOND] = RUN_SPREAD_BEYOND };
  if (!has_runs (row))
    return RUN_SPREAD_UNKNOWN;
  return isnan (row->chance) ? spread_of_errors (row) : spreads[row->distance];
}

guint
run_diff_runs_needed (const struct run_diff_row *row, double deviation_percent)
{
  const double base = row->base.deviation, now = row->now.deviation;
  const guint sides = (row->base.runs > 1) + (row->now.runs > 1);
  const double deviation = sides != 0 ? sqrt ((base * base + now * now) / sides)
                                      : deviation_percent / 100 * (double) row->base.median;
  return chance_runs ((double) run_diff_change (row), deviation);
}

double
run_diff_deviation (const char *key)
{
  return strcmp (key, "cpu.total_ns") == 0      ? RUN_DEVIATION_PERCENT
         : strcmp (key, "log.duration_ns") == 0 ? RUN_DURATION_DEVIATION_PERCENT
                                                : 0;
}

bool
run_diff_is_within_one_run (const char *key, double base, double now)
{
  const double limit = CHANCE_95 * M_SQRT2 * run_diff_deviation (key) / 100;
  return limit > 0 && MAX (base, now) < MIN (base, now) * (1 + limit);
}

int64_t
run_diff_change (const struct run_diff_row *row)
{
  return has_runs (row) ? (int64_t) (row->now.median - row->base.median) : 0;
}

double
run_diff_percent (const struct run_diff_row *row)
{
  if (!has_runs (row) || row->base.median == 0)
    return NAN;
  return 100 * (double) run_diff_change (row) / (double) row->base.median;
}

/* ---- values ---- */

/* Sorts the amounts, those of the base first. */
static void
fill_row (struct run_diff_row *row, uint64_t *amounts, guint n_base, guint n_now)
{
  g_autofree double *reals = g_new (double, n_base + n_now);
  for (guint i = 0; i < n_base + n_now; i++)
    reals[i] = (double) amounts[i];
  row->chance = NAN;
  if (n_base != 0 && n_now != 0 && n_base + n_now > 2)
    row->distance = chance_distance (reals, n_base, reals + n_base, n_now, &row->chance);
  row->base = run_amounts_of (amounts, n_base);
  row->now = run_amounts_of (amounts + n_base, n_now);
}

/* The amounts of the runs that have the figure, and their number; *error: of the last one. */
static guint
list_amounts (const GPtrArray *runs, const char *key, uint64_t *amounts, double *error,
              enum emitter_type *type)
{
  guint n = 0;
  for (guint i = 0; i < runs->len; i++) {
    const struct run_figures *run = g_ptr_array_index (runs, i);
    const struct emitter_record_value *value = emitter_record_value (run->record, key);
    if (value == NULL || !emitter_record_is_amount (value->type) || run_figures_lacks (run, key))
      continue;
    *type = value->type;
    amounts[n++] = value->value.number;
    *error = run_figures_error (run, key);
  }
  return n;
}

bool
run_diff_value (const struct run_groups *groups, const char *key, struct run_diff_row *row)
{
  double errors[2] = { 0 };
  g_autofree uint64_t *amounts = g_new (uint64_t, groups->base->len + groups->now->len);
  *row = (struct run_diff_row){ .type = EMIT_NUMBER };
  const guint n_base = list_amounts (groups->base, key, amounts, &errors[0], &row->type);
  const guint n_now = list_amounts (groups->now, key, amounts + n_base, &errors[1], &row->type);
  fill_row (row, amounts, n_base, n_now);
  row->base.error = n_base == 1 ? errors[0] : 0;
  row->now.error = n_now == 1 ? errors[1] : 0;
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
  GArray *errors;  /* of double, likewise: the squares of their errors */
  guint runs;
  enum emitter_type type;
};

/* The place of the amount of a run. */
static guint
place_at (struct join *j, const char *name, guint run)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (j->places, name));
  if (place == 0) {
    char *own = g_strdup (name);
    g_ptr_array_add (j->names, own);
    place = j->names->len;
    g_hash_table_insert (j->places, own, GUINT_TO_POINTER (place));
    g_array_set_size (j->amounts, place * j->runs);
    g_array_set_size (j->errors, place * j->runs);
  }
  return (place - 1) * j->runs + run;
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
  const struct run_bounds bounds = run_figures_bounds (t, column);
  j->type = g_array_index (t->columns, struct emitter_record_column, place).type;
  for (guint row = 0; row < emitter_record_rows (t); row++) {
    g_string_truncate (name, 0);
    for (guint i = 0; i < n_names; i++)
      append_name (name, emitter_record_cell (t, row, names[i]));
    const guint at = place_at (j, name->len != 0 ? name->str : NO_NAME, run);
    uint64_t *sum = &g_array_index (j->amounts, uint64_t, at);
    *sum = run_figures_add_cell (column, *sum, emitter_record_cell (t, row, place));
    g_array_index (j->errors, double, at) += pow (run_figures_cell_error (t, row, &bounds), 2);
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
    const double *errors = &g_array_index (j->errors, double, i * j->runs);
    struct run_diff_row row
        = { .name = g_strdup (g_ptr_array_index (j->names, i)), .type = j->type };
    fill_row (&row, amounts, base_runs, j->runs - base_runs);
    if (j->runs == 2) {
      row.base.error = sqrt (errors[0]);
      row.now.error = sqrt (errors[1]);
    }
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
                    .errors = g_array_new (FALSE, TRUE, sizeof (double)),
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
  g_array_unref (j.errors);
  return rows;
}
