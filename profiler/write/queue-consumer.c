/* queue-consumer.c -- handles the work that threads pushed into the queue. */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "profiler/names/names.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/buffer.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-output.h"
#include "profiler/write/writer-work.h"
#include <stdlib.h>

/* ---- work that a failed log could not accept ---- */

struct requeue {
  struct work *oldest, *newest;
};

/* The items left the queue: only the writer reads these links, so all accesses are relaxed. */

static void
requeue_add (struct requeue *q, struct work *w)
{
  atomic_store_explicit (&w->item.next, NULL, memory_order_relaxed);
  if (q->newest != NULL)
    atomic_store_explicit (&q->newest->item.next, &w->item, memory_order_relaxed);
  else
    q->oldest = w;
  q->newest = w;
}

/* The oldest work, which is no longer in the list; NULL: there is none. */
static struct work *
requeue_pop (struct requeue *q)
{
  struct work *w = q->oldest;
  if (w == NULL)
    return NULL;
  q->oldest = (struct work *) atomic_load_explicit (&w->item.next, memory_order_relaxed);
  if (q->oldest == NULL)
    q->newest = NULL;
  return w;
}

#define COUNT_EVERY_NS (20 * UINT64_C (1000000)) /* events of a buffer are counted that often */

/* Figures that other threads read one by one, to show them or to see progress.  None orders other
 * data: relaxed. */
static struct {
  _Atomic uint64_t buffers, events;
  _Atomic bool is_estimated;
  _Atomic uint64_t putting_since; /* a buffer is being written; by the system's clock; or 0 */
} figures;

static uint64_t handled;       /* bytes of buffers, as buffer_queue_waiting counts them */
static struct buffer *watched; /* has not arrived in the queue since then */
static struct requeue requeue; /* work that a failed log could not accept */

uint64_t
consumer_buffers (void)
{
  return atomic_load_explicit (&figures.buffers, memory_order_relaxed);
}

uint64_t
consumer_events (void)
{
  return atomic_load_explicit (&figures.events, memory_order_relaxed);
}

bool
consumer_events_are_estimated (void)
{
  return atomic_load_explicit (&figures.is_estimated, memory_order_relaxed);
}

unsigned
consumer_stalled_ms (void)
{
  const uint64_t since = atomic_load_explicit (&figures.putting_since, memory_order_relaxed);
  return since != 0 ? (unsigned) ((clock_of_system () - since) / 1000000) : 0;
}

/* ---- buffers ---- */

size_t
consumer_published (const struct buffer *b)
{
  return (size_t) spool_published (&b->slot);
}

/* Counts the events up to `length` that are not in the log.  Threads do not count their own, and
 * passing over all events of a busy program would take long: then most buffers are assumed to be
 * like the last one that was counted. */
static void
count_events (const struct buffer *b, size_t length)
{
  static uint64_t next, counted_events, counted_bytes;
  const size_t bytes = length - buffer_flushed (b);
  const uint64_t now = clock_of_system ();
  uint64_t events;
  if (now < next) {
    events = counted_events * bytes / counted_bytes;
    atomic_store_explicit (&figures.is_estimated, true, memory_order_relaxed);
  } else {
    struct mlpd_buffer_header rest;
    buffer_count (b, length, &events, &rest);
    counted_events = events;
    counted_bytes = bytes;
    next = now + COUNT_EVERY_NS;
  }
  atomic_fetch_add_explicit (&figures.events, events, memory_order_relaxed);
}

bool
consumer_put_buffer (struct buffer *b, size_t length)
{
  if (length == buffer_flushed (b))
    return true;
  atomic_store_explicit (&figures.putting_since, clock_of_system (), memory_order_relaxed);
  const bool is_put = log_put_buffer (b, length);
  atomic_store_explicit (&figures.putting_since, 0, memory_order_relaxed);
  buffer_queue_set_stalled (!is_put);
  if (is_put && log_problem () == 0)
    count_events (b, length);
  atomic_fetch_add_explicit (&figures.buffers, is_put, memory_order_relaxed);
  return is_put;
}

/* ---- work ---- */

static void
handle_buffer (struct buffer *b)
{
  handled += b->mapped;
  if (!consumer_put_buffer (b, consumer_published (b))) {
    requeue_add (&requeue, &b->work);
    return;
  }
  log_set_counter_baseline (b->counters);
  buffer_queue_release (b->mapped);
  recorder_recycle (b);
}

/* All names in the slot came through the queue before it. */
static void
handle_names_slot (struct buffer *b)
{
  log_flush_names ();
  if (log_has_failed ())
    requeue_add (&requeue, &b->work);
  else
    spool_release (&b->slot, b->mapped);
}

/* Handles a piece of work, and frees it. */
static void
handle_work (struct work *w)
{
  struct buffer *b = buffer_of_work (w); /* if it is one */
  if (b == watched)
    watched = NULL;
  switch (w->kind) {
  case WORK_BUFFER:
    handle_buffer (b);
    break;
  case WORK_DROPPED:
    recorder_recycle (b);
    break;
  case WORK_NAME:
    log_put_name ((struct name_work *) w);
    free (w);
    break;
  case WORK_NAMES:
    handle_names_slot (b);
    break;
  case WORK_FORGET:
    free ((struct name *) ((struct name_work *) w)->name);
    free (w);
    break;
  }
}

/* A queue that is full all the time must not keep the writer from all else, also with a slow
 * output. */
#define DRAIN_NS 20000000

bool
consumer_drain (void)
{
  const uint64_t end = clock_of_system () + DRAIN_NS;
  struct work *w;
  while ((w = buffer_queue_pop ()) != NULL) {
    handle_work (w);
    if (clock_of_system () >= end)
      break;
  }
  log_run_timers ();
  return w == NULL;
}

/* Of buffers that are not in the queue yet some bytes may be among those that wait. */
void
consumer_drain_waiting (void)
{
  const uint64_t end = handled + buffer_queue_waiting ();
  while (!consumer_drain () && handled < end)
    ;
}

void
consumer_drain_patiently (int *patience_ms)
{
  const bool watches = watched != NULL;
  bool is_empty = consumer_drain ();
  while ((!is_empty || buffer_queue_has_more ()) && !(watches && watched == NULL)
         && (*patience_ms)-- > 0) {
    if (is_empty)
      native_thread_sleep (1);
    is_empty = consumer_drain ();
  }
}

void
consumer_watch (struct buffer *b)
{
  watched = b;
}

bool
consumer_has_seen_watched (void)
{
  return watched == NULL;
}

/* ---- work that a failed log could not accept ---- */

/* Work that another output cannot accept either is requeued. */
void
consumer_write_requeued (void)
{
  struct requeue work = requeue;
  struct work *w;
  requeue = (struct requeue){ NULL, NULL };
  while ((w = requeue_pop (&work)) != NULL)
    handle_work (w);
}

void
consumer_abandon_requeued (void)
{
  struct work *w;
  while ((w = requeue_pop (&requeue)) != NULL)
    if (w->kind == WORK_BUFFER)
      log_abandon_buffer (buffer_of_work (w), consumer_published (buffer_of_work (w)));
}

void
consumer_start_over (void)
{
  figures.buffers = figures.events = 0;
  figures.is_estimated = false;
  figures.putting_since = 0;
  watched = NULL;
  requeue = (struct requeue){ NULL, NULL }; /* the parent's */
}
