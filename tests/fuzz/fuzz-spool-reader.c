/* fuzz-spool-reader.c -- a crash buffer with any bytes in any places: its share of its log stays
 * within its bounds.
 *
 * The input changes a good one, as that is mostly zeros: two bytes of a place, one of a length, and
 * the bytes to be put there; and so on.  Places are in units of 4 bytes. */
#include "config.h"

#include "decoder/input/spool-logs.h"
#include "tests/fuzz/fuzz.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  SLOT = 16384,
  SLOTS = 4,
  SIZE = SLOT * SLOTS,
  DATA = 256,
  LOG_HEADER = 32,
  BUFFER = 96,
  LOG_LENGTH = 100
};

static struct proflog_spool_slot *
slot_at (uint8_t *bytes, guint nth, uint32_t state)
{
  struct proflog_spool_slot *slot
      = (struct proflog_spool_slot *) (void *) (bytes + (gsize) SLOT * nth);
  *slot = (struct proflog_spool_slot){ .state = state,
                                       .number = nth,
                                       .slots = 1,
                                       .published = BUFFER,
                                       .sequence = nth,
                                       .parts = { { .log_start = 0, .from = 0, .to = BUFFER } } };
  return slot;
}

/* Two buffers of events and one of names, of a log that has its header and little more. */
static void
make_spool (uint8_t *bytes)
{
  struct proflog_spool_header *h = (struct proflog_spool_header *) (void *) bytes;
  memset (bytes, 0, SIZE);
  *h = (struct proflog_spool_header){ .order = PROFLOG_SPOOL_ORDER,
                                      .slot_size = SLOT,
                                      .slots = SLOTS,
                                      .data_offset = DATA,
                                      .log_header_length = LOG_HEADER,
                                      .log_length = LOG_LENGTH,
                                      .writer = 77 };
  memcpy (h->magic, PROFLOG_SPOOL_MAGIC, sizeof h->magic);
  slot_at (bytes, 1, PROFLOG_SPOOL_EVENTS)->header.thread = 7;
  slot_at (bytes, 2, PROFLOG_SPOOL_EVENTS)->parts[0].log_start = LOG_LENGTH - 10;
  slot_at (bytes, 3, PROFLOG_SPOOL_NAMES);
  struct proflog_spool_name *name
      = (struct proflog_spool_name *) (void *) (bytes + 3 * SLOT + DATA);
  *name = (struct proflog_spool_name){ .sequence = 1, .time = 5, .length = BUFFER - sizeof *name };
}

static void
change (uint8_t *bytes, const uint8_t *data, size_t size)
{
  while (size >= 3) {
    const size_t at = (data[0] | (size_t) data[1] << 8) * 4 % SIZE;
    const size_t length = MIN (MIN ((size_t) data[2] % 16, size - 3), SIZE - at);
    memcpy (bytes + at, data + 3, length);
    data += 3 + length;
    size -= 3 + length;
  }
}

static void
share (struct spool *spool, uint64_t log_length, uint64_t border)
{
  struct spool_share share;
  size_t length;
  memset (&share, 0, sizeof share);
  spool_log_header (spool, &length);
  if (!spool_share (spool, log_length, border, &share, NULL))
    return;
  if (share.log_length > log_length)
    g_error ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes of the log count",
             share.log_length, log_length);
  if (share.rest != NULL && share.rest->len > SIZE)
    g_error ("a spool of %d bytes has %u", SIZE, share.rest->len);
  g_clear_pointer (&share.rest, g_byte_array_unref);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static uint8_t good[SIZE], *bytes;
  static char path[64];
  if (bytes == NULL) {
    const int fd = memfd_create ("spool", MFD_CLOEXEC);
    if (fd < 0 || ftruncate (fd, SIZE) != 0
        || (bytes = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
      g_error ("there is no file in memory");
    g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    make_spool (good);
  }
  memcpy (bytes, good, SIZE);
  change (bytes, data, size);
  struct spool *spool = spool_open (path, NULL);
  if (spool == NULL)
    return 0;
  spool_is_of_eventlog (spool);
  share (spool, LOG_LENGTH, LOG_LENGTH);
  share (spool, LOG_LENGTH + size, LOG_HEADER);
  spool_close (spool);
  return 0;
}
