/* test-log-input.c -- plain and compressed, files and pipes, whole and damaged. */
#include "config.h"

#include "decoder/input/log-input.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <proflog/mlpd-reader.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

static char *folder;
static char *path;

static int
set_up (void **state)
{
  (void) state;
  folder = g_dir_make_tmp ("proflog-test-XXXXXX", NULL);
  path = folder != NULL ? g_build_filename (folder, "log", NULL) : NULL;
  return folder != NULL ? 0 : -1;
}

static int
tear_down (void **state)
{
  (void) state;
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return 0;
}

/* Bytes that do not compress to nothing. */
static GByteArray *
some_bytes (guint length)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 x = 1;
  g_byte_array_set_size (bytes, length);
  for (guint i = 0; i < length; i++) {
    x = x * 1664525 + 1013904223;
    bytes->data[i] = (guint8) (x >> 28);
  }
  return bytes;
}

static void
append_gzip (GByteArray *to, const guint8 *bytes, guint length)
{
  z_stream z = { 0 };
  assert_int_equal (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  const guint room = (guint) deflateBound (&z, length);
  const guint before = to->len;
  g_byte_array_set_size (to, before + room);
  z.next_in = (Bytef *) bytes;
  z.avail_in = length;
  z.next_out = to->data + before;
  z.avail_out = room;
  assert_int_equal (deflate (&z, Z_FINISH), Z_STREAM_END);
  g_byte_array_set_size (to, before + room - z.avail_out);
  deflateEnd (&z);
}

#ifdef HAVE_ZSTD
static void
append_zstd (GByteArray *to, const guint8 *bytes, guint length)
{
  ZSTD_CCtx *z = ZSTD_createCCtx ();
  const guint room = (guint) ZSTD_compressBound (length);
  const guint before = to->len;
  ZSTD_CCtx_setParameter (z, ZSTD_c_checksumFlag, 1);
  g_byte_array_set_size (to, before + room);
  const gsize done = ZSTD_compress2 (z, to->data + before, room, bytes, length);
  assert_false (ZSTD_isError (done));
  g_byte_array_set_size (to, before + (guint) done);
  ZSTD_freeCCtx (z);
}
#endif

/* A kind of compression. */
struct packing {
  void (*append) (GByteArray *to, const guint8 *bytes, guint length);
  guint id_size;   /* bytes that show this format */
  guint check_end; /* distance from the end to a byte of a check sum of the whole */
};

static struct packing gzip = { append_gzip, 2, 8 };
#ifdef HAVE_ZSTD
static struct packing zstd = { append_zstd, 4, 4 };
#endif

static void
put_file (const guint8 *bytes, gsize length)
{
  assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) length, NULL));
}

static GByteArray *
read_to_end (struct log_input *input)
{
  GByteArray *all = g_byte_array_new ();
  const guint8 *bytes;
  gsize length;
  do {
    GError *error = NULL;
    assert_true (log_input_read (input, &bytes, &length, &error));
    assert_null (error);
    if (length != 0)
      g_byte_array_append (all, bytes, (guint) length);
  } while (length != 0);
  assert_true (log_input_read (input, &bytes, &length, NULL));
  assert_int_equal (length, 0);
  return all;
}

static struct log_input *
open_file (void)
{
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  assert_non_null (input);
  assert_null (error);
  assert_string_equal (log_input_name (input), path);
  return input;
}

static void
check_whole (struct log_input *input, const GByteArray *expected)
{
  GByteArray *all = read_to_end (input);
  assert_int_equal (all->len, expected->len);
  assert_memory_equal (all->data, expected->data, all->len);
  assert_null (log_input_damage (input));
  g_byte_array_unref (all);
  log_input_close (input);
}

static void
test_plain (void **state)
{
  (void) state;
  static const guint lengths[] = { 1, 2, 1000, 256 * 1024, 256 * 1024 + 1, 1 << 20 };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    GByteArray *bytes = some_bytes (lengths[i]);
    put_file (bytes->data, bytes->len);
    check_whole (open_file (), bytes);
    g_byte_array_unref (bytes);
  }
}

static void
test_packed (void **state)
{
  const struct packing *packing = *state;
  static const guint lengths[] = { 1, 1000, 3 << 20 };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    GByteArray *bytes = some_bytes (lengths[i]);
    GByteArray *zipped = g_byte_array_new ();
    packing->append (zipped, bytes->data, bytes->len);
    put_file (zipped->data, zipped->len);
    check_whole (open_file (), bytes);
    g_byte_array_unref (zipped);
    g_byte_array_unref (bytes);
  }
}

static void
test_packed_members (void **state)
{
  const struct packing *packing = *state;
  GByteArray *bytes = some_bytes (600 * 1024);
  GByteArray *zipped = g_byte_array_new ();
  packing->append (zipped, bytes->data, 1000);
  packing->append (zipped, bytes->data, 0);
  packing->append (zipped, bytes->data + 1000, bytes->len - 1001);
  packing->append (zipped, bytes->data + bytes->len - 1, 1);
  put_file (zipped->data, zipped->len);
  check_whole (open_file (), bytes);
  g_byte_array_unref (zipped);
  g_byte_array_unref (bytes);
}

/* The first member is shorter than the bytes that show the format, and the file is longer than one
 * read: it is not at its end where these are. */
static void
test_packed_peek (void **state)
{
  const struct packing *packing = *state;
  GByteArray *bytes = some_bytes (1 << 20);
  GByteArray *zipped = g_byte_array_new ();
  bool is_eventlog;
  packing->append (zipped, bytes->data, 5);
  packing->append (zipped, bytes->data + 5, bytes->len - 5);
  put_file (zipped->data, zipped->len);
  struct log_input *input = open_file ();
  assert_true (log_input_detect_eventlog (input, &is_eventlog, NULL));
  assert_false (is_eventlog);
  check_whole (input, bytes);
  g_byte_array_unref (zipped);
  g_byte_array_unref (bytes);
}

static void
test_packed_cut (void **state)
{
  const struct packing *packing = *state;
  GByteArray *bytes = some_bytes (2000);
  GByteArray *zipped = g_byte_array_new ();
  packing->append (zipped, bytes->data, bytes->len);
  guint before = 0;
  for (guint cut = packing->id_size; cut < zipped->len; cut++) {
    put_file (zipped->data, cut);
    struct log_input *input = open_file ();
    GByteArray *all = read_to_end (input);
    assert_true (all->len >= before && all->len <= bytes->len);
    assert_memory_equal (all->data, bytes->data, all->len);
    before = all->len;
    const struct log_file_damage *damage = log_input_damage (input);
    assert_non_null (damage);
    assert_true (damage->truncated);
    assert_int_equal (damage->offset, cut);
    assert_non_null (strstr (damage->message, "is cut"));
    g_byte_array_unref (all);
    log_input_close (input);
  }
  /* Only bytes of the check sum were missing at last. */
  assert_int_equal (before, bytes->len);
  g_byte_array_unref (zipped);
  g_byte_array_unref (bytes);
}

static void
check_damaged (const GByteArray *file, const GByteArray *expected, const char *words)
{
  put_file (file->data, file->len);
  struct log_input *input = open_file ();
  GByteArray *all = read_to_end (input);
  assert_int_equal (all->len, expected->len);
  assert_memory_equal (all->data, expected->data, all->len);
  assert_non_null (log_input_damage (input));
  assert_false (log_input_damage (input)->truncated);
  assert_non_null (strstr (log_input_damage (input)->message, words));
  g_byte_array_unref (all);
  log_input_close (input);
}

static void
test_packed_damaged (void **state)
{
  const struct packing *packing = *state;
  GByteArray *bytes = some_bytes (2000);
  GByteArray *zipped = g_byte_array_new ();
  packing->append (zipped, bytes->data, bytes->len);
  zipped->data[zipped->len - packing->check_end] ^= 1; /* of the check sum */
  check_damaged (zipped, bytes, "corrupt");
  zipped->data[zipped->len - packing->check_end] ^= 1;
  g_byte_array_append (zipped, (const guint8 *) "more", 4);
  check_damaged (zipped, bytes, "followed by something else");
  g_byte_array_unref (zipped);
  g_byte_array_unref (bytes);
}

struct feed {
  int fd;
  const GByteArray *bytes;
};

static gpointer
feed_pipe (gpointer data)
{
  const struct feed *feed = data;
  for (guint at = 0; at < feed->bytes->len;) {
    const gssize n = write (feed->fd, feed->bytes->data + at, MIN (feed->bytes->len - at, 1000));
    if (n <= 0)
      break;
    at += (guint) n;
  }
  close (feed->fd);
  return NULL;
}

static void
check_stdin (const GByteArray *sent, const GByteArray *expected)
{
  int ends[2];
  const int old = dup (STDIN_FILENO);
  assert_int_equal (pipe (ends), 0);
  assert_int_equal (dup2 (ends[0], STDIN_FILENO), STDIN_FILENO);
  close (ends[0]);
  struct feed feed = { .fd = ends[1], .bytes = sent };
  GThread *thread = g_thread_new ("feed", feed_pipe, &feed);
  struct log_input *input = log_input_open ("-", NULL);
  assert_non_null (input);
  assert_string_equal (log_input_name (input), "standard input");
  check_whole (input, expected);
  g_thread_join (thread);
  assert_int_equal (dup2 (old, STDIN_FILENO), STDIN_FILENO);
  close (old);
}

static void
test_stdin (void **state)
{
  const struct packing *packing = *state;
  GByteArray *bytes = some_bytes (300 * 1024);
  GByteArray *zipped = g_byte_array_new ();
  packing->append (zipped, bytes->data, bytes->len);
  check_stdin (bytes, bytes);
  check_stdin (zipped, bytes);
  g_byte_array_unref (zipped);
  g_byte_array_unref (bytes);
}

static void
check_open_fails (const char *file, int problem)
{
  GError *error = NULL;
  char *expected = g_strdup_printf ("%s: %s", file, g_strerror (problem));
  assert_null (log_input_open (file, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  assert_string_equal (error->message, expected);
  g_free (expected);
  g_error_free (error);
}

static void
test_open_fails (void **state)
{
  (void) state;
  check_open_fails (folder, EISDIR);
  check_open_fails ("/no/such/log", ENOENT);
  put_file ((const guint8 *) "x", 1);
  g_chmod (path, 0);
  if (geteuid () != 0)
    check_open_fails (path, EACCES);
  g_chmod (path, 0600);
}

static void
test_empty (void **state)
{
  (void) state;
  put_file ((const guint8 *) "", 0);
  struct log_input *input = open_file ();
  const guint8 *bytes;
  gsize length;
  GError *error = NULL;
  assert_false (log_input_read (input, &bytes, &length, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  assert_non_null (strstr (error->message, path));
  assert_non_null (strstr (error->message, "is empty"));
  g_error_free (error);
  log_input_close (input);
}

/* A log that was copied as a text of Windows: 0d before each 0a is taken out, and no other. */
static void
check_text (const GByteArray *bytes, gboolean packed)
{
  GByteArray *text = g_byte_array_new (), *file = g_byte_array_new ();
  guint64 ends = 0, dropped = 0;
  for (guint i = 0; i < bytes->len; i++) {
    if (bytes->data[i] == '\n')
      g_byte_array_append (text, (const guint8 *) "\r", 1);
    ends += bytes->data[i] == '\n';
    g_byte_array_append (text, bytes->data + i, 1);
  }
  if (packed)
    append_gzip (file, text->data, text->len);
  else
    g_byte_array_append (file, text->data, text->len);
  put_file (file->data, file->len);
  struct log_input *input = log_input_open (path, NULL);
  assert_true (log_input_has_text_ends (input));
  log_input_drop_text_ends (input, &dropped);
  GByteArray *all = read_to_end (input);
  assert_int_equal (all->len, bytes->len);
  assert_memory_equal (all->data, bytes->data, bytes->len);
  assert_int_equal (dropped, ends);
  g_byte_array_unref (all);
  g_byte_array_unref (file);
  g_byte_array_unref (text);
  log_input_close (input);
}

static void
test_text_ends (void **state)
{
  (void) state;
  GByteArray *bytes = some_bytes (700000); /* several chunks */
  put_file (bytes->data, bytes->len);
  struct log_input *input = log_input_open (path, NULL);
  assert_false (log_input_has_text_ends (input));
  log_input_close (input);
  bytes->data[bytes->len - 1] = '\r';
  check_text (bytes, FALSE);
  check_text (bytes, TRUE);
  /* Chunks that end between the two, whichever way they are divided. */
  for (guint shift = 0; shift < 2; shift++) {
    memset (bytes->data, '\n', bytes->len);
    memset (bytes->data, 'x', shift);
    check_text (bytes, FALSE);
  }
  g_byte_array_unref (bytes);
  put_file ((const guint8 *) "hdrb", 4); /* no line ends at all */
  input = log_input_open (path, NULL);
  assert_false (log_input_has_text_ends (input));
  log_input_close (input);
}

#ifdef HAVE_ZSTD
/* A frame (magic number, descriptor 0, window descriptor) that requests a window of 2 to the power
 * of 10 + 18 bytes, 256 MiB: more than is given. */
static void
test_zstd_window (void **state)
{
  (void) state;
  static const guint8 frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 18 << 3, 0x01, 0x00, 0x00 };
  GByteArray *file = g_byte_array_new (), *nothing = g_byte_array_new ();
  g_byte_array_append (file, frame, sizeof frame);
  check_damaged (file, nothing, "too much memory");
  g_byte_array_unref (file);
  g_byte_array_unref (nothing);
}

/* Frames to be skipped (5 bytes) may come before and between. */
static void
test_zstd_skipped (void **state)
{
  (void) state;
  static const guint8 skipped[] = { 0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 'o', 't', 'h', 'e', 'r' };
  GByteArray *bytes = some_bytes (2000), *file = g_byte_array_new ();
  g_byte_array_append (file, skipped, sizeof skipped);
  append_zstd (file, bytes->data, 1000);
  g_byte_array_append (file, skipped, sizeof skipped);
  append_zstd (file, bytes->data + 1000, 1000);
  put_file (file->data, file->len);
  check_whole (open_file (), bytes);
  g_byte_array_unref (file);
  g_byte_array_unref (bytes);
}
#endif

/* A read at a place fails, as of a disk with errors; the first failure is reported. */
static void
test_read_error (void **state)
{
  (void) state;
  GByteArray *bytes = some_bytes (1000);
  uint8_t to[100];
  struct log_input *input = fixture_input (bytes->data, bytes->len);
  assert_int_equal (log_input_read_at (input, 100, to, sizeof to), sizeof to);
  assert_memory_equal (to, bytes->data + 100, sizeof to);
  assert_null (log_input_damage (input));
  fixture_fail_reads (input);
  assert_int_equal (log_input_read_at (input, 300, to, sizeof to), 0);
  assert_int_equal (log_input_read_at (input, 200, to, sizeof to), 0);
  const struct log_file_damage *damage = log_input_damage (input);
  assert_non_null (damage);
  assert_true (damage->is_read_error);
  assert_non_null (strstr (damage->message, "offset 300"));
  assert_non_null (strstr (damage->message, g_strerror (EISDIR)));
  log_input_close (input);
  g_byte_array_unref (bytes);
}

static void
expect_failure (const struct log_input *input, GError *error, const char *place)
{
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  assert_true (g_str_has_prefix (error->message, log_input_name (input)));
  assert_non_null (strstr (error->message, place));
  assert_non_null (strstr (error->message, g_strerror (EISDIR)));
  g_error_free (error);
}

/* Sequential reading fails, and the detection of the format, which is the first read. */
static void
test_sequential_read_error (void **state)
{
  (void) state;
  GByteArray *whole = some_bytes (300000);
  const uint8_t *bytes;
  size_t length;
  bool is_eventlog;
  GError *error = NULL;
  struct log_input *input = fixture_input (whole->data, whole->len);
  fixture_fail_reads (input);
  assert_false (log_input_detect_eventlog (input, &is_eventlog, &error));
  expect_failure (input, g_steal_pointer (&error), "offset 0 ");
  assert_false (log_input_read (input, &bytes, &length, &error));
  expect_failure (input, g_steal_pointer (&error), "offset 0 ");
  log_input_close (input);

  input = fixture_input (whole->data, whole->len);
  assert_true (log_input_detect_eventlog (input, &is_eventlog, NULL));
  assert_false (is_eventlog);
  assert_true (log_input_read (input, &bytes, &length, NULL));
  fixture_fail_reads (input);
  char *place = g_strdup_printf ("offset %" G_GSIZE_FORMAT " ", length);
  assert_false (log_input_read (input, &bytes, &length, &error));
  expect_failure (input, g_steal_pointer (&error), place);
  g_free (place);
  log_input_close (input);
  g_byte_array_unref (whole);
}

/* A file that becomes shorter while it is read: its bytes are given as far as they are there. */
static void
test_shorter (void **state)
{
  (void) state;
  GByteArray *whole = some_bytes (1000);
  uint8_t to[100];
  struct log_input *input = fixture_input (whole->data, whole->len);
  assert_int_equal (log_input_read_at (input, 950, to, sizeof to), 50);
  assert_null (log_input_damage (input)); /* that is the end */
  fixture_truncate (input, 400);
  assert_int_equal (log_input_read_at (input, 300, to, sizeof to), sizeof to);
  assert_null (log_input_damage (input));
  assert_int_equal (log_input_read_at (input, 350, to, sizeof to), 50);
  assert_int_equal (log_input_read_at (input, 500, to, sizeof to), 0);
  const struct log_file_damage *damage = log_input_damage (input);
  assert_non_null (damage);
  assert_true (damage->is_read_error);
  assert_true (damage->truncated);
  assert_non_null (strstr (damage->message, "became shorter"));
  assert_non_null (strstr (damage->message, "from 1000 to 400 bytes"));
  log_input_close (input);

  size_t length = 0, read = 0;
  const uint8_t *bytes;
  input = fixture_input (whole->data, whole->len);
  fixture_truncate (input, 700);
  do {
    assert_true (log_input_read (input, &bytes, &length, NULL));
    read += length;
  } while (length != 0);
  assert_int_equal (read, 700);
  damage = log_input_damage (input);
  assert_non_null (damage);
  assert_non_null (strstr (damage->message, "from 1000 to 700 bytes"));
  log_input_close (input);
  g_byte_array_unref (whole);
}

#define PACKED(packing)                                                                            \
  cmocka_unit_test_prestate (test_packed, &packing),                                               \
      cmocka_unit_test_prestate (test_packed_members, &packing),                                   \
      cmocka_unit_test_prestate (test_packed_peek, &packing),                                      \
      cmocka_unit_test_prestate (test_packed_cut, &packing),                                       \
      cmocka_unit_test_prestate (test_packed_damaged, &packing),                                   \
      cmocka_unit_test_prestate (test_stdin, &packing)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_text_ends),
    cmocka_unit_test (test_plain),
    cmocka_unit_test (test_open_fails),
    cmocka_unit_test (test_empty),
    cmocka_unit_test (test_read_error),
    cmocka_unit_test (test_sequential_read_error),
    cmocka_unit_test (test_shorter),
    PACKED (gzip),
#ifdef HAVE_ZSTD
    PACKED (zstd),
    cmocka_unit_test (test_zstd_window),
    cmocka_unit_test (test_zstd_skipped),
#endif
  };
  return cmocka_run_group_tests (tests, set_up, tear_down) != 0;
}
