/* trace-timeline.c -- slices into the states of lanes and the cells of tables, and these into the
 * stacks of flame graphs.
 *
 * The time from one event of a thread to the next is the self time of the call that is open then.
 * It ends in the bin of the second event, so that a range of bins has the calls of a report of that
 * range of time: those that began in it, up to the last event of the thread in it.
 */
#include "config.h"

#include "decoder/trace/trace-timeline.h"
#include <string.h>

struct open_slice {
  guint name;
  uint32_t row; /* of intervals: the name in the timeline */
  uint64_t begin;
};

struct timeline_track {
  guint process;                  /* of several */
  struct timeline_lane *lane;     /* NULL: it has none */
  struct timeline_series *series; /* of a counter */
  GArray *open;                   /* of struct open_slice */
  guint intervals;                /* of a lane of these: its number there + 1 */
  uint32_t run_lane;              /* where threads run: its name + 1; 0: not known */
  uint64_t last;                  /* time of the latest event; of collections: of a wait's end */
  uint64_t sampled;               /* and of the latest sample, with its stack in both tables */
  uint32_t sample_row, wait_row;
  bool states_waits; /* its samples do: contention is a part of that */
};

static struct timeline_track *
track_of (const struct trace *t, const struct trace_track *track)
{
  const struct trace_timeline *e = t->data;
  return g_ptr_array_index (e->tracks, track->number - 1);
}

static struct timeline *
timeline_of (const struct trace *t)
{
  const struct trace_timeline *e = t->data;
  return e->timeline;
}

static void
ignore (struct trace *t)
{
  (void) t;
}

/* ---- tracks and names ---- */

static void
free_track (void *data)
{
  struct timeline_track *track = data;
  g_array_unref (track->open);
  g_free (track);
}

static const char *
process_name (const struct trace *t, const struct trace_track *track)
{
  const struct timeline *timeline = timeline_of (t);
  const guint process = track_of (t, track)->process;
  return g_ptr_array_index (timeline->names,
                            g_array_index (timeline->processes, uint32_t, process));
}

/* A name of a track, among several processes (transfer full). */
static char *
full_name (const struct trace *t, const struct trace_track *track, const char *name)
{
  const struct trace_timeline *e = t->data;
  return e->has_processes ? g_strdup_printf ("%s: %s", process_name (t, track), name)
                          : g_strdup (name);
}

static struct timeline_lane *
new_lane (struct trace *t, const struct trace_track *track)
{
  g_autofree char *name = full_name (t, track, track->name);
  struct timeline_lane *lane = timeline_add_lane (timeline_of (t), name);
  lane->process = track_of (t, track)->process;
  return lane;
}

static struct timeline_lane *
find_lane (const struct trace *t, const struct trace_track *track)
{
  const struct trace_timeline *e = t->data;
  const struct timeline_thread thread = { track->thread, track->earlier };
  return g_hash_table_lookup (e->lanes, &thread);
}

/* A thread has a lane from its first event on, so that its name is known. */
static struct timeline_lane *
lane_of (struct trace *t, const struct trace_track *track)
{
  if (track->kind != TRACE_THREAD)
    return NULL;
  struct timeline_track *own = track_of (t, track);
  if (own->lane == NULL)
    own->lane = find_lane (t, track);
  if (own->lane == NULL)
    own->lane = new_lane (t, track);
  return own->lane;
}

/* The same, at its first event. */
static struct timeline_lane *
lane_at (struct trace *t, const struct trace_track *track, uint64_t time)
{
  const bool is_new = track_of (t, track)->lane == NULL && find_lane (t, track) == NULL;
  struct timeline_lane *lane = lane_of (t, track);
  if (is_new)
    lane->first = ((const struct trace_timeline *) t->data)->zero + time;
  return lane;
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  struct trace_timeline *e = t->data;
  if (track->number <= e->tracks->len) { /* it has another name */
    struct timeline_lane *lane = track_of (t, track)->lane;
    if (lane != NULL) {
      g_free (lane->name);
      lane->name = full_name (t, track, track->name);
    }
    return;
  }
  struct timeline_track *own = g_new0 (struct timeline_track, 1);
  own->open = g_array_new (FALSE, FALSE, sizeof (struct open_slice));
  if (e->has_processes)
    own->process = track->kind == TRACE_PROCESS ? timeline_add_process (e->timeline, track->name)
                                                : track_of (t, track->parent)->process;
  g_ptr_array_add (e->tracks, own);
}

/* The row of a thread.  It may get its name later, so that here it is its number. */
static uint32_t
root_of_thread (struct trace *t, const struct trace_track *track, enum timeline_table_key table)
{
  char number[16];
  g_snprintf (number, sizeof number, "%u", track->number);
  lane_of (t, track);
  return timeline_row (timeline_of (t), table, TIMELINE_ROOT,
                       timeline_name (timeline_of (t), number));
}

/* The row that those of a track lie below: that of its process, if there are several. */
static uint32_t
root_row (struct trace *t, const struct trace_track *track, enum timeline_table_key table)
{
  const struct trace_timeline *e = t->data;
  struct timeline *timeline = e->timeline;
  if (e->has_threads)
    return root_of_thread (t, track, table);
  if (!e->has_processes)
    return TIMELINE_ROOT;
  return timeline_row (timeline, table, TIMELINE_ROOT,
                       g_array_index (timeline->processes, uint32_t, track_of (t, track)->process));
}

/* The row of a name; of several processes each has one row. */
static uint32_t
table_row (struct trace *t, const struct trace_track *track, enum timeline_table_key table,
           const char *name)
{
  const struct trace_timeline *e = t->data;
  return e->has_processes
             ? root_row (t, track, table)
             : timeline_row (e->timeline, table, TIMELINE_ROOT, timeline_name (e->timeline, name));
}

/* The name of the timeline that a slice, a frame or a type of the trace has. */
static uint32_t
name_of_slice (struct trace *t, guint name)
{
  struct trace_timeline *e = t->data;
  if (name >= e->names->len)
    g_array_set_size (e->names, name + 1);
  uint32_t *known = &g_array_index (e->names, uint32_t, name);
  if (*known == 0)
    *known = timeline_name (e->timeline, g_ptr_array_index (t->names, name)) + 1;
  return *known - 1;
}

/* The row of a slice; of several processes each has one row. */
static uint32_t
row_of_slice (struct trace *t, const struct trace_track *track, enum timeline_table_key table,
              guint name)
{
  const struct trace_timeline *e = t->data;
  return e->has_processes
             ? root_row (t, track, table)
             : timeline_row (e->timeline, table, TIMELINE_ROOT, name_of_slice (t, name));
}

/* ---- calls ---- */

/* The time since the latest event is of the call that is open. */
static void
spend_call (struct trace *t, struct timeline_track *own, uint64_t time)
{
  if (own->open->len != 0 && time > own->last) {
    const struct open_slice *top
        = &g_array_index (own->open, struct open_slice, own->open->len - 1);
    timeline_add (timeline_of (t), TIMELINE_CALLS, top->row, top->begin, time, 0, time - own->last);
  }
  own->last = MAX (own->last, time);
}

static void
put_activity (struct trace *t, const struct trace_track *track, uint64_t time)
{
  timeline_lane_event (timeline_of (t), lane_of (t, track), time);
  spend_call (t, track_of (t, track), time);
}

static void
begin_call (struct trace *t, const struct trace_track *track, struct open_slice *slice)
{
  struct timeline_track *own = track_of (t, track);
  const uint32_t parent = own->open->len != 0
                              ? g_array_index (own->open, struct open_slice, own->open->len - 1).row
                              : root_row (t, track, TIMELINE_CALLS);
  spend_call (t, own, slice->begin);
  slice->row
      = timeline_row (timeline_of (t), TIMELINE_CALLS, parent, name_of_slice (t, slice->name));
  timeline_add (timeline_of (t), TIMELINE_CALLS, slice->row, slice->begin, slice->begin, 1, 0);
}

/* ---- slices ---- */

/* A lane of a thread has the name of that, too. */
static void
begin_intervals (struct trace *t, const struct trace_track *track)
{
  struct timeline_track *own = track_of (t, track);
  const bool is_of_thread = track->parent->kind == TRACE_THREAD;
  g_autofree char *name = g_strconcat (is_of_thread ? track->parent->name : "",
                                       is_of_thread ? ": " : "", track->name, NULL);
  g_autofree char *full = full_name (t, track, name);
  if (own->intervals == 0)
    own->intervals = timeline_add_interval_lane (timeline_of (t), full) + 1;
}

/* The slice that is open at this depth. */
static void
put_interval (struct timeline *timeline, const struct timeline_track *own, guint depth,
              uint64_t end, bool is_open)
{
  const struct open_slice *slice = &g_array_index (own->open, struct open_slice, depth);
  const struct timeline_interval interval = { .time = slice->begin,
                                              .ns = end - MIN (end, slice->begin),
                                              .name = slice->row,
                                              .lane = own->intervals - 1,
                                              .depth = depth,
                                              .is_open = is_open };
  timeline_add_interval (timeline, &interval);
}

/* A capability collects up to a time. */
static void
spend_collection (struct trace *t, const struct trace_track *track, uint64_t time)
{
  struct timeline_track *own = track_of (t, track);
  if (track->parent->kind == TRACE_THREAD && time > own->last)
    timeline_lane_spend (timeline_of (t), lane_of (t, track->parent), TIMELINE_PAUSE, own->last,
                         time);
  own->last = time;
}

/* A collection, or a wait in that of a capability. */
static void
begin_collection (struct trace *t, const struct trace_track *track, struct open_slice *slice)
{
  struct timeline_track *own = track_of (t, track);
  if (own->open->len != 0) {
    spend_collection (t, track, slice->begin);
    return;
  }
  own->last = slice->begin;
  slice->row = table_row (t, track, TIMELINE_COLLECTIONS, track->name);
  timeline_add (timeline_of (t), TIMELINE_COLLECTIONS, slice->row, slice->begin, slice->begin, 1,
                0);
}

static void
end_collection (struct trace *t, const struct trace_track *track, const struct open_slice *slice,
                uint64_t end)
{
  struct timeline_track *own = track_of (t, track);
  if (own->open->len > 1) {
    if (track->parent->kind == TRACE_THREAD)
      timeline_lane_spend (timeline_of (t), lane_of (t, track->parent), TIMELINE_WAIT, slice->begin,
                           end);
    own->last = end;
    return;
  }
  spend_collection (t, track, end);
  timeline_add (timeline_of (t), TIMELINE_COLLECTIONS, slice->row, slice->begin, end, 0,
                end - MIN (end, slice->begin));
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  struct timeline_track *own = track_of (t, track);
  struct open_slice slice = { .name = name, .begin = time };
  const char *const text = g_ptr_array_index (t->names, name);
  switch (track->role) {
  case TRACE_CALLS:
    begin_call (t, track, &slice);
    break;
  case TRACE_RUNS:
    slice.row = row_of_slice (t, track, TIMELINE_THREADS, name);
    timeline_add (timeline_of (t), TIMELINE_THREADS, slice.row, slice.begin, slice.begin, 1, 0);
    break;
  case TRACE_LOCKS:
    slice.row = table_row (t, track, TIMELINE_LOCKS,
                           g_str_has_prefix (text, "lock of ") ? text + strlen ("lock of ") : text);
    timeline_add (timeline_of (t), TIMELINE_LOCKS, slice.row, slice.begin, slice.begin, 1, 0);
    break;
  case TRACE_COLLECTIONS:
    begin_collection (t, track, &slice);
    break;
  case TRACE_INTERVALS:
    begin_intervals (t, track);
    slice.row = name_of_slice (t, name);
    break;
  default:
    break;
  }
  g_array_append_val (own->open, slice);
}

/* A Haskell thread that runs is cut at the bounds of bins, as reports of a range of time do. */
static void
spend_run (struct timeline *timeline, const struct open_slice *slice, uint64_t end)
{
  uint64_t next;
  for (uint64_t at = slice->begin; at < end; at = next) {
    next = timeline_bin_end (timeline, timeline_bin (timeline, at), end);
    timeline_add (timeline, TIMELINE_THREADS, slice->row, at, at, 0, next - at);
  }
}

/* The same whole, where it is seen by itself. */
static void
put_run (struct trace *t, const struct trace_track *track, const struct open_slice *slice,
         uint64_t end)
{
  const struct trace_timeline *e = t->data;
  struct timeline_track *own = track_of (t, track);
  if (e->has_processes)
    return;
  if (own->run_lane == 0)
    own->run_lane = timeline_name (e->timeline, track->name) + 1;
  const struct timeline_run run = { .time = slice->begin,
                                    .ns = end - MIN (end, slice->begin),
                                    .name = name_of_slice (t, slice->name),
                                    .lane = own->run_lane - 1 };
  timeline_add_run (e->timeline, &run);
}

/* Of damaged times the end may come before the begin: reports have no time of such a pause. */
static void
put_pause (struct trace *t, const struct trace_track *track, guint generation, uint64_t begin,
           uint64_t end)
{
  struct timeline *timeline = timeline_of (t);
  end = MAX (begin, end);
  const uint32_t row = table_row (t, track, TIMELINE_PAUSES, "pauses");
  timeline_add (timeline, TIMELINE_PAUSES, row, begin, end, 1, end - begin);
  timeline_add_pause (timeline, generation, begin, end);
}

static void
end_pause (struct trace *t, const struct trace_track *track, const struct open_slice *slice,
           uint64_t end)
{
  struct timeline_track *own = track_of (t, track);
  if (own->lane == NULL) {
    own->lane = new_lane (t, track);
    own->lane->is_of_process = true;
    own->lane->first = ((const struct trace_timeline *) t->data)->zero + end;
  }
  timeline_lane_spend (timeline_of (t), own->lane, TIMELINE_PAUSE, slice->begin, end);
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t end)
{
  struct timeline *timeline = timeline_of (t);
  struct timeline_track *own = track_of (t, track);
  const struct open_slice slice = g_array_index (own->open, struct open_slice, own->open->len - 1);
  switch (track->role) {
  case TRACE_CALLS:
    spend_call (t, own, end);
    break;
  case TRACE_RUNS:
    timeline_lane_spend (timeline, lane_of (t, track), TIMELINE_RUN, slice.begin, end);
    spend_run (timeline, &slice, end);
    put_run (t, track, &slice, end);
    break;
  case TRACE_LOCKS:
    if (!track_of (t, track->parent)->states_waits)
      timeline_lane_spend (timeline, lane_of (t, track->parent), TIMELINE_WAIT, slice.begin, end);
    timeline_add (timeline, TIMELINE_LOCKS, slice.row, slice.begin, end, 0, end - slice.begin);
    break;
  case TRACE_COLLECTIONS:
    end_collection (t, track, &slice, end);
    break;
  case TRACE_PAUSES:
    end_pause (t, track, &slice, end);
    break;
  case TRACE_INTERVALS:
    put_interval (timeline, own, own->open->len - 1, end, false);
    break;
  default:
    break;
  }
  g_array_set_size (own->open, own->open->len - 1);
}

/* ---- the rest ---- */

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  static const char thrown[] = "throw ";
  g_autofree char *name = full_name (t, track, text);
  if (track->role == TRACE_MARKS)
    timeline_add_mark (timeline_of (t), time, name);
  else if (track->role == TRACE_CALLS)
    timeline_add (timeline_of (t), TIMELINE_EXCEPTIONS,
                  table_row (t, track, TIMELINE_EXCEPTIONS,
                             g_str_has_prefix (text, thrown) ? text + strlen (thrown) : text),
                  time, time, 1, 0);
}

/* A new series of a track, which has this name there. */
static struct timeline_series *
new_series (struct trace *t, const struct trace_track *track, const char *name,
            enum timeline_quantity quantity, enum timeline_unit unit, bool is_level)
{
  g_autofree char *full = full_name (t, track, name);
  struct timeline_series *series = timeline_add_series (timeline_of (t), full, unit, is_level);
  series->process = track_of (t, track)->process;
  series->quantity = quantity;
  return series;
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  struct timeline_track *own = track_of (t, track);
  if (own->series == NULL) {
    own->series = new_series (t, track, track->name, track->quantity,
                              track->unit == TRACE_BYTES ? TIMELINE_BYTES
                              : track->unit == TRACE_NS  ? TIMELINE_NS
                                                         : TIMELINE_COUNT,
                              true);
    own->series->before = (double) track->before;
  }
  timeline_series_put (timeline_of (t), own->series,
                       value.is_real ? value.real : (double) value.whole, time);
}

static void
put_runnable (struct trace *t, const struct trace_track *process, uint64_t begin, uint64_t end)
{
  struct timeline_track *own = track_of (t, process);
  if (own->series == NULL)
    own->series
        = new_series (t, process, "Runnable threads", TIMELINE_RUNNABLE, TIMELINE_NS, false);
  timeline_series_spend (timeline_of (t), own->series, begin, end);
}

/* ---- stacks ---- */

static uint32_t
row_of_frames (struct trace *t, const struct trace_track *track, enum timeline_table_key table,
               const struct trace_stack *stack)
{
  uint32_t row = root_row (t, track, table);
  for (guint i = 0; i < stack->n; i++)
    row = timeline_row (timeline_of (t), table, row, name_of_slice (t, stack->frames[i]));
  return row;
}

/* Of several processes each has one row; the type is the innermost frame, or the only one. */
static void
put_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  const struct trace_timeline *e = t->data;
  const enum timeline_table_key table = TIMELINE_ALLOCATIONS;
  uint32_t row
      = e->has_threads ? row_of_frames (t, track, table, stack) : root_row (t, track, table);
  if (!e->has_processes)
    row = timeline_row (e->timeline, table, row, name_of_slice (t, type));
  timeline_add (e->timeline, table, row, time, time, objects.parts, objects.bytes);
}

/* ---- samples ---- */

static uint32_t
row_of_stack (struct trace *t, const struct trace_track *track, enum timeline_table_key table,
              const struct trace_stack *stack)
{
  const uint32_t row = row_of_frames (t, track, table, stack);
  const char *bare = table == TIMELINE_WAITS ? "[in native code]" : "[native code]";
  return stack->n != 0
             ? row
             : timeline_row (timeline_of (t), table, row, timeline_name (timeline_of (t), bare));
}

/* The thread ran, unless its time comes and it was for waiting. */
static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  struct timeline_track *own = track_of (t, track);
  timeline_lane_event (timeline_of (t), lane_at (t, track, time), time);
  own->sampled = time;
  own->sample_row = row_of_stack (t, track, TIMELINE_SAMPLES, stack);
  own->wait_row = row_of_stack (t, track, TIMELINE_WAITS, stack);
  timeline_add (timeline_of (t), TIMELINE_SAMPLES, own->sample_row, time, time, 1, 0);
}

static void
put_sample_time (struct trace *t, const struct trace_track *track, uint64_t cpu_ns,
                 uint64_t wait_ns, bool is_idle)
{
  struct timeline *timeline = timeline_of (t);
  struct timeline_track *own = track_of (t, track);
  const uint64_t time = own->sampled;
  timeline_add (timeline, TIMELINE_SAMPLES, own->sample_row, time, time,
                cpu_ns < wait_ns ? UINT64_MAX : 0, cpu_ns); /* one less, if it waited */
  if (wait_ns != 0 && !is_idle)
    timeline_add (timeline, TIMELINE_WAITS, own->wait_row, time, time, cpu_ns < wait_ns, wait_ns);
  const uint64_t ran = time - MIN (time, cpu_ns), waited = ran - MIN (ran, wait_ns);
  timeline_lane_spend (timeline, lane_of (t, track), TIMELINE_RUN, ran, time);
  if (!is_idle)
    timeline_lane_spend (timeline, lane_of (t, track), TIMELINE_WAIT, waited, ran);
  own->states_waits |= wait_ns != 0;
}

/* The functions of both formats. */
#define REST                                                                                       \
  .begin = ignore, .end = ignore, .track = put_track, .name = trace_copy_name, .slice = put_slice, \
  .slice_end = put_slice_end, .pause = put_pause, .instant = put_instant, .counter = put_counter,  \
  .sample = put_sample, .sample_time = put_sample_time
#define FORMAT REST, .activity = put_activity, .allocation = put_allocation

const struct trace_format trace_timeline_format = { FORMAT, .runnable = put_runnable };
const struct trace_format trace_timeline_stacks_format = { FORMAT, .needs_stacks = true };
const struct trace_format trace_timeline_rest_format = { REST, .no_calls = true };

/* ---- the stacks of a table ---- */

static const char *
name_of_row (const struct trace_timeline *e, const struct timeline_row *row)
{
  const char *name = g_ptr_array_index (e->timeline->names, row->name);
  if (row->parent != TIMELINE_ROOT)
    return name;
  const struct timeline_track *track
      = g_ptr_array_index (e->tracks, g_ascii_strtoull (name, NULL, 10) - 1);
  return track->lane->name;
}

void
trace_timeline_add_stacks (const struct trace_timeline *e, enum timeline_table_key key, bool counts,
                           struct export_stacks *stacks)
{
  struct timeline_table *table = &e->timeline->tables[key];
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  g_autofree uint32_t *nodes = g_new0 (uint32_t, table->rows->len);
  for (guint i = 1; i < table->rows->len; i++) {
    const struct timeline_row *row = &g_array_index (table->rows, struct timeline_row, i);
    nodes[i] = export_stacks_add (stacks, nodes[row->parent],
                                  export_stacks_frame (stacks, name_of_row (e, row)), 0);
  }
  timeline_cells_pack (&table->cells);
  timeline_cells_begin (&cells, &table->cells);
  while (timeline_cells_next (&cells, &cell)) {
    const struct export_node *node
        = &g_array_index (stacks->nodes, struct export_node, nodes[cell.row]);
    export_stacks_add (stacks, node->parent, node->frame, counts ? cell.count : cell.amount);
    export_stacks_count (stacks, nodes[cell.row], cell.count);
  }
}

/* ---- the timeline ---- */

static guint
hash_thread (gconstpointer data)
{
  const struct timeline_thread *thread = data;
  return g_int64_hash (&thread->id) ^ thread->earlier;
}

static gboolean
is_same_thread (gconstpointer a, gconstpointer b)
{
  const struct timeline_thread *x = a, *y = b;
  return x->id == y->id && x->earlier == y->earlier;
}

void
trace_timeline_set_lane (struct trace_timeline *e, struct timeline_thread thread,
                         struct timeline_lane *lane)
{
  g_hash_table_insert (e->lanes, g_memdup2 (&thread, sizeof thread), lane);
}

void
trace_timeline_init (struct trace_timeline *e, struct timeline *timeline, bool has_processes)
{
  *e = (struct trace_timeline){ .timeline = timeline,
                                .has_processes = has_processes,
                                .tracks = g_ptr_array_new_with_free_func (free_track),
                                .lanes
                                = g_hash_table_new_full (hash_thread, is_same_thread, g_free, NULL),
                                .names = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
}

/* Intervals that do not end. */
static void
put_open_intervals (const struct trace_timeline *e)
{
  for (guint i = 0; i < e->tracks->len; i++) {
    const struct timeline_track *own = g_ptr_array_index (e->tracks, i);
    for (guint depth = 0; own->intervals != 0 && depth < own->open->len; depth++)
      put_interval (e->timeline, own, depth, e->timeline->bins * e->timeline->width, true);
  }
}

void
trace_timeline_clear (struct trace_timeline *e)
{
  put_open_intervals (e);
  timeline_finish (e->timeline);
  g_ptr_array_unref (e->tracks);
  g_hash_table_unref (e->lanes);
  g_array_unref (e->names);
}
