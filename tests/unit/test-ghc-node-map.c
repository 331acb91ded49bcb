/* test-ghc-node-map.c -- each node is found by its parent and its frame, also where paths are
 * equal. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-node-map.h"
#include "tests/unit/test.h"

static uint32_t
enter (struct ghc_node_map *map, uint64_t path, uint32_t parent, uint32_t frame, uint32_t next)
{
  struct ghc_node_slot *slot = ghc_node_map_slot (map, path, parent, frame);
  if (slot->node != 0)
    return slot->node;
  ghc_node_map_add (map, slot, (struct ghc_node_slot){ parent, frame, next, (uint32_t) path });
  return next;
}

/* A chain of 10,000 nodes, each with three children. */
TEST (test_tree)
{
  struct ghc_node_map map;
  ghc_node_map_init (&map);
  for (guint round = 0; round < 2; round++) {
    uint32_t parent = 0, next = 1;
    uint64_t path = 0;
    for (guint depth = 0; depth < 10000; depth++) {
      uint32_t last = 0;
      uint64_t below = 0;
      for (uint32_t frame = 0; frame < 3; frame++) {
        below = ghc_node_map_path (path, frame);
        last = enter (&map, below, parent, frame, next);
        assert_int_equal (last, next);
        next++;
      }
      parent = last;
      path = below;
    }
  }
  assert_int_equal (map.count, 30000);
  ghc_node_map_clear (&map);
}

/* All lie at one place: the map grows past them. */
TEST (test_equal_paths)
{
  struct ghc_node_map map;
  ghc_node_map_init (&map);
  for (guint round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 300; i++)
      assert_int_equal (enter (&map, 255, i % 7, i, i + 1), i + 1);
  assert_int_equal (ghc_node_map_slot (&map, 255, 7, 0)->node, 0);
  assert_int_equal (map.count, 300);
  ghc_node_map_clear (&map);
}
