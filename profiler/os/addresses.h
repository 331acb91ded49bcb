/* addresses.h -- sets and tables of addresses, of memory that needs no lock. */
#ifndef PROFILER_ADDRESSES_H
#define PROFILER_ADDRESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- a set of addresses in memory of its own (no malloc) ---- */

/* For classes seen while the world is stopped, when a suspended thread may hold any lock. */

struct address_set {
  uint64_t *slots; /* 0: empty */
  size_t size, count;
};

/* False if there is no memory. */
bool address_set_add (struct address_set *set, uint64_t address);

bool address_set_has (const struct address_set *set, uint64_t address);

/* Empties the set and frees its memory. */
void address_set_clear (struct address_set *set);

/* ---- facts about addresses of code and types ---- */

/* Any thread may find and add, also in a handler; nothing waits.  An entry may be lost when others
 * come: missing facts are found out again. */

enum { ADDRESS_TABLE_SIZE = 1 << 14, ADDRESS_TABLE_WORDS = 3 };

struct address_table {
  struct address_entry {
    _Atomic uint64_t address; /* 0: it is free; 1: it is being written */
    _Atomic uint64_t words[ADDRESS_TABLE_WORDS];
  } entries[ADDRESS_TABLE_SIZE];
};

/* An address has one of some places, from this one on. */
enum { ADDRESS_PLACES = 4 };

static inline size_t
address_place (uint64_t address, size_t i)
{
  const uint64_t first = address * UINT64_C (0x9E3779B97F4A7C15) >> 40;
  return (size_t) (first + i) & (ADDRESS_TABLE_SIZE - 1);
}

/* Copies the words of the address, if it is one.  An entry may get another address meanwhile: it is
 * inspected again. */
static inline bool
address_table_find (const struct address_table *t, uint64_t address, uint64_t *words)
{
  for (size_t i = 0; i < ADDRESS_PLACES && address > 1; i++) {
    const struct address_entry *const e = &t->entries[address_place (address, i)];
    if (atomic_load_explicit (&e->address, memory_order_acquire) != address)
      continue;
    for (size_t k = 0; k < ADDRESS_TABLE_WORDS; k++)
      words[k] = atomic_load_explicit (&e->words[k], memory_order_acquire);
    return atomic_load_explicit (&e->address, memory_order_relaxed) == address;
  }
  return false;
}

void address_table_add (struct address_table *t, uint64_t address, const uint64_t *words);
void address_table_clear (struct address_table *t);

#endif
