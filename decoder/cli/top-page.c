/* top-page.c -- see top-page.h. */
#include "config.h"

#include "decoder/cli/top-page.h"
#include "decoder/views/emitter.h"
#include <string.h>

enum { VALUES = 5, HEAD_LINES = 8 };

/* How a number is printed. */
enum value_sort {
  VALUE_NONE,
  VALUE_RATE,
  VALUE_COUNT,
  VALUE_BYTES,
  VALUE_BYTE_RATE,
  VALUE_SHARE,
  VALUE_MS
};

struct column {
  const char *title;
  enum value_sort sort;
};

struct panel {
  const char *name;
  char key;
  struct column columns[VALUES]; /* the last thing is the name */
};

static const struct panel panels[TOP_PANELS] = {
  [TOP_METHODS] = { "methods",
                    '1',
                    { { "SELF%", VALUE_SHARE },
                      { "CALLS/s", VALUE_RATE },
                      { "SAMPLES/s", VALUE_RATE },
                      { "SELF ms", VALUE_MS },
                      { "CALLS", VALUE_COUNT } } },
  [TOP_TYPES] = { "types",
                  '2',
                  { { "BYTES/s", VALUE_BYTE_RATE },
                    { "OBJECTS/s", VALUE_RATE },
                    { "BYTES", VALUE_BYTES },
                    { "OBJECTS", VALUE_COUNT },
                    { "", VALUE_NONE } } },
  [TOP_THREADS] = { "threads",
                    '3',
                    { { "EVENTS/s", VALUE_RATE },
                      { "RUN%", VALUE_SHARE },
                      { "ALLOC/s", VALUE_BYTE_RATE },
                      { "EVENTS", VALUE_COUNT },
                      { "", VALUE_NONE } } },
  [TOP_EXCEPTIONS] = { "exceptions",
                       '4',
                       { { "THROWN/s", VALUE_RATE },
                         { "THROWN", VALUE_COUNT },
                         { "", VALUE_NONE },
                         { "", VALUE_NONE },
                         { "", VALUE_NONE } } },
};

struct line {
  double values[VALUES];
  const char *state; /* NULL: none */
  const char *name;
  char id[32]; /* instead of the name, or before that of a thread */
};

/* ---- numbers ---- */

/* "1234", "12.3 k", "4.56 M" */
static void
append_short (GString *out, double value, double step, const char *unit)
{
  static const char prefixes[] = " kMGTP";
  unsigned i = 0;
  while (value >= 9999.5 || (i > 0 && value >= step)) {
    if (prefixes[i + 1] == 0)
      break;
    value /= step;
    i++;
  }
  const int digits = i == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  g_string_append_printf (out, "%.*f", digits, value);
  if (i != 0 || *unit != 0)
    g_string_append_c (out, ' ');
  if (i != 0)
    g_string_append_c (out, prefixes[i]);
  g_string_append (out, unit);
}

static void
append_value (GString *out, enum value_sort sort, double value)
{
  switch (sort) {
  case VALUE_RATE:
    if (value > 0 && value < 10)
      g_string_append_printf (out, "%.1f", value);
    else
      append_short (out, value, 1000, "");
    break;
  case VALUE_COUNT:
    append_short (out, value, 1000, "");
    break;
  case VALUE_BYTES:
  case VALUE_BYTE_RATE:
    append_short (out, value, 1024, "B");
    break;
  case VALUE_SHARE:
    g_string_append_printf (out, "%.1f%%", value * 100);
    break;
  case VALUE_MS:
    g_string_append_printf (out, "%.1f", value);
    break;
  case VALUE_NONE:
    break;
  }
}

static void
append_labelled (GString *out, const char *label, enum value_sort sort, double value,
                 const char *behind)
{
  g_string_append (out, label);
  append_value (out, sort, value);
  g_string_append (out, behind);
}

static double
share (const struct live_figures *f, uint64_t ns)
{
  return f->interval_ns == 0 ? 0 : (double) ns / (double) f->interval_ns;
}

/* ---- lines ---- */

/* Ends the line that begins at `start`: what does not fit is cut. */
static void
end_line (GString *out, gsize start, unsigned columns)
{
  unsigned width = 0;
  for (const char *p = out->str + start; *p != 0; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char_validated (p, -1);
    width += (int) c >= 0 && g_unichar_iswide (c) ? 2 : 1;
    if (columns != 0 && width > columns) {
      g_string_truncate (out, (gsize) (p - out->str));
      break;
    }
  }
  g_string_append_c (out, '\n');
}

static void
append_collections (GString *out, const struct live_figures *f)
{
  int last = 1;
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    if (f->collections[i].all != 0)
      last = MAX (last, i);
  for (int i = 0; i <= last; i++) {
    g_string_append_printf (out, "%sgen%d %" G_GUINT64_FORMAT, i != 0 ? "  " : "", i,
                            f->collections[i].all);
    append_labelled (out, " (", VALUE_RATE, live_rate (f, f->collections[i].now), "/s)");
  }
}

static void
append_heap (GString *out, const struct live_figures *f)
{
  if (f->heap_bytes != 0)
    append_labelled (out, "", VALUE_BYTES, (double) f->heap_bytes, "");
  else
    g_string_append_c (out, '-');
  if (f->heap_max_bytes != 0)
    append_labelled (out, " (at most ", VALUE_BYTES, (double) f->heap_max_bytes, ")");
  if (f->live_bytes != 0)
    append_labelled (out, "   live ", VALUE_BYTES, (double) f->live_bytes, "");
}

static void
append_title (GString *out, const struct top_page *page, const struct live_figures *f)
{
  static const char *const formats[] = { "no log yet", "Mono", "GHC" };
  char *name = emitter_printable (page->name);
  g_string_append_printf (out, "proflog top  %s  %s  %.1f s", name, formats[f->format],
                          (double) f->log_ns / 1e9);
  g_string_append (out, page->paused ? "  [paused]" : page->ended ? "  [ended]" : "");
  g_free (name);
}

/* Lines 2 to 6 of the page. */
static void
append_head (GString *out, int line, const struct live_figures *f)
{
  switch (line) {
  case 1:
    append_labelled (out, "events  ", VALUE_RATE, live_rate (f, f->events.now), "/s");
    append_labelled (out, " (", VALUE_COUNT, (double) f->events.all, ")");
    append_labelled (out, "   log ", VALUE_BYTE_RATE, live_rate (f, f->log_bytes.now), "/s");
    g_string_append_printf (out, "   threads %u", f->living);
    if (f->lost_events.all != 0)
      g_string_append_printf (out, "   lost %" G_GUINT64_FORMAT, f->lost_events.all);
    if (f->damages.all != 0)
      g_string_append_printf (out, "   damaged places %" G_GUINT64_FORMAT, f->damages.all);
    break;
  case 2:
    append_labelled (out, "alloc   ", VALUE_BYTE_RATE, live_rate (f, f->alloc_bytes.now), "/s");
    append_labelled (out, " (", VALUE_BYTES, (double) f->alloc_bytes.all, ")");
    if (f->alloc_objects.all != 0)
      append_labelled (out, "   objects ", VALUE_RATE, live_rate (f, f->alloc_objects.now), "/s");
    break;
  case 3:
    g_string_append (out, "heap    ");
    append_heap (out, f);
    break;
  case 4:
    g_string_append (out, "gc      ");
    append_collections (out, f);
    append_labelled (out, "   pauses ", VALUE_SHARE, share (f, f->pause_ns.now), " of the time");
    append_labelled (out, ", at most ", VALUE_MS, (double) f->pause_max_ns / 1e6, " ms");
    append_labelled (out, " (ever ", VALUE_MS, (double) f->pause_max_ever_ns / 1e6, " ms)");
    break;
  case 5:
    append_labelled (out, "locks   ", VALUE_RATE, live_rate (f, f->contentions.now),
                     "/s contended");
    append_labelled (out, ", waited ", VALUE_SHARE, share (f, f->wait_ns.now), "");
    append_labelled (out, "   exceptions ", VALUE_RATE, live_rate (f, f->exceptions.now), "/s");
    append_labelled (out, " (", VALUE_COUNT, (double) f->exceptions.all, ")");
    break;
  default:
    break;
  }
}

/* ---- tables ---- */

static struct line
line_of_row (enum top_panel panel, const struct live_figures *f, const struct live_row *r)
{
  struct line line = { .name = r->name };
  if (r->name == NULL)
    g_snprintf (line.id, sizeof line.id, "0x%" G_GINT64_MODIFIER "x", r->address);
  switch (panel) {
  case TOP_METHODS:
    line.values[0] = share (f, r->self_ns.now);
    line.values[1] = live_rate (f, r->count.now);
    line.values[2] = live_rate (f, r->samples.now);
    line.values[3] = (double) r->self_ns.all / 1e6;
    line.values[4] = (double) r->count.all;
    break;
  case TOP_TYPES:
    line.values[0] = live_rate (f, r->bytes.now);
    line.values[1] = live_rate (f, r->count.now);
    line.values[2] = (double) r->bytes.all;
    line.values[3] = (double) r->count.all;
    break;
  default:
    line.values[0] = live_rate (f, r->count.now);
    line.values[1] = (double) r->count.all;
    break;
  }
  return line;
}

static struct line
line_of_thread (const struct live_figures *f, const struct live_thread *t)
{
  static const char *const states[] = { [LIVE_IDLE] = "idle",
                                        [LIVE_RUNNING] = "runs",
                                        [LIVE_WAITING] = "waits for a lock",
                                        [LIVE_BLOCKED] = "blocked",
                                        [LIVE_COLLECTING] = "collects" };
  struct line line = { .name = t->name, .state = states[t->state] };
  line.values[0] = live_rate (f, t->events.now);
  line.values[1] = share (f, t->run_ns.now);
  line.values[2] = live_rate (f, t->bytes.now);
  line.values[3] = (double) t->events.all;
  if (t->is_cap)
    g_snprintf (line.id, sizeof line.id, "capability %u", (unsigned) t->id);
  else if (f->format == LIVE_GHC)
    g_snprintf (line.id, sizeof line.id, "%u", (unsigned) t->id);
  else
    g_snprintf (line.id, sizeof line.id, "0x%" G_GINT64_MODIFIER "x", t->id);
  return line;
}

static GArray *
make_lines (const struct top_page *page, const struct live_figures *f)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (struct line));
  const GArray *rows = page->panel == TOP_METHODS ? f->methods
                       : page->panel == TOP_TYPES ? f->types
                                                  : f->throws;
  const guint n = page->panel == TOP_THREADS ? f->threads->len : rows->len;
  for (guint i = 0; i < n; i++) {
    const struct line line
        = page->panel == TOP_THREADS
              ? line_of_thread (f, &g_array_index (f->threads, struct live_thread, i))
              : line_of_row (page->panel, f, &g_array_index (rows, struct live_row, i));
    g_array_append_val (lines, line);
  }
  return lines;
}

/* By the chosen column, then by those behind it, as often all are idle; at last by the name. */
static gint
compare_lines (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct top_page *page = data;
  const struct line *p = a, *q = b;
  int order = 0;
  for (unsigned i = 0; i < VALUES && order == 0; i++) {
    const unsigned v = (page->sort[page->panel] + i) % VALUES;
    order = p->values[v] < q->values[v] ? 1 : p->values[v] > q->values[v] ? -1 : 0;
  }
  if (order == 0)
    order = g_strcmp0 (p->name, q->name);
  if (order == 0)
    order = strcmp (p->id, q->id);
  return page->reverse ? -order : order;
}

static void
append_cell (GString *out, const char *text)
{
  g_string_append_printf (out, "%11s ", text);
}

static void
append_titles (GString *out, const struct top_page *page)
{
  const struct panel *panel = &panels[page->panel];
  for (int i = 0; i < VALUES; i++)
    if (panel->columns[i].sort != VALUE_NONE) {
      const bool is_sorted = page->sort[page->panel] == (unsigned) i;
      char *title = g_strdup_printf ("%s%s", is_sorted ? (page->reverse ? "^" : "v") : "",
                                     panel->columns[i].title);
      append_cell (out, title);
      g_free (title);
    }
  g_string_append (out, page->panel == TOP_THREADS ? " STATE             THREAD" : " NAME");
}

static void
append_table_line (GString *out, const struct top_page *page, const struct line *line)
{
  const struct panel *panel = &panels[page->panel];
  GString *cell = g_string_new (NULL);
  for (int i = 0; i < VALUES; i++)
    if (panel->columns[i].sort != VALUE_NONE) {
      g_string_truncate (cell, 0);
      append_value (cell, panel->columns[i].sort, line->values[i]);
      append_cell (out, cell->str);
    }
  g_string_free (cell, TRUE);
  if (line->state != NULL)
    g_string_append_printf (out, " %-16s ", line->state);
  if (line->id[0] != 0)
    g_string_append_printf (out, " %s", line->id);
  if (line->name != NULL) {
    char *name = emitter_printable (line->name);
    g_string_append_printf (out, " %s", name);
    g_free (name);
  }
}

static void
append_panels (GString *out, const struct top_page *page)
{
  for (int i = 0; i < TOP_PANELS; i++)
    g_string_append_printf (out, i == (int) page->panel ? "[%c %s]  " : " %c %s   ", panels[i].key,
                            panels[i].name);
  g_string_append (out, "  h help");
}

static void
append_table (GString *out, const struct top_page *page, const struct live_figures *f)
{
  const unsigned room = page->rows == 0               ? TOP_ROWS
                        : page->rows > HEAD_LINES + 1 ? page->rows - HEAD_LINES - 1
                                                      : 0;
  GArray *lines = make_lines (page, f);
  g_array_sort_with_data (lines, compare_lines, (gpointer) page);
  const guint first = lines->len > room ? MIN (page->first, lines->len - room) : 0;
  for (guint i = first; i < lines->len && i < first + room; i++) {
    const gsize start = out->len;
    append_table_line (out, page, &g_array_index (lines, struct line, i));
    end_line (out, start, page->columns);
  }
  if (lines->len > room && page->rows == 0)
    g_string_append_printf (out, "... and %u more\n", lines->len - room);
  g_array_unref (lines);
}

static const char *const help_lines[] = {
  "",
  "1 2 3 4, Tab   methods, types, threads and capabilities, exceptions",
  "s              sort by the next column",
  "r              the smallest first, or the largest again",
  "space, p       pause: figures stand still while the log is read on; again: go on",
  "up, down       move through the table",
  "+ -            a longer or shorter interval",
  "h, ?           this help, or back",
  "q              quit",
  "",
  "Rates and shares are those of the last interval, numbers without /s those of the whole log.",
  "SELF% is the time in a method without its callees, of calls that ended.",
};

/* ---- all ---- */

void
top_page_sort_next (struct top_page *page)
{
  unsigned *sort = &page->sort[page->panel];
  do
    *sort = (*sort + 1) % VALUES;
  while (panels[page->panel].columns[*sort].sort == VALUE_NONE);
}

void
top_page_print (const struct top_page *page, const struct live_figures *f, GString *out)
{
  for (int i = 0; i < HEAD_LINES; i++) {
    const gsize start = out->len;
    if (i == 0)
      append_title (out, page, f);
    else if (i == HEAD_LINES - 2)
      append_panels (out, page);
    else if (i == HEAD_LINES - 1 && !page->help)
      append_titles (out, page);
    else
      append_head (out, i, f);
    if (page->rows == 0 || i + 1 < (int) page->rows)
      end_line (out, start, page->columns);
    else
      g_string_truncate (out, start);
  }
  if (!page->help) {
    append_table (out, page, f);
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (help_lines); i++) {
    const gsize start = out->len;
    if (page->rows != 0 && i + HEAD_LINES + 1 >= page->rows)
      break;
    g_string_append (out, help_lines[i]);
    end_line (out, start, page->columns);
  }
}

void
top_page_print_all (const struct top_page *page, const struct live_figures *f, GString *out)
{
  const guint lengths[TOP_PANELS] = { [TOP_METHODS] = f->methods->len,
                                      [TOP_TYPES] = f->types->len,
                                      [TOP_THREADS] = f->threads->len,
                                      [TOP_EXCEPTIONS] = f->throws->len };
  struct top_page each = *page;
  append_title (out, page, f);
  g_string_append_c (out, '\n');
  for (int i = 1; i < HEAD_LINES - 2; i++) {
    append_head (out, i, f);
    g_string_append_c (out, '\n');
  }
  for (each.panel = TOP_METHODS; each.panel < TOP_PANELS; each.panel++) {
    if (lengths[each.panel] == 0)
      continue;
    g_string_append_printf (out, "\n%s\n", panels[each.panel].name);
    append_titles (out, &each);
    g_string_append_c (out, '\n');
    append_table (out, &each, f);
  }
}

void
top_page_line (const struct live_figures *f, GString *out)
{
  g_string_append_printf (out, "%9.1f s  heap ", (double) f->log_ns / 1e9);
  append_heap (out, f);
  append_labelled (out, "  alloc ", VALUE_BYTE_RATE, live_rate (f, f->alloc_bytes.now), "/s");
  g_string_append (out, "  gc ");
  append_collections (out, f);
  append_labelled (out, "  pauses ", VALUE_SHARE, share (f, f->pause_ns.now), "");
  append_labelled (out, " max ", VALUE_MS, (double) f->pause_max_ns / 1e6, " ms");
  append_labelled (out, "  events ", VALUE_RATE, live_rate (f, f->events.now), "/s");
  g_string_append_printf (out, "  threads %u", f->living);
  append_labelled (out, "  locks ", VALUE_RATE, live_rate (f, f->contentions.now), "/s");
  append_labelled (out, "  exceptions ", VALUE_RATE, live_rate (f, f->exceptions.now), "/s");
  if (f->lost_events.all != 0)
    g_string_append_printf (out, "  lost %" G_GUINT64_FORMAT, f->lost_events.all);
  g_string_append_c (out, '\n');
}

static void
append_member (GString *out, const char *name, uint64_t value)
{
  g_string_append_printf (out, ",\"%s\":%" G_GUINT64_FORMAT, name, value);
}

void
top_page_json (const struct live_figures *f, GString *out)
{
  static const char *const formats[] = { "none", "mono", "ghc" };
  g_string_append_printf (out, "{\"format\":\"%s\"", formats[f->format]);
  append_member (out, "log_ns", f->log_ns);
  append_member (out, "interval_ns", f->interval_ns);
  append_member (out, "events", f->events.now);
  append_member (out, "events_all", f->events.all);
  append_member (out, "alloc_bytes", f->alloc_bytes.now);
  append_member (out, "alloc_bytes_all", f->alloc_bytes.all);
  append_member (out, "alloc_objects_all", f->alloc_objects.all);
  append_member (out, "heap_bytes", f->heap_bytes);
  append_member (out, "live_bytes", f->live_bytes);
  g_string_append (out, ",\"collections_all\":[");
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    g_string_append_printf (out, "%s%" G_GUINT64_FORMAT, i != 0 ? "," : "", f->collections[i].all);
  g_string_append (out, "]");
  append_member (out, "pauses_all", f->pauses.all);
  append_member (out, "pause_ns", f->pause_ns.now);
  append_member (out, "pause_ns_all", f->pause_ns.all);
  append_member (out, "pause_max_ns", f->pause_max_ever_ns);
  append_member (out, "contentions_all", f->contentions.all);
  append_member (out, "wait_ns_all", f->wait_ns.all);
  append_member (out, "exceptions_all", f->exceptions.all);
  append_member (out, "lost_events_all", f->lost_events.all);
  append_member (out, "damages_all", f->damages.all);
  append_member (out, "threads", f->living);
  g_string_append (out, "}\n");
}
