/* ghc-node-map.c -- the slots of a map, which grow when half of them are in use. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-node-map.h"

enum { FIRST_SLOTS = 256 };

void
ghc_node_map_init (struct ghc_node_map *m)
{
  *m = (struct ghc_node_map){ .slots = g_new0 (struct ghc_node_slot, FIRST_SLOTS),
                              .mask = FIRST_SLOTS - 1 };
}

void
ghc_node_map_clear (struct ghc_node_map *m)
{
  g_clear_pointer (&m->slots, g_free);
}

static void
grow (struct ghc_node_map *m)
{
  struct ghc_node_slot *old = m->slots;
  const size_t n = m->mask + 1;
  m->slots = g_new0 (struct ghc_node_slot, 2 * n);
  m->mask = 2 * n - 1;
  for (size_t i = 0; i < n; i++)
    if (old[i].node != 0)
      *ghc_node_map_slot (m, old[i].path, old[i].parent, old[i].frame) = old[i];
  g_free (old);
}

void
ghc_node_map_add (struct ghc_node_map *m, struct ghc_node_slot *slot, struct ghc_node_slot node)
{
  *slot = node;
  if (++m->count > m->mask / 2)
    grow (m);
}
