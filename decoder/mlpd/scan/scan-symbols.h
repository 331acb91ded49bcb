/* scan-symbols.h -- numbers for the addresses that a scan sees, in order of first use.
 *
 * A number stands for the meaning of its address from its first use on.  An announcement ends that:
 * from there on the address has another number.
 */
#ifndef PROFLOG_SCAN_SYMBOLS_H
#define PROFLOG_SCAN_SYMBOLS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum scan_symbol_kind { SCAN_CLASS, SCAN_METHOD, SCAN_VTABLE, SCAN_SYMBOL_KINDS };

struct scan_symbol {
  uint64_t address;
  guint deferred_index; /* events retained before it could be used */
};

/* A free slot has an address that is never searched for where it is, so that comparing addresses is
 * enough to find one. */
struct scan_slot {
  uint64_t address;
  guint number; /* SCAN_FREE: the slot is free */
  guint place;  /* SCAN_PLACE times that; and a slot has 16 bytes everywhere: a mask finds it */
};
G_STATIC_ASSERT (sizeof (struct scan_slot) == 16);

#define SCAN_FREE G_MAXUINT

/* Bytes of a thread's sums for each method. */
#define SCAN_PLACE 32

struct scan_symbols {
  struct scan_slot *slots;
  size_t mask; /* of a hash: the place of a slot, in bytes */
  guint used;  /* slots */
  GArray *all; /* of struct scan_symbol */
};

void scan_symbols_init (struct scan_symbols *symbols);
void scan_symbols_clear (struct scan_symbols *symbols);

/* Forgets all. */
void scan_symbols_start (struct scan_symbols *symbols);

/* The slow part of scan_symbols_use. */
guint scan_symbols_add (struct scan_symbols *symbols, uint64_t address, guint deferred_index);

/* Where an address belongs, in bytes.  The factor is one that fits into an instruction; bits from
 * the middle of the product distinguish neighbours, and heaps that are far apart. */
static inline __attribute__ ((always_inline)) size_t
scan_symbols_place (const struct scan_symbols *s, uint64_t address)
{
  return (size_t) (address * UINT64_C (0xffffffff9e3779b1) >> 26) & s->mask;
}

/* The slot of an address, if it is one of the first where it may be; else another's. */
static inline __attribute__ ((always_inline)) const struct scan_slot *
scan_symbols_near (const struct scan_symbols *s, uint64_t address)
{
  const struct scan_slot *slot
      = (const void *) ((const char *) s->slots + scan_symbols_place (s, address));
  /* There are spare slots after the last. */
  if (slot->address != address && (++slot)->address != address)
    slot++;
  return slot;
}

/* The number of an address; `rare` is how many events were retained so far. */
static inline guint
scan_symbols_use (struct scan_symbols *s, uint64_t address, guint deferred_index)
{
  const struct scan_slot *slot = scan_symbols_near (s, address);
  if (G_LIKELY (slot->address == address))
    return slot->number;
  return scan_symbols_add (s, address, deferred_index);
}

/* The address was announced; its new meaning begins after `rare` retained events.  False if it was
 * not used before. */
bool scan_symbols_announce (struct scan_symbols *symbols, uint64_t address, guint deferred_index);

#endif
