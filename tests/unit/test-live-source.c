/* test-live-source.c -- files that grow and are replaced, pipes, and sockets whose ends come and
 * go. */
#include "config.h"

#include "decoder/live/live-source.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <proflog/read.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

/* A folder for each test, with a path in it. */
static char *folder, *path;

static void
begin (void)
{
  folder = g_dir_make_tmp ("live-source-XXXXXX", NULL);
  assert_non_null (folder);
  path = g_build_filename (folder, "log", NULL);
}

static void
end (void)
{
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
}

#define SOURCE_TEST(name) TEST_WITH (name, begin, end)

static struct live_source *
open_source (const char *spec, bool reconnect)
{
  struct live_source *s = live_source_open (spec, reconnect, NULL);
  assert_non_null (s);
  return s;
}

static void
expect (struct live_source *s, enum live_news expected)
{
  const uint8_t *bytes;
  size_t length;
  assert_int_equal (live_source_read (s, &bytes, &length, NULL), expected);
}

/* The bytes that come until it is something else. */
static void
expect_bytes (struct live_source *s, const char *expected, enum live_news then)
{
  const uint8_t *bytes;
  size_t length;
  enum live_news news;
  GString *all = g_string_new (NULL);
  while ((news = live_source_read (s, &bytes, &length, NULL)) == LIVE_BYTES)
    g_string_append_len (all, (const char *) bytes, (gssize) length);
  assert_string_equal (all->str, expected);
  assert_int_equal (news, then);
  g_string_free (all, TRUE);
}

static void
expect_failure (const char *spec, bool reconnect, const char *why)
{
  GError *error = NULL;
  assert_null (live_source_open (spec, reconnect, &error));
  assert_true (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT));
  if (strstr (error->message, why) == NULL)
    fail_msg ("'%s' lacks '%s'", error->message, why);
  g_error_free (error);
}

/* ---- files ---- */

static void
write_file (const char *to, const void *bytes, size_t length)
{
  assert_true (g_file_set_contents (to, bytes, (gssize) length, NULL));
}

static void
append (const char *text)
{
  FILE *f = fopen (path, "a");
  assert_non_null (f);
  fputs (text, f);
  fclose (f);
}

/* Less than the bytes by which compression is recognised are none yet. */
SOURCE_TEST (growing_file)
{
  write_file (path, "a", 1);
  struct live_source *s = open_source (path, false);
  assert_string_equal (live_source_name (s), path);
  assert_string_equal (live_source_file (s), path);
  assert_true (live_source_descriptor (s) >= 0);
  expect (s, LIVE_BEGIN);
  expect (s, LIVE_QUIET);
  append ("bcdefgh");
  expect_bytes (s, "abcdefgh", LIVE_QUIET);
  append ("i");
  expect_bytes (s, "i", LIVE_QUIET);
  assert_int_equal (live_source_offset (s), 9);
  assert_int_equal (live_source_size (s), 9);
  live_source_close (s);
}

/* A file that became shorter, and another one with the name, begin anew; a folder in its place is
 * nothing. */
SOURCE_TEST (replaced_file)
{
  char *other = g_build_filename (folder, "other", NULL);
  write_file (path, "first log", 9);
  struct live_source *s = open_source (path, false);
  expect (s, LIVE_BEGIN);
  expect_bytes (s, "first log", LIVE_QUIET);
  assert_int_equal (truncate (path, 0), 0);
  append ("second");
  expect_bytes (s, "", LIVE_QUIET);
  expect (s, LIVE_BEGIN);
  expect_bytes (s, "second", LIVE_QUIET);
  write_file (other, "third", 5);
  assert_int_equal (rename (other, path), 0);
  expect (s, LIVE_QUIET);
  expect (s, LIVE_BEGIN);
  expect_bytes (s, "third", LIVE_QUIET);
  g_unlink (path);
  expect (s, LIVE_QUIET);
  assert_int_equal (g_mkdir (path, 0700), 0);
  expect (s, LIVE_QUIET);
  expect (s, LIVE_QUIET);
  g_rmdir (path);
  live_source_close (s);
  g_free (other);
}

/* A file that is compressed, of two members; a replacement, which is, too. */
static GByteArray *
compress_text (const char *text)
{
  z_stream z = { 0 };
  GByteArray *packed = g_byte_array_new ();
  g_byte_array_set_size (packed, 256);
  assert_int_equal (deflateInit2 (&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (Bytef *) (uintptr_t) text;
  z.avail_in = (uInt) strlen (text);
  z.next_out = packed->data;
  z.avail_out = packed->len;
  assert_int_equal (deflate (&z, Z_FINISH), Z_STREAM_END);
  g_byte_array_set_size (packed, (guint) z.total_out);
  deflateEnd (&z);
  return packed;
}

SOURCE_TEST (compressed_file)
{
  GByteArray *one = compress_text ("one "), *two = compress_text ("two");
  const guint length = one->len;
  g_byte_array_append (one, two->data, two->len);
  write_file (path, one->data, length - 4); /* the end of the member lacks something */
  struct live_source *s = open_source (path, false);
  expect (s, LIVE_BEGIN);
  expect_bytes (s, "one ", LIVE_QUIET);
  FILE *f = fopen (path, "a");
  assert_non_null (f);
  assert_int_equal (fwrite (one->data + length - 4, 1, one->len - length + 4, f),
                    one->len - length + 4);
  fclose (f);
  expect (s, LIVE_QUIET); /* the end of the first member has no bytes of the log */
  expect_bytes (s, "two", LIVE_QUIET);
  char *other = g_build_filename (folder, "other", NULL);
  write_file (other, two->data, two->len);
  assert_int_equal (rename (other, path), 0);
  expect (s, LIVE_QUIET);
  expect (s, LIVE_BEGIN);
  expect_bytes (s, "two", LIVE_QUIET);
  live_source_close (s);
  g_free (other);
  g_byte_array_unref (one);
  g_byte_array_unref (two);
}

SOURCE_TEST (damaged_file)
{
  GByteArray *packed = compress_text ("some text");
  const uint8_t *bytes;
  size_t length;
  GError *error = NULL;
  packed->data[packed->len - 8] ^= 1; /* the sum of the contents */
  write_file (path, packed->data, packed->len);
  struct live_source *s = open_source (path, false);
  expect (s, LIVE_BEGIN);
  enum live_news news;
  while ((news = live_source_read (s, &bytes, &length, &error)) == LIVE_BYTES)
    ;
  assert_int_equal (news, LIVE_FAILED);
  assert_true (g_str_has_prefix (error->message, path));
  g_error_free (error);
  live_source_close (s);
  g_byte_array_unref (packed);
}

SOURCE_TEST (no_file)
{
  expect_failure (path, false, g_strerror (ENOENT));
  expect_failure (folder, false, g_strerror (EISDIR));
}

/* ---- pipes ---- */

/* Of a FIFO whose writer goes, the next one is waited for, if that is requested. */
SOURCE_TEST (fifo)
{
  for (int reconnect = 0; reconnect < 2; reconnect++) {
    assert_int_equal (mkfifo (path, 0600), 0);
    struct live_source *s = open_source (path, reconnect != 0);
    const int writer = open (path, O_WRONLY);
    assert_null (live_source_file (s));
    assert_int_equal (live_source_size (s), 0);
    assert_int_equal (live_source_offset (s), 0);
    assert_false (live_source_reconnect (s));
    expect (s, LIVE_BEGIN);
    expect (s, LIVE_QUIET);
    assert_int_equal (write (writer, "some text", 9), 9);
    expect_bytes (s, "some text", LIVE_QUIET);
    close (writer);
    if (reconnect) {
      expect (s, LIVE_QUIET);
      expect (s, LIVE_BEGIN);
    } else {
      expect (s, LIVE_END);
      expect (s, LIVE_END);
    }
    live_source_close (s);
    g_unlink (path);
  }
}

/* Without its name, it ends. */
SOURCE_TEST (fifo_that_is_gone)
{
  assert_int_equal (mkfifo (path, 0600), 0);
  struct live_source *s = open_source (path, true);
  const int writer = open (path, O_WRONLY);
  expect (s, LIVE_BEGIN);
  g_unlink (path);
  close (writer);
  expect (s, LIVE_END);
  live_source_close (s);
}

SOURCE_TEST (failing_pipe)
{
  GError *error = NULL;
  const uint8_t *bytes;
  size_t length;
  assert_int_equal (mkfifo (path, 0600), 0);
  struct live_source *s = open_source (path, false);
  const int directory = open (folder, O_RDONLY);
  expect (s, LIVE_BEGIN);
  assert_true (dup2 (directory, live_source_descriptor (s)) >= 0);
  assert_int_equal (live_source_read (s, &bytes, &length, &error), LIVE_FAILED);
  assert_non_null (strstr (error->message, g_strerror (EISDIR)));
  g_error_free (error);
  close (directory);
  live_source_close (s);
}

/* ---- sockets ---- */

static struct sockaddr_un
address_of (const char *name)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  assert_true (g_strlcpy (address.sun_path, name, sizeof address.sun_path)
               < sizeof address.sun_path);
  return address;
}

static int
listen_at (const char *name)
{
  const struct sockaddr_un address = address_of (name);
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_unlink (name);
  assert_int_equal (bind (fd, (const struct sockaddr *) &address, sizeof address), 0);
  assert_int_equal (listen (fd, 1), 0);
  return fd;
}

SOURCE_TEST (refused_sockets)
{
  GString *name = g_string_new (LIVE_CONNECT);
  char *connects = g_strconcat (LIVE_CONNECT, path, NULL);
  char *listens = g_strconcat (LIVE_LISTEN, path, NULL);
  expect_failure (LIVE_CONNECT, false, "the path of a socket has 1 to 107 bytes");
  expect_failure (LIVE_LISTEN, false, "the path of a socket has 1 to 107 bytes");
  for (int i = 0; i < 108; i++)
    g_string_append_c (name, 'x');
  expect_failure (name->str, false, "the path of a socket has 1 to 107 bytes");
  expect_failure (connects, false, g_strerror (ENOENT));
  const int listener = listen_at (path);
  expect_failure (path, false, "is a socket: unix:PATH connects to it");
  expect_failure (listens, false, g_strerror (EADDRINUSE));
  close (listener);
  expect_failure (connects, false, g_strerror (ECONNREFUSED));
  assert_true (g_file_test (path, G_FILE_TEST_EXISTS)); /* a file that is not ours stays */
  g_string_free (name, TRUE);
  g_free (connects);
  g_free (listens);
}

/* Nobody listens yet; somebody does; the connection ends, and is made again. */
SOURCE_TEST (connection)
{
  char *spec = g_strconcat (LIVE_CONNECT, path, NULL);
  struct live_source *s = open_source (spec, true);
  expect (s, LIVE_QUIET);
  assert_int_equal (live_source_descriptor (s), -1);
  const int listener = listen_at (path);
  expect (s, LIVE_BEGIN);
  const int peer = accept (listener, NULL, NULL);
  expect (s, LIVE_QUIET);
  assert_int_equal (write (peer, "some text", 9), 9);
  expect_bytes (s, "some text", LIVE_QUIET);
  close (peer);
  expect (s, LIVE_QUIET);
  expect (s, LIVE_BEGIN);
  /* It was never accepted, so it is reset. */
  close (listener);
  g_unlink (path);
  expect (s, LIVE_QUIET);
  expect (s, LIVE_QUIET);
  live_source_close (s);
  g_free (spec);
}

/* A connection that ended is made again if something came through it and its process, which is this
 * one, lives. */
SOURCE_TEST (lost_connection)
{
  char *spec = g_strconcat (LIVE_CONNECT, path, NULL);
  const int listener = listen_at (path);
  struct live_source *s = open_source (spec, false);
  int peer = accept (listener, NULL, NULL);
  expect (s, LIVE_BEGIN);
  assert_false (live_source_reconnect (s)); /* it is connected */
  assert_int_equal (write (peer, "some text", 9), 9);
  expect_bytes (s, "some text", LIVE_QUIET);
  close (peer);
  expect (s, LIVE_END);
  assert_true (live_source_reconnect (s));
  expect (s, LIVE_BEGIN);
  peer = accept (listener, NULL, NULL);
  close (peer);
  expect (s, LIVE_END);
  assert_false (live_source_reconnect (s)); /* nothing came */
  live_source_close (s);
  close (listener);
  g_free (spec);
}

/* A process listens, sends a text through a connection, and ends when its input does. */
static pid_t
run_sender (int listener, int input)
{
  const pid_t pid = fork ();
  assert_true (pid >= 0);
  if (pid == 0) {
    /* The process that calls listen is that of the connection. */
    char nothing;
    bool good = listen (listener, 1) == 0;
    const int peer = accept (listener, NULL, NULL);
    good = good && write (peer, "some text", 9) == 9;
    close (peer);
    _exit (good && read (input, &nothing, 1) == 0 ? 0 : 1);
  }
  return pid;
}

/* It lives when the connection is lost, or it does not; then nobody will listen there. */
SOURCE_TEST (sender_that_ends)
{
  char *spec = g_strconcat (LIVE_CONNECT, path, NULL);
  const struct sockaddr_un address = address_of (path);
  for (int lives = 0; lives < 2; lives++) {
    const int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int input[2], status;
    g_unlink (path);
    assert_int_equal (bind (listener, (const struct sockaddr *) &address, sizeof address), 0);
    assert_int_equal (pipe2 (input, O_CLOEXEC), 0);
    const pid_t pid = run_sender (listener, input[0]);
    struct live_source *s;
    while ((s = live_source_open (spec, false, NULL)) == NULL)
      g_usleep (1000);
    close (listener);
    expect (s, LIVE_BEGIN);
    const uint8_t *bytes;
    size_t length;
    while (live_source_read (s, &bytes, &length, NULL) != LIVE_END)
      g_usleep (1000);
    if (lives)
      assert_true (live_source_reconnect (s));
    kill (pid, SIGKILL);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    if (lives)
      expect (s, LIVE_END);
    assert_false (live_source_reconnect (s));
    live_source_close (s);
    close (input[0]);
    close (input[1]);
  }
  g_free (spec);
}

/* A socket of ours, which is gone at the end. */
SOURCE_TEST (listening)
{
  char *spec = g_strconcat (LIVE_LISTEN, path, NULL);
  const struct sockaddr_un address = address_of (path);
  struct live_source *s = open_source (spec, false);
  struct stat st;
  expect (s, LIVE_QUIET);
  assert_int_equal (stat (path, &st), 0);
  assert_int_equal (st.st_mode & 0777, 0600);
  const int writer = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal (connect (writer, (const struct sockaddr *) &address, sizeof address), 0);
  expect (s, LIVE_BEGIN);
  assert_int_equal (write (writer, "some text", 9), 9);
  expect_bytes (s, "some text", LIVE_QUIET);
  close (writer);
  expect (s, LIVE_END);
  assert_false (live_source_reconnect (s));
  live_source_close (s);
  assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_free (spec);
}
