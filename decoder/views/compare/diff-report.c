/* diff-report.c -- writes what changed from one group of runs to another. */
#include "config.h"

#include "decoder/output/figure.h"
#include "decoder/views/compare/compare.h"
#include "decoder/views/result.h"
#include <math.h>
#include <string.h>

/* ---- shapes ---- */

/* For programs the bounds, for people how far they are from the median; if there are several runs.
 */
#define COLUMNS(suffix, unit, amount, change)                                                      \
  {                                                                                                \
    { "base" suffix, "Base" unit, amount }, { "base_runs", NULL, EMIT_NUMBER },                    \
        { "base_min" suffix, NULL, amount }, { "base_max" suffix, NULL, amount },                  \
        { NULL, "±", EMIT_TEXT }, { "now" suffix, "Now" unit, amount },                            \
        { "now_runs", NULL, EMIT_NUMBER }, { "now_min" suffix, NULL, amount },                     \
        { "now_max" suffix, NULL, amount }, { NULL, "±", EMIT_TEXT },                              \
        { "change" suffix, "Change" unit, change }, { "change_percent", "%", EMIT_ANY },           \
        { "chance", NULL, EMIT_ANY }, { "spread", "Spread", EMIT_TEXT },                           \
    {                                                                                              \
      "name", "Name", EMIT_TEXT                                                                    \
    }                                                                                              \
  }

static const struct emitter_column value_columns[] = COLUMNS ("", "", EMIT_ANY, EMIT_ANY);
static const struct emitter_column count_columns[] = COLUMNS ("", "", EMIT_NUMBER, EMIT_CHANGE);
static const struct emitter_column byte_columns[]
    = COLUMNS ("_bytes", " bytes", EMIT_NUMBER, EMIT_CHANGE);
static const struct emitter_column time_columns[] = COLUMNS ("_ns", " ms", EMIT_NS, EMIT_NS_CHANGE);

static const struct table_shape values_shape = { .key = "figures",
                                                 .title = "Figures",
                                                 TABLE_SHAPE_COLUMNS (value_columns),
                                                 .whole = true,
                                                 .grey = "spread" };
static const struct table_shape count_shape = { .key = "counts",
                                                TABLE_SHAPE_COLUMNS (count_columns),
                                                .name = "name",
                                                .method = "name",
                                                .grey = "spread" };
static const struct table_shape byte_shape = { .key = "bytes",
                                               TABLE_SHAPE_COLUMNS (byte_columns),
                                               .name = "name",
                                               .method = "name",
                                               .grey = "spread" };
static const struct table_shape time_shape = { .key = "times",
                                               TABLE_SHAPE_COLUMNS (time_columns),
                                               .name = "name",
                                               .method = "name",
                                               .grey = "spread" };

GPtrArray *
diff_report_shapes (void)
{
  GPtrArray *shapes = g_ptr_array_new ();
  g_ptr_array_add (shapes, (gpointer) &values_shape);
  g_ptr_array_add (shapes, (gpointer) &count_shape);
  g_ptr_array_add (shapes, (gpointer) &byte_shape);
  g_ptr_array_add (shapes, (gpointer) &time_shape);
  return shapes;
}

/* ---- the list ---- */

/* A table that is compared. */
struct rows {
  const char *table, *column, *names, *title;
  bool is_else; /* where the one before it cannot be shown */
};

static const struct rows tables[] = {
#define ROWS(table, column, names, title) { table, column, names, title, false },
#define ROWS_ELSE(table, column, names, title) { table, column, names, title, true },
#include "decoder/views/results.def"
};

static const struct {
  const char *key, *meaning;
} conditions[] = {
#define CONDITION(key, meaning) { key, meaning },
#include "decoder/views/results.def"
};

/* ---- rows ---- */

struct report_context {
  struct emitter *e;
  const struct run_groups *groups;
  const struct view *view;
  bool is_for_people;
  bool has_rows; /* for people: some were shown */
};

/* A figure with the text for people. */
struct shown_cell {
  struct emitter_any cell;
  char *text;
};

/* The cells of a row that its table borrows. */
struct cells {
  struct shown_cell base, now, change, percent;
  struct emitter_any bounds[4]; /* minimum and maximum of the base and of the others */
  struct emitter_any chance;
};

static enum figure_unit
unit_of (const struct run_diff_row *row)
{
  return row->type == EMIT_NS                  ? FIGURE_NS
         : strstr (row->name, "bytes") != NULL ? FIGURE_BYTES
                                               : FIGURE_COUNT;
}

/* A figure as people read it (transfer full). */
static char *
amount_text (const struct report_context *c, const struct run_diff_row *row, const char *sign,
             uint64_t amount)
{
  if (row->type == EMIT_SHARE)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%u %%", sign, amount / 10,
                            (unsigned) (amount % 10));
  if (c->view->is_raw && row->type == EMIT_NS)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%03u ms", sign, amount / 1000000,
                            (unsigned) (amount / 1000 % 1000));
  g_autofree char *text = figure_text (c->view->is_raw ? FIGURE_NONE : unit_of (row), amount);
  return g_strconcat (sign, text, NULL);
}

static struct shown_cell
amount_cell (const struct report_context *c, const struct run_diff_row *row,
             const struct run_amounts *a)
{
  if (a->runs == 0)
    return (struct shown_cell){ { EMIT_TEXT, { .text = NULL }, "-" }, NULL };
  char *text = amount_text (c, row, "", a->median);
  return (struct shown_cell){ { row->type, { .number = a->median }, text }, text };
}

static struct shown_cell
change_cell (const struct report_context *c, const struct run_diff_row *row)
{
  const int64_t change = run_diff_change (row);
  const uint64_t size = change < 0 ? -(uint64_t) change : (uint64_t) change;
  if (row->base.runs == 0 || row->now.runs == 0)
    return (struct shown_cell){ { EMIT_TEXT, { .text = NULL }, "-" }, NULL };
  char *text = amount_text (c, row, change < 0 ? "-" : "+", size);
  return (struct shown_cell){ { EMIT_CHANGE, { .change = change }, text }, text };
}

/* What was not there before has no change in percent. */
static struct shown_cell
percent_cell (const struct run_diff_row *row)
{
  const double percent = run_diff_percent (row);
  const bool is_new = row->base.runs != 0 && row->now.median != 0;
  if (isnan (percent))
    return (struct shown_cell){ { EMIT_TEXT, { .text = NULL }, is_new ? "new" : "-" }, NULL };
  char *text = g_strdup_printf ("%+.1f", percent);
  return (struct shown_cell){ { EMIT_REAL, { .real = round (percent * 1000) / 1000 }, text },
                              text };
}

static struct emitter_any
bound_cell (const struct run_diff_row *row, const struct run_amounts *a, uint64_t bound)
{
  return a->runs != 0 ? (struct emitter_any){ row->type, { .number = bound }, NULL }
                      : (struct emitter_any){ EMIT_TEXT, { .text = NULL }, NULL };
}

static struct emitter_any
chance_cell (const struct run_diff_row *row)
{
  return isnan (row->chance)
             ? (struct emitter_any){ EMIT_TEXT, { .text = NULL }, NULL }
             : (struct emitter_any){ EMIT_REAL, { .real = round (row->chance * 1e6) / 1e6 }, NULL };
}

static void
fill_cells (const struct report_context *c, const struct run_diff_row *row, struct cells *cells)
{
  *cells = (struct cells){ .base = amount_cell (c, row, &row->base),
                           .now = amount_cell (c, row, &row->now),
                           .change = change_cell (c, row),
                           .percent = percent_cell (row),
                           .chance = chance_cell (row),
                           .bounds = { bound_cell (row, &row->base, row->base.min),
                                       bound_cell (row, &row->base, row->base.max),
                                       bound_cell (row, &row->now, row->now.min),
                                       bound_cell (row, &row->now, row->now.max) } };
}

static void
clear_cells (void *data)
{
  struct cells *cells = data;
  g_free (cells->base.text);
  g_free (cells->now.text);
  g_free (cells->change.text);
  g_free (cells->percent.text);
}

/* How far the runs are from their median, in percent of it (transfer full); NULL: there is one run.
 */
static char *
distance_text (const struct run_amounts *a)
{
  const uint64_t distance = MAX (a->max - a->median, a->median - a->min);
  if (a->runs < 2)
    return NULL;
  return distance == 0 || a->median != 0
             ? g_strdup_printf ("%.0f %%", 100 * (double) distance / (double) MAX (a->median, 1))
             : g_strdup ("-");
}

static const char *
spread_text (const struct run_diff_row *row)
{
  static const char *const texts[] = { [RUN_SPREAD_UNKNOWN] = NULL,
                                       [RUN_SPREAD_WITHIN] = "within",
                                       [RUN_SPREAD_FEW] = "few",
                                       [RUN_SPREAD_BEYOND] = "beyond" };
  return texts[run_diff_spread (row)];
}

/* Amounts of a table of one unit are its own; of one of several units each has its own. */
static void
add_row (struct table *t, const struct run_diff_row *row, const struct cells *c, bool has_one_unit)
{
  const struct run_amounts *const base = &row->base, *const now = &row->now;
  g_autofree char *base_distance = distance_text (base);
  g_autofree char *now_distance = distance_text (now);
#define AMOUNT(amount, any_cell)                                                                   \
  (has_one_unit ? (union emitter_value){ .number = (amount) }                                      \
                : (union emitter_value){ .any = (any_cell) })
  table_add (
      t, (const union emitter_value[]){ AMOUNT (base->median, &c->base.cell),
                                        { .number = base->runs },
                                        AMOUNT (base->min, &c->bounds[0]),
                                        AMOUNT (base->max, &c->bounds[1]),
                                        { .text = base_distance },
                                        AMOUNT (now->median, &c->now.cell),
                                        { .number = now->runs },
                                        AMOUNT (now->min, &c->bounds[2]),
                                        AMOUNT (now->max, &c->bounds[3]),
                                        { .text = now_distance },
                                        AMOUNT ((uint64_t) run_diff_change (row), &c->change.cell),
                                        { .any = &c->percent.cell },
                                        { .any = &c->chance },
                                        { .text = spread_text (row) },
                                        { .text = row->name } });
#undef AMOUNT
}

/* People see only what changed. */
static bool
is_shown (const struct report_context *c, const struct run_diff_row *row)
{
  return !c->is_for_people || c->view->verbose || row->base.median != row->now.median;
}

/* The shape is used until the emitter is freed, if it is of programs: `key` is static. */
static void
write_rows (struct report_context *c, const struct table_shape *shape, const GArray *rows)
{
  struct table *t = table_new (shape, c->view);
  const bool has_one_unit = shape->columns != value_columns;
  struct cells *cells = g_new (struct cells, rows->len);
  for (guint i = 0; i < rows->len; i++) {
    const struct run_diff_row *row = &g_array_index (rows, struct run_diff_row, i);
    fill_cells (c, row, &cells[i]);
    if (!is_shown (c, row))
      continue;
    add_row (t, row, &cells[i], has_one_unit);
    c->has_rows = true;
  }
  table_write (t, c->e);
  for (guint i = 0; i < rows->len; i++)
    clear_cells (&cells[i]);
  g_free (cells);
}

/* ---- values ---- */

/* The largest figure of each unit, which the others are weighed by. */
struct largest {
  uint64_t ns, bytes;
};

static uint64_t
largest_of (const struct run_diff_row *row)
{
  return MAX (row->base.median, row->now.median);
}

/* Counts have no common measure: each is weighed by itself, and few are no more than noise. */
#define COUNT_NOISE 100.0

/* How much of a run a change is, up to 1. */
static double
weight_of (const struct run_diff_row *row, const struct largest *largest)
{
  const double change = fabs ((double) run_diff_change (row));
  if (row->type == EMIT_SHARE)
    return change / 1000;
  switch (unit_of (row)) {
  case FIGURE_NS:
    return change / (double) MAX (largest->ns, 1);
  case FIGURE_BYTES:
    return change / (double) MAX (largest->bytes, 1);
  default:
    return change / ((double) largest_of (row) + COUNT_NOISE);
  }
}

/* The weightiest first. */
static int
compare_values (const void *a, const void *b, void *data)
{
  const double left = weight_of (a, data), right = weight_of (b, data);
  return (left < right) - (left > right);
}

static void
put_values (struct report_context *c)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct run_diff_row));
  struct largest largest = { 0 };
  g_array_set_clear_func (rows, run_diff_row_clear);
  for (enum result i = 0; i < RESULTS; i++) {
    struct run_diff_row row;
    if (!result_values[i].is_compared || !run_diff_value (c->groups, result_values[i].key, &row))
      continue;
    g_array_append_val (rows, row);
    if (unit_of (&row) == FIGURE_NS)
      largest.ns = MAX (largest.ns, largest_of (&row));
    else if (unit_of (&row) == FIGURE_BYTES)
      largest.bytes = MAX (largest.bytes, largest_of (&row));
  }
  g_array_sort_with_data (rows, compare_values, &largest);
  write_rows (c, &values_shape, rows);
  g_array_unref (rows);
}

/* ---- tables ---- */

/* "cpu.methods" and "self_ns" are cpu_methods_self_ns (transfer full). */
static char *
key_of (const struct rows *rows)
{
  char *key = g_strdup_printf ("%s_%s", rows->table, rows->column);
  return g_strdelimit (key, ".", '_');
}

static const struct table_shape *
shape_of (const char *column)
{
  return g_str_has_suffix (column, "_ns")   ? &time_shape
         : strstr (column, "bytes") != NULL ? &byte_shape
                                            : &count_shape;
}

/* True if both sides have the column. */
static bool
put_table (struct report_context *c, const struct rows *what)
{
  GArray *rows = run_diff_rows (c->groups, what->table, what->column, what->names);
  if (rows == NULL)
    return false;
  g_autofree char *key = key_of (what);
  struct table_shape shape = *shape_of (what->column);
  shape.key = key;
  shape.title = what->title;
  if (rows->len != 0 || !c->is_for_people)
    write_rows (c, &shape, rows);
  g_array_unref (rows);
  return true;
}

static void
put_tables (struct report_context *c)
{
  bool was_shown = false;
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!tables[i].is_else || !was_shown)
      was_shown = put_table (c, &tables[i]);
}

/* ---- the beginning ---- */

static void
put_logs (const struct report_context *c, const char *key, const char *label, const GPtrArray *runs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (names, ((const struct run_figures *) g_ptr_array_index (runs, i))->log);
  emitter_texts (c->e, key, label, names);
}

static const char *
text_of (const struct run_figures *run, const char *key)
{
  const struct emitter_record_value *value = emitter_record_value (run->record, key);
  return value != NULL && value->type == EMIT_TEXT && value->value.text != NULL ? value->value.text
                                                                                : "none";
}

/* A text of a run that is another one than that of the first run, which is in *first; NULL: it is
 * the same in all. */
static const char *
find_other (const struct report_context *c, const char *key, const char **first)
{
  const GPtrArray *const sides[] = { c->groups->base, c->groups->now };
  *first = text_of (g_ptr_array_index (c->groups->base, 0), key);
  for (size_t side = 0; side < G_N_ELEMENTS (sides); side++)
    for (guint i = 0; i < sides[side]->len; i++) {
      const char *text = text_of (g_ptr_array_index (sides[side], i), key);
      if (strcmp (*first, text) != 0)
        return text;
    }
  return NULL;
}

/* Figures of another meaning have one key: samples and calls, for example.  True if a note was
 * added. */
static bool
add_condition (const struct report_context *c, GPtrArray *notes, const char *key,
               const char *meaning)
{
  const char *first, *other = find_other (c, key, &first);
  if (other != NULL)
    g_ptr_array_add (notes, g_strdup_printf ("Figures of %s are not comparable: %s is %s in some "
                                             "logs, and %s in others.",
                                             meaning, key, first, other));
  return other != NULL;
}

static void
put_verdict (const struct report_context *c)
{
  const char *first;
  const bool has_other_cpu
      = find_other (c, "cpu.source", &first) != NULL || find_other (c, "cpu.clock", &first) != NULL;
  g_autoptr (GPtrArray) sentences = diff_verdict (c->groups, has_other_cpu);
  emitter_open (c->e, "verdict", "Verdict");
  emitter_lines (c->e, "sentences", sentences);
  emitter_close (c->e);
}

/* What is to be known of the figures. */
static void
put_notes (const struct report_context *c)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  if (c->groups->base->len + c->groups->now->len == 2)
    g_ptr_array_add (
        notes, g_strdup_printf ("One run on each side: how far runs differ by themselves is "
                                "unknown, and taken to be %.0f %% of processor time and %.0f %% "
                                "of a duration.  With more runs, separated by '--', figures are "
                                "medians.",
                                RUN_DEVIATION_PERCENT, RUN_DURATION_DEVIATION_PERCENT));
  const char *noted = NULL; /* one note is enough for figures of a meaning */
  for (size_t i = 0; i < G_N_ELEMENTS (conditions); i++)
    if (g_strcmp0 (noted, conditions[i].meaning) != 0
        && add_condition (c, notes, conditions[i].key, conditions[i].meaning))
      noted = conditions[i].meaning;
  emitter_lines (c->e, "notes", notes);
}

void
diff_report_write (struct emitter *e, const struct run_groups *groups, const struct view *view,
                   const struct budget_results *results)
{
  const enum emitter_format format = emitter_get_format (e);
  struct report_context c
      = { .e = e,
          .groups = groups,
          .view = view,
          .is_for_people = format == EMITTER_TEXT || format == EMITTER_MARKDOWN };
  emitter_begin (e, DIFF_SCHEMA);
  put_verdict (&c);
  emitter_open (e, "runs", "Runs");
  put_logs (&c, "base", "Base", groups->base);
  put_logs (&c, "now", "Now", groups->now);
  put_notes (&c);
  emitter_close (e);
  if (results != NULL)
    budget_results_write (results, view, e);
  put_values (&c);
  put_tables (&c);
  if (!c.has_rows)
    emitter_note (e, "No figure differs.");
  emitter_end (e);
}
