/* mutate-mlpd.c -- changes whole events of a Mono log: some go, come twice or elsewhere, and new
 * ones come, of kinds and with values of the event list.  The lengths of buffers stay right. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#include "tests/prop/random-events.h"
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

enum { EVENTS_MOST = 512, LENGTH_OFFSET = 4 };

struct place {
  size_t buffer, offset, size;
};

struct places {
  size_t count;
  unsigned version;
  struct place all[EVENTS_MOST];
};

/* Events that are in whole buffers. */
static void
find_events (const uint8_t *data, size_t size, struct places *places)
{
  const struct mlpd_item *item;
  size_t buffer = 0;
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_push (reader, data, size);
  mlpd_reader_finish (reader);
  *places = (struct places){ .version = 1 };
  while (places->count < EVENTS_MOST && mlpd_reader_next (reader, &item) == PROFLOG_EVENT) {
    if (item->type == MLPD_ITEM_FILE_HEADER)
      places->version = CLAMP (item->header->data_version, 1, MLPD_VERSION_LAST);
    else if (item->type == MLPD_ITEM_BUFFER)
      buffer = item->offset;
    else if (item->type == MLPD_ITEM_EVENT && buffer != 0)
      places->all[places->count++] = (struct place){ buffer, item->offset, item->size };
  }
  mlpd_reader_free (reader);
}

/* Replaces `old_size` bytes by others, and corrects the length of their buffer.  The new size. */
static size_t
splice (uint8_t *data, size_t size, size_t max_size, const struct place *at, size_t old_size,
        const uint8_t *bytes, size_t length)
{
  uint32_t sum;
  if (size - old_size + length > max_size)
    return size;
  uint8_t *const to = data + at->offset;
  memmove (to + length, to + old_size, size - at->offset - old_size);
  memcpy (to, bytes, length);
  memcpy (&sum, data + at->buffer + LENGTH_OFFSET, sizeof sum);
  sum += (uint32_t) length - (uint32_t) old_size;
  memcpy (data + at->buffer + LENGTH_OFFSET, &sum, sizeof sum);
  return size - old_size + length;
}

/* The bytes of a random event of a data version (g_free). */
static uint8_t *
new_event (unsigned version, unsigned seed, size_t *length)
{
  const struct mlpd_file_header header = { .data_version = (uint8_t) version, .pointer_size = 8 };
  struct random_events random = { .few = seed % 3 == 0 ? 0 : 6 };
  union mlpd_payload payload;
  size_t start;
  uint8_t *bytes = NULL;
  struct mlpd_writer *writer = mlpd_writer_new ();
  random_events_init (&random, seed);
  random.version = version;
  random.address_mask = UINT64_MAX;
  *length = 0;
  mlpd_writer_header (writer, &header, NULL);
  mlpd_writer_take (writer, &start);
  mlpd_writer_begin_buffer (writer, 1, 0, NULL);
  const enum mlpd_kind kind = random_event (&random, &payload);
  if (mlpd_writer_event (writer, kind, &payload, NULL)) {
    mlpd_writer_end_buffer (writer);
    const uint8_t *buffer = mlpd_writer_take (writer, length);
    *length -= MLPD_BUFFER_HEADER_SIZE;
    bytes = g_memdup2 (buffer + MLPD_BUFFER_HEADER_SIZE, *length);
  }
  mlpd_writer_free (writer);
  random_events_clear (&random);
  return bytes;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  struct places places;
  uint64_t state = (uint64_t) seed * 2 + 1;
  size_t length;
  g_autofree uint8_t *bytes = NULL;
  if (seed % 4 == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  find_events (data, size, &places);
  if (places.count == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  const struct place *const place = &places.all[fuzz_next (&state) % places.count];
  const struct place *const other = &places.all[fuzz_next (&state) % places.count];
  switch (fuzz_next (&state) % 4) {
  case 0: /* goes */
    return splice (data, size, max_size, place, place->size, data, 0);
  case 1: /* another one comes once more, here */
    bytes = g_memdup2 (data + other->offset, other->size);
    return splice (data, size, max_size, place, 0, bytes, other->size);
  default:
    bytes = new_event (places.version, seed, &length);
    return bytes == NULL ? size
                         : splice (data, size, max_size, place,
                                   fuzz_next (&state) % 2 == 0 ? place->size : 0, bytes, length);
  }
}
