/* buffer-queue.c -- the queue, its limit of memory, and how producers wait for room. */
#include "config.h"

#include "profiler/record/buffer-queue.h"
#include "agent/native-thread.h"
#include <semaphore.h>

#define NAMES_PER_WAKE 256 /* names alone wake the consumer that often */

static struct {
  struct queue queue;
  sem_t wake;
  /* Waking the consumer costs a thread as much as hundreds of events.  When there is much to write
   * the consumer polls instead.  0 or 1. */
  _Atomic unsigned polling;
  _Atomic unsigned names_pushed;
  _Atomic uint64_t memory; /* limit of `waiting` */
  _Atomic unsigned block_ms;
  _Atomic uint64_t waiting;  /* bytes of buffers that were admitted and not written yet */
  _Atomic bool stalled;      /* a thread waited in vain; nothing was written since */
  _Atomic bool closed;       /* recording has ended */
  _Atomic uint64_t consumer; /* thread id */
} q;

/* This thread has stopped all others: they wait for it.  (Reaching it must not allocate.) */
static _Thread_local bool has_stopped_world __attribute__ ((tls_model ("initial-exec")));

void
buffer_queue_start (uint64_t memory, unsigned block_ms)
{
  queue_init (&q.queue);
  sem_init (&q.wake, 0, 0);
  q.names_pushed = 0;
  q.polling = 0;
  q.waiting = 0;
  q.stalled = q.closed = false;
  buffer_queue_set_memory (memory);
  buffer_queue_set_block_ms (block_ms);
}

/* The limits are single values that no other data depends on: relaxed.  A producer that reads an
 * old limit behaves as if it had come a moment before. */

void
buffer_queue_set_memory (uint64_t bytes)
{
  atomic_store_explicit (&q.memory, bytes, memory_order_relaxed);
}

void
buffer_queue_set_block_ms (unsigned ms)
{
  atomic_store_explicit (&q.block_ms, ms, memory_order_relaxed);
}

uint64_t
buffer_queue_memory (void)
{
  return atomic_load_explicit (&q.memory, memory_order_relaxed);
}

unsigned
buffer_queue_block_ms (void)
{
  return atomic_load_explicit (&q.block_ms, memory_order_relaxed);
}

uint64_t
buffer_queue_waiting (void)
{
  return atomic_load_explicit (&q.waiting, memory_order_relaxed);
}

/* A hint for threads that sleep in wait_for_room, which read it every ms: relaxed. */
void
buffer_queue_close (void)
{
  atomic_store_explicit (&q.closed, true, memory_order_relaxed);
}

/* Relaxed: the id is a number, not a pointer to data of the thread. */
void
buffer_queue_set_consumer (uint64_t thread)
{
  atomic_store_explicit (&q.consumer, thread, memory_order_relaxed);
}

uint64_t
buffer_queue_consumer (void)
{
  return atomic_load_explicit (&q.consumer, memory_order_relaxed);
}

/* ---- producers ---- */

/* Counts the bytes as waiting if there is room.  Relaxed: the sum alone decides, and read-modify-
 * write operations on one variable have one order whatever the memory order is.  The bytes of the
 * buffer are published by the queue, not by this sum. */
static bool
reserve (size_t bytes)
{
  if (atomic_fetch_add_explicit (&q.waiting, bytes, memory_order_relaxed) + bytes
      <= buffer_queue_memory ())
    return true;
  atomic_fetch_sub_explicit (&q.waiting, bytes, memory_order_relaxed);
  return false;
}

/* Waits until the consumer has caught up; false if it does not.  A sink that accepts nothing at all
 * makes only the first thread wait: the program must not come to a halt because of it.  `stalled`
 * is relaxed: it decides how long to wait, not which data may be read. */
static bool
wait_for_room (size_t bytes)
{
  const unsigned limit = buffer_queue_block_ms ();
  for (unsigned i = 0; i < limit; i++) {
    if (atomic_load_explicit (&q.stalled, memory_order_relaxed)
        || atomic_load_explicit (&q.closed, memory_order_relaxed) || has_stopped_world)
      return false;
    native_thread_sleep (1);
    if (reserve (bytes))
      return true;
  }
  atomic_store_explicit (&q.stalled, true, memory_order_relaxed);
  return false;
}

bool
buffer_queue_admit (size_t bytes)
{
  return reserve (bytes) || wait_for_room (bytes);
}

/* The exchange on `polling` pairs with the one in buffer_queue_wait, which follows the consumer's
 * sleep.  Both are read-modify-write operations, sequentially consistent, so one comes first.  If
 * the consumer's is first, this thread reads 0 and posts.  If this one is first, the consumer's
 * exchange synchronizes with it, and the pop after it sees the push.  A plain load here could be
 * satisfied before the push became visible: then neither would see the other. */
void
buffer_queue_push (struct buffer *b)
{
  queue_push (&q.queue, &b->work.item);
  if (atomic_fetch_add (&q.polling, 0) == 0 || buffer_queue_waiting () > buffer_queue_memory () / 4)
    sem_post (&q.wake);
}

/* Names are written at the latest with the next buffer, so a missed wake-up costs nothing: the
 * count is relaxed. */
void
buffer_queue_push_name (struct work *w)
{
  queue_push (&q.queue, &w->item);
  if (atomic_fetch_add_explicit (&q.names_pushed, 1, memory_order_relaxed) % NAMES_PER_WAKE
      == NAMES_PER_WAKE - 1)
    sem_post (&q.wake);
}

void
buffer_queue_set_world_stopped (bool stopped)
{
  has_stopped_world = stopped;
}

bool
buffer_queue_is_world_stopped (void)
{
  return has_stopped_world;
}

void
buffer_queue_wake (void)
{
  sem_post (&q.wake);
}

/* ---- the consumer ---- */

struct work *
buffer_queue_pop (void)
{
  return (struct work *) queue_pop (&q.queue);
}

bool
buffer_queue_has_more (void)
{
  return queue_has_more (&q.queue);
}

void
buffer_queue_release (size_t bytes)
{
  atomic_fetch_sub_explicit (&q.waiting, bytes, memory_order_relaxed);
}

void
buffer_queue_set_stalled (bool is_stalled)
{
  atomic_store_explicit (&q.stalled, is_stalled, memory_order_relaxed);
}

/* See buffer_queue_push for the order of the two exchanges. */
void
buffer_queue_wait (uint64_t ns, bool is_polling)
{
  atomic_store (&q.polling, is_polling);
  native_thread_wait (&q.wake, ns);
  atomic_exchange (&q.polling, 0);
}
