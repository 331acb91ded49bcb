/* test-mlpd-check-marks.c -- a log with check marks: whatever is changed in it is reported. */
#include "config.h"

#include "decoder/mlpd/mlpd-check-marks.h"
#include "tests/unit/test.h"

#include <proflog/content-sum.h>
#include <proflog/mlpd-encode.h>
#include <string.h>

enum { BUFFERS = 4, EVENTS = 6, PIECE_MAX = 256 };

/* A buffer and its mark. */
struct piece {
  guint8 bytes[PIECE_MAX];
  gsize length;
};

static struct piece
make_piece (unsigned number)
{
  struct piece piece = { .length = 0 };
  guint8 *const events = piece.bytes + MLPD_BUFFER_HEADER_SIZE, *p = events;
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 1000 * number);
  for (unsigned i = 0; i < EVENTS; i++) {
    const struct mlpd_method_enter enter = { .time = 1000 * number + i, .method = 0x5000 + i };
    p = mlpd_put_method_enter (&e, p, &enter);
  }
  const struct mlpd_buffer_header h = mlpd_encoder_header (&e, 7, (uint32_t) (p - events));
  mlpd_put_buffer_header (piece.bytes, &h);
  struct content_sum sum;
  content_sum_start (&sum);
  content_sum_add (&sum, piece.bytes, (gsize) (p - piece.bytes));
  const struct mlpd_buffer_header mark
      = mlpd_check_mark (1000 * number, 9, content_sum_get (&sum), number);
  mlpd_put_buffer_header (p, &mark);
  piece.length = (gsize) (p - piece.bytes) + MLPD_BUFFER_HEADER_SIZE;
  return piece;
}

/* A log of these pieces, by their numbers, which end with 0. */
static GByteArray *
make_log (const unsigned *numbers)
{
  GByteArray *log = g_byte_array_new ();
  guint8 bytes[MLPD_FILE_HEADER_SIZE];
  const struct mlpd_file_header file = { .id = MLPD_FILE_ID, .data_version = 1, .pointer_size = 8 };
  mlpd_put_file_header (bytes, &file);
  g_byte_array_append (log, bytes, sizeof bytes);
  for (; *numbers != 0; numbers++) {
    const struct piece piece = make_piece (*numbers);
    g_byte_array_append (log, piece.bytes, (guint) piece.length);
  }
  return log;
}

struct found {
  unsigned events, damages;
  char first[256];
};

/* The findings of a reader that gets pieces of this many bytes. */
static struct found
find (const GByteArray *log, gsize piece, bool verifies)
{
  struct found found = { .events = 0 };
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  if (verifies)
    mlpd_reader_verify (reader);
  for (gsize at = 0; at < log->len; at += piece) {
    mlpd_reader_push (reader, log->data + at, MIN (piece, log->len - at));
    if (at + piece >= log->len)
      mlpd_reader_finish (reader);
    while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT) {
      found.events += item->type == MLPD_ITEM_EVENT;
      if (item->type == MLPD_ITEM_DAMAGE && found.damages++ == 0)
        g_strlcpy (found.first, item->damage->message, sizeof found.first);
    }
  }
  mlpd_reader_free (reader);
  return found;
}

static const unsigned all[] = { 1, 2, 3, 4, 0 };

TEST (test_unchanged)
{
  GByteArray *log = make_log (all);
  for (gsize piece = 1; piece <= log->len; piece = piece < 100 ? piece + 1 : 2 * piece) {
    const struct found found = find (log, piece, true);
    assert_int_equal (found.events, BUFFERS * EVENTS);
    assert_int_equal (found.damages, 0);
  }
  g_byte_array_unref (log);
}

/* Each bit behind the file header but the times and threads of marks, which mean nothing. */
TEST (test_each_bit)
{
  GByteArray *log = make_log (all);
  unsigned silent = 0, silent_before = 0, bits = 0;
  for (guint at = MLPD_FILE_HEADER_SIZE; at < log->len; at++) {
    const gsize piece = make_piece (1).length;
    const gsize in_piece = (at - MLPD_FILE_HEADER_SIZE) % piece,
                mark = piece - MLPD_BUFFER_HEADER_SIZE;
    const bool is_time_of_mark = in_piece >= mark + 8 && in_piece < mark + 16,
               is_thread_of_mark = in_piece >= mark + 32 && in_piece < mark + 40,
               is_in_last_mark = at >= log->len - MLPD_BUFFER_HEADER_SIZE;
    if (is_time_of_mark || is_thread_of_mark || is_in_last_mark)
      continue;
    for (unsigned bit = 0; bit < 8; bit++) {
      log->data[at] ^= (guint8) (1 << bit);
      if (find (log, log->len, true).damages == 0 && silent++ == 0)
        print_message (
            "the first that is not reported: bit %u at %u, %u of a piece with its mark at %u\n",
            bit, at, (unsigned) in_piece, (unsigned) mark);
      silent_before += find (log, log->len, false).damages == 0;
      log->data[at] ^= (guint8) (1 << bit);
      bits++;
    }
  }
  assert_true (bits > 2000);
  assert_int_equal (silent, 0);
  assert_true (silent_before > bits / 4); /* the marks show it */
  g_byte_array_unref (log);
}

static void
expect_first (const unsigned *numbers, const char *wanted)
{
  GByteArray *log = make_log (numbers);
  const struct found found = find (log, log->len, true);
  assert_int_equal (found.damages, 1);
  if (strstr (found.first, wanted) == NULL)
    fail_msg ("'%s' lacks '%s'", found.first, wanted);
  assert_int_equal (find (log, log->len, false).damages, 0);
  g_byte_array_unref (log);
}

TEST (test_whole_buffers)
{
  expect_first ((const unsigned[]){ 1, 2, 4, 0 }, "check mark 4 follows mark 2");
  expect_first ((const unsigned[]){ 1, 2, 2, 3, 4, 0 }, "check mark 2 follows mark 2");
  expect_first ((const unsigned[]){ 2, 3, 4, 0 }, "check mark 2 follows mark 0");
  /* Another file of the log. */
  GByteArray *log = make_log ((const unsigned[]){ 1, 2, 3, 1, 2, 0 });
  assert_int_equal (find (log, log->len, true).damages, 0);
  g_byte_array_unref (log);
}
