/* address-set.h -- a set of addresses in memory of its own (no malloc): for classes seen while the
 * world is stopped, when a suspended thread may hold any lock. */
#ifndef PROFILER_ADDRESS_SET_H
#define PROFILER_ADDRESS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_set {
  uint64_t *slots; /* 0: empty */
  size_t size, count;
};

/* False if there is no memory. */
bool address_set_add (struct address_set *set, uint64_t address);

bool address_set_has (const struct address_set *set, uint64_t address);

/* Empties the set and frees its memory. */
void address_set_clear (struct address_set *set);

#endif
