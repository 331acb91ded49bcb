/* test-eventlog-refusals.c -- requests that the writer of eventlogs refuses, and its log if the
 * output breaks or goes away. */
#include "config.h"

#include "tests/eventlog/taken.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- words ---- */

TEST (test_result_texts)
{
  static const enum eventlog_result results[] = { EVENTLOG_OK,
                                                  EVENTLOG_OFF,
                                                  EVENTLOG_ERROR_ORDER,
                                                  EVENTLOG_ERROR_ARGUMENT,
                                                  EVENTLOG_ERROR_TOO_LONG,
                                                  EVENTLOG_ERROR_MEMORY,
                                                  EVENTLOG_ERROR_OUTPUT,
                                                  EVENTLOG_ERROR_BUSY };
  GHashTable *texts = g_hash_table_new (g_str_hash, g_str_equal);
  for (size_t i = 0; i < G_N_ELEMENTS (results); i++) {
    const char *text = eventlog_result_text (results[i]);
    assert_true (strlen (text) > 3);
    assert_string_not_equal (text, "unknown");
    assert_true (g_hash_table_add (texts, (char *) text)); /* no two have the same */
  }
  assert_string_equal (eventlog_result_text ((enum eventlog_result) 2), "unknown");
  assert_string_equal (eventlog_result_text ((enum eventlog_result) - 7), "unknown");
  g_hash_table_unref (texts);
}

/* ---- calls from callbacks ---- */

static unsigned calls_from_callbacks;

/* Each function that must not be called from there says so, and changes nothing. */
static void
check_calls (struct eventlog_writer *w)
{
  struct eventlog_figures f;
  calls_from_callbacks++;
  eventlog_writer_get_figures (w, &f);
  const enum eventlog_result results[] = {
    eventlog_writer_set_file (w, "x"),
    eventlog_writer_set_descriptor (w, 1),
    eventlog_writer_set_callback (w, take, NULL),
    eventlog_writer_set_policy (w, EVENTLOG_DROP, 0),
    eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST),
    eventlog_writer_set_clock (w, NULL, NULL),
    eventlog_writer_set_flush_interval (w, 1),
    eventlog_writer_set_sync_interval (w, 1),
    eventlog_writer_enable (w, EVENTLOG_CLASS_GC, NULL),
    eventlog_writer_disable (w, EVENTLOG_CLASS_GC, NULL),
    eventlog_writer_send_header (w),
    eventlog_writer_start (w),
    eventlog_writer_flush (w),
    eventlog_writer_sync (w),
    eventlog_writer_restart (w),
    eventlog_writer_stop (w),
    post_message (w, 0, "from a callback"),
    EVENTLOG_POST (w, 0, create_thread, .thread = 1),
  };
  for (size_t i = 0; i < G_N_ELEMENTS (results); i++)
    assert_int_equal (results[i], EVENTLOG_ERROR_ORDER);
}

struct caller {
  struct taken taken;
  struct eventlog_writer *writer;
  uint64_t time;
};

static bool
call_and_take (void *data, const void *bytes, size_t length)
{
  struct caller *c = data;
  check_calls (c->writer);
  return take (&c->taken, bytes, length);
}

static uint64_t
call_and_tick (void *data)
{
  struct caller *c = data;
  check_calls (c->writer);
  return ++c->time;
}

TEST (test_callbacks)
{
  struct caller c = { .writer = eventlog_writer_new ("test") };
  c.taken.bytes = g_byte_array_new ();
  assert_int_equal (eventlog_writer_set_callback (c.writer, call_and_take, &c), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_clock (c.writer, call_and_tick, &c), EVENTLOG_OK);
  begin (c.writer);
  assert_int_equal (EVENTLOG_POST (c.writer, 0, gc_start), EVENTLOG_OK);
  assert_int_equal (post_message (c.writer, 0, "posted"), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (c.writer), EVENTLOG_OK);
  assert_int_equal (calls_from_callbacks, 5); /* header, block and end, and two events */
  check_contents (&c.taken, "H B0 9 'posted' E");
  end (c.writer, &c.taken);
}

/* ---- arguments ---- */

TEST (test_arguments)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  assert_int_equal (eventlog_writer_set_file (w, NULL), EVENTLOG_ERROR_ARGUMENT);
  /* No timer is to end. */
  assert_int_equal (eventlog_writer_set_flush_interval (w, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_class_of (GHC_UNKNOWN), EVENTLOG_CLASSES);
  assert_false (eventlog_writer_is_enabled (w, GHC_UNKNOWN));
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_GC, "gc-startx"),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_GC, "gc-star"),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_GC, "gc_end,gc-start"), EVENTLOG_OK);
  assert_false (eventlog_writer_is_enabled (w, GHC_GC_END));
  assert_int_equal (eventlog_writer_enable (w, EVENTLOG_CLASS_GC, ""), EVENTLOG_OK);
  assert_true (eventlog_writer_is_enabled (w, GHC_GC_END));
  begin (w);
  /* A text of no bytes may be nowhere, one of some bytes may not. */
  assert_int_equal (EVENTLOG_POST (w, 0, user_msg, .message = { NULL, 0 }), EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, thread_label, .thread = 1, .label = { NULL, 0 }),
                    EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, heap_prof_sample_string, .label = { NULL, 0 }),
                    EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, heap_prof_sample_string, .label = { NULL, 1 }),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (EVENTLOG_POST (w, 0, program_args, .arguments = { NULL, 1 }),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 '' 44 164 E");
  end (w, &t);
  eventlog_writer_free (NULL);
}

/* ---- outputs that break ---- */

static void
read_all (int fd, GByteArray *to, size_t most)
{
  char bytes[65536];
  const ssize_t n = read (fd, bytes, MIN (most, sizeof bytes));
  if (n > 0)
    g_byte_array_append (to, (guint8 *) bytes, (guint) n);
}

/* After an error nothing is written until there is another destination, and losses count. */
TEST (test_broken_pipe)
{
  int fds[2];
  struct eventlog_figures f;
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  assert_int_equal (pipe (fds), 0);
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  begin (w);
  close (fds[0]);
  post_message (w, 0, "lost");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, EPIPE);
  assert_int_equal (f.dropped_events, 1);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_OUTPUT);
  post_message (w, 0, "lost");
  post_message (w, 0, "lost");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_events, 3);
  assert_int_equal (f.dropped_blocks, 2);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_OUTPUT);
  assert_int_equal (eventlog_writer_set_callback (w, take, &t), EVENTLOG_OK);
  begin (w);
  post_message (w, 0, "there");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'there' E");
  close (fds[1]);
  end (w, &t);
}

/* The signal of such a pipe does not end the program, and one that waited before waits on. */
TEST (test_pending_signal)
{
  int fds[2];
  sigset_t set, before, pending;
  sigemptyset (&set);
  sigaddset (&set, SIGPIPE);
  for (int was_pending = 0; was_pending < 2; was_pending++) {
    struct eventlog_writer *w = eventlog_writer_new ("test");
    assert_int_equal (pipe (fds), 0);
    close (fds[0]);
    pthread_sigmask (SIG_BLOCK, &set, &before);
    if (was_pending)
      raise (SIGPIPE);
    assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
    assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
    sigpending (&pending);
    assert_int_equal (sigismember (&pending, SIGPIPE), was_pending);
    if (was_pending)
      assert_int_equal (sigwaitinfo (&set, NULL), SIGPIPE);
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    eventlog_writer_free (w);
    close (fds[1]);
  }
}

/* A reader goes away while a part of a block waits for it. */
TEST (test_broken_rest)
{
  int fds[2];
  char filler[65536] = { 0 };
  struct eventlog_figures f;
  struct eventlog_writer *w = eventlog_writer_new ("test");
  assert_int_equal (pipe (fds), 0);
  assert_int_equal (fcntl (fds[1], F_SETFL, O_NONBLOCK), 0);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  begin (w);
  for (int i = 0; i < 4; i++)
    EVENTLOG_POST (w, 0, user_msg, .message = { filler, 60000 });
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  close (fds[0]);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, EPIPE);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_free (w);
  close (fds[1]);
}

/* A slow reader gets the whole of many retained pieces, each of which it reads in parts. */
TEST (test_slow_pipe)
{
  int fds[2];
  enum { MESSAGES = 90 };
  char text[10000]; /* more than a pipe takes at once */
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct eventlog_figures f;
  memset (text, 'x', sizeof text);
  assert_int_equal (pipe (fds), 0);
  assert_int_equal (fcntl (fds[0], F_SETFL, O_NONBLOCK), 0);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  begin (w);
  for (int i = 0; i < MESSAGES; i++) {
    assert_int_equal (EVENTLOG_POST (w, 0, user_msg, .message = { text, sizeof text }),
                      EVENTLOG_OK);
    eventlog_writer_flush (w);
  }
  eventlog_writer_get_figures (w, &f);
  assert_true (f.spooled_bytes > 0);
  do
    read_all (fds[0], t.bytes, 5000);
  while (eventlog_writer_flush (w) == EVENTLOG_ERROR_BUSY);
  /* The flushed events are in the pipe. */
  for (guint before = 0; before != t.bytes->len;) {
    before = t.bytes->len;
    read_all (fds[0], t.bytes, 65536);
  }
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (t.bytes->len, f.bytes);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  read_all (fds[0], t.bytes, 65536);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_blocks, 0);
  assert_int_equal (f.blocks, MESSAGES);
  char *all = contents (t.bytes);
  assert_null (strstr (all, "damage"));
  assert_true (g_str_has_prefix (all, "H B0 'x") && g_str_has_suffix (all, "x' E"));
  g_free (all);
  close (fds[0]);
  close (fds[1]);
  end (w, &t);
}

/* ---- retained events ---- */

/* For the destination before: it counts as lost with another destination, or a limit below it. */
TEST (test_forgotten_spool)
{
  struct taken t, other = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  begin (w);
  const guint header = t.bytes->len;
  t.refuse = -1;
  post_message (w, 0, "one");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1), EVENTLOG_OK);
  post_message (w, 0, "two");
  post_message (w, 0, "and three");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, 24 + 12 + 3);
  assert_int_equal (f.dropped_events, 2);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  eventlog_writer_stop (w);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, 24 + 12 + 3 + 2); /* and an end mark */
  assert_int_equal (eventlog_writer_set_callback (w, take, &other), EVENTLOG_OK);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, 0);
  assert_int_equal (f.dropped_events, 3);
  assert_int_equal (f.dropped_blocks, 2);
  begin (w);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&other, "H E");
  assert_int_equal (t.bytes->len, header);
  g_byte_array_unref (other.bytes);
  end (w, &t);
}

/* ---- waiting ---- */

/* The policy's time is over, with naps in between, of which none is long. */
TEST (test_long_wait)
{
  int fds[2];
  char filler[65536] = { 0 };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  assert_int_equal (pipe (fds), 0);
  assert_int_equal (fcntl (fds[1], F_SETFL, O_NONBLOCK), 0);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_WAIT, 300), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  begin (w);
  while (write (fds[1], filler, sizeof filler) > 0)
    ;
  post_message (w, 0, "lost");
  const gint64 before = g_get_monotonic_time ();
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  assert_true (g_get_monotonic_time () - before >= 299000);
  close (fds[0]);
  eventlog_writer_free (w);
  close (fds[1]);
}

/* Two chores with times of their own; one that is off no longer comes. */
TEST (test_two_timers)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  begin (w);
  EVENTLOG_POST (w, 0, create_thread, .thread = 1);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 7), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 3), EVENTLOG_OK);
  do {
    g_usleep (1000);
    eventlog_writer_get_figures (w, &f);
  } while (f.events < 4 || f.blocks < 2);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 0), EVENTLOG_OK);
  uint64_t before;
  do {
    before = f.events;
    g_usleep (20000);
    eventlog_writer_get_figures (w, &f);
  } while (f.events != before);
  post_message (w, 0, "waits");
  g_usleep (10000);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  char *all = contents (t.bytes);
  assert_true (g_str_has_prefix (all, "H B0 thread1 thread1"));
  assert_true (g_str_has_suffix (all, " 'waits' E"));
  g_free (all);
  end (w, &t);
}
