/* ranking.c -- sorts indices by keys. */
#include "decoder/views/ranking.h"
#include "config.h"

void
ranking_init (struct ranking *r)
{
  *r = (struct ranking){ .ranks = g_array_new (FALSE, FALSE, sizeof (struct rank)) };
}

void
ranking_clear (struct ranking *r)
{
  g_array_free (r->ranks, TRUE);
}

void
ranking_add (struct ranking *r, guint index, uint64_t key, uint64_t second_key)
{
  struct rank rank = { index, key, second_key };
  g_array_append_val (r->ranks, rank);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const struct rank *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? 1 : -1;
  if (x->second_key != y->second_key)
    return x->second_key < y->second_key ? 1 : -1;
  return x->index < y->index ? -1 : x->index > y->index;
}

void
ranking_sort (struct ranking *r, guint limit)
{
  g_array_sort (r->ranks, compare);
  r->shown = limit == 0 ? r->ranks->len : MIN (r->ranks->len, limit);
}

guint
ranking_at (const struct ranking *r, guint place)
{
  return g_array_index (r->ranks, struct rank, place).index;
}

guint
ranking_more (const struct ranking *r)
{
  return r->ranks->len - r->shown;
}
