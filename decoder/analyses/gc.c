/* gc.c -- pairs the phases of collections. */
#include "decoder/analyses/gc.h"
#include "config.h"

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
