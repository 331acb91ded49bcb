/* heap-collections.c -- how full collections are, by the arrays that they refer to. */
#include "config.h"

#include "decoder/heap/heap-collections.h"
#include "decoder/heap/heap-fields.h"
#include <string.h>

#define SPARSE_SHARE 4 /* less than one part in so many is filled */

/* The parts of a string builder before its last one. */
static bool
is_builder (const struct heap_graph *g, uint32_t object)
{
  return strcmp (g->class_list[g->classes[object]].name, "System.Text.StringBuilder") == 0;
}

static bool
is_array (const struct heap_graph *g, uint32_t object)
{
  return heap_class_is_array (&g->class_list[g->classes[object]]);
}

/* The object that has the arrays of a concurrent dictionary. */
static bool
is_tables (const struct heap_graph *g, uint32_t object)
{
  return g_str_has_prefix (g->class_list[g->classes[object]].name,
                           "System.Collections.Concurrent.ConcurrentDictionary.Tables<");
}

/* The part of a string builder before this one; HEAP_NONE: there is none. */
static uint32_t
find_previous (const struct heap_graph *g, uint32_t object)
{
  for (uint32_t r = g->first[object]; is_builder (g, object) && r < g->first[object + 1]; r++)
    if (g->targets[r] != object && is_builder (g, g->targets[r]))
      return g->targets[r];
  return HEAP_NONE;
}

/* May an object that is referred to be a part of a collection?  Tables have no further tables. */
static bool
has_part (const struct heap_graph *g, uint32_t object, uint32_t target)
{
  return is_array (g, target) || (is_tables (g, target) && !is_tables (g, object));
}

/* The arrays that an object refers to, and those of a concurrent dictionary's tables. */
static void
mark_arrays (const struct heap_graph *g, uint32_t object, uint8_t *is_part)
{
  for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++) {
    const uint32_t target = g->targets[r];
    if (!has_part (g, object, target))
      continue;
    is_part[target] = 1;
    if (is_tables (g, target))
      mark_arrays (g, target, is_part);
  }
}

/* Arrays of a collection are no collections by themselves, and parts of a string builder are none
 * beside its last one. */
static uint8_t *
mark_parts (const struct heap_graph *g)
{
  uint8_t *is_part = g_new0 (uint8_t, (gsize) g->n_objects + 1);
  const GArray *all = g->contents->collections;
  for (guint i = 0; i < all->len; i++) {
    const uint32_t object
        = heap_graph_find (g, g_array_index (all, struct heap_collection, i).address);
    if (object == HEAP_NONE || is_array (g, object))
      continue;
    const uint32_t previous = find_previous (g, object);
    if (previous != HEAP_NONE)
      is_part[previous] = 1;
    mark_arrays (g, object, is_part);
  }
  return is_part;
}

/* The bytes of a collection, or a part of one, and its arrays.  Arrays that several have, as empty
 * ones, count for the first. */
static uint64_t
bytes_of (const struct heap_graph *g, uint32_t object, uint8_t *is_part)
{
  uint64_t bytes = g->bytes[object];
  for (uint32_t r = g->first[object]; !is_array (g, object) && r < g->first[object + 1]; r++) {
    const uint32_t target = g->targets[r];
    if (is_part[target] != 1 || !has_part (g, object, target))
      continue;
    is_part[target] = 2;
    bytes += bytes_of (g, target, is_part);
  }
  return bytes;
}

static void
add_collection (struct heap_collections *c, const struct heap_graph *g,
                const struct heap_collection *stated, uint8_t *is_part)
{
  struct heap_filling f = { .object = heap_graph_find (g, stated->address),
                            .count = stated->count,
                            .capacity = stated->capacity };
  if (f.object == HEAP_NONE || is_part[f.object] != 0)
    return;
  if (is_array (g, f.object))
    f.count = g->first[f.object + 1] - g->first[f.object];
  f.wasted = f.capacity > f.count ? (f.capacity - f.count) * stated->element : 0;
  f.bytes = bytes_of (g, f.object, is_part);
  /* In a damaged log parts may be a cycle. */
  for (uint32_t part = f.object;
       (part = find_previous (g, part)) != HEAP_NONE && is_part[part] == 1;) {
    is_part[part] = 2;
    f.bytes += bytes_of (g, part, is_part);
  }
  f.wasted = MIN (f.wasted, f.bytes);
  g_array_append_val (c->all, f);
}

static int
compare_fillings (const void *a, const void *b)
{
  const struct heap_filling *x = a, *y = b;
  return x->object < y->object ? -1 : x->object > y->object;
}

static void
find_all (struct heap_collections *c, const struct heap_graph *g)
{
  uint8_t *is_part = mark_parts (g);
  const GArray *stated = g->contents->collections;
  for (guint i = 0; i < stated->len; i++)
    add_collection (c, g, &g_array_index (stated, struct heap_collection, i), is_part);
  g_array_sort (c->all, compare_fillings);
  g_free (is_part);
}

/* ---- sums ---- */

static guint
hash_key (const void *key)
{
  const uint64_t *k = key;
  return (guint) ((k[0] * UINT64_C (0x9E3779B97F4A7C15) ^ k[1]) >> 20);
}

static gboolean
is_same_key (const void *a, const void *b)
{
  return memcmp (a, b, 2 * sizeof (uint64_t)) == 0;
}

static void
add_to_sum (struct heap_filling_sum *sum, const struct heap_filling *f)
{
  sum->collections++;
  sum->empty += f->count == 0;
  sum->sparse += f->count != 0 && f->count * SPARSE_SHARE < f->capacity;
  sum->count += f->count;
  sum->capacity += f->capacity;
  sum->bytes += f->bytes;
  sum->wasted += f->wasted;
}

static void
add_up (struct heap_collections *c, const struct heap_graph *g)
{
  struct heap_paths p;
  GHashTable *numbers = g_hash_table_new_full (hash_key, is_same_key, g_free, NULL);
  heap_paths_init (&p, g);
  for (guint i = 0; i < c->all->len; i++) {
    struct heap_filling *f = &g_array_index (c->all, struct heap_filling, i);
    f->holder = heap_holder_of (&p, f->object);
    const uint64_t key[2] = { g->classes[f->object], heap_holder_key (g, f->holder) };
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, key));
    if (number == 0) {
      const struct heap_filling_sum added = { .klass = g->classes[f->object], .holder = f->holder };
      g_array_append_val (c->sums, added);
      number = c->sums->len;
      g_hash_table_insert (numbers, g_memdup2 (key, sizeof key), GUINT_TO_POINTER (number));
    }
    add_to_sum (&g_array_index (c->sums, struct heap_filling_sum, number - 1), f);
  }
  heap_paths_clear (&p);
  g_hash_table_destroy (numbers);
}

/* ---- growth ---- */

static struct heap_filling *
find_filling (const struct heap_collections *c, uint32_t object)
{
  const struct heap_filling wanted = { .object = object };
  guint place;
  return object != HEAP_NONE && g_array_binary_search (c->all, &wanted, compare_fillings, &place)
             ? &g_array_index (c->all, struct heap_filling, place)
             : NULL;
}

/* Collections are followed as objects; an array that became larger is another one. */
static void
compare_with (struct heap_collections *c, const struct heap_graph *g,
              const struct heap_graph *before, const struct heap_moves *moves)
{
  struct heap_collections earlier
      = { .all = g_array_new (FALSE, FALSE, sizeof (struct heap_filling)) };
  uint32_t n_moved;
  uint32_t *objects = heap_moves_follow (moves, before, g, &n_moved);
  find_all (&earlier, before);
  for (guint i = 0; i < earlier.all->len; i++) {
    const struct heap_filling *const then = &g_array_index (earlier.all, struct heap_filling, i);
    struct heap_filling *const now = find_filling (c, objects[then->object]);
    if (now == NULL)
      continue;
    now->is_known_before = true;
    now->count_before = then->count;
  }
  g_array_unref (earlier.all);
  g_free (objects);
}

void
heap_collections_init (struct heap_collections *c, const struct heap_graph *g,
                       const struct heap_graph *before, const struct heap_moves *moves)
{
  *c = (struct heap_collections){ .all = g_array_new (FALSE, FALSE, sizeof (struct heap_filling)),
                                  .sums
                                  = g_array_new (FALSE, FALSE, sizeof (struct heap_filling_sum)) };
  find_all (c, g);
  add_up (c, g);
  if (before != NULL && before->contents != NULL)
    compare_with (c, g, before, moves);
}

void
heap_collections_clear (struct heap_collections *c)
{
  g_array_unref (c->all);
  g_array_unref (c->sums);
}
