/* live-print.c -- prints live figures as JSON and as metrics. */
#include "config.h"

#include "decoder/live/live-print.h"
#include "decoder/live/live-tables.h"
#include "decoder/output/emitter.h"
#include <math.h>
#include <string.h>

#define METRIC_PREFIX "proflog_"

/* Of names longer than that the rest is not printed. */
#define NAME_MAX_BYTES 400

enum unit { NONE, BYTES, NS };

static const char *const formats[] = { "none", "mono", "ghc" };

/* ---- JSON ---- */

static void
append_member (GString *out, const char *name, enum unit unit, const char *end, uint64_t value)
{
  static const char *const units[] = { [NONE] = "", [BYTES] = "_bytes", [NS] = "_ns" };
  g_string_append_printf (out, ",\"%s%s%s\":%" G_GUINT64_FORMAT, name, units[unit], end, value);
}

void
live_print_json (const struct live_figures *f, GString *out)
{
  g_string_append_printf (out, "{\"format\":\"%s\"", formats[f->format]);
#define COUNTER(member, name, unit, help)                                                          \
  append_member (out, name, unit, "", f->member.now);                                              \
  append_member (out, name, unit, "_all", f->member.all);
#define GAUGE(member, name, unit, help) append_member (out, name, unit, "", f->member);
#include "decoder/live/live-figures.def"
  g_string_append (out, ",\"mark_names\":[");
  for (guint i = 0; i < f->mark_names->len; i++) {
    const char *name = g_ptr_array_index (f->mark_names, i);
    g_string_append (out, i != 0 ? "," : "");
    emitter_append_json_string (out, name, strlen (name));
  }
  g_string_append (out, "],\"collections\":[");
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    g_string_append_printf (out, "%s%" G_GUINT64_FORMAT, i != 0 ? "," : "", f->collections[i].now);
  g_string_append (out, "],\"collections_all\":[");
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    g_string_append_printf (out, "%s%" G_GUINT64_FORMAT, i != 0 ? "," : "", f->collections[i].all);
  g_string_append (out, "]}");
}

void
live_print_json_of (const struct live_named *source, const char *log, GString *out)
{
  const uint64_t pid = source->figures->pid;
  g_string_append (out, "{\"log\":");
  emitter_append_json_string (out, log, strlen (log));
  if (pid != 0)
    g_string_append_printf (out, ",\"pid\":%" G_GUINT64_FORMAT, pid);
  else
    g_string_append (out, ",\"pid\":null");
  g_string_append_printf (out, ",\"ended\":%s,", source->is_over ? "true" : "false");
  const gsize start = out->len;
  live_print_json (source->figures, out);
  g_string_erase (out, (gssize) start, 1); /* the brace, as the object has begun */
}

/* ---- tables ---- */

static void
append_text (GString *out, const char *text)
{
  size_t length = strlen (text);
  if (length > NAME_MAX_BYTES) {
    length = NAME_MAX_BYTES;
    while ((text[length] & 0xc0) == 0x80) /* not within a character */
      length--;
  }
  emitter_append_json_string (out, text, length);
}

static void
append_line (GString *out, const struct live_table_form *form, const struct live_table_line *line)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (out, "{\"id\":");
  append_text (out, line->id);
  g_string_append (out, ",\"name\":");
  append_text (out, line->name != NULL ? line->name : "");
  g_string_append (out, ",\"state\":");
  append_text (out, line->state != NULL ? line->state : "");
  g_string_append (out, ",\"values\":[");
  for (int i = 0; i < LIVE_COLUMNS && form->columns[i].value != LIVE_VALUE_NONE; i++) {
    g_ascii_formatd (number, sizeof number, "%.10g", line->values[i]);
    g_string_append_printf (out, "%s%s", i != 0 ? "," : "",
                            isnan (line->values[i]) ? "null" : number);
  }
  g_string_append (out, "]}");
}

/* Puts a line in its place among those that have most in a column, this many at most. */
static void
put_best (GPtrArray *best, guint rows, unsigned column, struct live_table_line *line)
{
  guint low = 0, high = best->len;
  while (low < high) {
    const guint middle = (low + high) / 2;
    if (live_table_compare (line, g_ptr_array_index (best, middle), column) < 0)
      high = middle;
    else
      low = middle + 1;
  }
  if (low == rows)
    return;
  if (best->len == rows)
    g_ptr_array_set_size (best, (gint) rows - 1);
  g_ptr_array_insert (best, (gint) low, line);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const struct live_table_line *const *p = a, *const *q = b;
  return live_table_compare (*p, *q, 0);
}

/* The lines that stand first by any column, in the order of the first. */
static GPtrArray *
choose (const GArray *lines, const struct live_table_form *form, guint rows)
{
  GPtrArray *chosen = g_ptr_array_new (), *best = g_ptr_array_new ();
  GHashTable *known = g_hash_table_new (NULL, NULL);
  for (unsigned column = 0; column < LIVE_COLUMNS; column++) {
    if (form->columns[column].value == LIVE_VALUE_NONE)
      continue;
    g_ptr_array_set_size (best, 0);
    for (guint i = 0; i < lines->len; i++)
      put_best (best, rows, column, &g_array_index (lines, struct live_table_line, i));
    for (guint i = 0; i < best->len; i++)
      if (g_hash_table_add (known, g_ptr_array_index (best, i)))
        g_ptr_array_add (chosen, g_ptr_array_index (best, i));
  }
  g_ptr_array_sort (chosen, compare);
  g_hash_table_destroy (known);
  g_ptr_array_unref (best);
  return chosen;
}

static const char *
name_of_value (enum live_value value)
{
  static const char *const names[] = { [LIVE_VALUE_NONE] = "",
                                       [LIVE_VALUE_RATE] = "rate",
                                       [LIVE_VALUE_COUNT] = "count",
                                       [LIVE_VALUE_BYTES] = "bytes",
                                       [LIVE_VALUE_BYTE_RATE] = "byte_rate",
                                       [LIVE_VALUE_SHARE] = "share",
                                       [LIVE_VALUE_MS] = "ms" };
  return names[value];
}

static void
append_table (GString *out, enum live_table table, const struct live_figures *f, guint rows)
{
  const struct live_table_form *form = &live_table_forms[table];
  GArray *lines = live_table_lines (table, f);
  GPtrArray *chosen = choose (lines, form, rows);
  g_string_append_printf (out, "{\"name\":\"%s\",\"columns\":[", form->name);
  for (int i = 0; i < LIVE_COLUMNS && form->columns[i].value != LIVE_VALUE_NONE; i++)
    g_string_append_printf (out, "%s{\"title\":\"%s\",\"value\":\"%s\"}", i != 0 ? "," : "",
                            form->columns[i].title, name_of_value (form->columns[i].value));
  g_string_append_printf (out, "],\"left_out\":%u,\"rows\":[", lines->len - chosen->len);
  for (guint i = 0; i < chosen->len; i++) {
    if (i != 0)
      g_string_append_c (out, ',');
    append_line (out, form, g_ptr_array_index (chosen, i));
  }
  g_string_append (out, "]}");
  g_ptr_array_unref (chosen);
  g_array_unref (lines);
}

void
live_print_tables (const struct live_figures *f, guint rows, GString *out)
{
  for (int i = 0; i < LIVE_TABLES; i++) {
    g_string_append_c (out, i == 0 ? '[' : ',');
    append_table (out, (enum live_table) i, f, rows);
  }
  g_string_append_c (out, ']');
}

/* ---- metrics ---- */

/* OpenMetrics names a counter without the end that its samples have, and states units. */
static void
append_family (GString *out, enum live_metrics metrics, const char *name, const char *unit,
               bool is_counter, const char *help)
{
  const char *end = is_counter && metrics == LIVE_METRICS_TEXT ? "_total" : "";
  g_string_append_printf (out, "# TYPE " METRIC_PREFIX "%s%s%s %s\n", name, unit, end,
                          is_counter ? "counter" : "gauge");
  if (metrics == LIVE_METRICS_OPEN && *unit != 0)
    g_string_append_printf (out, "# UNIT " METRIC_PREFIX "%s%s %s\n", name, unit, unit + 1);
  g_string_append_printf (out, "# HELP " METRIC_PREFIX "%s%s%s %s.\n", name, unit, end, help);
}

/* What is printed of which sources. */
struct metrics_out {
  enum live_metrics metrics;
  const struct live_named *sources;
  guint n_sources;
  GString *out;
};

static void
append_label (GString *out, const char *source)
{
  g_autofree char *valid = g_utf8_make_valid (source, -1);
  g_string_append (out, "source=\"");
  for (const char *p = valid; *p != 0; p++)
    if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

/* The labels of a value; `label`: another one, NULL: there is none. */
static void
append_labels (const struct metrics_out *o, guint source, const char *label)
{
  const bool has_source = o->n_sources > 1;
  if (!has_source && label == NULL)
    return;
  g_string_append_c (o->out, '{');
  if (has_source)
    append_label (o->out, o->sources[source].name);
  if (label != NULL)
    g_string_append_printf (o->out, "%s%s", has_source ? "," : "", label);
  g_string_append_c (o->out, '}');
}

/* Where a member of the figures is, and whether it is left out where it is 0. */
struct metric {
  const char *name, *help;
  enum unit unit;
  bool is_counter, needs_value;
  size_t offset;
};

static uint64_t
value_of (const struct metrics_out *o, guint source, const struct metric *m)
{
  const char *at = (const char *) o->sources[source].figures + m->offset;
  return m->is_counter ? ((const struct live_count *) (const void *) at)->all
                       : *(const uint64_t *) (const void *) at;
}

static void
append_metric (const struct metrics_out *o, const struct metric *m)
{
  static const char *const units[] = { [NONE] = "", [BYTES] = "_bytes", [NS] = "_seconds" };
  bool has_family = false;
  for (guint i = 0; i < o->n_sources; i++) {
    const uint64_t value = value_of (o, i, m);
    if (m->needs_value && value == 0)
      continue; /* nothing was reported */
    if (!has_family)
      append_family (o->out, o->metrics, m->name, units[m->unit], m->is_counter, m->help);
    has_family = true;
    g_string_append_printf (o->out, METRIC_PREFIX "%s%s%s", m->name, units[m->unit],
                            m->is_counter ? "_total" : "");
    append_labels (o, i, NULL);
    if (m->unit == NS)
      g_string_append_printf (o->out, " %" G_GUINT64_FORMAT ".%09u\n", value / 1000000000,
                              (unsigned) (value % 1000000000));
    else
      g_string_append_printf (o->out, " %" G_GUINT64_FORMAT "\n", value);
  }
}

static void
append_collections (const struct metrics_out *o)
{
  append_family (o->out, o->metrics, "collections", "", true, "Collections of a generation");
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

static void
append_sources (const struct metrics_out *o)
{
  const bool is_open = o->metrics == LIVE_METRICS_OPEN;
  g_string_append_printf (o->out,
                          "# TYPE " METRIC_PREFIX "source%s\n# HELP " METRIC_PREFIX
                          "source%s What is read, and its format.\n",
                          is_open ? " info" : "_info gauge", is_open ? "" : "_info");
  for (guint i = 0; i < o->n_sources; i++) {
    g_string_append_printf (o->out, METRIC_PREFIX "source_info{format=\"%s\",",
                            formats[o->sources[i].figures->format]);
    append_label (o->out, o->sources[i].name);
    g_string_append (o->out, "} 1\n");
  }
}

void
live_print_metrics (const struct live_named *sources, guint n_sources, enum live_metrics metrics,
                    GString *out)
{
  static const struct metric all[] = {
#define COUNTER(member, name, unit, help)                                                          \
  { name,                                                                                          \
    help,                                                                                          \
    unit,                                                                                          \
    true,                                                                                          \
    offsetof (struct live_figures, member) == offsetof (struct live_figures, process_cpu_ns),      \
    offsetof (struct live_figures, member) },
#define GAUGE(member, name, unit, help)                                                            \
  { name, help, unit, false, (unit) == BYTES, offsetof (struct live_figures, member) },
#include "decoder/live/live-figures.def"
  };
  const struct metrics_out o = { metrics, sources, n_sources, out };
  append_sources (&o);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    append_metric (&o, &all[i]);
  append_collections (&o);
  if (metrics == LIVE_METRICS_OPEN)
    g_string_append (out, "# EOF\n");
}
