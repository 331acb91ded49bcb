/* replay-objects.c -- which class an object is of, by its address.
 *
 * Nothing tells when an object is gone; then something else will be at its address, or nobody asks.
 * So this grows with the heap that the log is of, and no further. */
#include "config.h"
#include "replay/replay.h"

struct slot {
  uint64_t address; /* 0: free */
  struct host_object object;
};

static struct slot *slots;
static size_t size, used; /* size: a power of 2 */

static size_t
first_slot (uint64_t address)
{
  return (size_t) (address * UINT64_C (0x9E3779B97F4A7C15) >> 24) & (size - 1);
}

/* The slot of the address, or the free one that it would get. */
static struct slot *
slot_of (uint64_t address)
{
  size_t i = first_slot (address);
  while (slots[i].address != 0 && slots[i].address != address)
    i = (i + 1) & (size - 1);
  return &slots[i];
}

static void
grow (void)
{
  struct slot *old = slots;
  const size_t old_size = size;
  size = old_size != 0 ? 2 * old_size : 1024;
  slots = g_new0 (struct slot, size);
  for (size_t i = 0; i < old_size; i++)
    if (old[i].address != 0)
      *slot_of (old[i].address) = old[i];
  g_free (old);
}

void
replay_object_set (uint64_t address, const struct host_object *object)
{
  if (address == 0)
    return;
  if (4 * used >= 3 * size)
    grow ();
  struct slot *slot = slot_of (address);
  used += slot->address == 0;
  *slot = (struct slot){ address, *object };
}

bool
replay_object_find (uint64_t address, struct host_object *object)
{
  if (size == 0 || address == 0)
    return false;
  const struct slot *slot = slot_of (address);
  *object = slot->object;
  return slot->address != 0;
}

/* What is at the old addresses stays known there: it may be asked for until something else is
 * there.  All are looked up first, as an address may be old and new. */
void
replay_objects_move (const uint64_t *addresses, size_t count)
{
  struct host_object *objects = g_new (struct host_object, count / 2 + 1);
  bool *known = g_new (bool, count / 2 + 1);
  for (size_t i = 0; i < count / 2; i++)
    known[i] = replay_object_find (addresses[2 * i], &objects[i]);
  for (size_t i = 0; i < count / 2; i++)
    if (known[i])
      replay_object_set (addresses[2 * i + 1], &objects[i]);
  g_free (objects);
  g_free (known);
}
