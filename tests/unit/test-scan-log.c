/* test-scan-log.c -- logs that threads scan: of two errors the one that is first in the log. */
#include "config.h"

#include "decoder/mlpd/query/scan-log.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <string.h>

enum {
  PEEKED = 256 * 1024,       /* the first read of an input */
  CHUNK = PEEKED / 4,        /* so the fifth chunk cannot be read */
  TEXT_LENGTH = 100 * 1024,  /* of a header, which ends in the second chunk */
  TEXT_LENGTH_PLACE = 4 + 34 /* after the id and the fields before the texts in version 3 */
};

/* After the first chunk: the other thread goes on to the chunk that cannot be read. */
static void
wait_for_producer (void *data, uint64_t bytes)
{
  if (bytes == CHUNK)
    g_usleep (300000);
  *(uint64_t *) data = bytes;
}

/* A header whose text has no end, then bytes that cannot be read.  The latter are found before the
 * former. */
TEST (test_two_errors)
{
  static const uint8_t header[] = { 0x01, 0x5a, 0x50, 0x4d, 3, 0, MLPD_VERSION_LAST, 8 };
  const struct log_scan_sizes sizes = { .chunk = CHUNK, .read_buffer = CHUNK, .retained = 1 << 20 };
  const struct scan_options options = { .depth = 0 };
  uint64_t progress = 0;
  const struct log_scan_watch watch = { .progress = wait_for_producer, .data = &progress };
  g_autofree guint8 *bytes = g_malloc (PEEKED + CHUNK);
  struct summary summary;
  GError *error = NULL;
  bool is_eventlog;
  memset (bytes, 'a', PEEKED + CHUNK);
  memcpy (bytes, header, sizeof header);
  memcpy (bytes + TEXT_LENGTH_PLACE,
          (const guint8[]){ 0, TEXT_LENGTH >> 8 & 0xff, TEXT_LENGTH >> 16, 0 }, 4);
  struct log_input *input = fixture_input (bytes, PEEKED + CHUNK);
  assert_true (log_input_detect_eventlog (input, &is_eventlog, NULL));
  fixture_fail_reads (input);
  summary_init (&summary, &options);
  assert_false (log_scan_chunks (&summary, input, 2, sizes, &watch, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_NOT_A_LOG));
  assert_int_equal (progress, 2 * CHUNK);
  g_clear_error (&error);
  summary_clear (&summary);
  log_input_close (input);
}

static void
count_chunks (void *data, uint64_t bytes)
{
  (void) bytes;
  ++*(guint *) data;
}

/* After the second header nothing is read, and headers that follow one another are no work each. */
TEST (test_headers)
{
  enum { HEADERS = 50000, LARGE = 1 << 20 };
  static const uint8_t header[MLPD_FILE_HEADER_SIZE] = { 0x01, 0x5a, 0x50, 0x4d, 0, 4, 1, 8 };
  const struct log_scan_sizes sizes = { .chunk = LARGE, .read_buffer = LARGE, .retained = LARGE };
  const struct scan_options options = { .depth = 0 };
  guint chunks = 0;
  const struct log_scan_watch watch = { .progress = count_chunks, .data = &chunks };
  struct summary summary;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint i = 0; i < HEADERS; i++)
    g_byte_array_append (bytes, header, sizeof header);
  struct log_input *input = fixture_input (bytes->data, bytes->len);
  summary_init (&summary, &options);
  assert_true (log_scan_chunks (&summary, input, 2, sizes, &watch, NULL));
  assert_int_equal (summary.log.skipped_bytes, (HEADERS - 1) * sizeof header);
  assert_true (chunks <= 2 + 2 * bytes->len / LARGE);
  summary_clear (&summary);
  log_input_close (input);
}
