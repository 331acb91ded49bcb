/* scan-symbols.c -- open addressing; emptied by another epoch. */
#include "decoder/analyses/scan-symbols.h"
#include "config.h"

#define SLOTS_BITS_MIN 10

static void
make_slots (struct scan_symbols *s, unsigned bits)
{
  s->slots = g_new0 (struct scan_slot, (size_t) 1 << bits);
  s->shift = 64 - bits;
  s->epoch = 1;
  s->used = 0;
}

void
scan_symbols_init (struct scan_symbols *s)
{
  make_slots (s, SLOTS_BITS_MIN);
  s->all = g_array_new (FALSE, FALSE, sizeof (struct scan_symbol));
}

void
scan_symbols_clear (struct scan_symbols *s)
{
  g_free (s->slots);
  g_array_free (s->all, TRUE);
}

void
scan_symbols_start (struct scan_symbols *s)
{
  g_array_set_size (s->all, 0);
  s->used = 0;
  if (++s->epoch == 0) {
    const unsigned bits = 64 - s->shift;
    g_free (s->slots);
    make_slots (s, bits);
  }
}

/* The slot of an address, or the free one where it belongs. */
static struct scan_slot *
find (const struct scan_symbols *s, uint64_t address)
{
  const size_t mask = ((size_t) 1 << (64 - s->shift)) - 1;
  size_t place = scan_symbols_place (s, address);
  while (s->slots[place].epoch == s->epoch && s->slots[place].address != address)
    place = (place + 1) & mask;
  return &s->slots[place];
}

static void
grow (struct scan_symbols *s)
{
  struct scan_slot *old = s->slots;
  const size_t n = (size_t) 1 << (64 - s->shift);
  const guint32 epoch = s->epoch;
  const guint used = s->used;
  make_slots (s, 64 - s->shift + 1);
  for (size_t i = 0; i < n; i++)
    if (old[i].epoch == epoch) {
      struct scan_slot *slot = find (s, old[i].address);
      *slot = old[i];
      slot->epoch = s->epoch;
    }
  s->used = used;
  g_free (old);
}

guint
scan_symbols_add (struct scan_symbols *s, uint64_t address, guint rare)
{
  struct scan_slot *slot = find (s, address);
  if (slot->epoch == s->epoch && slot->number != SCAN_NO_NUMBER)
    return slot->number;
  const guint number = s->all->len;
  const struct scan_symbol symbol = { .address = address, .rare = rare };
  g_array_append_val (s->all, symbol);
  if (slot->epoch != s->epoch) {
    if (2 * (size_t) ++s->used > (size_t) 1 << (64 - s->shift)) {
      grow (s);
      slot = find (s, address);
    }
    *slot = (struct scan_slot){ .address = address, .epoch = s->epoch };
  }
  slot->number = number;
  return number;
}

void
scan_symbols_announce (struct scan_symbols *s, uint64_t address)
{
  struct scan_slot *slot = find (s, address);
  if (slot->epoch == s->epoch)
    slot->number = SCAN_NO_NUMBER;
}
