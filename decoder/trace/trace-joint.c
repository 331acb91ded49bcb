/* trace-joint.c -- slices and instants into the spans and marks of processes. */
#include "config.h"

#include "decoder/trace/trace-joint.h"
#include <string.h>

struct joint_track {
  guint process;
  GArray *open; /* of uint64_t: begins of slices; NULL: none is noted */
};

static void
clear_track (void *data)
{
  const struct joint_track *track = data;
  if (track->open != NULL)
    g_array_unref (track->open);
}

static struct joint_track *
track_of (const struct trace *t, const struct trace_track *track)
{
  const struct trace_joint *e = t->data;
  return &g_array_index (e->tracks, struct joint_track, track->number - 1);
}

/* The process of a track, which has an event at this time. */
static struct joint_process *
touch (const struct trace *t, const struct trace_track *track, uint64_t time)
{
  const struct trace_joint *e = t->data;
  struct joint_process *p = g_ptr_array_index (e->joint->processes, track_of (t, track)->process);
  p->first = MIN (p->first, time);
  p->last = MAX (p->last, time);
  return p;
}

static void
begin (struct trace *t)
{
  (void) t;
}

static void
end (struct trace *t)
{
  const struct trace_joint *e = t->data;
  e->joint->start_ns = t->start_ns;
  for (guint i = 0; i < t->tracks->len; i++) {
    const struct trace_track *track = g_ptr_array_index (t->tracks, i);
    struct joint_process *p = g_ptr_array_index (e->joint->processes, track_of (t, track)->process);
    if (track->kind == TRACE_PROCESS)
      p->threads = track->threads;
  }
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  struct trace_joint *e = t->data;
  if (track->number <= e->tracks->len) /* it has another name */
    return;
  struct joint_track own = { .process = e->joint->processes->len };
  if (track->kind == TRACE_PROCESS)
    joint_add (e->joint, track->name, track->log_pid)->clock_error_ns = t->clock_error_ns;
  else
    own.process = track_of (t, track->parent)->process;
  g_array_append_val (e->tracks, own);
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  struct joint_track *own = track_of (t, track);
  (void) name;
  touch (t, track, time);
  if (own->open == NULL)
    own->open = g_array_new (FALSE, FALSE, sizeof time);
  g_array_append_val (own->open, time);
}

/* Each capability of an eventlog has collections of its own, in which it pauses. */
static bool
is_pause (const struct trace_track *track)
{
  return track->role == TRACE_PAUSES
         || (track->role == TRACE_COLLECTIONS && track->parent->kind == TRACE_THREAD);
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  struct joint_process *p = touch (t, track, time);
  GArray *open = track_of (t, track)->open;
  const struct joint_span span = { g_array_index (open, uint64_t, open->len - 1), time };
  g_array_set_size (open, open->len - 1);
  if (is_pause (track) && open->len == 0) /* capabilities wait within their collections */
    g_array_append_val (p->pauses, span);
  else if (track->role == TRACE_LOCKS)
    g_array_append_val (p->waits, span);
  if (track->role == TRACE_COLLECTIONS && track->parent->kind == TRACE_PROCESS)
    p->collections++;
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  const struct trace_joint *e = t->data;
  struct joint_process *p = touch (t, track, time);
  if (track->role != TRACE_MARKS)
    return;
  const struct joint_mark mark
      = { .process = track_of (t, track)->process, .time = time, .text = g_strdup (text) };
  p->marks++;
  g_array_append_val (e->joint->marks, mark);
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  struct joint_process *p = touch (t, track, time);
  if (track->quantity == TIMELINE_HEAP_SIZE && !value.is_real && value.whole > 0)
    p->heap_max = MAX (p->heap_max, (uint64_t) value.whole);
}

static void
put_activity (struct trace *t, const struct trace_track *track, uint64_t time)
{
  touch (t, track, time);
}

const struct trace_format trace_joint_format = {
  .has_paths = true,
  .no_calls = true,
  .begin = begin,
  .end = end,
  .track = put_track,
  .name = trace_copy_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .instant = put_instant,
  .counter = put_counter,
  .activity = put_activity,
};

void
trace_joint_init (struct trace_joint *e, struct joint *joint)
{
  *e = (struct trace_joint){ .joint = joint,
                             .tracks = g_array_new (FALSE, FALSE, sizeof (struct joint_track)) };
  g_array_set_clear_func (e->tracks, clear_track);
}

void
trace_joint_clear (struct trace_joint *e)
{
  g_array_unref (e->tracks);
}
