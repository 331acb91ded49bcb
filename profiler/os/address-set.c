/* address-set.c -- open addressing in a mapping. */
#include "config.h"

#include "profiler/os/addresses.h"
#include <sys/mman.h>

/* The slot of an address, or the free one where it belongs. */
static uint64_t *
find (uint64_t *slots, size_t size, uint64_t address)
{
  size_t i = (size_t) ((address * UINT64_C (0x9E3779B97F4A7C15)) >> 20);
  while (slots[i & (size - 1)] != 0 && slots[i & (size - 1)] != address)
    i++;
  return &slots[i & (size - 1)];
}

static void
insert (uint64_t *slots, size_t size, uint64_t address, size_t *count)
{
  uint64_t *slot = find (slots, size, address);
  *count += *slot == 0;
  *slot = address;
}

static bool
grow (struct address_set *set)
{
  size_t size = set->size != 0 ? set->size * 2 : 4096;
  uint64_t *slots = mmap (NULL, size * sizeof *slots, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (slots == MAP_FAILED)
    return false;
  size_t count = 0;
  for (size_t i = 0; i < set->size; i++)
    if (set->slots[i] != 0)
      insert (slots, size, set->slots[i], &count);
  address_set_clear (set);
  *set = (struct address_set){ slots, size, count };
  return true;
}

bool
address_set_add (struct address_set *set, uint64_t address)
{
  if ((set->count + 1) * 2 > set->size && !grow (set))
    return false;
  insert (set->slots, set->size, address, &set->count);
  return true;
}

bool
address_set_has (const struct address_set *set, uint64_t address)
{
  return set->size != 0 && *find (set->slots, set->size, address) == address;
}

void
address_set_clear (struct address_set *set)
{
  if (set->slots != NULL)
    munmap (set->slots, set->size * sizeof *set->slots);
  *set = (struct address_set){ 0 };
}
