/* span-places.c -- intervals of each thread, in order and apart from each other. */
#include "config.h"

#include "decoder/mlpd/index/span-places.h"

struct place {
  uint64_t from, to;
};

struct span_places {
  GHashTable *threads; /* uint64_t -> GArray of struct place */
};

struct span_places *
span_places_new (void)
{
  struct span_places *p = g_new (struct span_places, 1);
  p->threads
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  return p;
}

void
span_places_free (struct span_places *p)
{
  g_hash_table_unref (p->threads);
  g_free (p);
}

void
span_places_add (struct span_places *p, uint64_t thread, uint64_t from, uint64_t to)
{
  const struct place place = { from, to };
  GArray *places = g_hash_table_lookup (p->threads, &thread);
  if (places == NULL) {
    places = g_array_new (FALSE, FALSE, sizeof place);
    g_hash_table_insert (p->threads, g_memdup2 (&thread, sizeof thread), places);
  }
  g_array_append_val (places, place);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const struct place *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Those that overlap become one. */
static void
sort (GArray *places)
{
  guint n = 0;
  g_array_sort (places, compare);
  for (guint i = 0; i < places->len; i++) {
    const struct place place = g_array_index (places, struct place, i);
    struct place *last = n != 0 ? &g_array_index (places, struct place, n - 1) : NULL;
    if (last != NULL && place.from <= last->to)
      last->to = MAX (last->to, place.to);
    else
      g_array_index (places, struct place, n++) = place;
  }
  g_array_set_size (places, n);
}

void
span_places_sort (struct span_places *p)
{
  GHashTableIter i;
  gpointer places;
  g_hash_table_iter_init (&i, p->threads);
  while (g_hash_table_iter_next (&i, NULL, &places))
    sort (places);
}

bool
span_places_has (const struct span_places *p, uint64_t thread, uint64_t time)
{
  const GArray *places = g_hash_table_lookup (p->threads, &thread);
  guint low = 0, high = places != NULL ? places->len : 0;
  while (low < high) { /* the first one that begins later */
    const guint middle = low + (high - low) / 2;
    if (g_array_index (places, struct place, middle).from <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low != 0 && time <= g_array_index (places, struct place, low - 1).to;
}
