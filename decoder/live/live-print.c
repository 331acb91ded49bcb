/* live-print.c -- prints live figures as JSON. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include "decoder/output/emitter.h"
#include <math.h>
#include <string.h>

/* Of names longer than that the rest is not printed. */
#define NAME_MAX_BYTES 400

enum unit { NONE, BYTES, NS };

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
  g_string_append_printf (out, "{\"format\":\"%s\"", live_format_name (f->format));
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
