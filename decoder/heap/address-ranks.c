/* address-ranks.c -- counts addresses by a bitmap for each page. */
#include "config.h"

#include "decoder/heap/address-ranks.h"
#include <glib.h>
#include <string.h>

#define PLACES_BITS_MIN 10

static inline size_t
n_places (const struct address_ranks *r)
{
  return (size_t) 1 << (64 - r->shift);
}

static inline unsigned
bit_of (uint64_t address)
{
  return (unsigned) (address >> 3) & (ADDRESS_PAGE_WORDS * 64 - 1);
}

/* Where the place of a page is searched for first. */
static inline size_t
hash (const struct address_ranks *r, uint64_t number)
{
  return (size_t) (number * UINT64_C (0x9E3779B97F4A7C15) >> r->shift);
}

static inline uint32_t *
place_of (const struct address_ranks *r, uint64_t number)
{
  const size_t mask = n_places (r) - 1;
  size_t place = hash (r, number);
  while (r->places[place] != 0 && r->pages[r->places[place] - 1].number != number)
    place = (place + 1) & mask;
  return &r->places[place];
}

void
address_ranks_init (struct address_ranks *r)
{
  *r = (struct address_ranks){ .shift = 64 - PLACES_BITS_MIN };
  r->places = g_new0 (uint32_t, n_places (r));
}

void
address_ranks_clear (struct address_ranks *r)
{
  g_free (r->pages);
  g_free (r->places);
}

static void
index_pages (struct address_ranks *r)
{
  memset (r->places, 0, n_places (r) * sizeof *r->places);
  for (size_t i = 0; i < r->n_pages; i++)
    *place_of (r, r->pages[i].number) = (uint32_t) i + 1;
}

static size_t
add_page (struct address_ranks *r, uint64_t number)
{
  if (r->n_pages == r->room) {
    r->room = MAX (2 * r->room, 64);
    r->pages = g_renew (struct address_page, r->pages, r->room);
  }
  r->pages[r->n_pages++] = (struct address_page){ .number = number };
  if (2 * r->n_pages > n_places (r)) {
    r->shift--;
    r->places = g_renew (uint32_t, r->places, n_places (r));
    index_pages (r);
  } else {
    *place_of (r, number) = (uint32_t) r->n_pages;
  }
  return r->n_pages - 1;
}

void
address_ranks_add (struct address_ranks *r, uint64_t address)
{
  const uint64_t number = address >> ADDRESS_PAGE_BITS;
  if (r->n_pages == 0 || r->pages[r->latest].number != number) {
    const uint32_t place = *place_of (r, number);
    r->latest = place != 0 ? place - 1 : add_page (r, number);
  }
  const unsigned bit = bit_of (address);
  r->pages[r->latest].bits[bit / 64] |= UINT64_C (1) << bit % 64;
}

static int
compare_pages (const void *a, const void *b)
{
  const struct address_page *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

uint64_t
address_ranks_count (struct address_ranks *r)
{
  uint64_t count = 0;
  if (r->n_pages != 0)
    qsort (r->pages, r->n_pages, sizeof *r->pages, compare_pages);
  index_pages (r);
  for (size_t i = 0; i < r->n_pages; i++)
    for (int word = 0; word < ADDRESS_PAGE_WORDS; word++) {
      r->pages[i].ranks[word] = (uint32_t) count;
      count += (unsigned) __builtin_popcountll (r->pages[i].bits[word]);
    }
  return count;
}

/* Not all processors for which this is built have an instruction for it. */
static inline unsigned
count_bits (uint64_t word)
{
  word -= word >> 1 & UINT64_C (0x5555555555555555);
  word = (word & UINT64_C (0x3333333333333333)) + (word >> 2 & UINT64_C (0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C (0x0f0f0f0f0f0f0f0f);
  return (unsigned) (word * UINT64_C (0x0101010101010101) >> 56);
}

static inline uint32_t
find (const struct address_ranks *r, uint64_t address)
{
  const uint32_t place = *place_of (r, address >> ADDRESS_PAGE_BITS);
  if (place == 0 || address % 8 != 0)
    return ADDRESS_NO_RANK;
  const struct address_page *page = &r->pages[place - 1];
  const unsigned bit = bit_of (address);
  const uint64_t word = page->bits[bit / 64], mask = UINT64_C (1) << bit % 64;
  return (word & mask) != 0 ? page->ranks[bit / 64] + count_bits (word & (mask - 1))
                            : ADDRESS_NO_RANK;
}

uint32_t
address_ranks_find (const struct address_ranks *r, uint64_t address)
{
  return find (r, address);
}

void
address_ranks_find_many (const struct address_ranks *r, const uint64_t *addresses, uint32_t *found,
                         size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const uint32_t place = r->places[hash (r, addresses[i] >> ADDRESS_PAGE_BITS)];
    if (place == 0)
      continue;
    const struct address_page *page = &r->pages[place - 1];
    __builtin_prefetch (page);
    __builtin_prefetch (&page->bits[bit_of (addresses[i]) / 64]);
  }
  for (size_t i = 0; i < n; i++)
    found[i] = find (r, addresses[i]);
}
