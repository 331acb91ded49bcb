/* diff-verdict.c -- judges the changes of time and of allocated bytes, and names the row that has
 * most of each.
 */
#include "config.h"

#include "decoder/core/method-words.h"
#include "decoder/output/figure.h"
#include "decoder/views/compare/compare.h"
#include <math.h>

/* Less is no change, in percent, unless chance does not explain it. */
#define CHANGE_MIN 5.0

/* A row is named that has so much of a change: one of so many. */
#define ROW_SHARE 4

/* A figure that is judged, and the table whose rows add up to it. */
struct judged {
  const char *key, *noun;
  const char *more, *less, *same;
  enum figure_unit unit;
  const char *table, *column, *names; /* NULL: none */
};

static const struct judged processor_time
    = { "cpu.total_ns", "processor time", "Slower",  "Faster", "As fast",
        FIGURE_NS,      "cpu.methods",    "self_ns", "name" };
static const struct judged duration
    = { "log.duration_ns", "duration", "Slower", "Faster", "As fast", FIGURE_NS, NULL, NULL, NULL };
static const struct judged allocations[]
    = { { "allocations.bytes", "allocated bytes", "Allocates more", "Allocates less",
          "Allocates as much", FIGURE_BYTES, "allocations.types", "bytes", "name" },
        { "heap.allocated_bytes", "allocated bytes", "Allocates more", "Allocates less",
          "Allocates as much", FIGURE_BYTES, NULL, NULL, NULL } };

static uint64_t
size_of (int64_t change)
{
  return change < 0 ? -(uint64_t) change : (uint64_t) change;
}

/* The figure's row, to be cleared; false if a side lacks it, or it is 0 on both. */
static bool
find_row (const struct run_groups *groups, const struct judged *judged, struct run_diff_row *row)
{
  if (!run_diff_value (groups, judged->key, row))
    return false;
  if (row->base.runs != 0 && row->now.runs != 0 && (row->base.median | row->now.median) != 0)
    return true;
  run_diff_row_clear (row);
  return false;
}

/* Appends the row of the table that has most of the change, if that is much of it. */
static void
append_main_row (GString *text, const struct run_groups *groups, const struct judged *judged,
                 int64_t change)
{
  g_autoptr (GArray) rows
      = judged->table != NULL ? run_diff_rows (groups, judged->table, judged->column, judged->names)
                              : NULL;
  if (rows == NULL || rows->len == 0)
    return;
  const struct run_diff_row *most = &g_array_index (rows, struct run_diff_row, 0);
  const int64_t part = run_diff_change (most);
  if ((part < 0) != (change < 0) || size_of (part) < size_of (change) / ROW_SHARE)
    return;
  g_autofree char *size = figure_text (judged->unit, size_of (part));
  g_autofree char *words = method_words (most->name, true);
  g_autofree char *name = emitter_printable (words);
  g_string_append_printf (text, ", most of it %s (%c%s)", name, part < 0 ? '-' : '+', size);
}

/* Less is no change even if chance does not explain it. */
#define PROVEN_MIN 1.0

enum judgement { IS_SAME, IS_UNDECIDED, IS_CHANGED };

static enum judgement
judge (const struct judged *judged, const struct run_diff_row *row, double percent)
{
  const enum run_spread spread = run_diff_spread (row);
  const double size = isnan (percent) ? INFINITY : fabs (percent);
  if (spread == RUN_SPREAD_BEYOND)
    return size < PROVEN_MIN ? IS_SAME : IS_CHANGED;
  if (size < CHANGE_MIN)
    return IS_SAME;
  if (spread == RUN_SPREAD_UNKNOWN)
    return run_diff_is_within_one_run (judged->key, (double) row->base.median,
                                       (double) row->now.median)
               ? IS_UNDECIDED
               : IS_CHANGED;
  return IS_UNDECIDED;
}

static const char *
choose_words (const struct judged *judged, const struct run_diff_row *row, enum judgement judgement)
{
  return judgement == IS_SAME        ? judged->same
         : judgement == IS_UNDECIDED ? "Undecided"
         : run_diff_change (row) < 0 ? judged->less
                                     : judged->more;
}

/* What chance has to do with the change. */
static void
append_chance (GString *text, const struct judged *judged, const struct run_diff_row *row,
               enum judgement judgement)
{
  static const char *const reasons[] = {
    [RUN_SPREAD_UNKNOWN] = "; runs of one program may differ as much",
    [RUN_SPREAD_WITHIN] = ", no more than runs of one side differ",
    [RUN_SPREAD_FEW] = "; so few runs may differ as much by chance",
  };
  const enum run_spread spread = run_diff_spread (row);
  const guint runs = run_diff_runs_needed (row, run_diff_deviation (judged->key));
  if (judgement == IS_UNDECIDED || spread == RUN_SPREAD_WITHIN)
    g_string_append (text, reasons[spread]);
  if (judgement == IS_UNDECIDED && runs != G_MAXUINT)
    g_string_append_printf (text, "; %u of each would tell", runs);
}

/* "Slower: processor time 2.52 s -> 4.16 s (+65 %), most of it Shop:Find (+1.4 s)." */
static char *
print_sentence (const struct run_groups *groups, const struct judged *judged,
                const struct run_diff_row *row)
{
  const double percent = run_diff_percent (row);
  const enum judgement judgement = judge (judged, row, percent);
  g_autofree char *base = figure_text (judged->unit, row->base.median);
  g_autofree char *now = figure_text (judged->unit, row->now.median);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s: %s %s -> %s", choose_words (judged, row, judgement),
                          judged->noun, base, now);
  if (!isnan (percent))
    g_string_append_printf (text, " (%+.*f %%)", fabs (percent) < 10 ? 1 : 0, percent);
  if (judgement == IS_CHANGED)
    append_main_row (text, groups, judged, run_diff_change (row));
  append_chance (text, judged, row, judgement);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static bool
add_sentence (GPtrArray *sentences, const struct run_groups *groups, const struct judged *judged)
{
  struct run_diff_row row;
  if (!find_row (groups, judged, &row))
    return false;
  g_ptr_array_add (sentences, print_sentence (groups, judged, &row));
  run_diff_row_clear (&row);
  return true;
}

/* How much a figure changes; 0 if it is not known. */
static uint64_t
change_of (const struct run_groups *groups, const struct judged *judged)
{
  struct run_diff_row row;
  if (!find_row (groups, judged, &row))
    return 0;
  const uint64_t change = size_of (run_diff_change (&row));
  run_diff_row_clear (&row);
  return change;
}

/* Is it a change that chance does not explain? */
static bool
is_changed (const struct run_groups *groups, const struct judged *judged)
{
  struct run_diff_row row;
  if (!find_row (groups, judged, &row))
    return false;
  const bool is = judge (judged, &row, run_diff_percent (&row)) == IS_CHANGED;
  run_diff_row_clear (&row);
  return is;
}

/* Processor time is judged, unless what changed is how long the program waited: if chance explains
 * that, and not the change of processor time, it is this that changed. */
static void
add_time (GPtrArray *sentences, const struct run_groups *groups, bool has_other_cpu)
{
  const bool is_longer = change_of (groups, &processor_time) < change_of (groups, &duration) / 2;
  const bool waits
      = has_other_cpu
        || (is_longer && (is_changed (groups, &duration) || !is_changed (groups, &processor_time)));
  if (waits || !add_sentence (sentences, groups, &processor_time))
    add_sentence (sentences, groups, &duration);
}

GPtrArray *
diff_verdict (const struct run_groups *groups, bool has_other_cpu)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);
  add_time (sentences, groups, has_other_cpu);
  for (size_t i = 0; i < G_N_ELEMENTS (allocations); i++)
    if (add_sentence (sentences, groups, &allocations[i]))
      break;
  if (sentences->len == 0)
    g_ptr_array_add (sentences,
                     g_strdup ("No verdict: the logs have neither times nor allocated bytes in "
                               "common."));
  return sentences;
}
