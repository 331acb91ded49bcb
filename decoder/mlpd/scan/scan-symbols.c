/* scan-symbols.c -- open addressing, without deletion. */
#include "config.h"

#include "decoder/mlpd/scan/scan-symbols.h"
#define SLOTS_MIN 1024
/* Slots after the last, so that inspecting a few from anywhere on needs no test. */
#define SPARE 2

static size_t
n_slots (const struct scan_symbols *s)
{
  return s->mask / sizeof (struct scan_slot) + 1;
}

static size_t
place_of (const struct scan_symbols *s, uint64_t address)
{
  return scan_symbols_place (s, address) / sizeof (struct scan_slot);
}

/* Places that are inspected from the one where an address belongs. */
#define NEAR (SPARE + 1)

/* Two addresses that belong far from one another: the one that does not belong near a place is the
 * address of that place while it is free. */
struct free_addresses {
  uint64_t one, other;
  size_t at; /* where `one` belongs */
};

static struct free_addresses
find_free_addresses (const struct scan_symbols *s)
{
  struct free_addresses f = { .one = 8, .other = 8, .at = place_of (s, 8) };
  while (f.other == f.one || place_of (s, f.other) - f.at + NEAR <= 2 * NEAR)
    f.other += 8;
  return f;
}

static void
free_slot (struct scan_symbols *s, const struct free_addresses *f, size_t i)
{
  s->slots[i]
      = (struct scan_slot){ .address = i - f->at < NEAR ? f->other : f->one, .number = SCAN_FREE };
}

static void
free_slots (struct scan_symbols *s)
{
  const struct free_addresses f = find_free_addresses (s);
  for (size_t i = 0; i < n_slots (s) + SPARE; i++)
    free_slot (s, &f, i);
  s->used = 0;
}

static void
make_slots (struct scan_symbols *s, size_t n)
{
  s->mask = (n - 1) * sizeof (struct scan_slot);
  s->slots = g_new (struct scan_slot, n_slots (s) + SPARE);
  free_slots (s);
}

void
scan_symbols_init (struct scan_symbols *s)
{
  make_slots (s, SLOTS_MIN);
  s->all = g_array_new (FALSE, FALSE, sizeof (struct scan_symbol));
}

void
scan_symbols_clear (struct scan_symbols *s)
{
  g_free (s->slots);
  g_array_free (s->all, TRUE);
}

/* The slot of an address, or the free one where it belongs. */
static struct scan_slot *
find (const struct scan_symbols *s, uint64_t address)
{
  size_t place = place_of (s, address);
  while (s->slots[place].number != SCAN_FREE && s->slots[place].address != address)
    place = (place + 1) & (n_slots (s) - 1);
  return &s->slots[place];
}

/* So few are found one by one. */
enum { FEW = 64 };

static void
free_used_slots (struct scan_symbols *s)
{
  const struct free_addresses f = find_free_addresses (s);
  size_t used[FEW];
  for (guint i = 0; i < s->all->len; i++)
    used[i] = (size_t) (find (s, g_array_index (s->all, struct scan_symbol, i).address) - s->slots);
  for (guint i = 0; i < s->all->len; i++)
    free_slot (s, &f, used[i]);
  s->used = 0;
}

void
scan_symbols_start (struct scan_symbols *s)
{
  if (s->all->len <= FEW) /* a damaged log has very many short scans */
    free_used_slots (s);
  else
    free_slots (s);
  g_array_set_size (s->all, 0);
}

/* A quarter is in use at most: then most are where they belong. */
static void
grow (struct scan_symbols *s)
{
  struct scan_slot *old = s->slots;
  const size_t n = n_slots (s);
  const guint used = s->used;
  make_slots (s, 2 * n);
  for (size_t i = 0; i < n; i++)
    if (old[i].number != SCAN_FREE)
      *find (s, old[i].address) = old[i];
  s->used = used;
  g_free (old);
}

static guint
add (struct scan_symbols *s, uint64_t address, guint deferred_index)
{
  const struct scan_symbol symbol = { .address = address, .deferred_index = deferred_index };
  g_array_append_val (s->all, symbol);
  return s->all->len - 1;
}

guint
scan_symbols_add (struct scan_symbols *s, uint64_t address, guint deferred_index)
{
  struct scan_slot *slot = find (s, address);
  if (slot->number != SCAN_FREE)
    return slot->number;
  if (4 * (size_t) ++s->used > n_slots (s)) {
    grow (s);
    slot = find (s, address);
  }
  const guint number = add (s, address, deferred_index);
  *slot = (struct scan_slot){ .address = address, .number = number, .place = number * SCAN_PLACE };
  return slot->number;
}

bool
scan_symbols_announce (struct scan_symbols *s, uint64_t address, guint deferred_index)
{
  struct scan_slot *slot = find (s, address);
  if (slot->number == SCAN_FREE)
    return false;
  slot->number = add (s, address, deferred_index);
  slot->place = slot->number * SCAN_PLACE;
  return true;
}
