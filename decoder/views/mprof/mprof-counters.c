/* mprof-counters.c -- counters of the runtime and of the program. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/views/mprof/mprof.h"

#include <string.h>

#define NS_PER_MS 1e6

/* Those that are shown without `verbose`. */
static const char *const usual[] = { "Methods from AOT",
                                     "Methods JITted using mono JIT",
                                     "Methods JITted using LLVM",
                                     "Total time spent JITting (sec)",
                                     "User Time",
                                     "System Time",
                                     "Total Time",
                                     "Working Set",
                                     "Private Bytes",
                                     "Virtual Bytes",
                                     "Page Faults",
                                     "CPU Load Average - 1min",
                                     "CPU Load Average - 5min",
                                     "CPU Load Average - 15min",
                                     NULL };

static const char *
section_of (const struct counter *c)
{
  const char *section = counter_section (c);
  return section != NULL ? section : "";
}

static const char *
name_of (const struct counter *c)
{
  return c->name != NULL ? c->name : "";
}

/* A time is shown as one if its type is signed. */
static void
append_value (GString *out, const struct counter *c, const union counter_value *value)
{
  const uint64_t unit_ns = counter_ns (c);
  switch (counter_kind_of (c)) {
  case COUNTER_DOUBLE:
    mprof_append_real (out, value->real, 0, 6);
    break;
  case COUNTER_TEXT:
    g_string_append (out, value->text != NULL ? value->text : "");
    break;
  case COUNTER_SIGNED:
    if (unit_ns == 0) {
      g_string_append_printf (out, "%" G_GINT64_FORMAT, value->change);
    } else {
      mprof_append_real (out, (double) value->change * (double) unit_ns / NS_PER_MS, 0, 3);
      g_string_append (out, "ms");
    }
    break;
  case COUNTER_UNSIGNED:
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, value->number);
    break;
  }
}

static void
append_line (GString *out, const char *indent, const struct counter *c,
             const union counter_value *value)
{
  g_string_append_printf (out, "%s%-30s : ", indent, name_of (c));
  append_value (out, c, value);
  g_string_append_c (out, '\n');
}

/* Counters (of const struct counter *, transfer container) by section, both in the order in which
 * they came. */
static GPtrArray *
group_by_section (const struct counters *counters)
{
  GPtrArray *groups = g_ptr_array_new ();
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < counters->all->len; i++) {
    const char *section = section_of (g_ptr_array_index (counters->all, i));
    if (!g_hash_table_add (done, (gpointer) section))
      continue;
    for (guint j = i; j < counters->all->len; j++) {
      struct counter *c = g_ptr_array_index (counters->all, j);
      if (strcmp (section_of (c), section) == 0)
        g_ptr_array_add (groups, c);
    }
  }
  return groups;
}

/* A line for the section, if it is not that of the counter before. */
static void
append_section (GString *out, const char *indent, const struct counter *c, const char **section)
{
  if (*section == NULL || strcmp (*section, section_of (c)) != 0)
    g_string_append_printf (out, "%s%s:\n", indent, section_of (c));
  *section = section_of (c);
}

/* The last values of the usual ones. */
static void
put_last (const struct mprof_report *r, const GPtrArray *groups)
{
  const char *section = NULL;
  for (guint i = 0; i < groups->len; i++) {
    const struct counter *c = g_ptr_array_index (groups, i);
    if (c->updates == 0 || !g_strv_contains (usual, name_of (c)))
      continue;
    append_section (r->out, "\t", c, &section);
    append_line (r->out, "\t\t", c, &c->last.value);
  }
}

/* ---- all values ---- */

struct value {
  uint64_t time;
  guint counter; /* its place in the groups */
  union counter_value value;
};

/* The points of a counter, and its last value, which is none where a long series was thinned out.
 */
static void
add_values (GArray *values, const struct counter *c, guint place)
{
  for (guint i = 0; i < c->points->len; i++) {
    const struct counter_point *point = &g_array_index (c->points, struct counter_point, i);
    const struct value value = { point->time, place, point->value };
    g_array_append_val (values, value);
  }
  if (c->updates != 0 && (c->updates - 1) % c->stride != 0) {
    const struct value value = { c->last.time, place, c->last.value };
    g_array_append_val (values, value);
  }
}

/* Since the first buffer. */
static uint64_t
ms_of (const struct mprof_report *r, uint64_t time)
{
  const int64_t when = log_when (&r->s->log, time);
  return when > 0 ? (uint64_t) when / 1000000 : 0;
}

/* By their ms, of one by counter. */
static int
compare_values (const void *a, const void *b, void *report)
{
  const struct value *const x = a, *const y = b;
  const uint64_t x_ms = ms_of (report, x->time), y_ms = ms_of (report, y->time);
  if (x_ms != y_ms)
    return x_ms < y_ms ? -1 : 1;
  if (x->counter != y->counter)
    return x->counter < y->counter ? -1 : 1;
  return (x->time > y->time) - (x->time < y->time);
}

/* Days, hours, minutes, seconds and ms. */
static void
append_time (const struct mprof_report *r, uint64_t time)
{
  const uint64_t ms = ms_of (r, time);
  g_string_append_printf (r->out, "%" G_GUINT64_FORMAT ":%02u:%02u:%02u.%03u", ms / 86400000,
                          (unsigned) (ms / 3600000 % 24), (unsigned) (ms / 60000 % 60),
                          (unsigned) (ms / 1000 % 60), (unsigned) (ms % 1000));
}

static void
put_by_time (const struct mprof_report *r, const GPtrArray *groups)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (struct value));
  for (guint i = 0; i < groups->len; i++)
    add_values (values, g_ptr_array_index (groups, i), i);
  g_array_sort_with_data (values, compare_values, (void *) r);
  const char *section = NULL;
  for (guint i = 0; i < values->len; i++) {
    const struct value *value = &g_array_index (values, struct value, i);
    if (i == 0
        || ms_of (r, value->time) != ms_of (r, g_array_index (values, struct value, i - 1).time)) {
      g_string_append_c (r->out, '\t');
      append_time (r, value->time);
      g_string_append (r->out, ":\n");
      section = NULL;
    }
    const struct counter *c = g_ptr_array_index (groups, value->counter);
    append_section (r->out, "\t\t", c, &section);
    append_line (r->out, "\t\t\t", c, &value->value);
  }
  g_array_unref (values);
}

static const char *
type_name (const struct counter *c)
{
  static const char *const names[]
      = { "Int", "UInt", "Word", "Long", "ULong", "Double", "String", "Time Interval" };
  return c->type < G_N_ELEMENTS (names) ? names[c->type] : "<unknown>";
}

static const char *
unit_name (const struct counter *c)
{
  switch (c->unit) {
  case MLPD_COUNTER_UNIT_RAW:
    return "Raw";
  case MLPD_COUNTER_UNIT_BYTES:
    return "Bytes";
  case MLPD_COUNTER_UNIT_TIME:
    return "Time";
  case MLPD_COUNTER_UNIT_COUNT:
    return "Count";
  case MLPD_COUNTER_UNIT_PERCENT:
    return "Percentage";
  default:
    return "<unknown>";
  }
}

static const char *
variance_name (const struct counter *c)
{
  switch (c->variance) {
  case MLPD_COUNTER_VARIANCE_MONOTONIC:
    return "Monotonic";
  case MLPD_COUNTER_VARIANCE_CONSTANT:
    return "Constant";
  case MLPD_COUNTER_VARIANCE_VARIABLE:
    return "Variable";
  default:
    return "<unknown>";
  }
}

static void
put_by_category (const struct mprof_report *r, const GPtrArray *groups)
{
  const char *section = NULL;
  for (guint i = 0; i < groups->len; i++) {
    const struct counter *c = g_ptr_array_index (groups, i);
    if (c->updates == 0)
      continue;
    append_section (r->out, "\t", c, &section);
    g_string_append_printf (r->out, "\t\t%s: [type: %s, unit: %s, variance: %s]\n", name_of (c),
                            type_name (c), unit_name (c), variance_name (c));
    GArray *values = g_array_new (FALSE, FALSE, sizeof (struct value));
    add_values (values, c, i);
    for (guint j = 0; j < values->len; j++) {
      const struct value *value = &g_array_index (values, struct value, j);
      g_string_append (r->out, "\t\t\t");
      append_time (r, value->time);
      g_string_append (r->out, " : ");
      append_value (r->out, c, &value->value);
      g_string_append_c (r->out, '\n');
    }
    g_array_unref (values);
  }
}

static void
put_counters (const struct mprof_report *r)
{
  GPtrArray *groups = group_by_section (SUMMARY_STATE (r->s, counters));
  g_string_append (r->out, "\nCounters:\n");
  if (!r->view->verbose)
    put_last (r, groups);
  else if (r->view->counter_order == MPROF_COUNTERS_BY_TIME)
    put_by_time (r, groups);
  else
    put_by_category (r, groups);
  g_ptr_array_unref (groups);
}

const struct mprof_section mprof_section_counters
    = { .name = "counters", .is_usual = true, .put = put_counters };
