/* timeline-section.c -- a timeline: the states of threads or capabilities as a line of letters
 * each, and, in a page, as data for its scripts.
 *
 * The page does not grow with the log: the numbers of lanes, values and events are limited (and
 * cells, page-tables.c).
 */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/output/html.h"
#include "decoder/views/page.h"
#include "decoder/views/timeline-section.h"
#include "decoder/core/whole-number.h"
#include "decoder/ghc/analyses/ghc-figures.h"
#include "decoder/views/result.h"
#include <math.h>

/* ---- the page ---- */

/* Lanes that are drawn: those of the longest times, or of most events. */
#define LANES_MAX 60u
/* Values of all lanes, and of all series. */
#define VALUES_MAX 60000u
#define PAUSES_MAX 5000
#define MARKS_MAX 2000
#define INTERVALS_MAX 5000
#define RUNS_MAX 5000

/* Values by interval; of times in thousandths of it. */
static void
put_values (GString *json, const char *key, const struct timeline_bins *values, guint bins,
            uint64_t width)
{
  if (values->values == NULL)
    return;
  page_json_key (json, key);
  g_string_append_c (json, '[');
  for (guint bin = 0; bin < bins; bin++) {
    const uint64_t value = timeline_bins_at (values, bin);
    page_json_number (json, width != 0 ? (value * 1000 + width - 1) / width : value);
  }
  g_string_append_c (json, ']');
}

static guint
lanes_max (const struct timeline *t)
{
  return MIN (t->lanes->len, MIN (LANES_MAX, VALUES_MAX / t->bins));
}

/* The times of a lane, and its events. */
struct lane_weight {
  guint place;
  bool is_first; /* it is drawn in any case: of the process, or of its first thread */
  uint64_t ns, events;
};

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const struct lane_weight *x = a, *y = b;
  if (x->is_first != y->is_first)
    return x->is_first ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  if (x->events != y->events)
    return x->events < y->events ? 1 : -1;
  return x->place < y->place ? -1 : 1;
}

static struct lane_weight
weigh_lane (const struct timeline *t, guint place)
{
  const struct timeline_lane *lane = g_ptr_array_index (t->lanes, place);
  struct lane_weight weight = { .place = place, .is_first = lane->is_of_process || place == 0 };
  for (guint bin = 0; bin < t->bins; bin++) {
    weight.events += timeline_lane_events (lane, bin);
    for (guint state = 0; state < TIMELINE_STATES; state++)
      weight.ns += timeline_lane_ns (lane, (enum timeline_state) state, bin);
  }
  return weight;
}

/* For each lane whether it is drawn (transfer full). */
static bool *
drawn_lanes (const struct timeline *t)
{
  const guint n = t->lanes->len;
  bool *drawn = g_new0 (bool, n + 1);
  struct lane_weight *weights = g_new (struct lane_weight, n + 1);
  for (guint i = 0; i < n; i++)
    weights[i] = weigh_lane (t, i);
  qsort (weights, n, sizeof *weights, compare_lanes);
  for (guint i = 0; i < lanes_max (t); i++)
    drawn[weights[i].place] = true;
  g_free (weights);
  return drawn;
}

static void
put_page_lanes (GString *json, const struct timeline *t)
{
  g_autofree bool *drawn = drawn_lanes (t);
  page_json_key (json, "lanes");
  g_string_append_c (json, '[');
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    if (!drawn[i])
      continue;
    page_json_open (json, '{');
    page_json_key (json, "name");
    page_json_text (json, lane->name);
    page_json_key (json, "is_of_process");
    g_string_append (json, lane->is_of_process ? "true" : "false");
    put_values (json, "run", &lane->ns[TIMELINE_RUN], t->bins, t->width);
    put_values (json, "lock", &lane->ns[TIMELINE_WAIT], t->bins, t->width);
    put_values (json, "gc", &lane->ns[TIMELINE_PAUSE], t->bins, t->width);
    put_values (json, "events", &lane->events, t->bins, 0);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

static bool
is_of_heap (enum timeline_quantity quantity)
{
  return quantity == TIMELINE_HEAP_SIZE || quantity == TIMELINE_LIVE || quantity == TIMELINE_BLOCKS
         || quantity == TIMELINE_NEEDED;
}

/* The series that are drawn: sizes.  Returns the number of those that are not, for there are too
 * many. */
static guint
put_series (GString *json, const struct timeline *t)
{
  guint sizes = 0;
  page_json_key (json, "series");
  g_string_append_c (json, '[');
  for (guint i = 0; i < t->series->len; i++) {
    const struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->unit != TIMELINE_BYTES || ++sizes > VALUES_MAX / t->bins)
      continue;
    page_json_open (json, '{');
    page_json_key (json, "name");
    page_json_text (json, series->name);
    page_json_key (json, "grows");
    g_string_append (json, series->quantity == TIMELINE_ALLOCATED ? "true" : "false");
    page_json_key (json, "is_heap");
    g_string_append (json, is_of_heap (series->quantity) ? "true" : "false");
    page_json_key (json, "is_memory");
    g_string_append (json, series->quantity == TIMELINE_MEMORY ? "true" : "false");
    page_json_key (json, "before");
    page_json_number (json, (uint64_t) MAX (series->before, 0));
    page_json_key (json, "values");
    g_string_append_c (json, '[');
    for (guint bin = 0; bin < t->bins; bin++) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      g_string_append (json, bin > 0 ? "," : "");
      g_string_append (json, series->known[bin]
                                 ? g_ascii_formatd (text, sizeof text, "%.10g", series->values[bin])
                                 : "null");
    }
    g_string_append (json, "]}");
  }
  g_string_append_c (json, ']');
  return sizes - MIN (sizes, VALUES_MAX / t->bins);
}

/* The outcomes of sparks in each interval, and their number in the pools; nothing without sparks.
 */
static void
put_sparks (GString *json, const struct timeline *t)
{
  static const struct {
    const char *key;
    enum timeline_quantity quantity;
    bool grows;
  } rows[] = { { "created", TIMELINE_SPARKS_CREATED, true },
               { "converted", TIMELINE_SPARKS_CONVERTED, true },
               { "fizzled", TIMELINE_SPARKS_FIZZLED, true },
               { "remaining", TIMELINE_SPARKS_REMAINING, false } };
  g_autofree double *levels = g_new (double, t->bins);
  page_json_key (json, "sparks");
  page_json_open (json, '{');
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const double before = timeline_level_before (t, TIMELINE_ALL, rows[i].quantity);
    if (!timeline_levels (t, TIMELINE_ALL, rows[i].quantity, levels))
      continue;
    page_json_key (json, rows[i].key);
    page_json_open (json, '[');
    for (guint bin = 0; bin < t->bins; bin++)
      page_json_number (json, rows[i].grows ? timeline_growth (levels, before, bin)
                                            : (uint64_t) levels[bin]);
    g_string_append_c (json, ']');
  }
  g_string_append_c (json, '}');
}

/* The longest ones. */
static void
put_mark_intervals (GString *json, const struct timeline *t, struct page_names *names)
{
  page_json_key (json, "interval_lanes");
  page_json_open (json, '[');
  for (guint i = 0; i < t->interval_lanes->len; i++)
    page_json_number (json, page_name (names, g_array_index (t->interval_lanes, uint32_t, i)));
  g_string_append_c (json, ']');
  page_json_key (json, "intervals");
  page_json_open (json, '[');
  for (guint i = 0; i < MIN (t->intervals.list->len, INTERVALS_MAX); i++) {
    const struct timeline_interval *interval
        = &g_array_index (t->intervals.list, struct timeline_interval, i);
    page_json_number (json, interval->lane);
    page_json_number (json, interval->depth);
    page_json_number (json, interval->time);
    page_json_number (json, interval->ns);
    page_json_number (json, page_name (names, interval->name));
    page_json_number (json, interval->is_open);
  }
  g_string_append_c (json, ']');
}

/* The longest ones. */
static void
put_runs (GString *json, const struct timeline *t, struct page_names *names)
{
  page_json_key (json, "runs");
  page_json_open (json, '[');
  for (guint i = 0; i < MIN (t->runs.list->len, RUNS_MAX); i++) {
    const struct timeline_run *run = &g_array_index (t->runs.list, struct timeline_run, i);
    page_json_number (json, page_name (names, run->name));
    page_json_number (json, page_name (names, run->lane));
    page_json_number (json, run->time);
    page_json_number (json, run->ns);
  }
  g_string_append_c (json, ']');
}

/* The longest ones, and the first marks. */
static void
put_events (GString *json, const struct timeline *t, struct page_names *names)
{
  page_json_key (json, "pauses");
  g_string_append_c (json, '[');
  for (guint i = 0; i < MIN (t->pauses.list->len, PAUSES_MAX); i++) {
    const struct timeline_pause *pause = &g_array_index (t->pauses.list, struct timeline_pause, i);
    page_json_number (json, pause->time);
    page_json_number (json, pause->ns);
    page_json_change (
        json, pause->generation == TIMELINE_GENERATION_UNKNOWN ? -1 : (int64_t) pause->generation);
  }
  g_string_append_c (json, ']');
  page_json_key (json, "marks");
  g_string_append_c (json, '[');
  for (guint i = 0; i < MIN (t->marks->len, MARKS_MAX); i++) {
    page_json_number (json, g_array_index (t->marks, struct timeline_mark, i).time);
    page_json_number (json,
                      page_name (names, g_array_index (t->marks, struct timeline_mark, i).name));
  }
  g_string_append_c (json, ']');
}

static uint64_t
pauses_left_out (const struct timeline *t)
{
  return t->pauses.list->len - MIN (t->pauses.list->len, PAUSES_MAX) + t->pauses.left_out;
}

static uint64_t
marks_left_out (const struct timeline *t)
{
  return t->marks->len - MIN (t->marks->len, MARKS_MAX) + t->marks_left_out;
}

static uint64_t
intervals_left_out (const struct timeline *t)
{
  return t->intervals.list->len - MIN (t->intervals.list->len, INTERVALS_MAX)
         + t->intervals.left_out;
}

static uint64_t
runs_left_out (const struct timeline *t)
{
  return t->runs.list->len - MIN (t->runs.list->len, RUNS_MAX) + t->runs.left_out;
}

static void
put_left_out (GString *json, const struct timeline *t)
{
  page_json_key (json, "left_out");
  page_json_open (json, '{');
  page_json_key (json, "pauses");
  page_json_number (json, pauses_left_out (t));
  page_json_key (json, "marks");
  page_json_number (json, marks_left_out (t));
  page_json_key (json, "runs");
  page_json_number (json, runs_left_out (t));
  g_string_append_c (json, '}');
}

/* The lengths of windows that the log has, and the most that pauses take of one. */
static void
put_windows (GString *json, const struct utilisation *u, uint64_t span)
{
  for (unsigned i = 0; i < UTILISATION_WINDOWS && utilisation_window_ns[i] <= span; i++) {
    page_json_number (json, utilisation_window_ns[i]);
    page_json_number (json, utilisation_paused (u, i));
  }
}

static void
put_utilisation (GString *json, const struct report *r)
{
  page_json_key (json, "utilisation");
  page_json_open (json, '[');
  if (r->s != NULL) {
    const struct gc *gc = SUMMARY_STATE (r->s, gc);
    if (gc->utilisation.end != 0)
      put_windows (json, &gc->utilisation, log_selected_ns (&r->s->log));
  } else if (r->ghc != NULL) {
    struct ghc_figures f;
    ghc_figures_init (&f, r->ghc, NULL);
    if (f.stops != NULL && f.has_collections)
      put_windows (json, &f.stops->main, f.total_ns);
    ghc_figures_clear (&f);
  }
  g_string_append_c (json, ']');
}

static void
put_note (GString *json, uint64_t count, const char *text)
{
  g_autofree char *note = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", count, text);
  if (count != 0)
    page_json_text (json, note);
}

/* Sentences about the parts that are not drawn. */
static void
put_notes (GString *json, const struct timeline *t, guint series, guint rows)
{
  page_json_key (json, "notes");
  g_string_append_c (json, '[');
  put_note (json, t->lanes->len - lanes_max (t), "less active threads have no lane.");
  put_note (json, pauses_left_out (t), "shorter pauses are not drawn.");
  put_note (json, marks_left_out (t), "later marks are not drawn.");
  put_note (json, intervals_left_out (t), "shorter intervals are not drawn.");
  put_note (json, series, "sizes that change over time are not drawn.");
  put_note (json, rows,
            "names or stacks of small sums are together in " PAGE_OTHERS
            " when a range is selected.");
  g_string_append_c (json, ']');
}

/* Of the time that rates and shares are of, on the axis of the timeline. */
static uint64_t
axis_end (const struct report *r)
{
  if (r->s != NULL)
    return log_duration (&r->s->log);
  if (r->ghc == NULL)
    return UINT64_MAX;
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  const uint64_t end = f.start + f.total_ns;
  ghc_figures_clear (&f);
  return end;
}

static GString *
page_data (const struct report *r)
{
  const struct timeline *const t = r->view->timeline;
  struct page_names names
      = { .timeline = t, .used = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  GString *json = g_string_new ("{");
  id_map_init (&names.numbers);
  page_json_key (json, "begin");
  page_json_number (json, t->begin);
  page_json_key (json, "width");
  page_json_number (json, t->width);
  page_json_key (json, "bins");
  page_json_number (json, t->bins);
  page_json_key (json, "end");
  page_json_number (json, axis_end (r));
  page_json_key (json, "tick_ns");
  page_json_number (json, r->ghc != NULL ? r->ghc->time_profile.interval : 0);
  put_page_lanes (json, t);
  const guint series = put_series (json, t);
  put_events (json, t, &names);
  put_mark_intervals (json, t, &names);
  put_runs (json, t, &names);
  put_sparks (json, t);
  put_left_out (json, t);
  page_json_key (json, "heaps");
  page_heap_put (json, r);
  put_utilisation (json, r);
  page_json_key (json, "flames");
  g_string_append (json, r->view->flames != NULL ? r->view->flames : "[]");
  const guint rows = page_tables_put (json, &names);
  put_notes (json, t, series, rows);
  page_names_put (json, &names);
  g_string_append_c (json, '}');
  id_map_clear (&names.numbers);
  g_array_unref (names.used);
  return json;
}

/* Puts the place of the timeline and its data into the page; of a report without a timeline
 * nothing. */
static void
timeline_page_put (const struct report *r)
{
  if (r->view->timeline == NULL)
    return;
  g_autofree char *id = g_strdup_printf ("timeline-%u", emitter_html_report_number (r->e));
  g_autofree char *place = g_strdup_printf ("over-time-%u", emitter_html_report_number (r->e));
  g_autofree char *html
      = g_strdup_printf ("<section class=\"timeline\" data-timeline=\"%s\" hidden>"
                         "<h2 id=\"%s\">Timeline</h2></section>\n",
                         id, place);
  GString *json = page_data (r);
  for (const struct embedded_file *file = timeline_files; file->name != NULL; file++)
    emitter_html_add_file (r->e, file);
  emitter_html_block (r->e, html);
  emitter_html_link (r->e, place, "Timeline");
  emitter_html_add_data (r->e, id, json->str);
  g_string_free (json, TRUE);
}

/* ---- the section ---- */

static const struct emitter_column lane_columns[] = {
  { "name", "Thread", EMIT_TEXT },   { "run_ns", NULL, EMIT_NS },
  { "lock_wait_ns", NULL, EMIT_NS }, { "gc_ns", NULL, EMIT_NS },
  { "events", NULL, EMIT_NUMBER },   { NULL, "Over time", EMIT_TEXT },
};
const struct table_shape timeline_lanes_shape
    = { .key = "lanes", TABLE_SHAPE_COLUMNS (lane_columns), .whole = true, .name = "name" };

static const struct emitter_column interval_columns[] = {
  { "time_ns", NULL, EMIT_TIME },    { "run_ns", NULL, EMIT_NS },
  { "lock_wait_ns", NULL, EMIT_NS }, { "gc_ns", NULL, EMIT_NS },
  { "events", NULL, EMIT_NUMBER },   { "name", NULL, EMIT_TEXT },
};
const struct table_shape timeline_intervals_shape
    = { .key = "intervals", TABLE_SHAPE_COLUMNS (interval_columns), .aside = true, .name = "name" };

int64_t
timeline_section_time (const struct timeline *t, guint bin)
{
  return (int64_t) (t->begin + bin * t->width);
}

uint64_t
timeline_section_rate (const struct timeline *t, uint64_t sum)
{
  return whole_number ((double) sum * 1e9 / (double) t->width + 0.5);
}

double
timeline_section_average (const struct timeline *t, uint64_t ns)
{
  return round ((double) ns * 1000 / (double) t->width) / 1000;
}

/* The letter of the longest state of the interval; without times, whether there were events. */
static char
state_letter (const struct timeline *t, const struct timeline_lane *lane, guint bin)
{
  const uint64_t run = timeline_lane_ns (lane, TIMELINE_RUN, bin),
                 lock = timeline_lane_ns (lane, TIMELINE_WAIT, bin),
                 gc = timeline_lane_ns (lane, TIMELINE_PAUSE, bin);
  if (gc != 0 && gc >= run && gc >= lock)
    return gc >= t->width / 2 ? 'G' : 'g';
  if (lock != 0 && lock >= run)
    return lock >= t->width / 2 ? 'L' : 'l';
  if (run != 0)
    return run >= t->width / 4 * 3 ? '#' : run >= t->width / 4 ? '+' : '-';
  return timeline_lane_events (lane, bin) != 0 ? '.' : ' ';
}

static void
put_lanes (const struct report *r, const struct timeline *t)
{
  struct table *table = section_table (r, &timeline_lanes_shape);
  GString *chart = g_string_new (NULL);
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    uint64_t sums[TIMELINE_STATES] = { 0 }, events = 0;
    g_string_truncate (chart, 0);
    for (guint bin = 0; bin < t->bins; bin++) {
      g_string_append_c (chart, state_letter (t, lane, bin));
      events += timeline_lane_events (lane, bin);
      for (guint state = 0; state < TIMELINE_STATES; state++)
        sums[state] += timeline_lane_ns (lane, state, bin);
    }
    g_strchomp (chart->str);
    SECTION_ROW (table, { .text = lane->name }, { .number = sums[TIMELINE_RUN] },
                 { .number = sums[TIMELINE_WAIT] }, { .number = sums[TIMELINE_PAUSE] },
                 { .number = events }, { .text = chart->str });
  }
  g_string_free (chart, TRUE);
  table_write (table, r->e);
}

/* For programs: all but empty intervals. */
static void
put_intervals (const struct report *r, const struct timeline *t)
{
  if (!section_is_machine_readable (r))
    return;
  struct table *table = section_table (r, &timeline_intervals_shape);
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    for (guint bin = 0; bin < t->bins; bin++)
      if (state_letter (t, lane, bin) != ' ')
        SECTION_ROW (table, { .change = timeline_section_time (t, bin) },
                     { .number = timeline_lane_ns (lane, TIMELINE_RUN, bin) },
                     { .number = timeline_lane_ns (lane, TIMELINE_WAIT, bin) },
                     { .number = timeline_lane_ns (lane, TIMELINE_PAUSE, bin) },
                     { .number = timeline_lane_events (lane, bin) }, { .text = lane->name });
  }
  table_write (table, r->e);
}

/* Notes that there is no timeline, if so: a pipe is not read a second time. */
static bool
is_absent (const struct report *r, const char *title)
{
  if (r->view->timeline == NULL)
    section_absent (r, title);
  return r->view->timeline == NULL;
}

void
timeline_section_put_series (const struct report *r,
                             void (*put_rows) (const struct report *, const struct timeline *))
{
  static const char title[] = "Over time";
  const struct timeline *t = r->view->timeline;
  if (is_absent (r, title))
    return;
  emitter_open (r->e, "series", title);
  result_number (r->e, SERIES_INTERVAL_NS, t->width);
  put_rows (r, t);
  emitter_close (r->e);
}

void
timeline_section_put (const struct report *r)
{
  static const char title[] = "Timeline";
  const struct timeline *t = r->view->timeline;
  if (is_absent (r, title))
    return;
  if (emitter_get_format (r->e) == EMITTER_HTML) {
    timeline_page_put (r);
    return;
  }
  emitter_open (r->e, "timeline", title);
  result_put (r->e, TIMELINE_BEGIN_NS, true,
              (union emitter_value){ .change = timeline_section_time (t, 0) });
  result_number (r->e, TIMELINE_INTERVAL_NS, t->width);
  result_number (r->e, TIMELINE_INTERVALS_COUNT, t->bins);
  emitter_note (r->e, "# runs, + - runs for a part, G g collects garbage, L l waits, "
                      ". has events");
  put_lanes (r, t);
  put_intervals (r, t);
  emitter_close (r->e);
}
