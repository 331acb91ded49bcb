/* trace-deaths.c -- follows objects of a trace, and counts those that die by kind and collection.
 */
#include "config.h"

#include "decoder/cli/trace-deaths.h"

static guint
hash_death (gconstpointer key)
{
  const struct trace_death *d = key;
  return d->collection * 31 + d->kind;
}

static gboolean
is_same_death (gconstpointer a, gconstpointer b)
{
  const struct trace_death *x = a, *y = b;
  return x->collection == y->collection && x->kind == y->kind;
}

/* The type of a row is the kind that the format has. */
static void
count_death (void *data, guint row, guint collection)
{
  struct trace_deaths *d = data;
  const struct trace_death key
      = { .collection = collection,
          .kind = g_array_index (d->survival.rows, struct survival_row, row).type };
  struct trace_death *death = g_hash_table_lookup (d->counts, &key);
  if (death == NULL) {
    death = g_memdup2 (&key, sizeof key);
    g_hash_table_add (d->counts, death);
  }
  death->objects++;
}

void
trace_deaths_init (struct trace_deaths *d, struct trace *trace, bool is_sampled)
{
  d->trace = trace;
  d->counts = g_hash_table_new_full (hash_death, is_same_death, g_free, NULL);
  survival_init (&d->survival);
  d->survival.is_sampled = is_sampled;
  d->survival.died = count_death;
  d->survival.died_data = d;
}

void
trace_deaths_clear (struct trace_deaths *d)
{
  survival_clear (&d->survival);
  g_hash_table_unref (d->counts);
}

void
trace_deaths_allocate (struct trace_deaths *d, const struct mlpd_alloc *e, bool is_selected)
{
  const struct type_sum sum = { is_selected, is_selected ? e->size : 0 };
  const guint row = is_selected ? survival_row_of (&d->survival, d->trace->kind, 0) : 0;
  survival_allocate (&d->survival, e->object, e->size, row, sum);
}

void
trace_deaths_follow (struct trace_deaths *d, const struct mlpd_item *item, uint64_t trace_time)
{
  struct survival *s = &d->survival;
  const guint before = s->collections;
  switch (item->kind) {
  case MLPD_GC_MOVE:
    survival_move (s, item->payload->gc_move.objects);
    break;
  case MLPD_GC_EVENT:
    survival_collect (s, &item->payload->gc_event);
    if (s->collections != before)
      d->trace->format->collection (d->trace, s->collections, trace_time);
    break;
  case MLPD_HEAP_START:
    survival_begin_shot (s);
    break;
  case MLPD_HEAP_OBJECT:
    survival_find_in_shot (s, item->payload->heap_object.object);
    break;
  case MLPD_HEAP_END:
    survival_end_shot (s);
    break;
  default:
    break;
  }
}

void
trace_deaths_finish (struct trace_deaths *d)
{
  GHashTableIter iter;
  gpointer key;
  if (d->survival.collections != 0 && d->survival.moves == 0)
    return;
  survival_finish (&d->survival, NULL);
  g_hash_table_iter_init (&iter, d->counts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    d->trace->format->death (d->trace, key);
}
