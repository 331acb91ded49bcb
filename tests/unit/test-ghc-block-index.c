/* test-ghc-block-index.c -- which blocks of an eventlog can be passed, and files beside it that
 * state nothing about them. */
#include "config.h"

#include "decoder/ghc/index/ghc-block-index.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where the parts of the file's content are. */
enum { LENGTH_AT = 4, BLOCKS_AT = 12, SIZE_AT = BLOCKS_AT + (2 + GHC_KIND_WORDS) * 8 };
enum { RECORD_BYTES = SIZE_AT - BLOCKS_AT + 12, EVENTS_AT = SIZE_AT + 4 };

static char *folder, *path, *index_path;
static GByteArray *log_bytes;
static guint header_length;

static void
begin (void)
{
  folder = g_dir_make_tmp ("proflog-blocks.XXXXXX", NULL);
  path = g_build_filename (folder, "log.eventlog", NULL);
  index_path = g_strconcat (path, INDEX_FILE_SUFFIX, NULL);
  log_bytes = g_byte_array_new ();
  ghc_put_header_begin (log_bytes);
  ghc_put_all_types (log_bytes);
  ghc_put_header_end (log_bytes);
  header_length = log_bytes->len;
}

static void
end (void)
{
  g_unlink (index_path);
  g_unlink (path);
  g_rmdir (folder);
  g_byte_array_unref (log_bytes);
  g_free (index_path);
  g_free (path);
  g_free (folder);
}

#define INDEX_TEST(name) TEST_WITH (name, begin, end)

/* Appends to the file the part of the log that it lacks, which is another file if it has more. */
static void
write_log (void)
{
  GStatBuf st;
  const bool grows = g_stat (path, &st) == 0 && (guint64) st.st_size <= log_bytes->len;
  const gsize before = grows ? (gsize) st.st_size : 0;
  FILE *file = g_fopen (path, grows ? "ab" : "wb");
  assert_non_null (file);
  assert_int_equal (fwrite (log_bytes->data + before, 1, log_bytes->len - before, file),
                    log_bytes->len - before);
  assert_int_equal (fclose (file), 0);
}

static struct log_input *
open_log (void)
{
  struct log_input *input = log_input_open (path, NULL);
  assert_non_null (input);
  return input;
}

/* A block of this capability, of an event at each of two times. */
static void
put_block (guint cap, uint64_t first, uint64_t last)
{
  ghc_put_block (log_bytes, 24 + 10 + 14, first, last, cap);
  ghc_put_kind (log_bytes, GHC_GC_START, first, 0);
  ghc_put_kind (log_bytes, GHC_RUN_THREAD, last, GHC_NUMBER (4, 1), 0);
}

static void
check_block (const struct ghc_indexed_block *b, guint64 offset, guint cap, guint64 first,
             guint64 last)
{
  assert_int_equal (b->offset, offset);
  assert_int_equal (b->size, 48);
  assert_int_equal (b->events, 3);
  assert_int_equal (b->cap, cap);
  assert_int_equal (b->earliest, first);
  assert_int_equal (b->latest, last);
  for (unsigned kind = 0; kind < GHC_KINDS; kind++)
    assert_int_equal (ghc_indexed_block_has (b, kind),
                      kind == GHC_BLOCK_MARKER || kind == GHC_GC_START || kind == GHC_RUN_THREAD);
}

/* Stores the index of the log; how many blocks it has then. */
static guint
store_and_count (void)
{
  write_log ();
  struct log_input *input = open_log ();
  assert_true (ghc_block_index_store (input, NULL));
  log_input_close (input);
  input = open_log ();
  struct ghc_block_index *index = ghc_block_index_read (input);
  const guint n = index != NULL ? index->blocks->len : 0;
  for (guint i = 0; i < n; i++)
    check_block (&g_array_index (index->blocks, struct ghc_indexed_block, i),
                 header_length + 48 * i, i, 100 * i, 100 * i + 50);
  ghc_block_index_free (index);
  log_input_close (input);
  return n;
}

/* The end of the blocks that can be passed, to which the one before it does not belong. */
INDEX_TEST (test_blocks)
{
  assert_int_equal (store_and_count (), 0);
  assert_false (g_file_test (index_path, G_FILE_TEST_EXISTS));
  for (guint i = 0; i < 3; i++)
    put_block (i, 100 * i, 100 * i + 50);
  const guint length = log_bytes->len;
  /* The end mark. */
  ghc_put (log_bytes, GHC_DATA_END, 2);
  assert_int_equal (store_and_count (), 2);
  /* An event outside of blocks. */
  g_unlink (index_path);
  g_byte_array_set_size (log_bytes, length);
  ghc_put_kind (log_bytes, GHC_GC_START, 300, 0);
  put_block (3, 300, 350);
  assert_int_equal (store_and_count (), 2);
  /* Another header. */
  g_unlink (index_path);
  g_byte_array_set_size (log_bytes, length);
  g_autofree guint8 *header = g_memdup2 (log_bytes->data, header_length);
  g_byte_array_append (log_bytes, header, header_length);
  put_block (3, 300, 350);
  assert_int_equal (store_and_count (), 2);
  /* Bytes that are damaged. */
  g_unlink (index_path);
  g_byte_array_set_size (log_bytes, length);
  memset (log_bytes->data + header_length + 48 + 24, 0xfe, 10);
  put_block (3, 300, 350);
  assert_int_equal (store_and_count (), 1);
}

/* A log that loses its end while the index is made gets none. */
INDEX_TEST (test_shorter)
{
  const struct index_witness witness = { header_length, 48 };
  g_autoptr (GArray) witnesses = g_array_new (FALSE, FALSE, sizeof witness);
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autofree char *message
      = g_strconcat (index_path, ": the log became shorter while it was read", NULL);
  GError *error = NULL;
  put_block (0, 0, 50);
  write_log ();
  struct log_input *input = open_log ();
  g_array_append_val (witnesses, witness);
  assert_int_equal (truncate (path, header_length + 47), 0);
  assert_false (index_file_write (input, INDEX_KIND_GHC, witnesses, content, &error));
  assert_string_equal (error->message, message);
  assert_false (g_file_test (index_path, G_FILE_TEST_EXISTS));
  g_error_free (error);
  log_input_close (input);
}

/* A log that grew has the blocks before, and those that came. */
INDEX_TEST (test_growth)
{
  for (guint i = 0; i < 3; i++)
    put_block (i, 100 * i, 100 * i + 50);
  assert_int_equal (store_and_count (), 2);
  for (guint i = 3; i < 6; i++)
    put_block (i, 100 * i, 100 * i + 50);
  write_log ();
  struct log_input *input = open_log ();
  struct ghc_block_index *index = ghc_block_index_read (input);
  assert_int_equal (index->cached, INDEX_GROWN);
  assert_int_equal (index->blocks->len, 2);
  ghc_block_index_free (index);
  log_input_close (input);
  assert_int_equal (store_and_count (), 5);
  assert_int_equal (store_and_count (), 5);
  ghc_block_index_free (NULL);
}

/* Changes of a content, of which none is that of an index of this log. */
INDEX_TEST (test_contents)
{
  GByteArray *good;
  for (guint i = 0; i < 3; i++)
    put_block (i, 100 * i, 100 * i + 50);
  assert_int_equal (store_and_count (), 2);
  struct log_input *input = open_log ();
  assert_int_equal (index_file_read (input, INDEX_KIND_GHC, &good), INDEX_WHOLE);
  assert_int_equal (good->len, BLOCKS_AT + 2 * RECORD_BYTES);
  const struct {
    guint length; /* to which it is cut */
    guint at, bytes;
    uint64_t number; /* in the place of another */
  } cases[] = {
    { good->len, 0, 0, 0 }, /* none: it is good */
    { 0, 0, 0, 0 },
    { 3, 0, 0, 0 },
    { LENGTH_AT + 4, 0, 0, 0 },
    { BLOCKS_AT, 0, 0, 0 },
    { good->len - 1, 0, 0, 0 },
    { good->len, 0, 4, 12345 },
    { good->len, LENGTH_AT, 8, 0 },
    { good->len, LENGTH_AT, 8, log_bytes->len + 1 },
    { good->len, SIZE_AT, 4, 23 },
    { good->len, SIZE_AT, 4, 0 },
    { good->len, SIZE_AT, 4, UINT32_MAX },
    { good->len, SIZE_AT + RECORD_BYTES, 4, log_bytes->len - header_length - 48 + 1 },
    { good->len, EVENTS_AT, 4, 0 },
    { good->len, EVENTS_AT + RECORD_BYTES, 4, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct index_witness start = { 0, 4 };
    GArray *witnesses = g_array_new (FALSE, FALSE, sizeof start);
    GByteArray *content = g_byte_array_new ();
    g_array_append_val (witnesses, start);
    g_byte_array_append (content, good->data, cases[i].length);
    for (guint k = 0; k < cases[i].bytes; k++)
      content->data[cases[i].at + k] = (guint8) (cases[i].number >> (8 * k));
    assert_true (index_file_write (input, INDEX_KIND_GHC, witnesses, content, NULL));
    struct ghc_block_index *index = ghc_block_index_read (input);
    if ((index != NULL) != (i == 0))
      fail_msg ("content %zu", i);
    ghc_block_index_free (index);
    g_byte_array_unref (content);
    g_array_unref (witnesses);
  }
  g_byte_array_unref (good);
  log_input_close (input);
}
