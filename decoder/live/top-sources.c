/* top-sources.c -- lays out a line for each source. */
#include "config.h"

#include "decoder/live/top.h"
#include "decoder/output/emitter.h"
#include <math.h>

struct cell {
  const char *title;
  int width;
  enum live_value unit;
  double value; /* NAN: not known */
};

enum { CELLS = 11 };

/* 0 is a value that was not reported. */
static double
known (uint64_t value)
{
  return value != 0 ? (double) value : (double) NAN;
}

static void
fill_cells (struct cell *cells, const struct live_figures *f)
{
  uint64_t collections = 0;
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    collections += f->collections[i].now;
  const bool has_process = f->process_memory_bytes != 0;
  const struct cell all[CELLS] = {
    { "ALLOC/s", 10, LIVE_VALUE_BYTE_RATE, live_rate (f, f->alloc_bytes.now) },
    { "HEAP", 9, LIVE_VALUE_BYTES, known (f->heap_bytes) },
    { "GC/s", 6, LIVE_VALUE_RATE, live_rate (f, collections) },
    { "PAUSE%", 7, LIVE_VALUE_SHARE, live_share (f, f->pause_ns.now) },
    { "MAX ms", 7, LIVE_VALUE_MS, (double) f->pause_max_ns / 1e6 },
    { "CPU%", 7, LIVE_VALUE_SHARE, has_process ? live_process_share (f) : (double) NAN },
    { "EVENTS/s", 9, LIVE_VALUE_RATE, live_rate (f, f->events.now) },
    { "EVENTS", 8, LIVE_VALUE_COUNT, (double) f->events.all },
    { "THREADS", 8, LIVE_VALUE_COUNT, (double) f->living },
    { "LOST", 6, LIVE_VALUE_COUNT, (double) f->lost_events.all },
    { "MEMORY", 9, LIVE_VALUE_BYTES, known (f->process_memory_bytes) },
  };
  for (int i = 0; i < CELLS; i++)
    cells[i] = all[i];
}

void
top_sources_append_name (GString *out, const char *name, int columns)
{
  g_autofree char *text = emitter_printable (name);
  const glong length = g_utf8_strlen (text, -1);
  const char *shown = length > columns ? g_utf8_offset_to_pointer (text, length - columns) : text;
  g_string_append (out, shown);
  for (glong i = length; i < columns; i++)
    g_string_append_c (out, ' ');
}

void
top_sources_append_titles (GString *out)
{
  const struct live_figures none = { .format = LIVE_NOTHING };
  struct cell cells[CELLS];
  fill_cells (cells, &none);
  g_string_append_printf (out, "%-*s %7s %-11s %9s", TOP_NAME_COLUMNS, "SOURCE", "PID", "RUNTIME",
                          "TIME s");
  for (int i = 0; i < CELLS; i++)
    g_string_append_printf (out, " %*s", cells[i].width, cells[i].title);
}

void
top_sources_append_line (GString *out, const struct live_named *source)
{
  static const char *const formats[] = { "-", "Mono", "GHC" };
  const struct live_figures *const f = source->figures;
  g_autoptr (GString) text = g_string_new (NULL);
  struct cell cells[CELLS];
  fill_cells (cells, f);
  top_sources_append_name (out, source->name, TOP_NAME_COLUMNS);
  if (f->pid != 0)
    g_string_append_printf (out, " %7" G_GUINT64_FORMAT, f->pid);
  else
    g_string_append_printf (out, " %7s", "-");
  g_string_printf (text, "%s%s", formats[f->format],
                   source->failed    ? " failed"
                   : source->is_over ? " ended"
                                     : "");
  g_string_append_printf (out, " %-11s %9.1f", text->str, (double) f->log_ns / 1e9);
  for (int i = 0; i < CELLS; i++) {
    g_string_truncate (text, 0);
    top_append_value (text, cells[i].unit, cells[i].value);
    g_string_append_printf (out, " %*s", cells[i].width, text->str);
  }
}
