/* shot-leaks.c -- the peak first, then the last snapshot. */
#include "config.h"

#include "decoder/mlpd/query/leak-history.h"
#include "decoder/mlpd/query/shot-leaks.h"

/* The graphs of earlier snapshots that were retained are needed only where there are suspects. */
static void
inspect_earlier (struct shot_leaks *l, struct summary *s)
{
  GPtrArray *earlier = g_ptr_array_new_with_free_func ((GDestroyNotify) heap_graph_free);
  g_autoptr (GArray) indexes = heap_builder_earlier (&s->heap_builder, l->graph->index);
  for (guint i = 0; l->leaks.all->len != 0 && i < indexes->len; i++) {
    struct heap_graph *graph = heap_builder_build (&s->heap_builder, &s->symbols, &s->threads,
                                                   g_array_index (indexes, guint, i));
    if (graph != NULL)
      g_ptr_array_add (earlier, graph);
  }
  leak_history_apply (&l->leaks, l->graph, l->dominators, &l->growth, earlier);
  g_ptr_array_unref (earlier);
}

static bool
inspect (struct shot_leaks *l, struct summary *s, guint shot, const struct heapshot *skipped_shot)
{
  *l = (struct shot_leaks){
    .graph = heap_builder_build (&s->heap_builder, &s->symbols, &s->threads, shot),
    .skipped_shot = skipped_shot,
  };
  if (l->graph == NULL)
    return false;
  l->dominators = heap_dominators_new (l->graph);
  heap_growth_init (&l->growth, s, l->graph->index);
  heap_leaks_init (&l->leaks, l->graph, l->dominators, &l->growth, skipped_shot != NULL);
  return true;
}

/* Of the peak, what no root reaches was garbage already: has most of the rest gone since? */
static bool
has_lost_most (const struct shot_leaks *peak, const struct heapshot *last)
{
  return peak->dominators->n_reached / 2 > last->objects
         || peak->dominators->reached_bytes / 2 > last->bytes;
}

bool
shot_leaks_init (struct shot_leaks *l, struct summary *s, guint shot)
{
  const struct heapshot *last = NULL;
  const struct heapshot *peak = shot == 0 ? heap_leaks_pick_peak (s, &last) : NULL;
  if (peak != NULL && inspect (l, s, peak->index, last)) {
    if (l->leaks.all->len != 0 && has_lost_most (l, last)) {
      inspect_earlier (l, s);
      return true;
    }
    shot_leaks_clear (l);
  }
  if (!inspect (l, s, shot, NULL))
    return false;
  inspect_earlier (l, s);
  return true;
}

void
shot_leaks_clear (struct shot_leaks *l)
{
  heap_leaks_clear (&l->leaks);
  heap_growth_clear (&l->growth);
  heap_dominators_free (l->dominators);
  heap_graph_free (l->graph);
}
