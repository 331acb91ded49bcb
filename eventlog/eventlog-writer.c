/* eventlog-writer.c -- the states of a writer, and the functions that are allowed in each; the
 * header that it writes, and the thread that has it flush and sync.
 */
#include "config.h"

#include "eventlog/eventlog-parts.h"
#include "eventlog/eventlog-private.h"
#include <errno.h>
#include <proflog/ghc-encode.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a thread that has a writer flush and sync at intervals ---- */

enum eventlog_chore { EVENTLOG_FLUSH, EVENTLOG_SYNC, EVENTLOG_CHORES };

/* Called by the timer's thread when a chore is due. */
typedef void (*eventlog_tick) (void *data, enum eventlog_chore chore);

struct eventlog_timer {
  eventlog_tick tick;
  void *data;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool over;
  uint64_t interval_ns[EVENTLOG_CHORES]; /* 0: not at all */
  uint64_t due_ns[EVENTLOG_CHORES];
};

static void
wait_until (struct eventlog_timer *t, uint64_t due)
{
  const struct timespec until = { (time_t) (due / 1000000000u), (long) (due % 1000000000u) };
  if (due == UINT64_MAX)
    pthread_cond_wait (&t->changed, &t->lock);
  else
    pthread_cond_timedwait (&t->changed, &t->lock, &until);
}

static void
run_chore (struct eventlog_timer *t, enum eventlog_chore chore)
{
  t->due_ns[chore] = eventlog_system_clock () + t->interval_ns[chore];
  pthread_mutex_unlock (&t->lock);
  t->tick (t->data, chore);
  pthread_mutex_lock (&t->lock);
}

static void *
run (void *timer)
{
  struct eventlog_timer *t = timer;
  pthread_mutex_lock (&t->lock);
  while (!t->over) {
    int next = -1;
    for (int i = 0; i < EVENTLOG_CHORES; i++)
      if (t->interval_ns[i] != 0 && (next < 0 || t->due_ns[i] < t->due_ns[next]))
        next = i;
    if (next >= 0 && t->due_ns[next] <= eventlog_system_clock ())
      run_chore (t, (enum eventlog_chore) next);
    else
      wait_until (t, next >= 0 ? t->due_ns[next] : UINT64_MAX);
  }
  pthread_mutex_unlock (&t->lock);
  return NULL;
}

/* The thread handles none of the program's signals. */
static bool
start_thread (struct eventlog_timer *t)
{
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const int error = pthread_create (&t->thread, NULL, run, t);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return error == 0;
}

/* NULL without memory or threads. */
static struct eventlog_timer *
eventlog_timer_new (eventlog_tick tick, void *data)
{
  pthread_condattr_t attributes;
  struct eventlog_timer *t = calloc (1, sizeof *t);
  if (t == NULL)
    return NULL;
  t->tick = tick;
  t->data = data;
  pthread_mutex_init (&t->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&t->changed, &attributes);
  pthread_condattr_destroy (&attributes);
  if (start_thread (t))
    return t;
  free (t);
  return NULL;
}

static void
eventlog_timer_free (struct eventlog_timer *t)
{
  if (t == NULL)
    return;
  pthread_mutex_lock (&t->lock);
  t->over = true;
  pthread_cond_signal (&t->changed);
  pthread_mutex_unlock (&t->lock);
  pthread_join (t->thread, NULL);
  pthread_cond_destroy (&t->changed);
  pthread_mutex_destroy (&t->lock);
  free (t);
}

/* 0: not at all. */
static void
eventlog_timer_set (struct eventlog_timer *t, enum eventlog_chore chore, unsigned milliseconds)
{
  pthread_mutex_lock (&t->lock);
  t->interval_ns[chore] = (uint64_t) milliseconds * 1000000u;
  t->due_ns[chore] = eventlog_system_clock () + t->interval_ns[chore];
  pthread_cond_signal (&t->changed);
  pthread_mutex_unlock (&t->lock);
}

/* ---- the header of a log ---- */

#define VARIABLE GHC_VARIABLE

static const struct type {
  uint16_t tag, size;
  const char *description;
} types[] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) { tag, size, doc },
#include <proflog/ghc-events.def>
};

enum {
  TYPES = sizeof types / sizeof *types,
  FRAME_BYTES = 6 * 4,                /* the frame around all types */
  TYPE_BYTES = 4 + 2 + 2 + 4 + 4 + 4, /* a type without its description */
};

static uint8_t *
put_type (uint8_t *p, const struct type *type)
{
  const size_t length = strlen (type->description);
  p = ghc_put_number (p, GHC_TYPE_BEGIN, 4);
  p = ghc_put_number (p, type->tag, 2);
  p = ghc_put_number (p, type->size, 2);
  p = ghc_put_number (p, length, 4);
  p = ghc_put_bytes (p, type->description, length);
  p = ghc_put_number (p, 0, 4); /* nothing more is stated of it */
  return ghc_put_number (p, GHC_TYPE_END, 4);
}

/* The header, to be freed; NULL without memory. */
static uint8_t *
eventlog_make_header (size_t *length)
{
  size_t bound = FRAME_BYTES;
  for (size_t i = 0; i < TYPES; i++)
    bound += TYPE_BYTES + strlen (types[i].description);
  uint8_t *header = malloc (bound), *p = header;
  if (header == NULL)
    return NULL;
  p = ghc_put_number (p, GHC_HEADER_BEGIN, 4);
  p = ghc_put_number (p, GHC_TYPES_BEGIN, 4);
  for (size_t i = 0; i < TYPES; i++)
    p = put_type (p, &types[i]);
  p = ghc_put_number (p, GHC_TYPES_END, 4);
  p = ghc_put_number (p, GHC_HEADER_END, 4);
  p = ghc_put_number (p, GHC_DATA_BEGIN, 4);
  *length = (size_t) (p - header);
  return header;
}

/* ---- the writer ---- */

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
