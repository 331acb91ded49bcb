/* ghc-node-map.h -- finds the nodes of a tree of stacks by their parent and their frame.
 *
 * Where a node lies in the map depends on its path, the frames from the root to it, and not on the
 * number of its parent: so all nodes of a stack can be fetched from memory at a time, before the
 * first one is known.
 */
#ifndef PROFLOG_GHC_NODE_MAP_H
#define PROFLOG_GHC_NODE_MAP_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ghc_node_slot {
  uint32_t parent, frame;
  uint32_t node; /* 0: the slot is free */
  uint32_t path;
};

struct ghc_node_map {
  struct ghc_node_slot *slots;
  size_t mask;  /* slots - 1; there is a power of 2 of them */
  size_t count; /* of nodes */
};

void ghc_node_map_init (struct ghc_node_map *map);
void ghc_node_map_clear (struct ghc_node_map *map);

/* The path of a frame below one with this path; that of the root is 0. */
static inline uint64_t
ghc_node_map_path (uint64_t path, uint32_t frame)
{
  path = (path ^ (frame + 1)) * UINT64_C (0x9E3779B97F4A7C15);
  return path ^ path >> 32;
}

/* Soon ghc_node_map_slot is called with this path. */
static inline void
ghc_node_map_fetch (const struct ghc_node_map *map, uint64_t path)
{
  __builtin_prefetch (&map->slots[path & map->mask]);
}

/* The slot of a node, or a free one, if it is not there. */
static inline struct ghc_node_slot *
ghc_node_map_slot (const struct ghc_node_map *map, uint64_t path, uint32_t parent, uint32_t frame)
{
  for (size_t at = (size_t) path;; at++) {
    struct ghc_node_slot *slot = &map->slots[at & map->mask];
    if ((slot->parent == parent && slot->frame == frame) || slot->node == 0)
      return slot;
  }
}

/* Puts a node into a free slot, which the call makes invalid. */
void ghc_node_map_add (struct ghc_node_map *map, struct ghc_node_slot *slot,
                       struct ghc_node_slot node);

#endif
