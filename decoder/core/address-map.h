/* address-map.h -- dense numbers for addresses of objects, as id-map.h has for any keys.
 *
 * Programs allocate at one address after the other: those that lie near each other have their
 * numbers near each other, too.  A map is used by one thread at a time.
 */
#ifndef PROFLOG_ADDRESS_MAP_H
#define PROFLOG_ADDRESS_MAP_H

#include "decoder/core/id-map.h"

/* A page has the addresses of these bits; objects are at every eighth. */
enum { ADDRESS_PAGE_BITS = 9, ADDRESS_STEP_BITS = 3 };

struct address_map {
  struct id_map pages;   /* address >> ADDRESS_PAGE_BITS -> number of the page */
  struct id_map strange; /* addresses at which no object can be -> number in `strangers` */
  GArray *numbers;       /* of guint, by page and step: of the address, or ID_MAP_NONE */
  GArray *strangers;     /* of guint */
  guint count;           /* of addresses */
};

void address_map_init (struct address_map *map);
void address_map_clear (struct address_map *map);

/* The number of an address; ID_MAP_NONE if it has none. */
guint address_map_find (const struct address_map *map, uint64_t address);

/* The number of an address, which gets the next one (map->count before the call) if it has none. */
guint address_map_number (struct address_map *map, uint64_t address);

#endif
