/* replay-objects.c -- the class of each object, by its address.
 *
 * Nothing shows when an object is gone; then something else will be at its address, or nothing
 * refers to it. So this grows with the heap that the log is of, and no further. */
#include "config.h"

#include "decoder/core/id-map.h"
#include "replay/replay-private.h"

static struct id_map numbers; /* by address */
static GArray *objects;       /* of struct host_object */

void
replay_object_set (uint64_t address, const struct host_object *object)
{
  if (address == 0)
    return;
  if (objects == NULL) {
    id_map_init (&numbers);
    objects = g_array_new (FALSE, FALSE, sizeof *object);
  }
  const guint number = id_map_number (&numbers, address);
  if (number == objects->len)
    g_array_append_vals (objects, object, 1);
  else
    g_array_index (objects, struct host_object, number) = *object;
}

bool
replay_object_find (uint64_t address, struct host_object *object)
{
  *object = (struct host_object){ 0 };
  const guint number = objects != NULL ? id_map_find (&numbers, address) : ID_MAP_NONE;
  if (number == ID_MAP_NONE)
    return false;
  *object = g_array_index (objects, struct host_object, number);
  return true;
}

/* What is at the old addresses stays known there: it may be requested until something else is
 * there.  All are looked up first, as an address may be old and new. */
void
replay_objects_move (const uint64_t *addresses, size_t count)
{
  struct host_object *moved = g_new (struct host_object, count / 2 + 1);
  bool *known = g_new (bool, count / 2 + 1);
  for (size_t i = 0; i < count / 2; i++)
    known[i] = replay_object_find (addresses[2 * i], &moved[i]);
  for (size_t i = 0; i < count / 2; i++)
    if (known[i])
      replay_object_set (addresses[2 * i + 1], &moved[i]);
  g_free (moved);
  g_free (known);
}
