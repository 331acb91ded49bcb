/* heap-moves.c -- records moves, and follows objects from one heap snapshot to another. */
#include "config.h"

#include "decoder/heap/heap-changes.h"
#include <string.h>

struct move_follower {
  const struct heap_graph *before;
  const struct heap_move *moves; /* of the event */
  uint64_t *places;              /* by object of `before`: its address; 0: it is gone */
  GHashTable *at; /* uint64_t address -> object + 1: of those that are not where they began */
};

void
heap_moves_init (struct heap_moves *m)
{
  *m = (struct heap_moves){ g_array_new (FALSE, FALSE, sizeof (struct heap_move_event)),
                            g_array_new (FALSE, FALSE, sizeof (struct heap_move)) };
}

void
heap_moves_clear (struct heap_moves *m)
{
  g_array_unref (m->events);
  g_array_unref (m->moves);
}

void
heap_moves_add (struct heap_moves *m, guint after, struct mlpd_list addresses)
{
  const struct heap_move_event event
      = { .after = after, .first = m->moves->len, .n = (guint) (addresses.count / 2) };
  for (guint i = 0; i < event.n; i++) {
    const struct heap_move move = { addresses.items[2 * i], addresses.items[2 * i + 1] };
    g_array_append_val (m->moves, move);
  }
  g_array_append_val (m->events, event);
}

/* ---- following ---- */

/* The object that is at an address now, + 1; 0: none of those that are followed. */
static uint32_t
find_at (const struct move_follower *f, uint64_t address)
{
  const uint32_t moved = GPOINTER_TO_UINT (g_hash_table_lookup (f->at, &address));
  if (moved != 0)
    return moved;
  const uint32_t object = heap_graph_find (f->before, address);
  return object != HEAP_NONE && f->places[object] == address ? object + 1 : 0;
}

static gpointer
leave (void *data, guint nth)
{
  struct move_follower *f = data;
  const uint64_t from = f->moves[nth].from;
  const uint32_t object = find_at (f, from);
  g_hash_table_remove (f->at, &from);
  if (object != 0)
    f->places[object - 1] = 0;
  return GUINT_TO_POINTER (object);
}

/* Objects that are still there are gone. */
static void
arrive (void *data, gpointer moved, guint nth)
{
  struct move_follower *f = data;
  const uint64_t to = f->moves[nth].to;
  const uint32_t other = find_at (f, to);
  if (other != 0)
    f->places[other - 1] = 0;
  g_hash_table_remove (f->at, &to);
  if (moved == NULL)
    return;
  f->places[GPOINTER_TO_UINT (moved) - 1] = to;
  g_hash_table_insert (f->at, g_memdup2 (&to, sizeof to), moved);
}

static bool
is_same_class (const struct heap_class *a, const struct heap_class *b)
{
  return strcmp (a->name, b->name) == 0 && g_strcmp0 (a->image, b->image) == 0;
}

/* Classes have other numbers in another graph: one of `now` for each of `before` (transfer full).
 */
static uint32_t *
match_classes (const struct heap_graph *before, const struct heap_graph *now)
{
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);
  uint32_t *classes = g_new (uint32_t, before->n_classes + 1);
  uint32_t *next = g_new0 (uint32_t, now->n_classes + 1); /* of the same name, + 1 */
  for (uint32_t i = 0; i < now->n_classes; i++) {
    next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, now->class_list[i].name));
    g_hash_table_insert (by_name, (gpointer) now->class_list[i].name, GUINT_TO_POINTER (i + 1));
  }
  for (uint32_t i = 0; i < before->n_classes; i++) {
    const struct heap_class *klass = &before->class_list[i];
    uint32_t found = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, klass->name));
    while (found != 0 && !is_same_class (&now->class_list[found - 1], klass))
      found = next[found - 1];
    classes[i] = found != 0 ? found - 1 : HEAP_NONE;
  }
  g_hash_table_destroy (by_name);
  g_free (next);
  return classes;
}

static void
follow (const struct heap_moves *m, struct move_follower *f, guint until)
{
  const struct object_mover mover = { leave, arrive, f };
  for (guint i = 0; i < m->events->len; i++) {
    const struct heap_move_event *event = &g_array_index (m->events, struct heap_move_event, i);
    if (event->after < f->before->index || event->after >= until)
      continue;
    f->moves = &g_array_index (m->moves, struct heap_move, event->first);
    object_moves_apply (&mover, event->n);
  }
}

uint32_t *
heap_moves_follow (const struct heap_moves *m, const struct heap_graph *before,
                   const struct heap_graph *now, uint32_t *n_moved)
{
  const uint32_t n = before->n_objects;
  struct move_follower f
      = { .before = before,
          .places = g_memdup2 (before->addresses, n * sizeof *before->addresses),
          .at = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL) };
  uint32_t *classes = match_classes (before, now), *objects = g_new (uint32_t, (gsize) n + 1);
  follow (m, &f, now->index);
  *n_moved = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t object = f.places[i] != 0 ? heap_graph_find (now, f.places[i]) : HEAP_NONE;
    const bool is_same = object != HEAP_NONE && now->classes[object] == classes[before->classes[i]];
    objects[i] = is_same ? object : HEAP_NONE;
    *n_moved += is_same && f.places[i] != before->addresses[i];
  }
  g_hash_table_destroy (f.at);
  g_free (f.places);
  g_free (classes);
  return objects;
}
