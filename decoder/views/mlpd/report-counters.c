/* report-counters.c -- the counters of the runtime and of the program. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/output/figure.h"
#include "decoder/views/mlpd/report.h"
#include <proflog/memory-parts.h>
#include <string.h>

static const struct emitter_column columns[] = {
  { "section", "Section", EMIT_TEXT }, { "name", "Counter", EMIT_TEXT },
  { "unit", NULL, EMIT_TEXT },         { "last", "Last", EMIT_ANY },
  { "min", "Least", EMIT_ANY },        { "max", "Most", EMIT_ANY },
  { "type", NULL, EMIT_TEXT },         { "variance", NULL, EMIT_TEXT },
  { "index", NULL, EMIT_NUMBER },      { "updates", NULL, EMIT_NUMBER },
};
static const struct table_shape counters_shape
    = { .key = "counters", .title = "Counters", TABLE_SHAPE_COLUMNS (columns), .whole = true };

static const struct emitter_column value_columns[] = {
  { "time_ns", "Time ms", EMIT_TIME },
  { "section", "Section", EMIT_TEXT },
  { "name", "Counter", EMIT_TEXT },
  { "value", "Value", EMIT_ANY },
};
static const struct table_shape values_shape = { .key = "counter_values",
                                                 .title = "Counters over time",
                                                 TABLE_SHAPE_COLUMNS (value_columns),
                                                 .order = TABLE_KEYS ("time_ns"),
                                                 .whole = true };

/* Values on their way to a table: cells point to them. */
struct cells {
  struct emitter_any *any;
  GStringChunk *texts;
  size_t n;
  bool is_raw;
};

static struct cells
cells_new (const struct report *r, size_t n)
{
  return (struct cells){ g_new (struct emitter_any, n + 1), g_string_chunk_new (256), 0,
                         r->view->is_raw };
}

static void
cells_free (struct cells *cells)
{
  g_free (cells->any);
  g_string_chunk_free (cells->texts);
}

/* The text of a number that has a unit (transfer full); NULL: the number. */
static char *
text_with_unit (const struct cells *cells, const struct counter *c, uint64_t number)
{
  const uint64_t ns = counter_ns (c), us = ns * number / 1000;
  if (cells->is_raw)
    return ns == 0 ? NULL
                   : g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u ms", us / 1000,
                                      (unsigned) (us % 1000));
  return ns != 0                              ? figure_text (FIGURE_NS, ns * number)
         : c->unit == MLPD_COUNTER_UNIT_BYTES ? figure_text (FIGURE_BYTES, number)
                                              : figure_text (FIGURE_COUNT, number);
}

static union emitter_value
cell (struct cells *cells, const struct counter *c, union counter_value value)
{
  struct emitter_any *any = &cells->any[cells->n++];
  *any = (struct emitter_any){ .type = EMIT_NUMBER, .value.number = value.number };
  switch (counter_kind_of (c)) {
  case COUNTER_SIGNED:
    if (value.change < 0)
      any->type = EMIT_CHANGE;
    break;
  case COUNTER_UNSIGNED:
    break;
  case COUNTER_DOUBLE:
    *any = (struct emitter_any){ .type = EMIT_REAL, .value.real = value.real };
    break;
  case COUNTER_TEXT:
    *any = (struct emitter_any){ .type = EMIT_TEXT, .value.text = value.text };
    break;
  }
  g_autofree char *text = any->type == EMIT_NUMBER ? text_with_unit (cells, c, value.number) : NULL;
  if (text != NULL)
    any->shown = g_string_chunk_insert (cells->texts, text);
  return (union emitter_value){ .any = any };
}

/* Is the counter about the program rather than about the runtime's insides? */
static bool
is_usual (const struct counter *c)
{
  static const char *const of_jit[]
      = { "Methods from AOT", "Methods JITted using mono JIT", "Methods JITted using LLVM",
          "Total time spent JITting (sec)", NULL };
  return c->section == MLPD_COUNTER_SECTION_SYSTEM || c->section == MLPD_COUNTER_SECTION_USER
         || (c->section == MLPD_COUNTER_SECTION_JIT && c->name != NULL
             && g_strv_contains (of_jit, c->name))
         || (c->section == MLPD_COUNTER_SECTION_PROFILER && c->name != NULL
             && g_str_has_prefix (c->name, MLPD_MARK));
}

/* Is it a part of the memory, which people see in that section? */
static bool
is_memory_part (const struct counter *c)
{
  return c->section == MLPD_COUNTER_SECTION_PROFILER && c->name != NULL
         && g_str_has_prefix (c->name, MLPD_MEMORY);
}

static void
add_counter (struct table *t, struct cells *cells, const struct counter *c)
{
  const bool any = c->updates != 0;
  const bool extremes = any && counter_kind_of (c) != COUNTER_TEXT;
  const union emitter_value none = { .any = NULL };
  SECTION_ROW (t, { .text = counter_section (c) }, { .text = c->name },
               { .text = counter_unit (c) }, any ? cell (cells, c, c->last.value) : none,
               extremes ? cell (cells, c, c->min) : none, extremes ? cell (cells, c, c->max) : none,
               { .text = mlpd_value_name (MLPD_UNIT_COUNTER_TYPE, c->type) },
               { .text = mlpd_value_name (MLPD_UNIT_COUNTER_VARIANCE, c->variance) },
               { .number = c->index }, { .number = c->updates });
}

static void
put_last (const struct report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, counters)->all;
  const bool every = r->view->verbose || section_is_machine_readable (r);
  struct table *t = section_table (r, &counters_shape);
  struct cells cells = cells_new (r, (size_t) all->len * 3);
  guint hidden = 0;
  for (guint i = 0; i < all->len; i++) {
    const struct counter *c = g_ptr_array_index (all, i);
    if (c->updates == 0 && selection_is_partial (r->view->selection))
      continue; /* its values are not requested */
    if (every || is_usual (c))
      add_counter (t, &cells, c);
    else if (!is_memory_part (c))
      hidden++;
  }
  table_write (t, r->e);
  if (hidden > 0) {
    char *note
        = g_strdup_printf ("... and %u of the runtime's insides (--verbose shows all)", hidden);
    emitter_note (r->e, note);
    g_free (note);
  }
  cells_free (&cells);
}

static void
add_values (const struct report *r, struct table *t, struct cells *cells, const struct counter *c)
{
  for (guint i = 0; i < c->points->len; i++) {
    const struct counter_point *point = &g_array_index (c->points, struct counter_point, i);
    SECTION_ROW (t, { .change = log_when (&r->s->log, point->time) },
                 { .text = counter_section (c) }, { .text = c->name },
                 cell (cells, c, point->value));
  }
  /* The last value is no point where a long series was thinned out. */
  if (c->updates != 0 && (c->updates - 1) % c->stride != 0)
    SECTION_ROW (t, { .change = log_when (&r->s->log, c->last.time) },
                 { .text = counter_section (c) }, { .text = c->name },
                 cell (cells, c, c->last.value));
}

static void
put_values (const struct report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, counters)->all;
  struct table *t = section_table (r, &values_shape);
  size_t n = all->len; /* a last value each, and the points */
  for (guint i = 0; i < all->len; i++)
    n += ((const struct counter *) g_ptr_array_index (all, i))->points->len;
  struct cells cells = cells_new (r, n);
  for (guint i = 0; i < all->len; i++)
    add_values (r, t, &cells, g_ptr_array_index (all, i));
  table_write (t, r->e);
  cells_free (&cells);
}

static void
put_counters (const struct report *r)
{
  if (SUMMARY_STATE (r->s, counters)->all->len == 0)
    section_absent_rare (r, "Counters");
  put_last (r);
  if (r->view->verbose)
    put_values (r);
}

const struct section section_counters = {
  .key = "counters", .put = put_counters, .tables = SECTION_TABLES (&counters_shape, &values_shape)
};
