/* test-ghc-program.c -- the eventlog of GHC's runtime goes through libproflog-ghc, from several
 * threads at a time; the output is read. */
#include "config.h"

#include "tests/unit/test.h"

#include <proflog/eventlog-writer.h>
#include <proflog/ghc-program.h>
#include <proflog/ghc-reader.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS = 4, MESSAGES = 20000, RESTARTS = 5 };

static struct eventlog_writer *runtime;

static bool
take (void *data, const void *bytes, size_t length)
{
  (void) data;
  return proflog_ghc_write ((void *) (uintptr_t) bytes, length);
}

/* A piece that makes no sense costs itself alone. */
static void
write_nonsense (void)
{
  static char nonsense[] = "\0\1\0\0\0\0\0\0\0\1\xee\xee nonsense";
  assert_true (proflog_ghc_write (nonsense, sizeof nonsense));
}

static gpointer
post (gpointer data)
{
  const unsigned cap = GPOINTER_TO_UINT (data);
  char text[32];
  EVENTLOG_POST (runtime, cap, create_thread, .thread = cap + 1);
  for (int i = 0; i < MESSAGES; i++) {
    const int length = snprintf (text, sizeof text, "%u %d", cap, i);
    EVENTLOG_POST (runtime, cap, user_msg, .message = { text, (size_t) length });
  }
  return NULL;
}

static gpointer
read_all (gpointer data)
{
  GByteArray *log = g_byte_array_new ();
  guint8 bytes[65536];
  ssize_t n;
  while ((n = read (GPOINTER_TO_INT (data), bytes, sizeof bytes)) > 0)
    g_byte_array_append (log, bytes, (guint) n);
  return log;
}

/* One log, with all messages of each capability in turn. */
static void
check_log (const GByteArray *log)
{
  uint64_t next[THREADS] = { 0 };
  unsigned headers = 0, ends = 0, threads = 0;
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    headers += item->type == GHC_ITEM_HEADER;
    ends += item->type == GHC_ITEM_END;
    threads += item->type == GHC_ITEM_EVENT && item->kind == GHC_CREATE_THREAD;
    if (item->type != GHC_ITEM_EVENT || item->kind != GHC_USER_MSG)
      continue;
    char *text
        = g_strndup (item->payload->user_msg.message.text, item->payload->user_msg.message.length);
    char *rest;
    assert_int_equal (g_ascii_strtoull (text, &rest, 10), item->cap);
    assert_int_equal (g_ascii_strtoull (rest, NULL, 10), next[item->cap]);
    next[item->cap]++;
    g_free (text);
  }
  ghc_reader_free (reader);
  assert_int_equal (headers, 1);
  assert_int_equal (ends, 1);
  assert_int_equal (threads, THREADS);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal (next[i], MESSAGES);
}

TEST (test_program)
{
  int fds[2];
  char text[64];
  GThread *threads[THREADS];
  (void) state;
  assert_false (proflog_ghc_open ()); /* nothing was requested */
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, fds), 0);
  snprintf (text, sizeof text, "output=#%d,memory=64m,nocontrol,flush=1", fds[1]);
  assert_int_equal (setenv ("PROFLOG_GHC", text, 1), 0);
  assert_true (proflog_ghc_open ());
  proflog_ghc_ready (NULL, false);
  GThread *reader = g_thread_new ("reader", read_all, GINT_TO_POINTER (fds[0]));
  runtime = eventlog_writer_new ("test");
  eventlog_writer_set_callback (runtime, take, NULL);
  eventlog_writer_set_buffer_size (runtime, EVENTLOG_BUFFER_LEAST);
  assert_int_equal (eventlog_writer_send_header (runtime), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_start (runtime), EVENTLOG_OK);
  for (unsigned i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("capability", post, GUINT_TO_POINTER (i));
  /* It is flushed now and then, and the eventlog ends and starts again, which no one sees. */
  for (int n = 0; n < RESTARTS;) {
    if (!proflog_ghc_restarts ())
      continue;
    proflog_ghc_stop ();
    write_nonsense ();
    assert_int_equal (eventlog_writer_flush (runtime), EVENTLOG_OK);
    proflog_ghc_restarted ();
    n++;
  }
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  assert_int_equal (eventlog_writer_stop (runtime), EVENTLOG_OK);
  proflog_ghc_exit ();
  proflog_ghc_stop ();
  shutdown (fds[1], SHUT_WR);
  GByteArray *log = g_thread_join (reader);
  check_log (log);
  g_byte_array_unref (log);
  eventlog_writer_free (runtime);
}
