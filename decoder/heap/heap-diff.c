/* heap-diff.c -- compares the objects of two heap snapshots. */
#include "config.h"

#include "decoder/heap/heap-changes.h"

/* The class's place for each class of a graph (transfer full); new ones are added. */
static uint32_t *
add_classes (struct heap_diff *d, GHashTable *places, const struct heap_graph *g)
{
  uint32_t *place = g_new (uint32_t, g->n_classes + 1);
  for (uint32_t i = 0; i < g->n_classes; i++) {
    const struct heap_class *klass = &g->class_list[i];
    char *key = g_strdup_printf ("%s\n%s", klass->name, klass->image != NULL ? klass->image : "");
    guint found = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));
    if (found == 0) {
      const struct heap_change change = { .name = klass->name, .image = klass->image };
      g_array_append_val (d->classes, change);
      found = d->classes->len;
      g_hash_table_insert (places, g_strdup (key), GUINT_TO_POINTER (found));
    }
    place[i] = found - 1;
    g_free (key);
  }
  return place;
}

static void
add (struct heap_sum *sum, uint64_t bytes)
{
  sum->objects++;
  sum->bytes += bytes;
}

static struct heap_change *
change_of (const struct heap_diff *d, const uint32_t *places, const struct heap_graph *g,
           uint32_t object)
{
  return &g_array_index (d->classes, struct heap_change, places[g->classes[object]]);
}

/* By places; classes of one graph that share a place retain together. */
static uint64_t *
retained_by_place (const struct heap_diff *d, const uint32_t *places, const struct heap_graph *g,
                   const struct heap_dominators *dominated)
{
  uint32_t *groups = g_new (uint32_t, (gsize) g->n_objects + 1);
  for (uint32_t i = 0; i < g->n_objects; i++)
    groups[i] = places[g->classes[i]];
  uint64_t *retained = heap_dominators_by_group (dominated, groups, d->classes->len);
  g_free (groups);
  return retained;
}

void
heap_diff_init (struct heap_diff *d, const struct heap_moves *moves,
                const struct heap_graph *before, const struct heap_dominators *dominated_before,
                const struct heap_graph *now, const struct heap_dominators *dominated_now)
{
  GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  *d = (struct heap_diff){ .classes = g_array_new (FALSE, FALSE, sizeof (struct heap_change)) };
  uint32_t *places_before = add_classes (d, places, before);
  uint32_t *places_now = add_classes (d, places, now);
  uint32_t *objects = moves != NULL ? heap_moves_follow (moves, before, now, &d->moved) : NULL;
  uint8_t *is_old = g_new0 (uint8_t, (gsize) now->n_objects + 1);
  for (uint32_t i = 0; i < before->n_objects; i++) {
    struct heap_change *c = change_of (d, places_before, before, i);
    const uint32_t object = objects != NULL ? objects[i] : HEAP_NONE;
    add (&c->before, before->bytes[i]);
    if (objects == NULL)
      continue;
    if (object == HEAP_NONE) {
      add (&c->gone, before->bytes[i]);
      continue;
    }
    is_old[object] = 1;
    d->followed++;
    if (now->bytes[object] > before->bytes[i])
      add (&c->other_size, now->bytes[object] - before->bytes[i]);
  }
  for (uint32_t i = 0; i < now->n_objects; i++) {
    struct heap_change *c = change_of (d, places_now, now, i);
    add (&c->now, now->bytes[i]);
    if (objects != NULL && !is_old[i])
      add (&c->come, now->bytes[i]);
  }
  uint64_t *retained_before = retained_by_place (d, places_before, before, dominated_before);
  uint64_t *retained_now = retained_by_place (d, places_now, now, dominated_now);
  for (guint i = 0; i < d->classes->len; i++) {
    struct heap_change *c = &g_array_index (d->classes, struct heap_change, i);
    c->retained_before = retained_before[i];
    c->retained_now = retained_now[i];
  }
  g_free (retained_before);
  g_free (retained_now);
  g_free (is_old);
  g_free (objects);
  g_free (places_before);
  g_free (places_now);
  g_hash_table_destroy (places);
}

void
heap_diff_clear (struct heap_diff *d)
{
  g_array_unref (d->classes);
}
