/* trace-deaths.c -- follows objects of a trace, and counts those that die by kind and collection.
 */
#include "config.h"

#include "decoder/trace/trace-deaths.h"

static void
add_deaths (struct trace_deaths *d, guint kind, struct recent_deaths deaths)
{
  const guint number = id_map_number (&d->numbers, (uint64_t) deaths.collection << 32 | kind);
  if (number == d->counts->len) {
    const struct trace_death death = { .collection = deaths.collection, .kind = kind };
    g_array_append_val (d->counts, death);
  }
  g_array_index (d->counts, struct trace_death, number).objects += deaths.objects;
}

/* The type of a row is the kind that the format has. */
static void
count_death (void *data, guint row, guint collection)
{
  struct trace_deaths *d = data;
  const guint kind = g_array_index (d->survival.rows, struct survival_row, row).type;
  if (kind >= d->recent->len)
    g_array_set_size (d->recent, kind + 1);
  struct recent_deaths *recent = &g_array_index (d->recent, struct recent_deaths, kind);
  if (recent->collection != collection && recent->objects != 0) {
    add_deaths (d, kind, *recent);
    recent->objects = 0;
  }
  recent->collection = collection;
  recent->objects++;
}

void
trace_deaths_init (struct trace_deaths *d, struct trace *trace, bool is_sampled)
{
  d->trace = trace;
  d->counts = g_array_new (FALSE, FALSE, sizeof (struct trace_death));
  d->recent = g_array_new (FALSE, TRUE, sizeof (struct recent_deaths));
  id_map_init (&d->numbers);
  survival_init (&d->survival);
  d->survival.is_sampled = is_sampled;
  d->survival.died = count_death;
  d->survival.died_data = d;
}

void
trace_deaths_clear (struct trace_deaths *d)
{
  survival_clear (&d->survival);
  g_array_unref (d->counts);
  g_array_unref (d->recent);
  id_map_clear (&d->numbers);
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

bool
trace_deaths_finish (struct trace_deaths *d)
{
  if (d->survival.collections != 0 && d->survival.moves == 0)
    return d->survival.rows->len == 0;
  survival_finish (&d->survival, NULL);
  for (guint kind = 0; kind < d->recent->len; kind++) {
    const struct recent_deaths *recent = &g_array_index (d->recent, struct recent_deaths, kind);
    if (recent->objects != 0)
      add_deaths (d, kind, *recent);
  }
  for (guint i = 0; i < d->counts->len; i++)
    d->trace->format->death (d->trace, &g_array_index (d->counts, struct trace_death, i));
  return true;
}
