/* mprof-gc.c -- collections, the heap, GC handles. */
#include "config.h"

#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/handles.h"
#include "decoder/views/mprof/mprof.h"

#define NS_PER_US 1000

/* The generations and the kinds of handles that have a line. */
#define GENERATIONS 3
static const char *const kinds[] = { "weak", "weaktrack", "normal" };

static void
put_generation (const struct mprof_report *r, guint i)
{
  const struct gc_generation *g = &SUMMARY_STATE (r->s, gc)->generations[i];
  if (g->collections == 0)
    return;
  g_string_append_printf (r->out,
                          "\tGen%u collections: %" G_GUINT64_FORMAT ", max time: %" G_GUINT64_FORMAT
                          "us, total time: %" G_GUINT64_FORMAT "us, average: %" G_GUINT64_FORMAT
                          "us\n",
                          i, g->collections, g->max_ns / NS_PER_US, g->total_ns / NS_PER_US,
                          g->total_ns / g->collections / NS_PER_US);
}

static void
put_handles (const struct mprof_report *r, guint kind)
{
  const struct handles *h = SUMMARY_STATE (r->s, handles);
  const struct handle_sum *sum = &h->kinds[kind];
  if (sum->max == 0)
    return;
  g_string_append_printf (r->out,
                          "\tGC handles %s: created: %" G_GUINT64_FORMAT
                          ", destroyed: %" G_GUINT64_FORMAT ", max: %" G_GUINT64_FORMAT "\n",
                          kinds[kind], sum->created, sum->destroyed, sum->max);
  mprof_append_traces (r, &h->created_at, kind, "created", TRACES_BY_COUNT);
  mprof_append_traces (r, &h->destroyed_at, kind, "destroyed", TRACES_BY_COUNT);
}

static void
put_gc (const struct mprof_report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  g_string_append (r->out, "\nGC summary\n");
  g_string_append_printf (r->out,
                          "\tGC resizes: %" G_GUINT64_FORMAT "\n\tMax heap size: %" G_GUINT64_FORMAT
                          "\n\tObject moves: %" G_GUINT64_FORMAT "\n",
                          gc->resizes, gc->max_heap_bytes, gc->moves);
  for (guint i = 0; i < GENERATIONS; i++)
    put_generation (r, i);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    put_handles (r, i);
}

const struct mprof_section mprof_section_gc = { .name = "gc", .is_usual = true, .put = put_gc };
