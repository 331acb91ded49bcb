/* live-metrics.c -- prints live figures as metrics. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include <string.h>

#define METRIC_PREFIX "proflog_"

enum unit { NONE, BYTES, NS };

enum family { COUNTERS, GAUGES, HISTOGRAMS };

/* OpenMetrics names a counter without the end that its samples have, and states units. */
static void
append_family (GString *out, enum live_metrics metrics, const char *name, const char *unit,
               enum family family, const char *help)
{
  static const char *const types[]
      = { [COUNTERS] = "counter", [GAUGES] = "gauge", [HISTOGRAMS] = "histogram" };
  const char *end = family == COUNTERS && metrics == LIVE_METRICS_TEXT ? "_total" : "";
  g_string_append_printf (out, "# TYPE " METRIC_PREFIX "%s%s%s %s\n", name, unit, end,
                          types[family]);
  if (metrics == LIVE_METRICS_OPEN && *unit != 0)
    g_string_append_printf (out, "# UNIT " METRIC_PREFIX "%s%s %s\n", name, unit, unit + 1);
  g_string_append_printf (out, "# HELP " METRIC_PREFIX "%s%s%s %s.\n", name, unit, end, help);
}

/* The metrics that are printed, and their sources. */
struct metrics_out {
  enum live_metrics metrics;
  const struct live_named *sources;
  guint n_sources;
  GString *out;
};

static void
append_label (GString *out, const char *label, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);
  g_string_append_printf (out, "%s=\"", label);
  for (const char *p = valid; *p != 0; p++)
    if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

static void
append_source (GString *out, const struct live_named *source)
{
  append_label (out, source->is_process ? "program" : "source", source->name);
  if (source->is_process)
    g_string_append_printf (out, ",pid=\"%" G_GUINT64_FORMAT "\"", source->figures->pid);
}

/* Whether there may be others beside the source. */
static bool
has_source_label (const struct metrics_out *o, guint source)
{
  return o->n_sources > 1 || o->sources[source].is_process;
}

/* A process has no state after its end. */
static bool
has_state (const struct metrics_out *o, guint source)
{
  return !o->sources[source].is_process || !o->sources[source].is_over;
}

/* The labels of a value; `label`: another one, NULL: there is none. */
static void
append_labels (const struct metrics_out *o, guint source, const char *label)
{
  const bool has_source = has_source_label (o, source);
  if (!has_source && label == NULL)
    return;
  g_string_append_c (o->out, '{');
  if (has_source)
    append_source (o->out, &o->sources[source]);
  if (label != NULL)
    g_string_append_printf (o->out, "%s%s", has_source ? "," : "", label);
  g_string_append_c (o->out, '}');
}

static void
append_seconds (GString *out, uint64_t ns)
{
  g_string_append_printf (out, " %" G_GUINT64_FORMAT ".%09u\n", ns / 1000000000,
                          (unsigned) (ns % 1000000000));
}

/* Where a member of the figures is, and whether it is left out where it is 0. */
struct metric {
  const char *name, *help;
  enum unit unit;
  enum family family;
  bool needs_value;
  size_t offset;
};

static uint64_t
value_of (const struct metrics_out *o, guint source, const struct metric *m)
{
  const char *at = (const char *) o->sources[source].figures + m->offset;
  return m->family == COUNTERS ? ((const struct live_count *) (const void *) at)->all
                               : *(const uint64_t *) (const void *) at;
}

static void
append_metric (const struct metrics_out *o, const struct metric *m)
{
  static const char *const units[] = { [NONE] = "", [BYTES] = "_bytes", [NS] = "_seconds" };
  bool has_family = false;
  for (guint i = 0; i < o->n_sources; i++) {
    const uint64_t value = value_of (o, i, m);
    if ((m->needs_value && value == 0) || (m->family == GAUGES && !has_state (o, i)))
      continue; /* nothing was reported */
    if (!has_family)
      append_family (o->out, o->metrics, m->name, units[m->unit], m->family, m->help);
    has_family = true;
    g_string_append_printf (o->out, METRIC_PREFIX "%s%s%s", m->name, units[m->unit],
                            m->family == COUNTERS ? "_total" : "");
    append_labels (o, i, NULL);
    if (m->unit == NS)
      append_seconds (o->out, value);
    else
      g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n", value);
  }
}

static void
append_collections (const struct metrics_out *o)
{
  append_family (o->out, o->metrics, "collections", "", COUNTERS, "Collections of a generation");
  for (guint s = 0; s < o->n_sources; s++)
    for (int i = 0; i < LIVE_GENERATIONS; i++)
      if (o->sources[s].figures->collections[i].all != 0) {
        char generation[32];
        g_snprintf (generation, sizeof generation, "generation=\"%d\"", i);
        g_string_append (o->out, METRIC_PREFIX "collections_total");
        append_labels (o, s, generation);
        g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n",
                                o->sources[s].figures->collections[i].all);
      }
}

/* Bands of a source that are printed. */
#define BANDS_MAX 20

static int
compare_bands (const void *a, const void *b)
{
  const struct live_row *const *x = a, *const *y = b;
  const uint64_t p = (*x)->bytes.now, q = (*y)->bytes.now;
  return p != q ? (p < q) - (p > q) : g_strcmp0 ((*x)->name, (*y)->name);
}

static void
append_bands_of (const struct metrics_out *o, guint source)
{
  const struct live_figures *const f = o->sources[source].figures;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  for (guint i = 0; i < f->bands->len; i++)
    g_ptr_array_add (rows, &g_array_index (f->bands, struct live_row, i));
  g_ptr_array_sort (rows, compare_bands);
  for (guint i = 0; i < MIN (rows->len, BANDS_MAX); i++) {
    const struct live_row *row = g_ptr_array_index (rows, i);
    g_autoptr (GString) label = g_string_new (NULL);
    append_label (label, "band", row->name);
    g_string_append (o->out, METRIC_PREFIX "heap_profile_bytes");
    append_labels (o, source, label->str);
    g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n", row->bytes.now);
  }
}

/* Of heap profiles, in which a program has as many as it has types or functions: the largest. */
static void
append_bands (const struct metrics_out *o)
{
  bool has_bands = false;
  for (guint s = 0; s < o->n_sources; s++) {
    if (o->sources[s].figures->bands->len == 0 || !has_state (o, s))
      continue;
    if (!has_bands)
      append_family (o->out, o->metrics, "heap_profile", "_bytes", GAUGES,
                     "Bytes of the largest bands in the last sample of the heap profile");
    has_bands = true;
    append_bands_of (o, s);
  }
}

/* ---- histograms ---- */

/* Appends the value of the label of a step: its end in seconds, always with a point or an exponent.
 */
static void
append_step_end (GString *out, unsigned step)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const uint64_t end_ns = live_durations_end (step);
  g_ascii_formatd (text, sizeof text, "%g", (double) end_ns / 1e9);
  if (end_ns == UINT64_MAX)
    g_string_append (out, "+Inf");
  else
    g_string_append_printf (out, "%s%s", text, strpbrk (text, ".e") == NULL ? ".0" : "");
}

/* The samples of a source; `label`: another label, "": there is none. */
static void
append_durations (const struct metrics_out *o, guint source, const char *name, const char *label,
                  const struct live_durations *d)
{
  g_autoptr (GString) labels = g_string_new (NULL);
  const char *const only = *label != 0 ? label : NULL;
  uint64_t count = 0;
  for (unsigned i = 0; i < LIVE_STEPS; i++) {
    count += d->steps[i];
    g_string_printf (labels, "%s%sle=\"", label, *label != 0 ? "," : "");
    append_step_end (labels, i);
    g_string_append_c (labels, '"');
    g_string_append_printf (o->out, METRIC_PREFIX "%s_seconds_bucket", name);
    append_labels (o, source, labels->str);
    g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n", count);
  }
  g_string_append_printf (o->out, METRIC_PREFIX "%s_seconds_sum", name);
  append_labels (o, source, only);
  append_seconds (o->out, d->total_ns);
  g_string_append_printf (o->out, METRIC_PREFIX "%s_seconds_count", name);
  append_labels (o, source, only);
  g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n", d->count);
}

/* The generations that every program has, of which an increase from 0 is one, too. */
enum { GENERATIONS_OF_ALL = 2 };

static void
append_pauses (const struct metrics_out *o)
{
  append_family (o->out, o->metrics, "gc_pause", "_seconds", HISTOGRAMS,
                 "Times for which collections of a generation stopped the program");
  for (guint s = 0; s < o->n_sources; s++) {
    const struct live_figures *const f = o->sources[s].figures;
    for (int i = 0; i < LIVE_GENERATIONS; i++)
      if (f->pause_durations[i].count != 0
          || (i < GENERATIONS_OF_ALL && f->format != LIVE_NOTHING)) {
        char generation[32];
        g_snprintf (generation, sizeof generation, "generation=\"%d\"", i);
        append_durations (o, s, "gc_pause", generation, &f->pause_durations[i]);
      }
  }
}

/* Logs of GHC lack them. */
static void
append_waits (const struct metrics_out *o)
{
  append_family (o->out, o->metrics, "lock_wait", "_seconds", HISTOGRAMS,
                 "Times for which threads waited for locks");
  for (guint s = 0; s < o->n_sources; s++)
    if (o->sources[s].figures->format == LIVE_MONO)
      append_durations (o, s, "lock_wait", "", &o->sources[s].figures->wait_durations);
}

/* ---- all metrics ---- */

static void
append_sources (const struct metrics_out *o)
{
  const bool is_open = o->metrics == LIVE_METRICS_OPEN;
  g_string_append_printf (o->out,
                          "# TYPE " METRIC_PREFIX "source%s\n# HELP " METRIC_PREFIX
                          "source%s What is read, and its format.\n",
                          is_open ? " info" : "_info gauge", is_open ? "" : "_info");
  for (guint i = 0; i < o->n_sources; i++) {
    if (!has_state (o, i))
      continue;
    g_string_append_printf (o->out, METRIC_PREFIX "source_info{format=\"%s\",",
                            live_format_name (o->sources[i].figures->format));
    append_source (o->out, &o->sources[i]);
    g_string_append (o->out, "} 1\n");
  }
}

void
live_metrics_append (const struct live_named *sources, guint n_sources, enum live_metrics metrics,
                     GString *out)
{
  static const struct metric all[] = {
#define COUNTER(member, name, unit, help)                                                          \
  { name,                                                                                          \
    help,                                                                                          \
    unit,                                                                                          \
    COUNTERS,                                                                                      \
    offsetof (struct live_figures, member) == offsetof (struct live_figures, process_cpu_ns),      \
    offsetof (struct live_figures, member) },
#define GAUGE(member, name, unit, help)                                                            \
  { name, help, unit, GAUGES, (unit) == BYTES, offsetof (struct live_figures, member) },
#include "decoder/live/live-figures.def"
  };
  const struct metrics_out o = { metrics, sources, n_sources, out };
  append_sources (&o);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    append_metric (&o, &all[i]);
  append_collections (&o);
  append_bands (&o);
  append_pauses (&o);
  append_waits (&o);
  if (metrics == LIVE_METRICS_OPEN)
    g_string_append (out, "# EOF\n");
}
