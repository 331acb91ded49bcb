/* budgets.c -- parses budgets, finds their figures, and writes the verdicts. */
#include "config.h"

#include "decoder/views/compare/budgets.h"
#include "decoder/core/chance.h"
#include "decoder/core/suggest.h"
#include "decoder/views/compare/compare.h"
#include <errno.h>
#include <math.h>
#include <proflog/units.h>
#include <string.h>

/* ---- lists of budgets ---- */

static void
free_budget (void *data)
{
  struct budget *b = data;
  g_free (b->text);
  g_free (b->key);
  g_free (b->row);
  g_free (b->column);
  g_free (b);
}

GPtrArray *
budgets_new (void)
{
  return g_ptr_array_new_with_free_func (free_budget);
}

enum figure_unit
budget_unit (const struct budget *b)
{
  const char *dot = strrchr (b->key, '.');
  const char *name = b->column != NULL ? b->column : dot != NULL ? dot + 1 : b->key;
  return g_str_has_suffix (name, "_ns")   ? FIGURE_NS
         : strstr (name, "bytes") != NULL ? FIGURE_BYTES
                                          : FIGURE_COUNT;
}

static bool
refuse (GError **error, const char *text, const char *why)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "budget '%s': %s", text, why);
  return false;
}

/* A number of at least 0 that is the whole text. */
static bool
parse_number (const char *text, double *number)
{
  char *end;
  *number = g_ascii_strtod (text, &end);
  return end != text && *end == 0 && isfinite (*number) && g_ascii_isdigit (*text);
}

static bool
parse_amount (const struct budget *b, const char *text, double *limit, GError **error)
{
  uint64_t amount;
  switch (budget_unit (b)) {
  case FIGURE_NS:
    if (proflog_parse_any_time (text, false, &amount) != PROFLOG_PARSED)
      return refuse (error, b->text, "a time is needed: a number with ns, us, ms, s, m or h");
    *limit = (double) amount;
    return true;
  case FIGURE_BYTES:
    if (proflog_parse_bytes (text, &amount) != PROFLOG_PARSED)
      return refuse (
          error, b->text,
          "a size is needed: a number of bytes, or with K, M or G (1024 of the one before)");
    *limit = (double) amount;
    return true;
  default:
    return parse_number (text, limit) || refuse (error, b->text, "a number is needed");
  }
}

static bool
parse_limit (struct budget *b, GError **error)
{
  const char *text = b->limit_text;
  b->is_relative = *text == '+';
  text += b->is_relative;
  b->is_percent = g_str_has_suffix (text, "%");
  if (b->is_percent && !b->is_relative)
    return refuse (error, b->text, "percents are relative to the base: +5%");
  if (!b->is_percent)
    return parse_amount (b, text, &b->limit, error);
  g_autofree char *number = g_strndup (text, strlen (text) - 1);
  return parse_number (number, &b->limit)
         || refuse (error, b->text, "a number of percents is needed");
}

/* TABLE[ROW].COLUMN, where ROW may have brackets of its own, or the key of a value. */
static void
parse_key (struct budget *b, const char *key)
{
  const char *open = strchr (key, '['), *close = g_strrstr (key, "].");
  if (open == NULL || close == NULL || close < open) {
    b->key = g_strdup (key);
    return;
  }
  b->key = g_strndup (key, (gsize) (open - key));
  b->row = g_strndup (open + 1, (gsize) (close - open - 1));
  b->column = g_strdup (close + 2);
}

static bool
check_key (const struct budget *b, const GPtrArray *keys, GError **error)
{
  g_autofree char *key
      = b->row != NULL ? g_strdup_printf ("%s[NAME].%s", b->key, b->column) : g_strdup (b->key);
  if (g_ptr_array_find_with_equal_func ((GPtrArray *) keys, key, g_str_equal, NULL))
    return true;
  g_autofree char *near = suggest_text ("", key, keys);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "budget '%s': no report has the figure %s%s; '--fail-above help' lists the figures",
               b->text, key, near);
  return false;
}

/* The last '=': names of rows may have others. */
bool
budgets_add (GPtrArray *budgets, const char *text, const GPtrArray *keys, GError **error)
{
  struct budget *b = g_new0 (struct budget, 1);
  b->text = g_strstrip (g_strdup (text));
  const char *equals = strrchr (b->text, '=');
  g_autofree char *key = equals != NULL ? g_strndup (b->text, (gsize) (equals - b->text)) : NULL;
  bool good = false;
  if (equals == NULL) {
    refuse (error, b->text, "KEY=LIMIT is needed, such as exceptions.throws=100");
  } else {
    b->limit_text = equals + 1 + strspn (equals + 1, " \t");
    parse_key (b, g_strstrip (key));
    good = check_key (b, keys, error) && parse_limit (b, error);
  }
  if (good)
    g_ptr_array_add (budgets, b);
  else
    free_budget (b);
  return good;
}

/* Cuts off what follows a '#' that begins the line, or a word. */
static void
cut_comment (char *line)
{
  for (char *p = line; *p != 0; p++)
    if (*p == '#' && (p == line || g_ascii_isspace (p[-1])))
      *p = 0;
  g_strstrip (line);
}

bool
budgets_add_file (GPtrArray *budgets, const char *path, const GPtrArray *keys, GError **error)
{
  g_autofree char *contents = NULL;
  const guint before = budgets->len;
  gsize length;
  errno = 0;
  if (!g_file_get_contents (path, &contents, &length, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", path,
                 g_strerror (errno));
    return false;
  }
  g_auto (GStrv) lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    cut_comment (lines[i]);
    if (lines[i][0] != 0 && !budgets_add (budgets, lines[i], keys, error)) {
      g_prefix_error (error, "%s:%u: ", path, i + 1);
      return false;
    }
  }
  if (budgets->len == before || strlen (contents) != length) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", path,
                 budgets->len == before ? "there is no budget in it" : "it has a byte 0");
    return false;
  }
  return true;
}

bool
budgets_need_base (const GPtrArray *budgets)
{
  for (guint i = 0; i < budgets->len; i++)
    if (((const struct budget *) g_ptr_array_index (budgets, i))->is_relative)
      return true;
  return false;
}

/* ---- results ---- */

static void
free_result (void *data)
{
  struct budget_result *result = data;
  g_free (result->log);
  g_free (result->sentence);
  g_free (result);
}

void
budget_results_init (struct budget_results *results)
{
  results->all = g_ptr_array_new_with_free_func (free_result);
}

void
budget_results_clear (struct budget_results *results)
{
  g_ptr_array_unref (results->all);
}

/* ---- figures ---- */

static bool
number_of (enum emitter_type type, union emitter_value value, double *number)
{
  if (type == EMIT_REAL)
    *number = value.real;
  else if (type == EMIT_CHANGE || type == EMIT_TIME)
    *number = (double) value.change;
  else if (emitter_record_is_amount (type))
    *number = (double) value.number;
  else
    return false;
  return true;
}

/* Is it the row of this name: by a text of it, or by its first number, as of a generation? */
static bool
is_row (const struct emitter_record_table *t, guint row, const char *name)
{
  for (guint c = 0; c < t->columns->len; c++) {
    const struct emitter_any *cell = emitter_record_cell (t, row, c);
    if (cell->type == EMIT_TEXT && g_strcmp0 (cell->value.text, name) == 0)
      return true;
  }
  const struct emitter_any *first = emitter_record_cell (t, row, 0);
  g_autofree char *number = first->type == EMIT_NUMBER
                                ? g_strdup_printf ("%" G_GUINT64_FORMAT, first->value.number)
                                : NULL;
  return g_strcmp0 (number, name) == 0;
}

/* What rows of one name are together; without any, 0.  Sets *has_row if there is one. */
static bool
cell_of (const struct emitter_record *record, const struct budget *b, double *number, bool *has_row)
{
  const struct emitter_record_table *t = emitter_record_table (record, b->key);
  const guint column = t != NULL ? emitter_record_column (t, b->column) : 0;
  if (t == NULL || column == t->columns->len)
    return false;
  uint64_t sum = 0;
  bool has_real = false;
  for (guint row = 0; row < emitter_record_rows (t); row++) {
    const struct emitter_any *cell = emitter_record_cell (t, row, column);
    if (!is_row (t, row, b->row))
      continue;
    *has_row = true;
    if (emitter_record_is_amount (cell->type))
      sum = run_figures_add_cell (b->column, sum, cell);
    else
      has_real |= number_of (cell->type, cell->value, number);
  }
  if (!has_real)
    *number = (double) sum;
  return true;
}

static bool
figure_of (const struct run_figures *run, const struct budget *b, double *number, bool *has_row)
{
  const struct emitter_record *record = run->all != NULL ? run->all->record : run->record;
  if (run_figures_lacks (run, b->key))
    return false;
  if (b->row != NULL)
    return cell_of (record, b, number, has_row);
  const struct emitter_record_value *value = emitter_record_value (record, b->key);
  return value != NULL && number_of (value->type, value->value, number);
}

static int
compare_numbers (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* In ascending order (transfer full); NULL: a run does not have the figure.  Sets *has_row if one
 * has the row. */
static double *
numbers_of_runs (const GPtrArray *runs, const struct budget *b, bool *has_row)
{
  g_autofree double *numbers = g_new (double, runs->len);
  for (guint i = 0; i < runs->len; i++) {
    const struct run_figures *run = g_ptr_array_index (runs, i);
    if (!figure_of (run, b, &numbers[i], has_row))
      return NULL;
  }
  qsort (numbers, runs->len, sizeof *numbers, compare_numbers);
  return g_steal_pointer (&numbers);
}

static double
median_of (const double *numbers, guint n)
{
  return (numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
}

/* ---- verdicts ---- */

static bool
is_whole (double number)
{
  return number >= 0 && number < 1e18 && number == (double) (uint64_t) number;
}

/* Whole numbers as such, others with three decimals (transfer full). */
static char *
exact_text (double number)
{
  return is_whole (number) ? g_strdup_printf ("%" G_GUINT64_FORMAT, (uint64_t) number)
                           : g_strdup_printf ("%.3f", number);
}

/* As people read it, and exactly: bytes and times in whole ones, as figures are (transfer full). */
static char *
number_text (const struct budget *b, double number)
{
  static const char *const units[]
      = { [FIGURE_NONE] = "", [FIGURE_COUNT] = "", [FIGURE_BYTES] = " bytes", [FIGURE_NS] = " ns" };
  const enum figure_unit unit = budget_unit (b);
  const bool is_amount = unit == FIGURE_BYTES || unit == FIGURE_NS;
  g_autofree char *exact = exact_text (is_amount ? floor (number) : number);
  if (unit == FIGURE_COUNT || number < 1000 || number >= 1e18)
    return g_strconcat (exact, units[unit], NULL);
  g_autofree char *shown = figure_text (unit, (uint64_t) number);
  return g_strdup_printf ("%s (%s%s)", shown, exact, units[unit]);
}

static char *
sentence_of (const struct budget_result *r)
{
  const struct budget *b = r->budget;
  const char *key_end = strrchr (b->text, '=');
  g_autofree char *key = g_strchomp (g_strndup (b->text, (gsize) (key_end - b->text)));
  g_autofree char *number = number_text (b, r->value);
  g_autofree char *value
      = g_strconcat (number, r->lacks_row ? " (no row has this name)" : "", NULL);
  g_autofree char *most = number_text (b, r->most);
  g_autofree char *base = number_text (b, r->base);
  const char *relation = r->verdict == BUDGET_WITHIN ? "within" : "above";
  const char *reason = r->verdict != BUDGET_NOISE ? ""
                       : !r->has_one_run          ? ", no more than runs of one side differ"
                       : run_diff_deviation (b->key) > 0
                           ? ", no more than two runs of one program may differ"
                           : ", no more than the error of the estimates";
  if (r->verdict == BUDGET_UNKNOWN)
    return g_strdup_printf ("%s: %s has no such figure, so its budget of %s cannot be checked", key,
                            r->has_value ? "the base" : "the log", b->limit_text);
  if (b->is_relative)
    return g_strdup_printf ("%s is %s, %s its budget of %s: %s from %s%s", key, value, relation,
                            most, b->limit_text, base, reason);
  return g_strdup_printf ("%s is %s, %s its budget of %s", key, value, relation, most);
}

/* Exact for whole numbers below 2^53 / 100. */
static bool
is_above (const struct budget_result *r)
{
  const struct budget *b = r->budget;
  if (b->is_percent)
    return (r->value - r->base) * 100 > r->base * b->limit;
  return r->value > r->most;
}

/* Do runs of one side differ as much as the sides do? */
static bool
is_noise (double *base, guint n_base, double *now, guint n_now)
{
  double probability;
  return chance_distance (base, n_base, now, n_now, &probability) == CHANCE_WITHIN;
}

/* The error of the figure as an estimate from samples; 0: it is none. */
static double
error_of (const struct run_figures *run, const struct budget *b)
{
  if (b->row == NULL)
    return run_figures_error (run, b->key);
  const struct emitter_record *record = run->all != NULL ? run->all->record : run->record;
  const struct emitter_record_table *t = emitter_record_table (record, b->key);
  if (t == NULL)
    return 0;
  const struct run_bounds bounds = run_figures_bounds (t, b->column);
  double squares = 0;
  for (guint row = 0; row < emitter_record_rows (t); row++)
    if (is_row (t, row, b->row))
      squares += pow (run_figures_cell_error (t, row, &bounds), 2);
  return sqrt (squares);
}

/* Of a run on each side estimates from samples are known to differ by chance, and times as the
 * verdict has it. */
static bool
is_within_one_run (const struct budget_result *r, const struct run_figures *base,
                   const struct run_figures *now)
{
  const struct budget *b = r->budget;
  return (b->row == NULL && run_diff_is_within_one_run (b->key, r->base, r->value))
         || fabs (r->value - r->base) <= hypot (error_of (base, b), error_of (now, b));
}

/* Of a figure above a budget that is relative to the base. */
static bool
may_be_chance (struct budget_result *r, const GPtrArray *runs, double *numbers,
               const GPtrArray *base, double *base_numbers)
{
  r->has_one_run = base->len + runs->len == 2;
  return r->has_one_run ? is_within_one_run (r, g_ptr_array_index (base, 0), runs->pdata[0])
                        : is_noise (base_numbers, base->len, numbers, runs->len);
}

static void
judge (struct budget_result *r, const GPtrArray *runs, const GPtrArray *base)
{
  const struct budget *b = r->budget;
  bool has_row = false;
  g_autofree double *numbers = numbers_of_runs (runs, b, &has_row);
  g_autofree double *base_numbers = base != NULL ? numbers_of_runs (base, b, &has_row) : NULL;
  r->has_value = numbers != NULL;
  r->has_base = base_numbers != NULL;
  r->value = r->has_value ? median_of (numbers, runs->len) : 0;
  r->base = r->has_base ? median_of (base_numbers, base->len) : 0;
  r->lacks_row = r->has_value && b->row != NULL && !has_row;
  r->most = !b->is_relative ? b->limit
            : b->is_percent ? r->base * (1 + b->limit / 100)
                            : r->base + b->limit;
  if (!r->has_value || (b->is_relative && !r->has_base))
    r->verdict = BUDGET_UNKNOWN;
  else if (!is_above (r))
    r->verdict = BUDGET_WITHIN;
  else
    r->verdict = b->is_relative && may_be_chance (r, runs, numbers, base, base_numbers)
                     ? BUDGET_NOISE
                     : BUDGET_EXCEEDED;
  r->sentence = sentence_of (r);
}

void
budget_results_add (struct budget_results *results, const GPtrArray *budgets, const GPtrArray *runs,
                    const GPtrArray *base)
{
  for (guint i = 0; i < budgets->len; i++) {
    struct budget_result *r = g_new0 (struct budget_result, 1);
    const struct run_figures *first = g_ptr_array_index (runs, 0);
    r->budget = g_ptr_array_index (budgets, i);
    r->log = runs->len == 1 ? g_strdup (first->log) : g_strdup_printf ("%u logs", runs->len);
    judge (r, runs, base);
    g_ptr_array_add (results->all, r);
  }
}

bool
budget_result_is_good (const struct budget_result *r)
{
  return r->verdict == BUDGET_WITHIN || r->verdict == BUDGET_NOISE;
}

bool
budget_results_are_good (const struct budget_results *results)
{
  for (guint i = 0; i < results->all->len; i++)
    if (!budget_result_is_good (g_ptr_array_index (results->all, i)))
      return false;
  return true;
}

/* ---- the table ---- */

static const struct emitter_column columns[] = {
  { "verdict", "Verdict", EMIT_TEXT }, { "value", NULL, EMIT_ANY }, { "most", NULL, EMIT_ANY },
  { "base", NULL, EMIT_ANY },          { "log", NULL, EMIT_TEXT },  { "budget", NULL, EMIT_TEXT },
  { "sentence", "Budget", EMIT_TEXT },
};
static const struct table_shape shape
    = { .key = "budgets", .title = "Budgets", TABLE_SHAPE_COLUMNS (columns), .whole = true };

static const char *
verdict_name (enum budget_verdict verdict)
{
  static const char *const names[] = { [BUDGET_WITHIN] = "within",
                                       [BUDGET_EXCEEDED] = "exceeded",
                                       [BUDGET_NOISE] = "noise",
                                       [BUDGET_UNKNOWN] = "unknown" };
  return names[verdict];
}

/* Whole numbers as such. */
static struct emitter_any
number_cell (bool is_known, double number)
{
  if (!is_known)
    return (struct emitter_any){ EMIT_TEXT, { .text = NULL }, NULL };
  if (is_whole (number))
    return (struct emitter_any){ EMIT_NUMBER, { .number = (uint64_t) number }, NULL };
  return (struct emitter_any){ EMIT_REAL, { .real = number }, NULL };
}

void
budget_results_write (const struct budget_results *results, const struct view *view,
                      struct emitter *e)
{
  struct view own = { .is_raw = view->is_raw };
  struct table *t = table_new (&shape, &own);
  struct emitter_any *cells = g_new (struct emitter_any, 3 * results->all->len);
  for (guint i = 0; i < results->all->len; i++) {
    const struct budget_result *r = g_ptr_array_index (results->all, i);
    struct emitter_any *own_cells = &cells[3 * i];
    own_cells[0] = number_cell (r->has_value, r->value);
    own_cells[1] = number_cell (!r->budget->is_relative || r->has_base, r->most);
    own_cells[2] = number_cell (r->has_base, r->base);
    SECTION_ROW (t, { .text = verdict_name (r->verdict) }, { .any = &own_cells[0] },
                 { .any = &own_cells[1] }, { .any = &own_cells[2] }, { .text = r->log },
                 { .text = r->budget->text }, { .text = r->sentence });
  }
  table_write (t, e);
  g_free (cells);
}
