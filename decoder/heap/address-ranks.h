/* address-ranks.h -- a set of addresses of objects, and the place of each among them.
 *
 * Objects lie at multiples of 8, many in each page.  A page of addresses that has any is a set of
 * bits with how many there are before each word of them, so that a place is found with one access
 * to a small table and one to the page, and a large heap's pages fit in the cache.
 */
#ifndef PROFLOG_ADDRESS_RANKS_H
#define PROFLOG_ADDRESS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_PAGE_BITS 12
#define ADDRESS_PAGE_WORDS (1 << (ADDRESS_PAGE_BITS - 3 - 6))
#define ADDRESS_NO_RANK UINT32_MAX

struct address_page {
  uint64_t number;                    /* its address, by the size of pages */
  uint32_t ranks[ADDRESS_PAGE_WORDS]; /* of the first bit of each word; after address_ranks_count */
  uint64_t bits[ADDRESS_PAGE_WORDS];
};

struct address_ranks {
  struct address_page *pages;
  size_t n_pages, room;
  uint32_t *places; /* open addressing: page + 1; 0: free */
  unsigned shift;   /* of a hash, to the number of places */
  size_t latest;    /* page that was added to */
};

void address_ranks_init (struct address_ranks *ranks);
void address_ranks_clear (struct address_ranks *ranks);

/* Adds an address, a multiple of 8. */
void address_ranks_add (struct address_ranks *ranks, uint64_t address);

/* How many there are.  From then on each has its rank, and no more are added. */
uint64_t address_ranks_count (struct address_ranks *ranks);

/* How many addresses are smaller; ADDRESS_NO_RANK if this one is none of them. */
uint32_t address_ranks_find (const struct address_ranks *ranks, uint64_t address);

/* The same for `n` addresses at once, which is faster where they are far from each other. */
void address_ranks_find_many (const struct address_ranks *ranks, const uint64_t *addresses,
                              uint32_t *found, size_t n);

#endif
