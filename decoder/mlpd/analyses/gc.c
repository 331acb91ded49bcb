/* gc.c -- pairs the phases of collections. */
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
pause_ends (struct gc_generation *g, uint64_t ns)
{
  g->pauses++;
  g->pause_total_ns += ns;
  g->pause_max_ns = MAX (g->pause_max_ns, ns);
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
    t->stop_start = event->time;
    break;
  case MLPD_GC_EVENT_POST_START_WORLD:
    if (t->stopping)
      pause_ends (g, span_ns (t->stop_start, event->time));
    t->stopping = false;
    break;
  default:
    break;
  }
}

void
gc_resize (struct gc *gc, const struct mlpd_gc_resize *event)
{
  gc->resizes++;
  gc->max_heap_bytes = MAX (gc->max_heap_bytes, event->size);
}

/* ---- as an analysis ---- */

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
merge (void *state, const struct analysis_scan *scan)
{
  struct gc *gc = state;
  gc->moves += scan->scan->moves;
}

static const struct analysis_handlers handlers[] = {
  { MLPD_GC_EVENT, handle_event, NULL },
  { MLPD_GC_RESIZE, handle_resize, NULL },
};

const struct analysis gc_analysis
    = { .is_bounded = true, .merge = merge, ANALYSIS_HANDLERS (handlers) };
