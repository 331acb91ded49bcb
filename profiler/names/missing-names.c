/* missing-names.c -- a small table, as there is no memory when it is used. */
#include "config.h"

#include "profiler/names/missing-names.h"
#include "profiler/record/recorder.h"
#include <stdatomic.h>
#include <string.h>

enum { PLACES_LOG2 = 12, NEAR = 64 };

/* Each name is in one of the NEAR places from its own on, if at all; 0: free. */
static uint64_t keys[(1 << PLACES_LOG2) + NEAR];
static _Atomic uint64_t count;

static uint64_t
key_of (enum name_type type, uint64_t address)
{
  return address * NAME_TYPES + type;
}

/* The place that has `wanted` (0: that is free) among those where `key` may be; NULL: none. */
static uint64_t *
find (uint64_t key, uint64_t wanted)
{
  uint64_t *const first = &keys[(key * UINT64_C (0x9E3779B97F4A7C15)) >> (64 - PLACES_LOG2)];
  for (uint64_t *place = first; place < first + NEAR; place++)
    if (*place == wanted)
      return place;
  return NULL;
}

/* A name for which there is no place is not counted: there are thousands, so a loss is stated in
 * any case.  The count is relaxed: nothing else depends on it. */
void
missing_names_add (enum name_type type, uint64_t address)
{
  const uint64_t key = key_of (type, address);
  uint64_t *const place = find (key, 0);
  if (place == NULL || find (key, key) != NULL)
    return;
  *place = key;
  atomic_fetch_add_explicit (&count, 1, memory_order_relaxed);
  spool_add_lost (1);
}

void
missing_names_remove (enum name_type type, uint64_t address)
{
  if (atomic_load_explicit (&count, memory_order_relaxed) == 0)
    return;
  const uint64_t key = key_of (type, address);
  uint64_t *const place = find (key, key);
  if (place == NULL)
    return;
  *place = 0;
  atomic_fetch_sub_explicit (&count, 1, memory_order_relaxed);
  spool_subtract_lost (1);
}

void
missing_names_count_as_lost (void)
{
  const uint64_t missing = atomic_exchange (&count, 0);
  spool_subtract_lost (missing);
  recorder_add_lost (missing);
}

void
missing_names_start_over (void)
{
  memset (keys, 0, sizeof keys);
  count = 0;
}
