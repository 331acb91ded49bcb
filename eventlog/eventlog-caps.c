/* eventlog-caps.c -- the buffers of capabilities, and how an event is written into one. */
#include "config.h"

#include "eventlog/eventlog-parts.h"
#include "eventlog/eventlog-private.h"
#include <proflog/ghc-encode.h>
#include <stdlib.h>
#include <string.h>

/* ---- capabilities ---- */

static struct eventlog_cap *
make_cap (struct eventlog_writer *w, unsigned cap)
{
  struct eventlog_cap *c = calloc (1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->cap = cap;
  pthread_mutex_init (&c->lock, NULL);
  c->next = atomic_load (&w->first_cap); /* stored here alone: the caller holds caps_lock */
  /* With the load in eventlog_close_blocks: a stop after this store closes this buffer too.  A stop
   * before it has stored `runs`, which begin_in_buffer loads with the buffer's lock. */
  atomic_store (&w->first_cap, c);
  atomic_store (&w->caps[cap], c);
  return c;
}

/* NULL without memory. */
static struct eventlog_cap *
find_cap (struct eventlog_writer *w, unsigned cap)
{
  /* With the store in make_cap: a thread that sees the pointer sees an initialised lock. */
  struct eventlog_cap *c = atomic_load_explicit (&w->caps[cap], memory_order_acquire);
  if (c != NULL)
    return c;
  pthread_mutex_lock (&w->caps_lock);
  c = atomic_load (&w->caps[cap]); /* another thread may have made it since */
  if (c == NULL)
    c = make_cap (w, cap);
  pthread_mutex_unlock (&w->caps_lock);
  return c;
}

void
eventlog_free_caps (struct eventlog_writer *w)
{
  for (struct eventlog_cap *c = atomic_load (&w->first_cap); c != NULL;) {
    struct eventlog_cap *next = c->next;
    pthread_mutex_destroy (&c->lock);
    free (c->bytes);
    free (c);
    c = next;
  }
}

/* ---- blocks ---- */

uint64_t
eventlog_now (struct eventlog_writer *w)
{
  if (w->clock == NULL)
    return eventlog_system_clock () - w->born;
  eventlog_is_in_callback = true;
  const uint64_t now = w->clock (w->clock_data);
  eventlog_is_in_callback = false;
  return now;
}

/* The time of the capability's next event; with its lock. */
static uint64_t
time_of (struct eventlog_writer *w, struct eventlog_cap *c)
{
  const uint64_t now = eventlog_now (w);
  if (now > c->last)
    c->last = now;
  return c->last;
}

static uint8_t *
put_event_header (uint8_t *p, enum ghc_kind kind, uint64_t time)
{
  p = ghc_put_number (p, eventlog_tag (kind), 2);
  return ghc_put_number (p, time, 8);
}

/* With the capability's lock.  The buffer is empty then, whatever the result is. */
static enum eventlog_result
close_block (struct eventlog_writer *w, struct eventlog_cap *c)
{
  if (c->used == 0)
    return EVENTLOG_OK;
  const struct ghc_block_marker marker
      = { .block_size = (uint32_t) c->used, .end_time = c->last, .cap = (uint16_t) c->cap };
  uint8_t *p = put_event_header (c->bytes, GHC_BLOCK_MARKER, c->start);
  ghc_put_block_marker (p, eventlog_size (GHC_BLOCK_MARKER), &marker);
  const enum eventlog_result result
      = eventlog_output_block (&w->output, c->bytes, c->used, c->events);
  c->used = 0;
  c->events = 0;
  return result;
}

enum eventlog_result
eventlog_close_blocks (struct eventlog_writer *w)
{
  enum eventlog_result result = EVENTLOG_OK;
  for (struct eventlog_cap *c = atomic_load (&w->first_cap); c != NULL; c = c->next) {
    pthread_mutex_lock (&c->lock);
    const enum eventlog_result one = close_block (w, c);
    pthread_mutex_unlock (&c->lock);
    if (result == EVENTLOG_OK)
      result = one;
  }
  return result;
}

/* Provides a buffer of the current size, in place of an empty one; with the lock. */
static bool
have_buffer (struct eventlog_writer *w, struct eventlog_cap *c)
{
  if (c->size == w->buffer_size)
    return true;
  uint8_t *bytes = malloc (w->buffer_size);
  if (bytes == NULL)
    return false;
  free (c->bytes);
  c->bytes = bytes;
  c->size = w->buffer_size;
  return true;
}

/* With the lock: there is room for an event with a payload of `bound` bytes.  BUSY and OUTPUT:
 * there is, but the buffer's events are lost. */
static enum eventlog_result
make_room (struct eventlog_writer *w, struct eventlog_cap *c, size_t bound)
{
  enum eventlog_result result = EVENTLOG_OK;
  if (c->used + GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE + bound > c->size)
    result = close_block (w, c);
  if (c->used == 0 && !have_buffer (w, c))
    return EVENTLOG_ERROR_MEMORY;
  return result;
}

/* ---- events ---- */

/* Locks the event's capability and finds where its payload is to be written. */
static enum eventlog_result
begin_in_buffer (struct eventlog_event *e, size_t bound)
{
  struct eventlog_writer *const w = e->writer;
  /* Relaxed: a switch orders nothing else, and may be seen a little later. */
  const bool is_on = atomic_load_explicit (&w->enabled[e->kind], memory_order_relaxed);
  if (!is_on)
    return atomic_load (&w->runs) ? EVENTLOG_OFF : EVENTLOG_ERROR_ORDER;
  struct eventlog_cap *c = find_cap (w, e->cap);
  if (c == NULL)
    return EVENTLOG_ERROR_MEMORY;
  pthread_mutex_lock (&c->lock);
  enum eventlog_result result = EVENTLOG_ERROR_ORDER;
  /* With the store in stop: seen here as true, the stop closes this buffer after us. */
  if (atomic_load (&w->runs))
    result = make_room (w, c, bound);
  if (result == EVENTLOG_ERROR_ORDER || result == EVENTLOG_ERROR_MEMORY) {
    pthread_mutex_unlock (&c->lock);
    return result;
  }
  e->locked = c;
  e->payload = c->bytes + (c->used != 0 ? c->used : GHC_BLOCK_MARKER_SIZE) + GHC_EVENT_HEADER_SIZE
               + (e->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  return result;
}

static void
end_in_buffer (struct eventlog_event *e, size_t length)
{
  struct eventlog_writer *const w = e->writer;
  struct eventlog_cap *const c = e->locked;
  const uint64_t time = time_of (w, c);
  if (c->used == 0) {
    c->used = GHC_BLOCK_MARKER_SIZE;
    c->start = time;
  }
  uint8_t *p = put_event_header (c->bytes + c->used, e->kind, time);
  if (e->size == GHC_VARIABLE)
    ghc_put_number (p, length, GHC_LENGTH_SIZE);
  c->used = (size_t) (e->payload - c->bytes) + length;
  c->events++;
  /* Relaxed, as are all figures: eventlog_writer_get_figures wants no order among them. */
  atomic_fetch_add_explicit (&w->events, 1, memory_order_relaxed);
  pthread_mutex_unlock (&c->lock);
}

enum eventlog_result
eventlog_put_payload (struct eventlog_writer *w, unsigned cap, enum ghc_kind kind,
                      const uint8_t *payload, size_t length)
{
  struct eventlog_event e = { .writer = w, .kind = kind, .cap = cap, .size = eventlog_size (kind) };
  const enum eventlog_result result = begin_in_buffer (&e, length);
  if (e.payload == NULL)
    return result;
  if (length != 0)
    memcpy (e.payload, payload, length);
  end_in_buffer (&e, length);
  return result;
}

enum eventlog_result
eventlog_begin_event (struct eventlog_event *e, size_t bound, bool is_remembered)
{
  if (eventlog_is_in_callback)
    return EVENTLOG_ERROR_ORDER;
  if (e->cap > GHC_NO_CAP)
    return EVENTLOG_ERROR_ARGUMENT;
  if (bound > GHC_PAYLOAD_MAX)
    return EVENTLOG_ERROR_TOO_LONG;
  if (!is_remembered)
    return begin_in_buffer (e, bound);
  e->payload = malloc (bound + 1);
  return e->payload != NULL ? EVENTLOG_OK : EVENTLOG_ERROR_MEMORY;
}

enum eventlog_result
eventlog_end_event (struct eventlog_event *e, const uint8_t *end, enum eventlog_result so_far)
{
  struct eventlog_writer *const w = e->writer;
  const size_t length = (size_t) (end - e->payload);
  const uint64_t time
      = e->kind == GHC_WALL_CLOCK_TIME ? eventlog_now (w) : 0; /* of no use for others */
  if (e->locked != NULL) {
    end_in_buffer (e, length);
    return so_far;
  }
  /* A sync puts either all that precedes this event, or this one too: not the old state after it.
   */
  pthread_mutex_lock (&w->memory_lock);
  event_memory_store (w->memory, e->kind, e->cap, time, e->payload, length);
  atomic_store (&w->remembered, event_memory_count (w->memory));
  atomic_store (&w->forgotten, event_memory_forgotten (w->memory));
  const enum eventlog_result result = eventlog_put_payload (w, e->cap, e->kind, e->payload, length);
  pthread_mutex_unlock (&w->memory_lock);
  free (e->payload);
  return result;
}
