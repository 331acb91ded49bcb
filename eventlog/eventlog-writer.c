/* eventlog-writer.c -- the states of a writer, and the functions that are allowed in each. */
#include "config.h"

#include "eventlog/eventlog-private.h"
#include "eventlog/eventlog-clock.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
eventlog_result_text (enum eventlog_result result)
{
  switch (result) {
  case EVENTLOG_OK:
    return "done";
  case EVENTLOG_OFF:
    return "events of that class are off";
  case EVENTLOG_ERROR_ORDER:
    return "that cannot be done now";
  case EVENTLOG_ERROR_ARGUMENT:
    return "there is no such value";
  case EVENTLOG_ERROR_TOO_LONG:
    return "the event is too long";
  case EVENTLOG_ERROR_MEMORY:
    return "no memory";
  case EVENTLOG_ERROR_OUTPUT:
    return "the log cannot be written";
  case EVENTLOG_ERROR_BUSY:
    return "nobody takes the log";
  }
  return "unknown";
}

/* ---- creation and end ---- */

static bool
set_default_file (struct eventlog_writer *w, const char *program)
{
  static const char suffix[] = ".eventlog";
  const char *name = program != NULL ? program : program_invocation_short_name;
  const size_t size = strlen (name) + sizeof suffix;
  char *path = malloc (size);
  if (path == NULL)
    return false;
  snprintf (path, size, "%s%s", name, suffix);
  const bool is_set = eventlog_output_set_file (&w->output, path);
  free (path);
  return is_set;
}

struct eventlog_writer *
eventlog_writer_new (const char *program)
{
  struct eventlog_writer *w = calloc (1, sizeof *w);
  if (w == NULL)
    return NULL;
  pthread_mutex_init (&w->life, NULL);
  pthread_mutex_init (&w->caps_lock, NULL);
  pthread_mutex_init (&w->memory_lock, NULL);
  pthread_mutex_init (&w->timer_lock, NULL);
  eventlog_output_init (&w->output);
  w->buffer_size = EVENTLOG_BUFFER_DEFAULT;
  w->born = eventlog_system_clock ();
  for (int i = 0; i < GHC_KINDS; i++)
    atomic_init (&w->enabled[i], i != GHC_BLOCK_MARKER);
  w->memory = event_memory_new ();
  if (w->memory != NULL && set_default_file (w, program))
    return w;
  eventlog_writer_free (w);
  return NULL;
}

void
eventlog_writer_free (struct eventlog_writer *w)
{
  if (w == NULL)
    return;
  eventlog_timer_free (w->timer);
  if (w->state == EVENTLOG_HEADER)
    eventlog_output_end (&w->output); /* a log without events */
  eventlog_writer_stop (w);
  eventlog_output_clear (&w->output);
  eventlog_free_caps (w);
  event_memory_free (w->memory);
  pthread_mutex_destroy (&w->life);
  pthread_mutex_destroy (&w->caps_lock);
  pthread_mutex_destroy (&w->memory_lock);
  pthread_mutex_destroy (&w->timer_lock);
  free (w);
}

/* ---- setting up ---- */

/* Locks the writer's state if it is one of these two. */
static bool
enter (struct eventlog_writer *w, enum eventlog_state one, enum eventlog_state other)
{
  if (eventlog_is_in_callback)
    return false;
  pthread_mutex_lock (&w->life);
  if (w->state == one || w->state == other)
    return true;
  pthread_mutex_unlock (&w->life);
  return false;
}

static enum eventlog_result
leave (struct eventlog_writer *w, enum eventlog_result result)
{
  pthread_mutex_unlock (&w->life);
  return result;
}

enum eventlog_result
eventlog_writer_set_file (struct eventlog_writer *w, const char *path)
{
  if (path == NULL || path[0] == 0)
    return EVENTLOG_ERROR_ARGUMENT;
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  return leave (w,
                eventlog_output_set_file (&w->output, path) ? EVENTLOG_OK : EVENTLOG_ERROR_MEMORY);
}

enum eventlog_result
eventlog_writer_set_descriptor (struct eventlog_writer *w, int fd)
{
  if (fd < 0)
    return EVENTLOG_ERROR_ARGUMENT;
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  eventlog_output_set_descriptor (&w->output, fd);
  return leave (w, EVENTLOG_OK);
}

enum eventlog_result
eventlog_writer_set_callback (struct eventlog_writer *w, eventlog_take take, void *data)
{
  if (take == NULL)
    return EVENTLOG_ERROR_ARGUMENT;
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  eventlog_output_set_callback (&w->output, take, data);
  return leave (w, EVENTLOG_OK);
}

enum eventlog_result
eventlog_writer_set_policy (struct eventlog_writer *w, enum eventlog_policy policy, uint64_t limit)
{
  if ((unsigned) policy > EVENTLOG_SPOOL)
    return EVENTLOG_ERROR_ARGUMENT;
  if (eventlog_is_in_callback)
    return EVENTLOG_ERROR_ORDER;
  /* eventlog-output.c loads the two one by one: for one block a thread may see the one new and the
   * other old, which costs no more than either policy would. */
  atomic_store (&w->output.limit, limit);
  atomic_store (&w->output.policy, (int) policy);
  return EVENTLOG_OK;
}

enum eventlog_result
eventlog_writer_set_buffer_size (struct eventlog_writer *w, size_t bytes)
{
  if (bytes < EVENTLOG_BUFFER_LEAST || bytes > EVENTLOG_BUFFER_MOST)
    return EVENTLOG_ERROR_ARGUMENT;
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  w->buffer_size = bytes;
  return leave (w, EVENTLOG_OK);
}

enum eventlog_result
eventlog_writer_set_clock (struct eventlog_writer *w, uint64_t (*clock) (void *data), void *data)
{
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  w->clock = clock;
  w->clock_data = data;
  return leave (w, EVENTLOG_OK);
}

/* ---- from header to end ---- */

static enum eventlog_result
send_header (struct eventlog_writer *w)
{
  size_t length;
  enum eventlog_result result = eventlog_output_open (&w->output);
  if (result != EVENTLOG_OK)
    return result;
  uint8_t *header = eventlog_make_header (&length);
  if (header == NULL)
    return EVENTLOG_ERROR_MEMORY;
  result = eventlog_output_header (&w->output, header, length);
  free (header);
  if (result == EVENTLOG_OK)
    w->state = EVENTLOG_HEADER;
  return result;
}

static void
start (struct eventlog_writer *w)
{
  w->state = EVENTLOG_RUNS;
  w->was_started = true;
  /* Last: a thread that loads it as true in begin_in_buffer finds the header put. */
  atomic_store (&w->runs, true);
}

/* The store of `runs` pairs with the load in begin_in_buffer: a thread that has a capability's lock
 * before us puts its event in, one that has it later sees that the writer does not run. */
static enum eventlog_result
stop (struct eventlog_writer *w)
{
  atomic_store (&w->runs, false);
  w->state = EVENTLOG_STOPPED;
  const enum eventlog_result blocks = eventlog_close_blocks (w);
  const enum eventlog_result end = eventlog_output_end (&w->output);
  return blocks != EVENTLOG_OK ? blocks : end;
}

enum eventlog_result
eventlog_writer_send_header (struct eventlog_writer *w)
{
  if (!enter (w, EVENTLOG_SETUP, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  return leave (w, send_header (w));
}

enum eventlog_result
eventlog_writer_start (struct eventlog_writer *w)
{
  if (!enter (w, EVENTLOG_HEADER, EVENTLOG_HEADER))
    return EVENTLOG_ERROR_ORDER;
  start (w);
  return leave (w, EVENTLOG_OK);
}

enum eventlog_result
eventlog_writer_stop (struct eventlog_writer *w)
{
  if (!enter (w, EVENTLOG_RUNS, EVENTLOG_RUNS))
    return EVENTLOG_ERROR_ORDER;
  return leave (w, stop (w));
}

/* ---- flush and sync ---- */

static void
reannounce (void *writer, enum ghc_kind kind, unsigned cap, const uint8_t *payload, size_t length)
{
  eventlog_put_payload (writer, cap, kind, payload, length);
}

static void
sync_all (struct eventlog_writer *w)
{
  pthread_mutex_lock (&w->memory_lock);
  event_memory_replay (w->memory, eventlog_now (w), reannounce, w);
  pthread_mutex_unlock (&w->memory_lock);
}

enum eventlog_result
eventlog_writer_restart (struct eventlog_writer *w)
{
  if (!enter (w, EVENTLOG_RUNS, EVENTLOG_STOPPED))
    return EVENTLOG_ERROR_ORDER;
  if (w->state == EVENTLOG_RUNS)
    stop (w);
  const enum eventlog_result result = send_header (w);
  if (result == EVENTLOG_OK) {
    start (w);
    sync_all (w);
  }
  return leave (w, result);
}

enum eventlog_result
eventlog_writer_flush (struct eventlog_writer *w)
{
  if (eventlog_is_in_callback || !atomic_load (&w->runs))
    return EVENTLOG_ERROR_ORDER;
  const enum eventlog_result blocks = eventlog_close_blocks (w);
  const enum eventlog_result waiting = eventlog_output_flush (&w->output);
  return blocks != EVENTLOG_OK ? blocks : waiting;
}

enum eventlog_result
eventlog_writer_sync (struct eventlog_writer *w)
{
  if (eventlog_is_in_callback || !atomic_load (&w->runs))
    return EVENTLOG_ERROR_ORDER;
  sync_all (w);
  return EVENTLOG_OK;
}

/* ---- the timer ---- */

/* A writer that does not run refuses, which does not matter. */
static void
do_chore (void *writer, enum eventlog_chore chore)
{
  if (chore == EVENTLOG_SYNC)
    eventlog_writer_sync (writer);
  else
    eventlog_writer_flush (writer);
}

static enum eventlog_result
set_timer (struct eventlog_writer *w, enum eventlog_chore chore, unsigned milliseconds)
{
  enum eventlog_result result = EVENTLOG_OK;
  if (eventlog_is_in_callback)
    return EVENTLOG_ERROR_ORDER;
  pthread_mutex_lock (&w->timer_lock);
  if (w->timer == NULL && milliseconds != 0) {
    w->timer = eventlog_timer_new (do_chore, w);
    if (w->timer == NULL)
      result = EVENTLOG_ERROR_MEMORY;
  }
  if (w->timer != NULL)
    eventlog_timer_set (w->timer, chore, milliseconds);
  pthread_mutex_unlock (&w->timer_lock);
  return result;
}

enum eventlog_result
eventlog_writer_set_flush_interval (struct eventlog_writer *w, unsigned milliseconds)
{
  return set_timer (w, EVENTLOG_FLUSH, milliseconds);
}

enum eventlog_result
eventlog_writer_set_sync_interval (struct eventlog_writer *w, unsigned milliseconds)
{
  return set_timer (w, EVENTLOG_SYNC, milliseconds);
}

/* ---- figures ---- */

void
eventlog_writer_get_figures (const struct eventlog_writer *w, struct eventlog_figures *figures)
{
  const struct eventlog_output *o = &w->output;
  *figures = (struct eventlog_figures){
    .running = atomic_load (&w->runs),
    .error = atomic_load (&o->error),
    .events = atomic_load (&w->events),
    .blocks = atomic_load (&o->blocks),
    .bytes = atomic_load (&o->bytes),
    .dropped_blocks = atomic_load (&o->dropped_blocks),
    .dropped_events = atomic_load (&o->dropped_events),
    .dropped_bytes = atomic_load (&o->dropped_bytes),
    .spooled_bytes = atomic_load (&o->spooled),
    .remembered = atomic_load (&w->remembered),
    .forgotten = atomic_load (&w->forgotten),
  };
}
