/* ghc-order-plan.c -- slices of time, by how densely chunks fill it. */
#include "config.h"

#include "decoder/ghc/index/ghc-order-plan.h"

enum { WINDOW_BYTES = 768 << 10 };

static int
compare_first (const void *a, const void *b, void *data)
{
  const struct ghc_chunk *chunks = data;
  const uint64_t x = chunks[*(const guint *) a].first, y = chunks[*(const guint *) b].first;
  return x < y ? -1 : x > y;
}

static int
compare_places (const void *a, const void *b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;
  return x < y ? -1 : x > y;
}

void
ghc_order_plan_init (struct ghc_order_plan *p, const struct ghc_chunk *chunks, guint n_chunks,
                     const struct ghc_order_options *options)
{
  *p = (struct ghc_order_plan){ .chunks = chunks,
                                .n_chunks = n_chunks,
                                .from = options->from,
                                .to = options->to,
                                .bytes = options->window_bytes != 0 ? (double) options->window_bytes
                                                                    : WINDOW_BYTES };
  p->by_first = g_new (guint, n_chunks);
  for (guint i = 0; i < n_chunks; i++)
    p->by_first[i] = i;
  g_qsort_with_data (p->by_first, (gint) n_chunks, sizeof *p->by_first, compare_first,
                     (gpointer) chunks);
  p->active = g_array_new (FALSE, FALSE, sizeof (guint));
  p->at_end = p->from > p->to;
}

void
ghc_order_plan_clear (struct ghc_order_plan *p)
{
  g_free (p->by_first);
  g_array_unref (p->active);
}

static const struct ghc_chunk *
active_chunk (const struct ghc_order_plan *p, guint i)
{
  return &p->chunks[g_array_index (p->active, guint, i)];
}

/* Bytes in a nanosecond at a time, if the events of each chunk were spread evenly; and until when
 * that is so. */
static double
density_at (const struct ghc_order_plan *p, uint64_t time, uint64_t *until)
{
  double density = 0;
  *until = p->to;
  for (guint i = 0; i < p->active->len; i++) {
    const struct ghc_chunk *chunk = active_chunk (p, i);
    if (chunk->last < time)
      continue;
    density += chunk->size / ((double) (chunk->last - chunk->first) + 1);
    *until = MIN (*until, chunk->last);
  }
  if (p->next < p->n_chunks && p->chunks[p->by_first[p->next]].first > time)
    *until = MIN (*until, p->chunks[p->by_first[p->next]].first - 1);
  return density;
}

/* Takes the chunks that begin up to this time. */
static void
activate (struct ghc_order_plan *p, uint64_t time)
{
  while (p->next < p->n_chunks && p->chunks[p->by_first[p->next]].first <= time) {
    const guint place = p->by_first[p->next++];
    if (p->chunks[place].last >= p->from)
      g_array_append_val (p->active, place);
  }
}

/* Forgets those that end before `from`. */
static void
deactivate (struct ghc_order_plan *p)
{
  guint kept = 0;
  for (guint i = 0; i < p->active->len; i++)
    if (active_chunk (p, i)->last >= p->from)
      g_array_index (p->active, guint, kept++) = g_array_index (p->active, guint, i);
  g_array_set_size (p->active, kept);
}

bool
ghc_order_plan_next (struct ghc_order_plan *p, struct ghc_order_slice *slice)
{
  double bytes = 0;
  uint64_t time = p->from, until = p->to;
  if (p->at_end)
    return false;
  for (;;) {
    activate (p, time);
    const double density = density_at (p, time, &until);
    const double most = (p->bytes - bytes) / MAX (density, 1e-30);
    if ((double) (until - time) + 1 >= most) {
      if (most < (double) (until - time))
        until = time + (uint64_t) most;
      break;
    }
    bytes += density * ((double) (until - time) + 1);
    if (until == p->to)
      break;
    time = until + 1;
  }
  slice->first = p->from;
  slice->last = until;
  g_array_set_size (slice->chunks, 0);
  g_array_append_vals (slice->chunks, p->active->data, p->active->len);
  g_array_sort (slice->chunks, compare_places);
  p->at_end = until == p->to;
  p->from = until + 1;
  deactivate (p);
  return true;
}
