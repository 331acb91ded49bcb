/* report-summary.c -- the figures of a log of Mono in the layout that GHC programs print with +RTS
 * -s.
 *
 * Pauses are the time of the collector.  In other formats than text the sections of the report have
 * these figures.
 */
#include "config.h"

#include "decoder/mlpd/analyses/gc.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/stats.h"

static void
put_heap (const struct report *r)
{
  const struct allocations *a = &r->s->allocations;
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  if (a->objects != 0)
    stats_put_number (r, a->bytes,
                      a->samples != 0 ? "bytes allocated in the heap, estimated from a sample"
                                      : "bytes allocated in the heap");
  if (gc->moves != 0)
    stats_put_number (r, gc->moves, "objects moved during GC");
  if (gc->max_heap_bytes != 0)
    stats_put_memory (r, gc->max_heap_bytes);
}

/* The last generation that has collections, + 1. */
static guint
count_generations (const struct gc *gc)
{
  guint n = GC_GENERATIONS;
  while (n > 0 && gc->generations[n - 1].collections + gc->generations[n - 1].pauses.count == 0)
    n--;
  return n;
}

static void
put_generations (const struct report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  const guint n = count_generations (gc);
  if (n != 0)
    stats_put_generation_titles (r);
  for (guint i = 0; i < n; i++) {
    const struct gc_generation *g = &gc->generations[i];
    g_autofree char *pauses = stats_pauses (g->pauses.total_ns, g->pauses.count, g->pauses.max_ns);
    stats_line (r, "  Gen %2u     %5" G_GUINT64_FORMAT " colls                       %s", i,
                g->collections, pauses);
  }
}

static void
put_times (const struct report *r)
{
  const struct summary *s = r->s;
  const struct gc *gc = SUMMARY_STATE (s, gc);
  const uint64_t total = log_selected_ns (&s->log);
  uint64_t paused = 0;
  for (guint i = 0; i < GC_GENERATIONS; i++)
    paused += gc->generations[i].pauses.total_ns;
  const uint64_t mutator = total - MIN (total, paused);
  if (total == 0)
    return;
  stats_line (r, "%s", "");
  if (gc->events != 0) {
    stats_put_time (r, "MUT", mutator, NULL);
    stats_put_time (r, "GC", paused, NULL);
  }
  stats_put_time (r, "Total", total, NULL);
  if (gc->events == 0 || mutator == 0)
    return;
  if (s->allocations.objects != 0)
    stats_put_rate (r, s->allocations.bytes, mutator);
  stats_put_productivity (r, mutator, total);
}

static void
put_summary (const struct report *r)
{
  if (emitter_get_format (r->e) != EMITTER_TEXT)
    return;
  g_autofree char *name = emitter_printable (r->log_name);
  stats_line (r, "%s (process %" G_GUINT64_FORMAT ")", name, (uint64_t) r->s->log.header.pid);
  put_heap (r);
  put_generations (r);
  put_times (r);
}

const struct section section_summary = { .key = "summary", .put = put_summary, .is_text = true };
