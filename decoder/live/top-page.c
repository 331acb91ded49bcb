/* top-page.c -- lays out the page of proflog top. */
#include "config.h"

#include "decoder/live/top.h"
#include "decoder/output/emitter.h"
#include <string.h>

/* Lines above the table: of one source; of several without those of the sources. */
enum { HEAD_LINES = 8, HEAD_LINES_OF_SEVERAL = 4 };

static bool
are_several (const struct top_page *page)
{
  return page->count > 1;
}

/* The only source's. */
static const struct live_figures *
only (const struct top_page *page)
{
  return page->sources[0].figures;
}

/* Sources that have a line, so that there is room for rows. */
static guint
shown_sources (const struct top_page *page)
{
  return page->rows == 0 ? page->count : MIN (page->count, MAX (page->rows / 2, 2));
}

static guint
head_lines (const struct top_page *page)
{
  return are_several (page) ? HEAD_LINES_OF_SEVERAL + shown_sources (page) : HEAD_LINES;
}

/* ---- lines ---- */

/* Ends the line that begins at `start`: the rest that does not fit is cut. */
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
    top_append_labelled (out, " (", LIVE_VALUE_RATE, live_rate (f, f->collections[i].now), "/s)");
  }
}

static void
append_heap (GString *out, const struct live_figures *f)
{
  if (f->heap_bytes != 0)
    top_append_labelled (out, "", LIVE_VALUE_BYTES, (double) f->heap_bytes, "");
  else
    g_string_append_c (out, '-');
  if (f->heap_max_bytes != 0)
    top_append_labelled (out, " (at most ", LIVE_VALUE_BYTES, (double) f->heap_max_bytes, ")");
  if (f->live_bytes != 0)
    top_append_labelled (out, "   live ", LIVE_VALUE_BYTES, (double) f->live_bytes, "");
}

static void
append_title (GString *out, const struct top_page *page)
{
  static const char *const formats[] = { "no log yet", "Mono", "GHC" };
  const struct live_figures *const f = only (page);
  if (are_several (page)) {
    g_string_append_printf (out, "proflog top  %u sources", page->count);
  } else {
    g_autofree char *name = emitter_printable (page->sources[0].name),
                    *program = emitter_printable (f->program != NULL ? f->program : "");
    const bool has_both = program[0] != 0 && strcmp (name, program) != 0;
    g_string_append_printf (out, "proflog top  %s%s%s  %s  %.1f s", has_both ? program : "",
                            has_both ? "  " : "", name, formats[f->format],
                            (double) f->log_ns / 1e9);
  }
  if (!are_several (page) && f->process_memory_bytes != 0) {
    top_append_labelled (out, "  CPU ", LIVE_VALUE_SHARE, live_process_share (f), "");
    top_append_labelled (out, "  memory ", LIVE_VALUE_BYTES, (double) f->process_memory_bytes, "");
  }
  g_string_append (out, page->paused ? "  [paused]" : page->ended ? "  [ended]" : "");
}

/* The figures of the last intervals, from none to the most. */
static void
append_picture (GString *out, const double *values, guint n)
{
  GString *picture = g_string_new ("   ");
  double most = 0;
  for (guint i = 0; i < n; i++)
    most = MAX (most, values[i]);
  for (guint i = 0; i < n; i++)
    emitter_append_bar (picture, most > 0 ? values[i] / most : 0);
  if (!g_get_charset (NULL))
    emitter_make_ascii (picture);
  g_string_append (out, picture->str);
  g_string_free (picture, TRUE);
}

static void
append_history (GString *out, const struct top_page *page, int line)
{
  const struct top_history *h = &page->history;
  if (h->n < 2 || are_several (page))
    return;
  if (line == 2)
    append_picture (out, h->alloc, h->n);
  else if (line == 3 && h->heap[h->n - 1] > 0)
    append_picture (out, h->heap, h->n);
}

/* Lines 2 to 6 of the page of one source. */
static void
append_figures (GString *out, int line, const struct live_figures *f)
{
  switch (line) {
  case 1:
    top_append_labelled (out, "events  ", LIVE_VALUE_RATE, live_rate (f, f->events.now), "/s");
    top_append_labelled (out, " (", LIVE_VALUE_COUNT, (double) f->events.all, ")");
    top_append_labelled (out, "   log ", LIVE_VALUE_BYTE_RATE, live_rate (f, f->log_bytes.now),
                         "/s");
    g_string_append_printf (out, "   threads %" G_GUINT64_FORMAT, f->living);
    if (f->lost_events.all != 0)
      g_string_append_printf (out, "   lost %" G_GUINT64_FORMAT, f->lost_events.all);
    if (f->damages.all != 0)
      g_string_append_printf (out, "   damaged places %" G_GUINT64_FORMAT, f->damages.all);
    break;
  case 2:
    top_append_labelled (out, "alloc   ", LIVE_VALUE_BYTE_RATE, live_rate (f, f->alloc_bytes.now),
                         "/s");
    top_append_labelled (out, " (", LIVE_VALUE_BYTES, (double) f->alloc_bytes.all, ")");
    if (f->alloc_objects.all != 0)
      top_append_labelled (out, "   objects ", LIVE_VALUE_RATE, live_rate (f, f->alloc_objects.now),
                           "/s");
    break;
  case 3:
    g_string_append (out, "heap    ");
    append_heap (out, f);
    break;
  case 4:
    g_string_append (out, "gc      ");
    append_collections (out, f);
    top_append_labelled (out, "   pauses ", LIVE_VALUE_SHARE, live_share (f, f->pause_ns.now),
                         " of the time");
    top_append_labelled (out, ", at most ", LIVE_VALUE_MS, (double) f->pause_max_ns / 1e6, " ms");
    top_append_labelled (out, " (ever ", LIVE_VALUE_MS, (double) f->pause_max_ever_ns / 1e6,
                         " ms)");
    break;
  case 5:
    top_append_labelled (out, "locks   ", LIVE_VALUE_RATE, live_rate (f, f->contentions.now),
                         "/s contended");
    top_append_labelled (out, ", waited ", LIVE_VALUE_SHARE, live_share (f, f->wait_ns.now), "");
    top_append_labelled (out, "   exceptions ", LIVE_VALUE_RATE, live_rate (f, f->exceptions.now),
                         "/s");
    top_append_labelled (out, " (", LIVE_VALUE_COUNT, (double) f->exceptions.all, ")");
    break;
  default:
    break;
  }
}

/* ---- tables ---- */

/* Whether the log has the events of a column. */
static bool
live_column_is_known (enum live_table table, unsigned column, const struct live_figures *f)
{
  const bool of_methods[LIVE_COLUMNS] = { f->has_cpu, f->has_waits, f->has_calls, f->has_calls,
                                          f->has_cpu, f->has_waits, f->has_calls, f->has_calls };
  if (live_table_forms[table].columns[column].value == LIVE_VALUE_NONE)
    return false;
  return table != LIVE_METHODS || of_methods[column];
}

/* Whether any log has the events of a column. */
static bool
is_known (const struct top_page *page, unsigned column)
{
  for (guint i = 0; i < page->count; i++)
    if (live_column_is_known (page->panel, column, page->sources[i].figures))
      return true;
  return false;
}

static gint
compare_lines (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct top_page *page = data;
  const int order = live_table_compare (a, b, page->sort[page->panel]);
  return page->reverse ? -order : order;
}

/* The column that lines are sorted by: the chosen one, or the next that the log has. */
static unsigned
sort_column (const struct top_page *page)
{
  for (unsigned i = 0; i < LIVE_COLUMNS; i++) {
    const unsigned column = (page->sort[page->panel] + i) % LIVE_COLUMNS;
    if (is_known (page, column))
      return column;
  }
  return 0;
}

static void
append_cell (GString *out, enum live_value value, const char *text)
{
  const int width = value == LIVE_VALUE_SHARE ? 7 : value == LIVE_VALUE_BYTE_RATE ? 10 : 9;
  g_string_append_printf (out, "%*s ", width, text);
}

/* Of the names of sources. */
static int
source_columns (const struct top_page *page)
{
  glong columns = strlen ("SOURCE");
  for (guint i = 0; i < page->count; i++) {
    g_autofree char *name = emitter_printable (page->sources[i].name);
    columns = MAX (columns, g_utf8_strlen (name, -1));
  }
  return (int) MIN (columns, TOP_NAME_COLUMNS);
}

static void
append_titles (GString *out, const struct top_page *page)
{
  const struct live_table_form *form = &live_table_forms[page->panel];
  for (unsigned i = 0; i < LIVE_COLUMNS; i++)
    if (is_known (page, i)) {
      const bool is_sorted = sort_column (page) == i;
      char *title = g_strdup_printf ("%s%s", form->columns[i].title,
                                     is_sorted ? (page->reverse ? "^" : "*") : "");
      append_cell (out, form->columns[i].value, title);
      g_free (title);
    }
  if (are_several (page))
    g_string_append_printf (out, " %-*s", source_columns (page), "SOURCE");
  g_string_append (out, page->panel == LIVE_THREADS ? " STATE             THREAD" : " NAME");
}

static void
append_table_line (GString *out, const struct top_page *page, const struct live_table_line *line)
{
  const struct live_table_form *form = &live_table_forms[page->panel];
  GString *cell = g_string_new (NULL);
  for (unsigned i = 0; i < LIVE_COLUMNS; i++)
    if (is_known (page, i)) {
      g_string_truncate (cell, 0);
      top_append_value (cell, form->columns[i].value, line->values[i]);
      append_cell (out, form->columns[i].value, cell->str);
    }
  g_string_free (cell, TRUE);
  if (line->source != NULL) {
    g_string_append_c (out, ' ');
    top_sources_append_name (out, line->source, source_columns (page));
  }
  if (line->state != NULL && page->panel == LIVE_THREADS)
    g_string_append_printf (out, " %-16s ", line->state);
  if (line->id[0] != 0)
    g_string_append_printf (out, " %s", line->id);
  if (line->name != NULL) {
    char *name = emitter_printable (line->name);
    g_string_append_printf (out, " %s", name);
    g_free (name);
  }
  if (line->state != NULL && page->panel == LIVE_METHODS)
    g_string_append_printf (out, " [waits: %s]", line->state);
}

static void
append_panels (GString *out, const struct top_page *page)
{
  for (int i = 0; i < LIVE_TABLES; i++)
    g_string_append_printf (out, i == (int) page->panel ? "[%d %s]" : " %d %s ", i + 1,
                            live_table_forms[i].name);
  g_string_append (out, " h help");
}

/* Sleeping and blocking methods would stand above all that work. */
static void
remove_waiting (GArray *lines)
{
  guint n = 0;
  for (guint i = 0; i < lines->len; i++) {
    const struct live_table_line line = g_array_index (lines, struct live_table_line, i);
    if (line.state == NULL)
      g_array_index (lines, struct live_table_line, n++) = line;
  }
  g_array_set_size (lines, n);
}

/* The rows of a panel, in no order. */
static GArray *
list_lines (const struct top_page *page, enum live_table panel)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (struct live_table_line));
  for (guint i = 0; i < page->count; i++) {
    GArray *of_source = live_table_lines (panel, page->sources[i].figures);
    for (guint k = 0; k < of_source->len && are_several (page); k++)
      g_array_index (of_source, struct live_table_line, k).source = page->sources[i].name;
    g_array_append_vals (lines, of_source->data, of_source->len);
    g_array_unref (of_source);
  }
  if (panel == LIVE_METHODS && !page->waiting)
    remove_waiting (lines);
  return lines;
}

static void
append_text_line (GString *out, const struct top_page *page, const char *text)
{
  const gsize start = out->len;
  g_string_append (out, text);
  end_line (out, start, page->columns);
}

static bool
are_eventlogs (const struct top_page *page)
{
  for (guint i = 0; i < page->count; i++)
    if (page->sources[i].figures->format != LIVE_GHC)
      return false;
  return true;
}

static bool
has_methods (const struct top_page *page)
{
  for (guint i = 0; i < page->count; i++)
    if (page->sources[i].figures->methods->len != 0)
      return true;
  return false;
}

/* Why there are no rows, and how to get some. */
static void
append_reason (GString *out, const struct top_page *page)
{
  static const char *const lacking[LIVE_TABLES]
      = { [LIVE_METHODS] = "No calls and no samples were recorded yet.",
          [LIVE_TYPES] = "No allocations were recorded yet.",
          [LIVE_THREADS] = "No thread has recorded anything yet.",
          [LIVE_THROWS] = "No exceptions were recorded yet.",
          [LIVE_LOCKS] = "No thread has waited for a lock yet.",
          [LIVE_BANDS] = "There is no sample of a heap profile.",
          [LIVE_FRAMES] = "There is no sample of a stack." };
  static const char *const options[LIVE_TABLES]
      = { [LIVE_METHODS] = "proflog run --sample, or --calls, records them from the start.",
          [LIVE_TYPES] = "proflog run --allocs=512k records them from the start.",
          [LIVE_BANDS] = "Haskell programs have some: proflog run --heap, or +RTS -l -hT.",
          [LIVE_FRAMES]
          = "Haskell programs have some with ghc-stack-profiler, or with +RTS -l -p." };
  if (page->columns == 0)
    return;
  if (are_eventlogs (page) && page->panel < LIVE_THREADS) {
    append_text_line (out, page,
                      "Eventlogs have no methods and no types; 3 shows threads, 7 frames.");
    return;
  }
  if (page->panel == LIVE_METHODS && has_methods (page)) {
    append_text_line (out, page, "All methods with samples wait; w shows them.");
    return;
  }
  append_text_line (out, page, lacking[page->panel]);
  if (options[page->panel] == NULL)
    return;
  if (page->has_process && page->panel < LIVE_BANDS)
    append_text_line (out, page,
                      "e records them, if the program was prepared for that (prepare=).");
  append_text_line (out, page, options[page->panel]);
}

static void
append_table (GString *out, const struct top_page *page)
{
  const unsigned taken = head_lines (page) + 1 + (page->note != NULL);
  const unsigned room = page->rows == 0 ? TOP_ROWS : page->rows > taken ? page->rows - taken : 0;
  GArray *lines = list_lines (page, page->panel);
  if (page->note != NULL && page->rows > taken)
    append_text_line (out, page, page->note);
  if (lines->len == 0 && room > 4)
    append_reason (out, page);
  g_array_sort_with_data (lines, compare_lines, (gpointer) page);
  const guint first = lines->len > room ? MIN (page->first, lines->len - room) : 0;
  for (guint i = first; i < lines->len && i < first + room; i++) {
    const gsize start = out->len;
    append_table_line (out, page, &g_array_index (lines, struct live_table_line, i));
    end_line (out, start, page->columns);
  }
  if (lines->len > room && page->rows == 0)
    g_string_append_printf (out, "... and %u more\n", lines->len - room);
  g_array_unref (lines);
}

static const char *const help_lines[] = {
  "",
  "1 to 7, Tab    methods, types, threads, exceptions, locks; of GHC bands of the heap, frames",
  "s              sort by the next column",
  "r              the smallest first, or the largest again",
  "w              methods that wait, too, or not",
  "e              make the program record what the table needs, if it was prepared (prepare=)",
  "space, p       pause: figures stand still while the log is read on; again: go on",
  "up, down       move through the table",
  "+ -            a longer or shorter interval",
  "h, ?           this help, or back",
  "q              quit",
  "",
  "Rates and shares are those of the last interval, numbers without /s those of the whole log.",
  "CPU% is the processor time in a method by samples; 100% is one processor.",
  "WAIT% is the time that threads waited in it by samples of the wall clock; 100% is one thread.",
  "SELF% is the time in a method without its callees, of calls that ended.",
};

/* ---- all ---- */

void
top_page_add_history (struct top_page *page)
{
  struct top_history *h = &page->history;
  const struct live_figures *const f = only (page);
  if (h->n == TOP_HISTORY) {
    h->n--;
    memmove (h->alloc, h->alloc + 1, h->n * sizeof *h->alloc);
    memmove (h->heap, h->heap + 1, h->n * sizeof *h->heap);
  }
  h->alloc[h->n] = live_rate (f, f->alloc_bytes.now);
  h->heap[h->n++] = (double) f->heap_bytes;
}

/* Whether a panel has rows. */
static bool
has_lines (const struct top_page *page, enum live_table panel)
{
  GArray *lines = list_lines (page, panel);
  const guint n = lines->len;
  g_array_unref (lines);
  return n != 0;
}

enum live_table
top_page_choose_panel (const struct top_page *page)
{
  for (enum live_table panel = LIVE_METHODS; panel < LIVE_THREADS; panel++)
    if (has_lines (page, panel))
      return panel;
  return LIVE_THREADS;
}

void
top_page_sort_next (struct top_page *page)
{
  page->sort[page->panel] = (sort_column (page) + 1) % LIVE_COLUMNS;
  page->sort[page->panel] = sort_column (page);
}

/* The head above the panels: a line of it, from 1 on. */
static void
append_head (GString *out, const struct top_page *page, guint line)
{
  const guint shown = shown_sources (page);
  if (!are_several (page))
    append_figures (out, (int) line, only (page));
  else if (line == 1)
    top_sources_append_titles (out);
  else if (line == shown + 1 && shown < page->count)
    g_string_append_printf (out, "... and %u more", page->count - shown + 1);
  else
    top_sources_append_line (out, &page->sources[line - 2]);
}

void
top_page_print (const struct top_page *page, GString *out)
{
  const guint lines = head_lines (page);
  for (guint i = 0; i < lines; i++) {
    const gsize start = out->len;
    if (i == 0)
      append_title (out, page);
    else if (i == lines - 2)
      append_panels (out, page);
    else if (i == lines - 1 && !page->help)
      append_titles (out, page);
    else if (i != lines - 1)
      append_head (out, page, i);
    append_history (out, page, (int) i);
    if (page->rows == 0 || i + 1 < page->rows)
      end_line (out, start, page->columns);
    else
      g_string_truncate (out, start);
  }
  if (!page->help) {
    append_table (out, page);
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (help_lines); i++) {
    const gsize start = out->len;
    if (page->rows != 0 && i + lines + 1 >= page->rows)
      break;
    g_string_append (out, help_lines[i]);
    end_line (out, start, page->columns);
  }
}

void
top_page_print_all (const struct top_page *page, GString *out)
{
  struct top_page each = *page, all = *page;
  all.waiting = true;
  append_title (out, page);
  g_string_append_c (out, '\n');
  for (guint i = 1; i < head_lines (page) - 2; i++) {
    append_head (out, page, i);
    g_string_append_c (out, '\n');
  }
  for (each.panel = LIVE_METHODS; each.panel < LIVE_TABLES; each.panel++) {
    if (!has_lines (&all, each.panel))
      continue;
    g_string_append_printf (out, "\n%s\n", live_table_forms[each.panel].name);
    append_titles (out, &each);
    g_string_append_c (out, '\n');
    append_table (out, &each);
  }
}

void
top_page_line (const struct live_figures *f, GString *out)
{
  g_string_append_printf (out, "%9.1f s  heap ", (double) f->log_ns / 1e9);
  append_heap (out, f);
  top_append_labelled (out, "  alloc ", LIVE_VALUE_BYTE_RATE, live_rate (f, f->alloc_bytes.now),
                       "/s");
  g_string_append (out, "  gc ");
  append_collections (out, f);
  top_append_labelled (out, "  pauses ", LIVE_VALUE_SHARE, live_share (f, f->pause_ns.now), "");
  top_append_labelled (out, " max ", LIVE_VALUE_MS, (double) f->pause_max_ns / 1e6, " ms");
  top_append_labelled (out, "  events ", LIVE_VALUE_RATE, live_rate (f, f->events.now), "/s");
  g_string_append_printf (out, "  threads %" G_GUINT64_FORMAT, f->living);
  top_append_labelled (out, "  locks ", LIVE_VALUE_RATE, live_rate (f, f->contentions.now), "/s");
  top_append_labelled (out, "  exceptions ", LIVE_VALUE_RATE, live_rate (f, f->exceptions.now),
                       "/s");
  if (f->lost_events.all != 0)
    g_string_append_printf (out, "  lost %" G_GUINT64_FORMAT, f->lost_events.all);
}
