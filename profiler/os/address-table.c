/* address-table.c -- adds to a table of addresses, and clears it. */
#include "config.h"

#include "profiler/os/addresses.h"

enum { FREE, BEING_WRITTEN };

/* Takes a free place, or the last one that the address may have. */
void
address_table_add (struct address_table *t, uint64_t address, const uint64_t *words)
{
  struct address_entry *e = NULL;
  for (size_t i = 0; i < ADDRESS_PLACES; i++) {
    e = &t->entries[address_place (address, i)];
    if (atomic_load (&e->address) == FREE)
      break;
  }
  uint64_t before = atomic_load (&e->address);
  if (before == BEING_WRITTEN
      || !atomic_compare_exchange_strong (&e->address, &before, (uint64_t) BEING_WRITTEN))
    return;
  /* Who reads one of the new words finds another address. */
  for (size_t k = 0; k < ADDRESS_TABLE_WORDS; k++)
    atomic_store_explicit (&e->words[k], words[k], memory_order_release);
  atomic_store_explicit (&e->address, address, memory_order_release);
}

/* An entry that is being written stays: two threads may not write one. */
void
address_table_clear (struct address_table *t)
{
  for (size_t i = 0; i < ADDRESS_TABLE_SIZE; i++) {
    uint64_t before = atomic_load (&t->entries[i].address);
    if (before != BEING_WRITTEN)
      atomic_compare_exchange_strong (&t->entries[i].address, &before, (uint64_t) FREE);
  }
}
