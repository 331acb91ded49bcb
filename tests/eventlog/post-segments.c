/* post-segments.c -- calls each function of eventlog-writer.h that posts no certain event, or posts
 * from many threads at once, and leaves the logs to the tools for eventlogs to judge.
 *
 *   post-segments FILE
 *
 * Three logs in FILE, one in FILE.eventlog, FILE.descriptor and FILE.callback each, with the times
 * 10, 20, ...
 *
 *   post-segments FILE turns
 *
 * Events of a capability and of no one in turn, whose blocks are the other way round.
 *
 *   post-segments FILE threads
 *
 * Ten threads post messages "THREAD NUMBER" as fast as they can while the writer is stopped and
 * started.  Prints how many each has posted.
 */
#include "config.h"

#include <proflog/eventlog-writer.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 10, LOGS = 6, EVENTS_A_LOG = 1000 };

static int failures;

static void
expect (const char *what, enum eventlog_result result, enum eventlog_result expected)
{
  if (result == expected)
    return;
  fprintf (stderr, "%s: %s, not %s\n", what, eventlog_result_text (result),
           eventlog_result_text (expected));
  failures++;
}

#define OK(call) expect (#call, call, EVENTLOG_OK)
#define GIVES(expected, call) expect (#call, call, expected)
#define TRUE(condition)                                                                            \
  if (!(condition)) {                                                                              \
    fprintf (stderr, "not true: %s\n", #condition);                                                \
    failures++;                                                                                    \
  }

static enum eventlog_result
post_message (struct eventlog_writer *w, unsigned cap, const char *text)
{
  return EVENTLOG_POST (w, cap, user_msg, .message = { text, strlen (text) });
}

static uint64_t
tick (void *data)
{
  uint64_t *time = data;
  return *time += 10;
}

static bool
take (void *file, const void *bytes, size_t length)
{
  return fwrite (bytes, 1, length, file) == length;
}

static struct eventlog_writer *
new_writer (const char *program, uint64_t *time)
{
  struct eventlog_writer *w = eventlog_writer_new (program);
  if (w == NULL)
    exit (2);
  *time = 0;
  OK (eventlog_writer_set_clock (w, tick, time));
  OK (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST));
  OK (eventlog_writer_set_policy (w, EVENTLOG_DROP, 0));
  return w;
}

static void
begin (struct eventlog_writer *w)
{
  OK (eventlog_writer_send_header (w));
  OK (eventlog_writer_start (w));
}

/* Three logs, one after the other. */
static void
post_to_file (const char *path)
{
  uint64_t time;
  struct eventlog_writer *w = new_writer (NULL, &time);
  struct eventlog_figures f;
  const enum eventlog_class user = eventlog_class_find ("user");
  const struct ghc_run_thread run = { .thread = 1 };
  OK (eventlog_writer_set_file (w, path));
  begin (w);
  OK (EVENTLOG_POST (w, 0, create_thread, .thread = 1));
  OK (eventlog_post (w, 0, GHC_RUN_THREAD, &run));
  OK (eventlog_writer_disable (w, user, "user-msg"));
  TRUE (!eventlog_writer_is_enabled (w, GHC_USER_MSG));
  GIVES (EVENTLOG_OFF, post_message (w, 0, "off"));
  OK (eventlog_writer_flush (w));
  OK (eventlog_writer_enable (w, eventlog_class_of (GHC_USER_MSG), NULL));
  TRUE (eventlog_writer_is_enabled (w, GHC_USER_MSG));
  OK (post_message (w, 1, "one"));
  OK (eventlog_writer_restart (w));
  OK (post_message (w, 1, "two"));
  OK (eventlog_writer_sync (w));
  OK (eventlog_writer_stop (w));
  GIVES (EVENTLOG_ERROR_ORDER, post_message (w, 1, "stopped"));
  begin (w);
  OK (post_message (w, 2, "three"));
  OK (eventlog_writer_stop (w));
  eventlog_writer_get_figures (w, &f);
  TRUE (!f.running && f.events == 7 && f.remembered == 1 && f.dropped_events == 0);
  eventlog_writer_free (w);
}

/* The default is a file that is called after the program; freeing stops. */
static void
post_to_default (const char *program)
{
  uint64_t time;
  struct eventlog_writer *w = new_writer (program, &time);
  OK (eventlog_writer_set_flush_interval (w, 1));
  OK (eventlog_writer_set_sync_interval (w, 3600000));
  begin (w);
  OK (post_message (w, 0, "four"));
  eventlog_writer_free (w);
}

static void
post_to_descriptor (const char *path)
{
  uint64_t time;
  struct eventlog_writer *w = new_writer (NULL, &time);
  const int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  OK (eventlog_writer_set_descriptor (w, fd));
  begin (w);
  OK (post_message (w, GHC_NO_CAP, "five"));
  OK (eventlog_writer_stop (w));
  eventlog_writer_free (w);
  close (fd);
}

static void
post_to_callback (const char *path)
{
  uint64_t time;
  struct eventlog_writer *w = new_writer (NULL, &time);
  FILE *file = fopen (path, "wb");
  if (file == NULL)
    exit (2);
  OK (eventlog_writer_set_callback (w, take, file));
  begin (w);
  OK (post_message (w, 0, eventlog_class_name (EVENTLOG_CLASS_GC)));
  OK (EVENTLOG_POST (w, 0, hack_bug_t9003));
  OK (eventlog_writer_stop (w));
  eventlog_writer_free (w);
  fclose (file);
}

/* Whose buffer was made last is written first. */
static void
post_in_turn (const char *path)
{
  static const char *const texts[] = { "first", "second", "third", "fourth", "fifth", "sixth" };
  uint64_t time;
  struct eventlog_writer *w = new_writer (NULL, &time);
  OK (eventlog_writer_set_file (w, path));
  begin (w);
  for (int i = 0; i < 6; i += 2) {
    OK (post_message (w, GHC_NO_CAP, texts[i]));
    OK (post_message (w, 0, texts[i + 1]));
    OK (eventlog_writer_flush (w));
  }
  OK (eventlog_writer_stop (w));
  eventlog_writer_free (w);
}

/* ---- many threads ---- */

static struct eventlog_writer *shared;
static _Atomic bool go_on = true;
static _Atomic unsigned began; /* threads that have posted */

static void *
post_much (void *data)
{
  unsigned *posted = data;
  const unsigned nth = posted[1];
  char text[32];
  while (go_on) {
    snprintf (text, sizeof text, "%u %u", nth, *posted);
    const enum eventlog_result result = post_message (shared, nth % 4, text);
    if (result == EVENTLOG_OK)
      began += (*posted)++ == 0;
    else
      usleep (100); /* it is stopped just now */
  }
  return NULL;
}

static uint64_t
count_events (void)
{
  struct eventlog_figures f;
  eventlog_writer_get_figures (shared, &f);
  return f.events;
}

static void
post_from_threads (const char *path)
{
  unsigned posted[THREADS][2];
  pthread_t threads[THREADS];
  shared = eventlog_writer_new (NULL);
  OK (eventlog_writer_set_file (shared, path));
  OK (eventlog_writer_set_buffer_size (shared, EVENTLOG_BUFFER_LEAST));
  begin (shared);
  for (unsigned i = 0; i < THREADS; i++) {
    posted[i][0] = 0;
    posted[i][1] = i;
    if (pthread_create (&threads[i], NULL, post_much, posted[i]) != 0)
      exit (2);
  }
  while (began < THREADS)
    usleep (100);
  for (int log = 1; log <= LOGS; log++) {
    for (const uint64_t before = count_events (); count_events () < before + EVENTS_A_LOG;)
      usleep (100);
    if (log == LOGS)
      go_on = false;
    else if (log % 2 != 0)
      OK (eventlog_writer_restart (shared));
    else {
      OK (eventlog_writer_stop (shared));
      begin (shared);
    }
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  OK (eventlog_writer_stop (shared));
  eventlog_writer_free (shared);
  for (unsigned i = 0; i < THREADS; i++)
    printf ("%u %u\n", i, posted[i][0]);
}

int
main (int argc, char **argv)
{
  char other[256];
  if (argc < 2 || strlen (argv[1]) > 200)
    return 2;
  if (argc == 3) {
    if (strcmp (argv[2], "turns") == 0)
      post_in_turn (argv[1]);
    else
      post_from_threads (argv[1]);
    return failures != 0;
  }
  post_to_file (argv[1]);
  post_to_default (argv[1]);
  snprintf (other, sizeof other, "%s.descriptor", argv[1]);
  post_to_descriptor (other);
  snprintf (other, sizeof other, "%s.callback", argv[1]);
  post_to_callback (other);
  return failures != 0;
}
