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

static void
append_metric (GString *out, enum live_metrics metrics, const char *name, enum unit unit,
               bool is_counter, const char *help, uint64_t value)
{
  static const char *const units[] = { [NONE] = "", [BYTES] = "_bytes", [NS] = "_seconds" };
  if (!is_counter && unit == BYTES && value == 0)
    return; /* nothing was reported */
  append_family (out, metrics, name, units[unit], is_counter, help);
  g_string_append_printf (out, METRIC_PREFIX "%s%s%s ", name, units[unit],
                          is_counter ? "_total" : "");
  if (unit == NS)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT ".%09u\n", value / 1000000000,
                            (unsigned) (value % 1000000000));
  else
    g_string_append_printf (out, "%" G_GUINT64_FORMAT "\n", value);
}

static void
append_collections (GString *out, enum live_metrics metrics, const struct live_figures *f)
{
  append_family (out, metrics, "collections", "", true, "Collections of a generation");
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    if (f->collections[i].all != 0)
      g_string_append_printf (
          out, METRIC_PREFIX "collections_total{generation=\"%d\"} %" G_GUINT64_FORMAT "\n", i,
          f->collections[i].all);
}

static void
append_source (GString *out, enum live_metrics metrics, const char *source, const char *format)
{
  char *valid = g_utf8_make_valid (source, -1);
  g_string_append_printf (out,
                          "# TYPE " METRIC_PREFIX "source%s\n"
                          "# HELP " METRIC_PREFIX
                          "source%s What is read, and its format.\n" METRIC_PREFIX
                          "source_info{format=\"%s\",source=\"",
                          metrics == LIVE_METRICS_OPEN ? " info" : "_info gauge",
                          metrics == LIVE_METRICS_OPEN ? "" : "_info", format);
  for (const char *p = valid; *p != 0; p++)
    if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else
      g_string_append_c (out, *p);
  g_string_append (out, "\"} 1\n");
  g_free (valid);
}

void
live_print_metrics (const struct live_figures *f, enum live_metrics metrics, const char *source,
                    GString *out)
{
  append_source (out, metrics, source, formats[f->format]);
#define COUNTER(member, name, unit, help)                                                          \
  if (&f->member != &f->process_cpu_ns || f->member.all != 0)                                      \
    append_metric (out, metrics, name, unit, true, help, f->member.all);
#define GAUGE(member, name, unit, help)                                                            \
  append_metric (out, metrics, name, unit, false, help, f->member);
#include "decoder/live/live-figures.def"
  append_collections (out, metrics, f);
  if (metrics == LIVE_METRICS_OPEN)
    g_string_append (out, "# EOF\n");
}
