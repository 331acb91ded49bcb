/* mutate-ghc.c -- changes whole events of an eventlog: some go, or come twice or elsewhere; fields
 * get other values, where the header declares them.  The sizes of blocks stay right. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#include <proflog/big-endian.h>
#include <proflog/ghc-reader.h>

enum { EVENTS_MOST = 512, SIZE_OFFSET = 10 }; /* of a block marker: after its type and time */

struct place {
  size_t block, offset, size; /* block: 0: none */
};

struct places {
  size_t count;
  struct place all[EVENTS_MOST];
};

static void
find_events (const uint8_t *data, size_t size, struct places *places)
{
  const struct ghc_item *item;
  size_t block = 0;
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, data, size);
  ghc_reader_finish (reader);
  places->count = 0;
  while (places->count < EVENTS_MOST && ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    if (item->type != GHC_ITEM_EVENT)
      continue;
    if (item->kind == GHC_BLOCK_MARKER)
      block = item->offset;
    else
      places->all[places->count++]
          = (struct place){ item->in_block ? block : 0, item->offset, item->size };
  }
  ghc_reader_free (reader);
}

/* Replaces `old_size` bytes by others, and corrects the size of their block.  The new size. */
static size_t
splice (uint8_t *data, size_t size, size_t max_size, const struct place *at, size_t old_size,
        const uint8_t *bytes, size_t length)
{
  if (size - old_size + length > max_size)
    return size;
  uint8_t *const to = data + at->offset;
  memmove (to + length, to + old_size, size - at->offset - old_size);
  memcpy (to, bytes, length);
  if (at->block != 0) {
    uint8_t *const field = data + at->block + SIZE_OFFSET;
    const uint32_t sum = proflog_be32 (field) + (uint32_t) length - (uint32_t) old_size;
    for (int i = 0; i < 4; i++)
      field[i] = (uint8_t) (sum >> 8 * (3 - i));
  }
  return size - old_size + length;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  struct places places;
  uint64_t state = (uint64_t) seed * 2 + 1;
  if (seed % 4 == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  find_events (data, size, &places);
  if (places.count == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  const struct place *const place = &places.all[fuzz_next (&state) % places.count];
  const struct place *const other = &places.all[fuzz_next (&state) % places.count];
  g_autofree uint8_t *bytes = g_memdup2 (data + other->offset, other->size);
  switch (fuzz_next (&state) % 4) {
  case 0: /* goes */
    return splice (data, size, max_size, place, place->size, bytes, 0);
  case 1: /* another one comes once more, here */
    return splice (data, size, max_size, place, 0, bytes, other->size);
  case 2: /* another one is here instead */
    return splice (data, size, max_size, place, place->size, bytes, other->size);
  default: /* other values, after the type */
    if (place->size > 2)
      LLVMFuzzerMutate (data + place->offset + 2, place->size - 2, place->size - 2);
    return size;
  }
}
