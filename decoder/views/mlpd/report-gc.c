/* report-gc.c -- collections and pauses by generation, the size of the heap, handles. */
#include "config.h"

#include "decoder/views/mlpd/report-gc-objects.h"
#include "decoder/views/mlpd/report.h"

static const struct emitter_column generation_columns[] = {
  { "generation", "Generation", EMIT_NUMBER }, { "collections", "Collections", EMIT_NUMBER },
  { "total_ns", "Total ms", EMIT_NS },         { "max_ns", "Max ms", EMIT_NS },
  { "pauses", "Pauses", EMIT_NUMBER },         { "pause_total_ns", "Pause total ms", EMIT_NS },
  { "pause_max_ns", "Pause max ms", EMIT_NS },
};
static const struct table_shape generations
    = { .key = "generations", TABLE_SHAPE_COLUMNS (generation_columns), .whole = true };

static void
put_generations (const struct report *r)
{
  struct table *t = section_table (r, &generations);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct gc_generation *g = &r->s->gc.generations[i];
    if (g->collections == 0 && g->pauses == 0)
      continue;
    SECTION_ROW (t, { .number = i }, { .number = g->collections }, { .number = g->total_ns },
                 { .number = g->max_ns }, { .number = g->pauses }, { .number = g->pause_total_ns },
                 { .number = g->pause_max_ns });
  }
  table_write (t, r->e);
}

static bool
has_any (const struct report *r)
{
  const struct gc *gc = &r->s->gc;
  const struct summary *s = r->s;
  uint64_t roots = 0;
  for (guint i = 0; i < ROOT_SOURCES; i++)
    roots += s->roots.sources[i].registered;
  return gc->events + gc->resizes + gc->moves + gc_count_handles (&s->handles)
             + s->finalizers.threads->len + roots
         != 0;
}

static void
put_gc (const struct report *r)
{
  const struct gc *gc = &r->s->gc;
  section_open (r, "gc", "GC", has_any (r));
  emitter_number (r->e, "resizes", "Heap resizes", gc->resizes);
  emitter_number (r->e, "max_heap_bytes", "Max heap bytes", gc->max_heap_bytes);
  emitter_number (r->e, "moves", "Object moves", gc->moves);
  emitter_number (r->e, "ignored_events", gc->ignored != 0 ? "Events of unknown generations" : NULL,
                  gc->ignored);
  put_generations (r);
  gc_put_handles (r);
  gc_put_finalizers (r);
  gc_put_roots (r);
  emitter_close (r->e);
}

const struct section section_gc
    = { .key = "gc",
        .put = put_gc,
        .tables
        = SECTION_TABLES (&generations, &gc_handles_shape, &gc_finalizers_shape, &gc_roots_shape) };
