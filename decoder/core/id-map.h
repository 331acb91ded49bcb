/* id-map.h -- dense numbers for 64-bit keys: 0, 1, 2 ... in the order of their first use.
 *
 * Open addressing without deletion.  A map is used by one thread at a time.
 */
#ifndef PROFLOG_ID_MAP_H
#define PROFLOG_ID_MAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define ID_MAP_NONE G_MAXUINT

struct id_slot {
  uint64_t key;
  guint number; /* ID_MAP_NONE: the slot is free */
};

struct id_map {
  struct id_slot *slots;
  size_t mask; /* slots - 1; there is a power of 2 of them */
  guint count; /* of keys */
};

void id_map_init (struct id_map *map);
void id_map_clear (struct id_map *map);

/* Removes all keys. */
void id_map_reset (struct id_map *map);

/* The slow part of id_map_number: the key goes to this free slot. */
guint id_map_add (struct id_map *map, struct id_slot *slot, uint64_t key);

/* Keys that differ in few bits, high or low, are to lie apart. */
static inline struct id_slot *
id_map_slot (const struct id_map *map, uint64_t key)
{
  size_t at = (size_t) ((key ^ key >> 29) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
  for (;; at++) {
    struct id_slot *slot = &map->slots[at & map->mask];
    if (slot->key == key || slot->number == ID_MAP_NONE)
      return slot;
  }
}

/* The number of a key; ID_MAP_NONE if it has none. */
static inline guint
id_map_find (const struct id_map *map, uint64_t key)
{
  return id_map_slot (map, key)->number;
}

/* The number of a key, which gets the next one (map->count before the call) if it has none. */
static inline guint
id_map_number (struct id_map *map, uint64_t key)
{
  struct id_slot *slot = id_map_slot (map, key);
  return G_LIKELY (slot->number != ID_MAP_NONE) ? slot->number : id_map_add (map, slot, key);
}

#endif
