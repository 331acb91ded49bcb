/* joint-report.c -- processes, overlaps, and marks on one time axis. */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/views/joint-report.h"
#include "decoder/views/timeline-section.h"

static const struct emitter_column process_columns[] = {
  { "start_ns", "Start, ms", EMIT_TIME },      { "duration_ns", "Time, ms", EMIT_NS },
  { "pid", "Process", EMIT_NUMBER },           { "threads", "Threads", EMIT_NUMBER },
  { "collections", "GCs", EMIT_NUMBER },       { "pauses", NULL, EMIT_NUMBER },
  { "pause_total_ns", "Paused, ms", EMIT_NS }, { "pause_max_ns", "Max, ms", EMIT_NS },
  { "max_heap_bytes", "Heap", EMIT_NUMBER },   { "marks", "Marks", EMIT_NUMBER },
  { "clock_error_ns", NULL, EMIT_ANY },        { "log", "Log", EMIT_TEXT },
};
static const struct table_shape processes_shape = { .key = "processes",
                                                    .title = "Processes",
                                                    TABLE_SHAPE_COLUMNS (process_columns),
                                                    .whole = true,
                                                    .hides_zeros = true };

static const struct emitter_column pause_columns[] = {
  { "at_ns", "At, ms", EMIT_TIME },
  { "duration_ns", "Duration, ms", EMIT_NS },
  { "log", "Log", EMIT_TEXT },
};
static const struct table_shape pauses_shape = { .key = "pauses",
                                                 .title = "Pauses",
                                                 TABLE_SHAPE_COLUMNS (pause_columns),
                                                 .order = TABLE_KEYS ("duration_ns") };

static const struct emitter_column overlap_columns[] = {
  { "total_ns", "Total, ms", EMIT_NS }, { "count", "Count", EMIT_NUMBER },
  { "max_ns", "Max, ms", EMIT_NS },     { "paused", "Paused", EMIT_TEXT },
  { "kind", "Meanwhile", EMIT_TEXT },   { "other", "In", EMIT_TEXT },
};
static const struct table_shape overlaps_shape = { .key = "overlaps",
                                                   .title = "Pauses at the same time",
                                                   TABLE_SHAPE_COLUMNS (overlap_columns),
                                                   .order = TABLE_KEYS ("total_ns") };

static const struct emitter_column mark_columns[] = {
  { "at_ns", "At, ms", EMIT_TIME },
  { "log", "Log", EMIT_TEXT },
  { "text", "Text", EMIT_TEXT },
};
static const struct table_shape marks_shape = {
  .key = "marks", .title = "Marks and messages", TABLE_SHAPE_COLUMNS (mark_columns), .name = "text"
};

static const struct emitter_column interval_columns[] = {
  { "time_ns", "Time, ms", EMIT_TIME },
  { "run_ns", "Threads run, ms", EMIT_NS },
  { "lock_wait_ns", "Waits for locks, ms", EMIT_NS },
  { "gc_ns", "Collections, ms", EMIT_NS },
  { "allocated_bytes", "Allocated bytes", EMIT_NUMBER },
  { "heap_bytes", "Heap bytes", EMIT_NUMBER },
  { "log", "Log", EMIT_TEXT },
};
static const struct table_shape intervals_shape = {
  .key = "intervals", TABLE_SHAPE_COLUMNS (interval_columns), .whole = true, .hides_zeros = true
};

const struct table_shape *const joint_report_shapes[]
    = { &processes_shape, &pauses_shape, &overlaps_shape, &marks_shape, &intervals_shape, NULL };

static const struct joint_process *
process_at (const struct joint *joint, guint i)
{
  return g_ptr_array_index (joint->processes, i);
}

/* An error of a clock: null if it is negative. */
static const struct emitter_any *
error_cell (struct emitter_any *cell, int64_t ns)
{
  *cell = (struct emitter_any){ .type = EMIT_NS, .value.number = (uint64_t) ns };
  return ns >= 0 ? cell : NULL;
}

static void
put_processes (struct emitter *e, const struct joint *joint, const struct view *view)
{
  struct table *t = table_new (&processes_shape, view);
  struct emitter_any *errors = g_new (struct emitter_any, joint->processes->len);
  for (guint i = 0; i < joint->processes->len; i++) {
    const struct joint_process *p = process_at (joint, i);
    const bool any = p->first <= p->last;
    SECTION_ROW (t, { .change = any ? (int64_t) p->first : 0 },
                 { .number = any ? p->last - p->first : 0 }, { .number = p->pid },
                 { .number = p->threads }, { .number = p->collections },
                 { .number = p->pauses->len }, { .number = p->pause_ns },
                 { .number = p->pause_max_ns }, { .number = p->heap_max }, { .number = p->marks },
                 { .any = error_cell (&errors[i], p->clock_error_ns) }, { .text = p->name });
  }
  table_write (t, e);
  g_free (errors);
}

static void
put_pauses (struct emitter *e, const struct joint *joint, const struct view *view)
{
  struct table_shape shape = pauses_shape;
  if (view->sort == NULL && !view->reverse)
    shape.title = "Pauses, the longest first";
  struct table *t = table_new (&shape, view);
  for (guint i = 0; i < joint->processes->len; i++) {
    const struct joint_process *p = process_at (joint, i);
    for (guint k = 0; k < p->pauses->len; k++) {
      const struct joint_span *span = &g_array_index (p->pauses, struct joint_span, k);
      SECTION_ROW (t, { .change = (int64_t) span->begin }, { .number = span->end - span->begin },
                   { .text = p->name });
    }
  }
  table_write (t, e);
}

static void
put_overlaps (struct emitter *e, const struct joint *joint, const struct view *view)
{
  struct table *t = table_new (&overlaps_shape, view);
  GArray *overlaps = joint_overlaps (joint);
  for (guint i = 0; i < overlaps->len; i++) {
    const struct joint_overlap *o = &g_array_index (overlaps, struct joint_overlap, i);
    SECTION_ROW (t, { .number = o->total_ns }, { .number = o->count }, { .number = o->max_ns },
                 { .text = process_at (joint, o->paused)->name },
                 { .text = o->is_wait ? "waits for locks" : "pauses" },
                 { .text = process_at (joint, o->other)->name });
  }
  g_array_unref (overlaps);
  table_write (t, e);
}

static void
put_marks (struct emitter *e, const struct joint *joint, const struct view *view)
{
  struct table *t = table_new (&marks_shape, view);
  for (guint i = 0; i < joint->marks->len; i++) {
    const struct joint_mark *mark = &g_array_index (joint->marks, struct joint_mark, i);
    SECTION_ROW (t, { .change = (int64_t) mark->time },
                 { .text = process_at (joint, mark->process)->name }, { .text = mark->text });
  }
  table_write (t, e);
}

/* The sums and levels of a process by interval. */
struct process_series {
  uint64_t *counts, *waits, *bytes;
  double *heap, *grown, grown_before;
};

static void
process_series_init (struct process_series *s, const struct timeline *t, guint process)
{
  s->counts = g_new (uint64_t, t->bins);
  s->waits = g_new (uint64_t, t->bins);
  s->bytes = g_new (uint64_t, t->bins);
  s->heap = g_new (double, t->bins);
  s->grown = g_new (double, t->bins);
  timeline_sums (t, process, TIMELINE_LOCKS, s->counts, s->waits);
  timeline_sums (t, process, TIMELINE_ALLOCATIONS, s->counts, s->bytes);
  timeline_levels (t, process, TIMELINE_HEAP_SIZE, s->heap);
  timeline_levels (t, process, TIMELINE_ALLOCATED, s->grown);
  s->grown_before = timeline_level_before (t, process, TIMELINE_ALLOCATED);
}

static void
process_series_clear (struct process_series *s)
{
  g_free (s->counts);
  g_free (s->waits);
  g_free (s->bytes);
  g_free (s->heap);
  g_free (s->grown);
}

/* From the interval of the first event of each process to that of its last. */
static void
put_intervals (struct emitter *e, const struct joint *joint, const struct view *view)
{
  const struct timeline *const timeline = view->timeline;
  struct table *t = table_new (&intervals_shape, view);
  struct process_series *all = g_new (struct process_series, timeline->processes->len);
  for (guint i = 0; i < timeline->processes->len; i++)
    process_series_init (&all[i], timeline, i);
  for (guint bin = 0; bin < timeline->bins; bin++)
    for (guint i = 0; i < timeline->processes->len; i++) {
      const struct joint_process *p = process_at (joint, i);
      const struct process_series *s = &all[i];
      if (p->first <= p->last && bin >= timeline_bin (timeline, p->first)
          && bin <= timeline_bin (timeline, p->last))
        SECTION_ROW (t, { .change = timeline_section_time (timeline, bin) },
                     { .number = timeline_ns (timeline, i, TIMELINE_RUN, bin) },
                     { .number = s->waits[bin] },
                     { .number = timeline_ns (timeline, i, TIMELINE_PAUSE, bin) },
                     { .number = s->bytes[bin] + timeline_growth (s->grown, s->grown_before, bin) },
                     { .number = (uint64_t) s->heap[bin] }, { .text = p->name });
    }
  for (guint i = 0; i < timeline->processes->len; i++)
    process_series_clear (&all[i]);
  g_free (all);
  table_write (t, e);
}

static void
put_series (struct emitter *e, const struct joint *joint, const struct view *view)
{
  emitter_open (e, "series", "Over time");
  emitter_ns (e, "interval_ns", "Interval", view->timeline->width);
  put_intervals (e, joint, view);
  emitter_close (e);
}

/* How exact the order of events of different logs is. */
static void
put_clock_error (struct emitter *e, const struct joint *joint)
{
  struct emitter_any cell;
  const union emitter_value error = { .any = error_cell (&cell, joint_clock_error (joint)) };
  emitter_value (e, "clock_error_ns", error.any != NULL ? "Clock error" : NULL, EMIT_ANY, error);
  if (joint->begins_together)
    emitter_note (e, "All logs begin at the same time: times of day do not count (--align start).");
  for (guint i = 0; !joint->begins_together && i < joint->processes->len; i++) {
    const struct joint_process *p = process_at (joint, i);
    g_autofree char *note = g_strdup_printf (
        "%s states its start in whole ms, and not on the clock of its events: its first buffer is "
        "taken to begin then.",
        p->name);
    if (p->clock_error_ns < 0)
      emitter_note (e, note);
  }
}

/* Moments are times of day if the view wants that and the logs lie by theirs. */
static void
set_clock (struct emitter *e, const struct joint *joint, const struct view *view)
{
  const bool has_clock = view->has_clock && !joint->begins_together;
  emitter_set_clock (e, has_clock ? &joint->start_ns : NULL);
}

void
joint_report_write (struct emitter *e, const struct joint *joint, unsigned parts,
                    const struct view *view)
{
  GDateTime *start = g_date_time_new_from_unix_utc ((gint64) (joint->start_ns / 1000000000));
  char *text = start != NULL ? g_date_time_format (start, "%Y-%m-%d %H:%M:%S UTC") : NULL;
  set_clock (e, joint, view);
  emitter_begin (e, JOINT_REPORT_SCHEMA);
  emitter_open (e, "joint", "All logs");
  emitter_number (e, "start_ns", NULL, joint->start_ns);
  emitter_text (e, "start_text", "Time 0", text);
  put_clock_error (e, joint);
  if ((parts & JOINT_TIMELINE) != 0)
    timeline_section_put (&(const struct report){ .e = e, .view = view });
  if ((parts & JOINT_EVENTS) != 0) {
    put_processes (e, joint, view);
    put_pauses (e, joint, view);
    put_overlaps (e, joint, view);
    put_marks (e, joint, view);
  }
  if ((parts & JOINT_SERIES) != 0)
    put_series (e, joint, view);
  emitter_close (e);
  emitter_end (e);
  g_free (text);
  if (start != NULL)
    g_date_time_unref (start);
}
