/* id-map.c -- the slots of a map, which grow when half of them are in use. */
#include "config.h"

#include "decoder/core/id-map.h"

enum { FIRST_SLOTS = 256 };

static void
make_slots (struct id_map *m, size_t n)
{
  m->slots = g_new (struct id_slot, n);
  m->mask = n - 1;
  for (size_t i = 0; i < n; i++)
    m->slots[i] = (struct id_slot){ .number = ID_MAP_NONE };
}

void
id_map_init (struct id_map *m)
{
  make_slots (m, FIRST_SLOTS);
  m->count = 0;
}

void
id_map_clear (struct id_map *m)
{
  g_clear_pointer (&m->slots, g_free);
}

void
id_map_reset (struct id_map *m)
{
  for (size_t i = 0; i <= m->mask; i++)
    m->slots[i] = (struct id_slot){ .number = ID_MAP_NONE };
  m->count = 0;
}

static void
grow (struct id_map *m)
{
  struct id_slot *old = m->slots;
  const size_t n = m->mask + 1;
  make_slots (m, 2 * n);
  for (size_t i = 0; i < n; i++)
    if (old[i].number != ID_MAP_NONE)
      *id_map_slot (m, old[i].key) = old[i];
  g_free (old);
}

guint
id_map_add (struct id_map *m, struct id_slot *slot, uint64_t key)
{
  const guint number = m->count++;
  *slot = (struct id_slot){ key, number };
  if (m->count > m->mask / 2)
    grow (m);
  return number;
}
