/* scan-symbols.h -- numbers for the addresses that a scan meets, in order of first use.
 *
 * A number stands for what its address means when it is used first.  An announcement ends that:
 * the address gets another number at its next use.
 */
#ifndef PROFLOG_SCAN_SYMBOLS_H
#define PROFLOG_SCAN_SYMBOLS_H

#include <glib.h>
#include <stdint.h>

enum scan_sort { SCAN_CLASS, SCAN_METHOD, SCAN_VTABLE, SCAN_SORTS };

struct scan_symbol {
  uint64_t address;
  guint rare; /* events kept before its first use */
};

struct scan_slot {
  uint64_t address;
  guint32 number; /* of the symbol; SCAN_NO_NUMBER: announced since */
  guint32 epoch;  /* of the table; another: the slot is free */
};

#define SCAN_NO_NUMBER G_MAXUINT32

struct scan_symbols {
  struct scan_slot *slots;
  unsigned shift; /* of a hash, to the number of slots */
  guint32 epoch;
  guint used; /* slots */
  GArray *all; /* of struct scan_symbol */
};

void scan_symbols_init (struct scan_symbols *symbols);
void scan_symbols_clear (struct scan_symbols *symbols);

/* Forgets all. */
void scan_symbols_start (struct scan_symbols *symbols);

/* A slow part of scan_symbols_use. */
guint scan_symbols_add (struct scan_symbols *symbols, uint64_t address, guint rare);

static inline size_t
scan_symbols_place (const struct scan_symbols *s, uint64_t address)
{
  return (size_t) ((address >> 3) * UINT64_C (0x9E3779B97F4A7C15) >> s->shift);
}

/* The number of an address; `rare` is how many events were kept so far. */
static inline guint
scan_symbols_use (struct scan_symbols *s, uint64_t address, guint rare)
{
  const struct scan_slot *slot = &s->slots[scan_symbols_place (s, address)];
  if (G_LIKELY (slot->address == address && slot->epoch == s->epoch
                && slot->number != SCAN_NO_NUMBER))
    return slot->number;
  return scan_symbols_add (s, address, rare);
}

/* The address was announced. */
void scan_symbols_announce (struct scan_symbols *symbols, uint64_t address);

#endif
