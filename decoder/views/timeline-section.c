/* timeline-section.c -- the states of threads or capabilities over time, as a line of letters each.
 */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/views/timeline-page.h"
#include "decoder/views/timeline-section.h"
#include "decoder/core/whole-number.h"
#include <math.h>

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

/* What took most of the interval; without times, whether there was anything. */
static char
letter_of (const struct timeline *t, const struct timeline_lane *lane, guint bin)
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
      g_string_append_c (chart, letter_of (t, lane, bin));
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
  if (!report_is_machine_readable (r))
    return;
  struct table *table = section_table (r, &timeline_intervals_shape);
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    for (guint bin = 0; bin < t->bins; bin++)
      if (letter_of (t, lane, bin) != ' ')
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
  emitter_ns (r->e, "interval_ns", "Interval", t->width);
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
  emitter_value (r->e, "begin_ns", "Begins at", EMIT_TIME,
                 (union emitter_value){ .change = timeline_section_time (t, 0) });
  emitter_ns (r->e, "interval_ns", "Interval of a letter", t->width);
  emitter_number (r->e, "intervals_count", NULL, t->bins);
  emitter_note (r->e, "# runs, + - runs for a part, G g collects garbage, L l waits, "
                      ". has events");
  put_lanes (r, t);
  put_intervals (r, t);
  emitter_close (r->e);
}
