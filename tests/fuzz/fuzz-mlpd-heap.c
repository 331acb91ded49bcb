/* fuzz-mlpd-heap.c -- any bytes as a Mono log: its heap snapshots as graphs, and results of
 * these. */
#include "config.h"

#include "decoder/heap/heap-groups.h"
#include "decoder/heap/heap-paths.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "tests/fuzz/fuzz-summary.h"
#include "tests/fuzz/fuzz.h"

/* Each object retains itself and those that it dominates, so no more than all objects have. */
static void
check_dominators (const struct heap_graph *g, const struct heap_dominators *d)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < g->n_objects; i++)
    bytes += g->bytes[i];
  if (d->n_reached > g->n_objects)
    g_error ("%u of %u objects are reached", d->n_reached, g->n_objects);
  for (uint32_t i = 0; i < g->n_objects; i++)
    if (d->dominators[i] != HEAP_UNREACHED && bytes < UINT64_C (1) << 40 && d->retained[i] > bytes)
      g_error ("object %u retains %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes", i,
               d->retained[i], bytes);
}

static void
inspect (const struct heap_graph *g)
{
  static const enum heap_by all_by[] = { HEAP_BY_CLASS, HEAP_BY_ASSEMBLY, HEAP_BY_SIZE };
  struct heap_dominators *d = heap_dominators_new (g);
  struct heap_paths paths;
  check_dominators (g, d);
  for (guint i = 0; i < G_N_ELEMENTS (all_by); i++) {
    struct heap_groups groups;
    heap_groups_init (&groups, g, d, all_by[i], i == 0 ? HEAP_UNREACHED_ONLY : HEAP_ALL);
    heap_groups_clear (&groups);
  }
  heap_paths_init (&paths, g);
  g_autofree uint8_t *selected = g_malloc0 (MAX (g->n_objects, 1));
  memset (selected, 1, g->n_objects);
  g_array_unref (heap_paths_merge (&paths, selected));
  heap_paths_clear (&paths);
  heap_dominators_free (d);
}

const unsigned fuzz_weight = 5;

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const struct shot_selection shots = { .all = true };
  const struct scan_options options = { .graphs = &shots };
  struct summary summary;
  summary_init (&summary, &options);
  fuzz_summarize (data, size, &summary);
  for (guint i = 1; i <= MIN (SUMMARY_STATE (&summary, heapshots)->begun, 4); i++) {
    struct heap_graph *graph = summary_build_heap (&summary, i);
    if (graph == NULL)
      continue;
    inspect (graph);
    heap_graph_free (graph);
  }
  summary_clear (&summary);
  return 0;
}
