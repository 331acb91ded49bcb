/* gc.c -- pairs the phases of collections, and puts pauses in order. */
#include "config.h"

#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/analysis.h"

static void
collection_ends (struct gc_generation *g, uint64_t ns)
{
  g->total_ns += ns;
  g->max_ns = MAX (g->max_ns, ns);
}

static void
add_phase (struct gc_phase_sum *sum, uint64_t ns)
{
  sum->count++;
  sum->total_ns += ns;
  sum->max_ns = MAX (sum->max_ns, ns);
}

struct gc_stop {
  uint64_t start, end;
  guint generation;
};

struct gc_size {
  uint64_t time, bytes;
};

static void
pause_ends (struct gc *gc, const struct thread *t, const struct mlpd_gc_event *event)
{
  const struct gc_stop stop = { .start = t->stop_start,
                                .end = MAX (event->time, t->stop_start),
                                .generation = (guint) event->generation };
  durations_add (&gc->generations[event->generation].pauses, stop.end - stop.start);
  if (gc->stops != NULL)
    g_array_append_val (gc->stops, stop);
  if (!t->has_stopped || !t->restarts)
    return;
  add_phase (&gc->phases[GC_PHASE_STOP], span_ns (t->stop_start, t->stopped_at));
  add_phase (&gc->phases[GC_PHASE_COLLECT], span_ns (t->stopped_at, t->restart_at));
  add_phase (&gc->phases[GC_PHASE_RESTART], span_ns (t->restart_at, event->time));
}

void
gc_event (struct gc *gc, struct thread *t, const struct mlpd_gc_event *event)
{
  gc->events++;
  if (event->generation >= GC_GENERATIONS) {
    gc->ignored++;
    return;
  }
  struct gc_generation *g = &gc->generations[event->generation];
  switch (event->event) {
  case MLPD_GC_EVENT_START:
    g->collections++;
    t->collecting[event->generation] = true;
    t->collection_start[event->generation] = event->time;
    break;
  case MLPD_GC_EVENT_END:
    if (t->collecting[event->generation])
      collection_ends (g, span_ns (t->collection_start[event->generation], event->time));
    t->collecting[event->generation] = false;
    break;
  case MLPD_GC_EVENT_PRE_STOP_WORLD:
    t->stopping = true;
    t->has_stopped = t->restarts = false;
    t->stop_start = event->time;
    break;
  case MLPD_GC_EVENT_POST_STOP_WORLD:
    t->has_stopped = true;
    t->stopped_at = event->time;
    break;
  case MLPD_GC_EVENT_PRE_START_WORLD:
    t->restarts = true;
    t->restart_at = event->time;
    break;
  case MLPD_GC_EVENT_POST_START_WORLD:
    if (t->stopping)
      pause_ends (gc, t, event);
    t->stopping = false;
    break;
  default:
    break;
  }
}

/* The size of the heap, which a resize or a re-announcement states. */
static void
note_size (struct gc *gc, const struct mlpd_gc_resize *event)
{
  gc->max_heap_bytes = MAX (gc->max_heap_bytes, event->size);
  if (gc->sizes != NULL)
    g_array_append_val (gc->sizes, ((struct gc_size){ .time = event->time, .bytes = event->size }));
}

static void
gc_resize (struct gc *gc, const struct mlpd_gc_resize *event)
{
  gc->resizes++;
  note_size (gc, event);
}

/* ---- in order ---- */

static int
compare_stops (const void *a, const void *b)
{
  const struct gc_stop *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

static int
compare_sizes (const void *a, const void *b)
{
  const struct gc_size *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

/* Goes on to the last size up to a time. */
static void
find_size (const GArray *sizes, guint *next, uint64_t time, uint64_t *bytes)
{
  for (; *next < sizes->len; ++*next) {
    const struct gc_size *size = &g_array_index (sizes, struct gc_size, *next);
    if (size->time > time)
      break;
    *bytes = size->bytes;
  }
}

static void
add_heap_sizes (struct gc *gc)
{
  guint next = 0;
  uint64_t bytes = 0;
  for (guint i = 0; i < gc->stops->len; i++) {
    const struct gc_stop *stop = &g_array_index (gc->stops, struct gc_stop, i);
    find_size (gc->sizes, &next, stop->start, &bytes);
    const uint64_t before = bytes;
    find_size (gc->sizes, &next, stop->end, &bytes);
    if (before != 0)
      heap_sizes_add (&gc->generations[stop->generation].heap, before, bytes);
  }
}

/* After the last event: utilisation, and the heap before and after pauses. */
static void
gc_finish (struct gc *gc)
{
  if (gc->stops == NULL)
    return;
  g_array_sort (gc->stops, compare_stops);
  g_array_sort (gc->sizes, compare_sizes);
  add_heap_sizes (gc);
  for (guint i = 0; i < gc->stops->len; i++) {
    const struct gc_stop *stop = &g_array_index (gc->stops, struct gc_stop, i);
    utilisation_add (&gc->utilisation, stop->start, stop->end);
  }
  g_clear_pointer (&gc->stops, g_array_unref);
  g_clear_pointer (&gc->sizes, g_array_unref);
}

void
gc_init (struct gc *gc, bool is_bounded)
{
  *gc = (struct gc){ .events = 0 };
  utilisation_init (&gc->utilisation);
  if (is_bounded)
    return;
  gc->stops = g_array_new (FALSE, FALSE, sizeof (struct gc_stop));
  gc->sizes = g_array_new (FALSE, FALSE, sizeof (struct gc_size));
}

void
gc_clear (struct gc *gc)
{
  for (guint i = 0; i < GC_GENERATIONS; i++)
    durations_clear (&gc->generations[i].pauses);
  utilisation_clear (&gc->utilisation);
  g_clear_pointer (&gc->stops, g_array_unref);
  g_clear_pointer (&gc->sizes, g_array_unref);
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  gc_init (state, options->bounded);
}

static void
clear (void *state)
{
  gc_clear (state);
}

static void
finish (void *state, const struct analysis_model *m)
{
  (void) m;
  gc_finish (state);
}

static void
handle_event (void *state, const struct analysis_event *e)
{
  gc_event (state, e->thread, &e->payload->gc_event);
}

static void
handle_resize (void *state, const struct analysis_event *e)
{
  gc_resize (state, &e->payload->gc_resize);
}

static void
handle_size (void *state, const struct analysis_event *e)
{
  note_size (state, &e->payload->gc_resize);
}

static void
merge (void *state, const struct analysis_scan *scan)
{
  struct gc *gc = state;
  gc->moves += scan->scan->moves;
}

static const struct analysis_handlers handlers[] = {
  { MLPD_GC_EVENT, handle_event, NULL },
  { MLPD_GC_RESIZE, handle_resize, handle_size },
};

const struct analysis gc_analysis = { .state_bytes = sizeof (struct gc),
                                      .is_bounded = true,
                                      .init = init,
                                      .clear = clear,
                                      .merge = merge,
                                      .finish = finish,
                                      ANALYSIS_HANDLERS (handlers) };
