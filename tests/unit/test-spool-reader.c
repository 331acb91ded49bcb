/* test-spool-reader.c -- spools made by hand: events that count, those that the log has already,
 * and their order.
 */
#include "config.h"

#include "decoder/core/cursor.h"
#include "decoder/input/spool-logs.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "tests/unit/test.h"

#include <glib/gstdio.h>
#include <proflog/read.h>
#include <string.h>
#include <unistd.h>

enum { SLOT = 16384, DATA = 256, LOG_HEADER = 32, BUFFER_HEADER = 48 };

static char *folder, *path;
static GByteArray *file;
static off_t hole; /* bytes after those of the file */

static void
set_up (void)
{
  folder = g_dir_make_tmp ("proflog-test-XXXXXX", NULL);
  assert_non_null (folder);
  path = g_build_filename (folder, "log.spool", NULL);
  file = g_byte_array_new ();
  hole = 0;
}

static void
tear_down (void)
{
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_byte_array_unref (file);
}

static struct proflog_spool_header *
header (void)
{
  return (struct proflog_spool_header *) (void *) file->data;
}

/* A new one, of a log of which 100 bytes were written. */
static void
begin_spool (void)
{
  g_byte_array_set_size (file, SLOT);
  memset (file->data, 0, SLOT);
  struct proflog_spool_header *h = header ();
  memcpy (h->magic, PROFLOG_SPOOL_MAGIC, sizeof h->magic);
  h->order = PROFLOG_SPOOL_ORDER;
  h->slot_size = SLOT;
  h->data_offset = DATA;
  h->slots = 1;
  h->log_header_length = LOG_HEADER;
  memset (h->log_header, 'H', LOG_HEADER);
  h->log_length = 100;
  h->writer = 77;
}

/* One more, which holds `length` bytes of this letter. */
static struct proflog_spool_slot *
add_slot (enum proflog_spool_state state, char letter, uint64_t length)
{
  const guint before = file->len;
  g_byte_array_set_size (file, before + SLOT);
  memset (file->data + before, 0, SLOT);
  memset (file->data + before + DATA, letter, length);
  struct proflog_spool_slot *slot = (struct proflog_spool_slot *) (void *) (file->data + before);
  slot->state = state;
  slot->number = before / SLOT;
  slot->slots = 1;
  slot->published = length;
  slot->header.id = MLPD_BUFFER_ID;
  slot->header.time_base = slot->number;
  header ()->slots = slot->number + 1;
  return slot;
}

/* A name of 48 of the same letters. */
static void
add_name (struct proflog_spool_slot *slot, uint64_t sequence, char letter)
{
  const struct proflog_spool_name name
      = { .sequence = sequence, .time = 5000 + sequence, .length = BUFFER_HEADER };
  uint8_t *at = (uint8_t *) slot + DATA + slot->published;
  memcpy (at, &name, sizeof name);
  memset (at + sizeof name, letter, BUFFER_HEADER);
  slot->published += sizeof name + BUFFER_HEADER;
}

/* The rest as letters: one for each name, and of each buffer, - for the end mark, ! for a loss mark
 * of 71 events and error 27. */
static char *
outline (const GByteArray *rest)
{
  GString *text = g_string_new (NULL);
  guint at = 0;
  while (at < rest->len) {
    uint32_t words[2];
    memcpy (words, rest->data + at, sizeof words);
    if (rest->data[at] == 'H') {
      at += LOG_HEADER;
      g_string_append_c (text, 'H');
    } else if (words[0] == MLPD_BUFFER_ID
               && memcmp (rest->data + at + 16, "\x47\0\0\0\0\0\0\0lost\0\0\0\0", 16) == 0) {
      assert_int_equal (words[1], 0);
      assert_int_equal (rest->data[at + 40], 27);
      g_string_append_c (text, '!');
      at += BUFFER_HEADER;
    } else if (words[0] != MLPD_BUFFER_ID) {
      g_string_append_c (text, (char) rest->data[at]);
      at += BUFFER_HEADER;
    } else {
      at += BUFFER_HEADER;
      g_string_append_c (text, words[1] != 0 ? (char) rest->data[at] : '-');
      at += words[1];
    }
  }
  assert_int_equal (at, rest->len);
  return g_string_free (text, FALSE);
}

/* With a log of this length and border, the log keeps this much, and this follows. */
static struct spool_share
expect_border (uint64_t log_length, uint64_t border, uint64_t kept, const char *rest)
{
  GError *error = NULL;
  struct spool_share share;
  assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  assert_int_equal (truncate (path, (off_t) file->len + hole), 0);
  struct spool *spool = spool_open (path, &error);
  assert_null (error);
  assert_true (spool_share (spool, log_length, border, &share, &error));
  char *found = outline (share.rest);
  assert_string_equal (found, rest);
  assert_int_equal (share.log_length, kept);
  g_free (found);
  g_byte_array_unref (share.rest);
  spool_close (spool);
  return share;
}

static struct spool_share
expect_kept (uint64_t log_length, uint64_t kept, const char *rest)
{
  return expect_border (log_length, log_length, kept, rest);
}

TEST_WITH (test_order, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'd', 10); /* no one has handed it over */
  add_slot (PROFLOG_SPOOL_EVENTS, 'c', 20)->sequence = 9;
  struct proflog_spool_slot *names = add_slot (PROFLOG_SPOOL_NAMES, 0, 0);
  add_name (names, 3, '1');
  add_name (names, 8, '2');
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 30)->sequence = 2;
  add_slot (PROFLOG_SPOOL_EVENTS, 'x', 0);
  add_slot (PROFLOG_SPOOL_FREE, 'x', 30)->sequence = 1;
  add_slot (PROFLOG_SPOOL_EVENTS, 'b', 1)->sequence = 5;
  const struct spool_share share = expect_kept (100, 100, "a1b2cd-");
  assert_int_equal (share.buffers, 4);
  assert_int_equal (share.names, 2);
  assert_int_equal (share.missing, 0);
  assert_int_equal (share.damages, 0);
  header ()->names_written = 3;
  expect_kept (100, 100, "ab2cd-");
}

/* A program whose log could no longer be written was killed then. */
TEST_WITH (test_lost, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 30)->sequence = 2;
  header ()->lost_events = 71;
  header ()->log_error = 27;
  const struct spool_share share = expect_kept (100, 100, "a!-");
  assert_int_equal (share.log_error, 27);
  assert_int_equal (share.spool_error, 0);
  /* It had buffers in its memory alone. */
  header ()->spool_error = 28;
  assert_int_equal (expect_kept (100, 100, "a!").spool_error, 28);
  header ()->lost_events = 0;
  expect_kept (100, 100, "a");
}

/* The bytes of the slot from `from` up to `to` were going to stand in the log from 100 on. */
static void
begin_part (struct proflog_spool_slot *slot, uint64_t from, uint64_t to)
{
  slot->part = 1 - slot->part;
  slot->parts[slot->part] = (struct proflog_spool_part){ 100, from, to };
}

/* The buffer was going to stand in the log from 100 to 158. */
TEST_WITH (test_half_written, set_up, tear_down)
{
  begin_spool ();
  struct proflog_spool_slot *slot = add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10);
  slot->sequence = 1;
  begin_part (slot, 0, 10);
  expect_kept (100, 100, "a-");
  expect_kept (101, 100, "a-");
  expect_kept (157, 100, "a-");
  expect_kept (158, 158, "-");
}

/* Data version 1: an enter of method 1016 at 105, a leave of it at 112, an enter of 1000 at 113. */
static const uint8_t events[] = { 0x23, 0x05, 0x10, 0x13, 0x07, 0x00, 0x23, 0x01, 0x70 };

/* The rest of a slot with these events, as it follows a log of `log_length` bytes; its header. */
static struct mlpd_buffer_header
expect_rest (uint64_t log_length, size_t from)
{
  static const uint8_t file_header[LOG_HEADER] = { 0x01, 0x5a, 0x50, 0x4d, 0, 4, 1, 8 };
  GError *error = NULL;
  struct spool_share share;
  struct mlpd_buffer_header found;
  memcpy (header ()->log_header, file_header, sizeof file_header);
  assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  struct spool *spool = spool_open (path, &error);
  assert_null (error);
  assert_true (spool_share (spool, log_length, log_length, &share, &error));
  assert_int_equal (share.damages, 0);
  struct cursor c = cursor_over (share.rest->data, share.rest->len);
  mlpd_decode_buffer_header (&c, &found);
  assert_int_equal (found.length, sizeof events - from);
  assert_memory_equal (c.at, events + from, found.length);
  g_byte_array_unref (share.rest);
  spool_close (spool);
  return found;
}

/* A buffer that was flushed before it was full is two in the log. */
TEST_WITH (test_flushed, set_up, tear_down)
{
  begin_spool ();
  struct proflog_spool_slot *slot = add_slot (PROFLOG_SPOOL_EVENTS, 'a', sizeof events);
  memcpy ((uint8_t *) slot + DATA, events, sizeof events);
  slot->header.time_base = 100;
  slot->header.method_base = 1000;
  slot->header.ptr_base = 5;
  /* 51 bytes more of the log are the enter. */
  begin_part (slot, 0, 3);
  struct mlpd_buffer_header h = expect_rest (150, 0);
  assert_int_equal (h.time_base, 100);
  h = expect_rest (151, 3);
  assert_int_equal (h.time_base, 105);
  assert_int_equal (h.method_base, 1016);
  assert_int_equal (h.ptr_base, 5);
  /* Then the leave; it is not whole yet, or is. */
  begin_part (slot, 3, 6);
  h = expect_rest (150, 3);
  assert_int_equal (h.time_base, 105);
  h = expect_rest (151, 6);
  assert_int_equal (h.time_base, 112);
  assert_int_equal (h.method_base, 1016);
  /* All is there. */
  begin_part (slot, 6, 9);
  expect_kept (151, 151, "-");
  /* And some bytes of the check mark after it, which were not to be there alone. */
  expect_border (170, 151, 151, "-");
  expect_border (199, 199, 199, "-");
  /* No events end there. */
  begin_part (slot, 2, 9);
  assert_int_equal (expect_kept (100, 100, "").damages, 1);
  begin_part (slot, 0, 10);
  assert_int_equal (expect_kept (100, 100, "").damages, 1);
  begin_part (slot, 3, 2);
  assert_int_equal (expect_kept (100, 100, "").damages, 1);
}

/* Names up to 7 are in the log, those up to 9 were going to stand there from 100 to 200. */
TEST_WITH (test_half_written_names, set_up, tear_down)
{
  begin_spool ();
  struct proflog_spool_slot *names = add_slot (PROFLOG_SPOOL_NAMES, 0, 0);
  add_name (names, 7, '7');
  add_name (names, 8, '8');
  add_name (names, 9, '9');
  add_name (names, 10, 'X');
  header ()->names_written = 7;
  expect_kept (100, 100, "89X-");
  header ()->names_start = 100;
  header ()->names_end = 200;
  header ()->names_last = 9;
  expect_kept (100, 100, "89X-");
  expect_kept (199, 100, "89X-");
  expect_kept (200, 200, "X-");
}

TEST_WITH (test_ends_of_the_log, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10)->sequence = 1;
  header ()->log_end = 148;
  expect_kept (147, 147, "a-");
  expect_kept (148, 148, ""); /* it is whole: the events of the spool do not count */
  header ()->log_end = 0;
  /* Not even the file's header came to be written. */
  header ()->log_length = 0;
  expect_kept (0, 0, "Ha-");
  expect_kept (31, 0, "Ha-");
  expect_kept (32, 32, "a-");
}

/* The log was 100 bytes long when the process was killed. */
TEST_WITH (test_missing, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10)->sequence = 1;
  const struct spool_share share = expect_border (90, 80, 80, "a");
  assert_int_equal (share.missing, 10);
}

TEST_WITH (test_long_slots, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10)->sequence = 1;
  add_slot (PROFLOG_SPOOL_EVENTS, 'x', 10)->sequence = 2; /* is data of the one before */
  add_slot (PROFLOG_SPOOL_EVENTS, 'b', 10)->sequence = 3;
  struct proflog_spool_slot *first = (struct proflog_spool_slot *) (void *) (file->data + SLOT);
  first->slots = 2;
  first->published = 2 * SLOT - DATA;
  expect_kept (100, 100, "ab-");
  first->state = PROFLOG_SPOOL_FREE;
  expect_kept (100, 100, "b-");
  first->state = PROFLOG_SPOOL_EVENTS;
  first->published++;
  assert_int_equal (expect_kept (100, 100, "b").damages, 1);
  first->slots = UINT64_MAX;
  assert_int_equal (expect_kept (100, 100, "xb").damages, 1);
}

/* A slot claims all of a TiB that the file does not have on the disk. */
TEST_WITH (test_slot_of_a_hole, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10)->sequence = 1;
  struct proflog_spool_slot *slot = add_slot (PROFLOG_SPOOL_EVENTS, 'x', 10);
  hole = (off_t) 1 << 40;
  slot->slots = 1 + (uint64_t) hole / SLOT;
  slot->published = slot->slots * SLOT - DATA;
  begin_part (slot, slot->published - 1, slot->published - 1);
  assert_int_equal (expect_kept (100, 100, "a").damages, 1);
}

TEST_WITH (test_damage, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 10)->sequence = 1;
  add_slot (PROFLOG_SPOOL_EVENTS, 'b', 10)->number = 9;
  add_slot ((enum proflog_spool_state) 3, 'c', 10);
  struct proflog_spool_slot *names = add_slot (PROFLOG_SPOOL_NAMES, 0, 0);
  add_name (names, 3, '1');
  names->published--; /* one byte of its name is not there */
  header ()->slots++;
  assert_int_equal (expect_kept (100, 100, "a").damages, 4);
}

/* Of an eventlog blocks are left, and the mark of its end. */
TEST_WITH (test_eventlog, set_up, tear_down)
{
  static const uint8_t recorded[] = {
    0, 1, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 9, /* thread 9 runs: the log has that */
    0, 9, 0, 0, 0, 0, 0, 0, 0, 70,             /* a collection begins */
  };
  static const uint8_t wanted[] = {
    0, 18, 0, 0,  0, 0, 0, 0, 0, 60,                   /* a block, from the last event on */
    0, 0,  0, 34, 0, 0, 0, 0, 0, 0,  0,    70,   0, 3, /* 34 bytes up to 70, of capability 3 */
    0, 9,  0, 0,  0, 0, 0, 0, 0, 70, 0xff, 0xff,
  };
  begin_spool ();
  memcpy (header ()->log_header, "hdrb", 4);
  struct proflog_spool_slot *slot = add_slot (PROFLOG_SPOOL_EVENTS, 0, sizeof recorded);
  memcpy ((uint8_t *) slot + DATA, recorded, sizeof recorded);
  slot->header = (struct mlpd_buffer_header){ .time_base = 50, .thread = 3 };
  slot->parts[0] = (struct proflog_spool_part){ .log_start = 62, .from = 0, .to = 14 };
  header ()->slots = 2;
  assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  struct spool *spool = spool_open (path, NULL);
  struct spool_share share;
  assert_non_null (spool);
  assert_true (spool_is_of_eventlog (spool));
  assert_true (spool_share (spool, 100, 100, &share, NULL));
  assert_int_equal (share.log_length, 100);
  assert_int_equal (share.damages, 0);
  assert_int_equal (share.rest->len, sizeof wanted);
  assert_memory_equal (share.rest->data, wanted, sizeof wanted);
  g_byte_array_unref (share.rest);
  spool_close (spool);
}

/* Its bytes are no longer there, or more than may be taken in. */
static void
expect_no_share (off_t size, const char *words)
{
  GError *error = NULL;
  struct spool_share share;
  assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  assert_int_equal (truncate (path, (off_t) file->len + hole), 0);
  struct spool *spool = spool_open (path, NULL);
  assert_non_null (spool);
  if (size != 0)
    assert_int_equal (truncate (path, size), 0);
  assert_false (spool_share (spool, 100, 100, &share, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  char *message = g_strdup_printf ("%s: %s", path, words);
  assert_string_equal (error->message, message);
  g_free (message);
  g_error_free (error);
  spool_close (spool);
}

TEST_WITH (test_not_shared, set_up, tear_down)
{
  begin_spool ();
  add_slot (PROFLOG_SPOOL_EVENTS, 'a', 100)->sequence = 1;
  expect_no_share (SLOT + DATA + 99, "100 bytes at 16640 cannot be read");
  /* A slot of 2 GiB and 16384 bytes, in which its own data begins at 256. */
  hole = (off_t) 1 << 31;
  struct proflog_spool_slot *slot = (struct proflog_spool_slot *) (void *) (file->data + SLOT);
  slot->slots = 1 + (uint64_t) hole / SLOT;
  slot->published = slot->slots * SLOT - DATA;
  expect_no_share (0, "holds more than 2147483648 bytes");
}

static void
expect_refused (const char *words)
{
  GError *error = NULL;
  assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  assert_null (spool_open (path, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  assert_non_null (strstr (error->message, words));
  g_error_free (error);
}

TEST_WITH (test_refused, set_up, tear_down)
{
  begin_spool ();
  header ()->slot_size = 100;
  expect_refused ("slots of 100 bytes");
  begin_spool ();
  header ()->data_offset = 8;
  expect_refused ("data at 8");
  begin_spool ();
  header ()->order = 0x04030201;
  expect_refused ("another byte order");
  begin_spool ();
  header ()->log_header_length = 0;
  expect_refused ("holds nothing");
  begin_spool ();
  header ()->magic[0] = 'P';
  expect_refused ("is no spool");
  g_byte_array_set_size (file, 20);
  expect_refused ("is no spool");
  g_byte_array_set_size (file, 0);
  expect_refused ("is no spool");
}
