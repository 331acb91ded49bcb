/* address-map.c -- pages of numbers. */
#include "config.h"

#include "decoder/core/address-map.h"

enum { STEPS = 1 << (ADDRESS_PAGE_BITS - ADDRESS_STEP_BITS) };

void
address_map_init (struct address_map *m)
{
  *m = (struct address_map){ .numbers = g_array_new (FALSE, FALSE, sizeof (guint)),
                             .strangers = g_array_new (FALSE, FALSE, sizeof (guint)) };
  id_map_init (&m->pages);
  id_map_init (&m->strange);
}

void
address_map_clear (struct address_map *m)
{
  id_map_clear (&m->pages);
  id_map_clear (&m->strange);
  g_clear_pointer (&m->numbers, g_array_unref);
  g_clear_pointer (&m->strangers, g_array_unref);
}

static bool
is_strange (uint64_t address)
{
  return (address & ((1 << ADDRESS_STEP_BITS) - 1)) != 0;
}

static guint *
place_on_page (const struct address_map *m, guint page, uint64_t address)
{
  const guint step = (guint) (address >> ADDRESS_STEP_BITS) % STEPS;
  return &g_array_index (m->numbers, guint, (size_t) page * STEPS + step);
}

guint
address_map_find (const struct address_map *m, uint64_t address)
{
  const bool strange = is_strange (address);
  const guint found = strange ? id_map_find (&m->strange, address)
                              : id_map_find (&m->pages, address >> ADDRESS_PAGE_BITS);
  if (found == ID_MAP_NONE)
    return ID_MAP_NONE;
  return strange ? g_array_index (m->strangers, guint, found) : *place_on_page (m, found, address);
}

static guint
number_stranger (struct address_map *m, uint64_t address)
{
  const guint number = id_map_number (&m->strange, address);
  if (number == m->strangers->len) {
    g_array_append_val (m->strangers, m->count);
    m->count++;
  }
  return g_array_index (m->strangers, guint, number);
}

static void
add_page (struct address_map *m)
{
  const guint before = m->numbers->len;
  g_array_set_size (m->numbers, before + STEPS);
  for (guint i = 0; i < STEPS; i++)
    g_array_index (m->numbers, guint, before + i) = ID_MAP_NONE;
}

guint
address_map_number (struct address_map *m, uint64_t address)
{
  if (is_strange (address))
    return number_stranger (m, address);
  const guint pages = m->pages.count;
  const guint page = id_map_number (&m->pages, address >> ADDRESS_PAGE_BITS);
  if (page == pages)
    add_page (m);
  guint *number = place_on_page (m, page, address);
  if (*number == ID_MAP_NONE)
    *number = m->count++;
  return *number;
}
