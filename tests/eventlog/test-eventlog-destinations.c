/* test-eventlog-destinations.c -- where the writer of eventlogs writes to: destinations that take
 * nothing, descriptors, files; and when: timers, and many threads at once. */
#include "config.h"

#include "tests/eventlog/taken.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- policies ---- */

TEST (test_drop)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_DROP, 0), EVENTLOG_OK);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  begin (w);
  post_message (w, 0, "lost");
  post_message (w, 0, "as well");
  t.refuse = 1;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  post_message (w, 0, "there");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_BUSY);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  begin (w);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'there' E H E");
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_blocks, 1);
  assert_int_equal (f.dropped_events, 2);
  assert_int_equal (f.dropped_bytes, 24 + 12 + 4 + 12 + 7);
  end (w, &t);
}

TEST (test_spool)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  /* Header and two blocks of 24 + 12 + 3 bytes. */
  t.refuse = -1;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  begin (w);
  eventlog_writer_get_figures (w, &f);
  const uint64_t header = f.spooled_bytes;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, header + 2 * 39), EVENTLOG_OK);
  post_message (w, 0, "one");
  assert_int_equal (eventlog_writer_flush (w),
                    EVENTLOG_ERROR_BUSY); /* it is retained all the same */
  post_message (w, 0, "two");
  eventlog_writer_flush (w);
  post_message (w, 0, "tri");
  eventlog_writer_flush (w);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, header + 2 * 39);
  assert_int_equal (f.dropped_blocks, 1);
  assert_int_equal (f.dropped_events, 1);
  assert_int_equal (t.bytes->len, 0);
  t.refuse = 0;
  post_message (w, 0, "for");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  t.refuse = -1;
  post_message (w, 0, "fiv");
  eventlog_writer_stop (w);
  t.refuse = 0;
  begin (w);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, 0);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'one' B0 'two' B0 'for' B0 'fiv' E H E");
  end (w, &t);
}

/* The limit is one of all that is retained: headers and end marks, too. */
TEST (test_spool_limit)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1000), EVENTLOG_OK);
  begin (w);
  const uint64_t header = t.bytes->len;
  assert_true (header > 1000); /* it names every type of events */
  t.refuse = -1;
  for (int i = 0; i < 3; i++)
    assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (post_message (w, 0, "no"), EVENTLOG_ERROR_ORDER);
  eventlog_writer_get_figures (w, &f);
  assert_false (f.running);
  assert_int_equal (f.spooled_bytes, 2); /* one end mark */
  /* Room for a header after that mark, and not for its own mark, which stays due; so nothing more
   * is retained. */
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, header + 2), EVENTLOG_OK);
  begin (w);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, header + 2);
  t.refuse = 0;
  begin (w);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H E H E H E");
  end (w, &t);
}

TEST (test_wait)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  begin (w);
  post_message (w, 0, "late");
  t.refuse = 5;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  assert_int_equal (t.refused, 5);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_WAIT, 20), EVENTLOG_OK);
  post_message (w, 0, "lost");
  t.refuse = -1;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_events, 1);
  t.refuse = 0;
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'late' E");
  end (w, &t);
}

/* ---- descriptors ---- */

/* A reader that is away, or does not read. */
static void
check_reader (int *fds)
{
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct eventlog_figures f;
  char bytes[65536];
  ssize_t n;
  enum eventlog_result result = EVENTLOG_OK;
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_DROP, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST), EVENTLOG_OK);
  begin (w);
  /* More than any pipe or socket holds. */
  for (int i = 0; i < 200000; i++)
    if (post_message (w, (unsigned) i % 3, "twelve bytes") == EVENTLOG_ERROR_BUSY)
      result = EVENTLOG_ERROR_BUSY;
  assert_int_equal (result, EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_true (f.dropped_blocks > 0);
  assert_int_equal (f.error, 0);
  /* It reads again: the log is whole. */
  assert_int_equal (fcntl (fds[0], F_SETFL, O_NONBLOCK), 0);
  while (eventlog_writer_flush (w) == EVENTLOG_ERROR_BUSY)
    while ((n = read (fds[0], bytes, sizeof bytes)) > 0)
      g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  while ((n = read (fds[0], bytes, sizeof bytes)) > 0)
    g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  post_message (w, 0, "end");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  n = read (fds[0], bytes, sizeof bytes);
  assert_true (n > 0);
  g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  char *all = contents (t.bytes);
  assert_null (strstr (all, "damage"));
  assert_true (g_str_has_suffix (all, " B0 'end' E"));
  g_free (all);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.bytes, t.bytes->len);
  /* It goes away. */
  close (fds[0]);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, EPIPE);
  close (fds[1]);
  end (w, &t);
}

TEST (test_descriptors)
{
  int fds[2];
  signal (SIGPIPE, SIG_DFL);
  assert_int_equal (pipe (fds), 0);
  check_reader (fds);
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, fds), 0);
  check_reader (fds);
}

TEST (test_file)
{
  char *folder = g_dir_make_tmp ("proflog-eventlog.XXXXXX", NULL);
  char *path = g_build_filename (folder, "test.eventlog", NULL);
  char *other = g_build_filename (folder, "other.eventlog", NULL);
  char *before = g_get_current_dir ();
  gchar *bytes;
  gsize length;
  assert_int_equal (chdir (folder), 0);
  struct eventlog_writer *w = eventlog_writer_new ("test");
  assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  begin (w);
  post_message (w, 0, "hello");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_file (w, other), EVENTLOG_OK);
  begin (w);
  eventlog_writer_free (w); /* stops it */
  assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  struct taken t = { .bytes = g_byte_array_new_take ((guint8 *) bytes, length) };
  check_contents (&t, "H B0 'hello' E");
  g_byte_array_unref (t.bytes);
  assert_true (g_file_get_contents (other, &bytes, &length, NULL));
  t.bytes = g_byte_array_new_take ((guint8 *) bytes, length);
  check_contents (&t, "H E");
  g_byte_array_unref (t.bytes);
  /* Nothing is written through a link. */
  assert_int_equal (unlink (other), 0);
  assert_int_equal (symlink (path, other), 0);
  w = eventlog_writer_new ("test");
  assert_int_equal (eventlog_writer_set_file (w, other), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_free (w);
  unlink (other);
  unlink (path);
  assert_int_equal (chdir (before), 0);
  rmdir (folder);
  g_free (path);
  g_free (other);
  g_free (before);
  g_free (folder);
}

/* A named pipe: without a reader an error, at once; with one, the policy holds for it. */
TEST (test_fifo)
{
  char *folder = g_dir_make_tmp ("proflog-eventlog.XXXXXX", NULL);
  char *path = g_build_filename (folder, "fifo", NULL);
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct eventlog_figures f;
  char bytes[65536];
  ssize_t n;
  alarm (60); /* opening must not wait */
  assert_int_equal (mkfifo (path, 0600), 0);
  assert_int_equal (eventlog_writer_set_file (w, path), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, ENXIO);
  const int reader = open (path, O_RDONLY | O_NONBLOCK);
  assert_true (reader >= 0);
  begin (w);
  post_message (w, 0, "read");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  while ((n = read (reader, bytes, sizeof bytes)) > 0)
    g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  check_contents (&t, "H B0 'read' E");
  close (reader);
  alarm (0);
  end (w, &t);
  unlink (path);
  rmdir (folder);
  g_free (path);
  g_free (folder);
}

/* ---- the timer ---- */

TEST (test_timer)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  begin (w);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 5), EVENTLOG_OK);
  post_message (w, 0, "quiet");
  do {
    g_usleep (1000);
    eventlog_writer_get_figures (w, &f);
  } while (f.blocks == 0);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 0), EVENTLOG_OK);
  EVENTLOG_POST (w, 0, create_thread, .thread = 1);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 5), EVENTLOG_OK);
  do {
    g_usleep (1000);
    eventlog_writer_get_figures (w, &f);
  } while (f.events < 4);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  char *all = contents (t.bytes);
  assert_true (g_str_has_prefix (all, "H B0 'quiet' B0 thread1 thread1 thread1"));
  g_free (all);
  end (w, &t);
}

/* ---- many threads ---- */

enum { THREADS = 10, RESTARTS = 20 };

static _Atomic bool go_on;
static _Atomic unsigned began; /* threads that have posted */

struct poster {
  struct eventlog_writer *writer;
  unsigned nth;
  uint64_t posted;
};

/* Messages that state whose they are and which. */
static gpointer
post_much (gpointer data)
{
  struct poster *p = data;
  struct ghc_user_msg event = { .present = UINT32_MAX };
  char message[32];
  for (unsigned n = 0; go_on; n++) {
    const int length
        = snprintf (message, sizeof message, "%u %" G_GUINT64_FORMAT, p->nth, p->posted);
    event.message = (struct ghc_text){ message, (size_t) length };
    if (eventlog_post_user_msg (p->writer, p->nth % 4, &event) == EVENTLOG_OK)
      began += p->posted++ == 0;
    if (n % 64 == 0) {
      EVENTLOG_POST (p->writer, p->nth % 4, create_thread, .thread = p->nth * 1000 + n / 64 % 50);
      EVENTLOG_POST (p->writer, p->nth % 4, stop_thread, .thread = p->nth * 1000 + n / 64 % 50,
                     .status = GHC_STOP_STATUS_FINISHED);
    }
  }
  return NULL;
}

/* All messages of all threads are there, in turn and in the right capability. */
static void
check_messages (const GByteArray *log, const struct poster *posters)
{
  uint64_t next[THREADS] = { 0 };
  unsigned headers = 0, ends = 0;
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    headers += item->type == GHC_ITEM_HEADER;
    ends += item->type == GHC_ITEM_END;
    if (item->type != GHC_ITEM_EVENT || item->kind != GHC_USER_MSG)
      continue;
    char *message
        = g_strndup (item->payload->user_msg.message.text, item->payload->user_msg.message.length);
    char *rest;
    const uint64_t nth = g_ascii_strtoull (message, &rest, 10);
    assert_true (nth < THREADS);
    assert_int_equal (item->cap, nth % 4);
    assert_int_equal (g_ascii_strtoull (rest, NULL, 10), next[nth]);
    next[nth]++;
    g_free (message);
  }
  ghc_reader_free (reader);
  assert_int_equal (headers, RESTARTS + 1);
  assert_int_equal (ends, RESTARTS + 1);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal (next[i], posters[i].posted);
    assert_true (next[i] > 0);
  }
}

TEST (test_threads)
{
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct poster posters[THREADS];
  GThread *threads[THREADS];
  struct eventlog_figures f;
  eventlog_writer_set_callback (w, take, &t);
  eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST);
  eventlog_writer_set_flush_interval (w, 1);
  begin (w);
  go_on = true;
  for (unsigned i = 0; i < THREADS; i++) {
    posters[i] = (struct poster){ .writer = w, .nth = i };
    threads[i] = g_thread_new ("poster", post_much, &posters[i]);
  }
  while (began < THREADS)
    g_usleep (1000);
  eventlog_writer_get_figures (w, &f);
  const uint64_t before = f.events;
  for (int i = 0; i < RESTARTS; i++) {
    while (eventlog_writer_get_figures (w, &f), f.events < before + (uint64_t) (i + 1) * 2000)
      g_usleep (100);
    switch (i % 4) {
    case 0:
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    case 1:
      assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
      begin (w);
      break;
    case 2:
      assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
      assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST + 4096 * i),
                        EVENTLOG_OK);
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    default:
      assert_int_equal (eventlog_writer_sync (w), EVENTLOG_OK);
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    }
  }
  go_on = false;
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_messages (t.bytes, posters);
  end (w, &t);
}
