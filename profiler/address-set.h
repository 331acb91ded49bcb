/* address-set.h -- a set of addresses in memory of its own (no malloc): for classes met while the
 * world is stopped, when a suspended thread may hold any lock. */
#ifndef PROFLOG_ADDRESS_SET_H
#define PROFLOG_ADDRESS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_set {
  uint64_t *slots; /* 0: empty */
  size_t size, count;
};

/* False if there is no memory. */
bool address_set_add (struct address_set *set, uint64_t address);

/* Empties the set and frees its memory. */
void address_set_clear (struct address_set *set);

#endif
