/* recorder.c -- recorders and their buffers; the slow paths. */
#include "profiler/recorder.h"
#include "profiler/eventlog.h"
#include "profiler/log-format.h"
#include "profiler/native-thread.h"
#include "profiler/writer.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BUSY ((struct buffer *) 1)
#define CLOSED ((struct buffer *) 2)

_Thread_local struct recorder *recorder_of_thread;
unsigned recorder_version = 1;
bool recorder_is_eventlog;
uint64_t recorder_begun;

static _Atomic (struct recorder *) all_recorders;
static _Atomic bool running;
/* In the child of a fork: how recording begins if there is something to record; a thread is about
 * it. */
static void (*_Atomic late_beginning) (void);
static _Atomic bool beginning_late;
static bool shots_are_whole;
static _Atomic uint32_t shots, shots_ended;
static _Atomic uint64_t lost; /* by threads that have no recorder */
static _Atomic unsigned recorders;
static pthread_key_t end_of_thread;

/* Everything here may run while the collector has stopped the world, with threads suspended
 * inside malloc: memory comes from mmap alone. */
static void *
map (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Takes a recorder that no living thread uses, or makes one. */
static struct recorder *
take_recorder (void)
{
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    bool taken = false;
    if (!atomic_load_explicit (&r->taken, memory_order_relaxed)
        && atomic_compare_exchange_strong (&r->taken, &taken, true))
      return r;
  }
  struct recorder *r = map (sizeof *r);
  if (r == NULL)
    return NULL;
  atomic_store_explicit (&r->taken, true, memory_order_relaxed);
  r->number = atomic_fetch_add_explicit (&recorders, 1, memory_order_relaxed);
  r->next = atomic_load_explicit (&all_recorders, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit (&all_recorders, &r->next, r, memory_order_release,
                                                 memory_order_relaxed))
    ;
  return r;
}

static void
add (_Atomic uint64_t *sum, uint64_t value)
{
  atomic_store_explicit (sum, atomic_load_explicit (sum, memory_order_relaxed) + value,
                         memory_order_relaxed);
}

/* Hands what was held back over, in order. */
static void
push_held (struct recorder *r)
{
  struct buffer *b = r->held_oldest;
  r->held_oldest = r->held_newest = NULL;
  r->held_bytes = 0;
  while (b != NULL) {
    struct queue_item *next = atomic_load_explicit (&b->work.item.next, memory_order_relaxed);
    b->slot.sequence = spool_sequence (); /* names may have come in between */
    writer_push_buffer (b);
    b = next != NULL ? buffer_of_work ((struct work *) next) : NULL;
  }
}

static void
hold (struct recorder *r, struct buffer *b)
{
  atomic_store_explicit (&b->work.item.next, NULL, memory_order_relaxed);
  if (r->held_newest != NULL)
    atomic_store_explicit (&r->held_newest->work.item.next, &b->work.item, memory_order_relaxed);
  else
    r->held_oldest = b;
  r->held_newest = b;
  r->held_bytes += b->mapped;
  /* Better in the log before its names than not at all. */
  if (r->held_bytes >= writer_memory () / 2)
    push_held (r);
}

/* The writer may be reading a buffer that it watches: then it gives it back. */
static void
drop (struct recorder *r, struct buffer *b)
{
  if (atomic_load (&r->watched) != b) {
    recorder_recycle (b);
    return;
  }
  b->work.kind = WORK_DROPPED;
  writer_push_buffer (b);
}

/* False if the buffer is dropped. */
static bool
hand_over (struct recorder *r, struct buffer *b)
{
  b->slot.sequence = spool_sequence ();
  const bool is_admitted = writer_admit (b->mapped);
  if (!is_admitted) {
    const size_t from = buffer_flushed (b), length = (size_t) spool_published (&b->slot) - from;
    const struct mlpd_buffer_header header = buffer_rest_header (b);
    struct mlpd_buffer_header behind;
    uint64_t events;
    log_format->pass (&header, b->data + from, length, &events, &behind);
    add (&r->dropped_events, events);
    add (&r->dropped_bytes, length);
    add (&r->dropped_buffers, 1);
    atomic_store_explicit (&r->dropped_thread, b->slot.header.thread, memory_order_relaxed);
    free (b->counters);
    drop (r, b);
  } else if (atomic_load_explicit (&r->holding, memory_order_relaxed)) {
    hold (r, b);
  } else {
    writer_push_buffer (b);
  }
  return is_admitted;
}

static struct buffer *
new_buffer (struct recorder *r, size_t bound)
{
  size_t needed = sizeof (struct buffer) + bound;
  struct buffer *b = NULL;
  if (needed <= spool_slot_size ())
    b = atomic_exchange_explicit (&r->spare, NULL, memory_order_acquire);
  if (b == NULL) {
    size_t mapped;
    b = (struct buffer *) spool_take (needed, &mapped);
    if (b == NULL)
      return NULL;
    b->mapped = mapped;
    b->owner = r;
  }
  b->work.kind = WORK_BUFFER;
  b->counters = NULL;
  b->shot_begun = b->shot_ended = 0;
  spool_publish (&b->slot, 0);
  b->slot.sequence = b->slot.part = 0;
  b->slot.parts[0] = (struct proflog_spool_part){ 0 };
  atomic_store_explicit (&b->flushed, 0, memory_order_relaxed);
  return b;
}

/* Ends the use of r's buffer by its thread and hands it over.  r->current is BUSY then; false
 * if the writer has closed the recorder. */
static bool
give_up_buffer (struct recorder *r)
{
  struct buffer *b = atomic_exchange (&r->current, BUSY);
  r->position = r->end = NULL;
  r->buffer = NULL;
  if (b == CLOSED) {
    atomic_store_explicit (&r->current, CLOSED, memory_order_release);
    return false;
  }
  if (b != NULL)
    hand_over (r, b);
  return true;
}

static uint64_t
first_of (uint64_t wanted, uint64_t before)
{
  uint64_t base = wanted != 0 ? wanted : before;
  return base != 0 && base < MLPD_BASE_LIMIT ? base : 1;
}

/* The header of a new buffer.  In an eventlog it stands for the marker of a block. */
static struct mlpd_buffer_header
header_of (const struct recorder *r, const struct mlpd_encoder *e)
{
  if (recorder_is_eventlog)
    return (struct mlpd_buffer_header){ .time_base = e->time - recorder_begun,
                                        .thread = r->number };
  return mlpd_encoder_header (e, (uint64_t) (uintptr_t) pthread_self (), 0);
}

struct recorder *
recorder_make_room (size_t bound, uint64_t ptr, uint64_t object, uint64_t method)
{
  if (!recorder_running ())
    return NULL;
  struct recorder *r = recorder_of_thread;
  if (r == NULL) {
    r = take_recorder ();
    if (r == NULL) {
      atomic_fetch_add_explicit (&lost, 1, memory_order_relaxed);
      return NULL;
    }
    recorder_of_thread = r;
    atomic_store_explicit (&r->thread, (uint64_t) (uintptr_t) pthread_self (),
                           memory_order_relaxed);
    pthread_setspecific (end_of_thread, r);
  }

  struct mlpd_encoder before = { 0 };
  if (r->buffer != NULL)
    before = r->buffer->encoder;
  if (!give_up_buffer (r))
    return NULL;
  struct buffer *b = new_buffer (r, bound);
  if (b != NULL) {
    struct mlpd_encoder *e = &b->encoder;
    const uint64_t now = clock_now ();
    mlpd_encoder_start (e, recorder_version, now > before.time ? now : before.time);
    e->ptr_base = first_of (ptr, before.ptr_base);
    e->obj_base = first_of (object >> 3, before.obj_base);
    e->method = e->method_base = first_of (method, before.method);
    b->slot.header = header_of (r, e);
    spool_use (&b->slot, PROFLOG_SPOOL_EVENTS);
  }
  atomic_store_explicit (&r->current, b, memory_order_release);
  if (b == NULL) {
    add (&r->without_memory, 1);
    return NULL;
  }
  r->buffer = b;
  r->position = b->data;
  r->end = (uint8_t *) b + b->mapped;
  return r;
}

/* Runs on a thread that ends, after the runtime's last event of it. */
static void
thread_ended (void *recorder)
{
  struct recorder *r = recorder;
  if (r->eventlog.id != 0)
    eventlog_end_thread ();
  recorder_of_thread = NULL;
  r->depth = r->named_depth = 0;
  r->searching = false;
  eventlog_forget_thread (r);
  if (give_up_buffer (r))
    atomic_store_explicit (&r->current, NULL, memory_order_release);
  atomic_store_explicit (&r->taken, false, memory_order_release);
}

int
recorder_start (void)
{
  static bool has_key;
  const int error = has_key ? 0 : pthread_key_create (&end_of_thread, thread_ended);
  has_key = has_key || error == 0;
  if (error == 0)
    atomic_store (&running, true);
  return error;
}

void
recorder_stop (void)
{
  atomic_store (&running, false);
}

/* Threads of the child wait for the one that begins its log; but not if it may be stopped. */
static bool
begin_late (void)
{
  void (*begin) (void) = atomic_exchange (&late_beginning, NULL);
  if (begin != NULL) {
    begin ();
    atomic_store (&beginning_late, false);
  }
  while (atomic_load (&beginning_late) && !writer_is_world_stopped ())
    native_thread_sleep (1);
  return atomic_load (&running);
}

bool
recorder_running (void)
{
  if (__builtin_expect (atomic_load_explicit (&running, memory_order_acquire), 1))
    return true;
  return atomic_load_explicit (&beginning_late, memory_order_relaxed) && begin_late ();
}

void
recorder_hold (struct recorder *r)
{
  atomic_store_explicit (&r->holding, true, memory_order_release);
}

void
recorder_release (struct recorder *r)
{
  push_held (r);
  atomic_store_explicit (&r->holding, false, memory_order_release);
}

void
recorder_after_fork (void (*begin) (void))
{
  const bool records = atomic_exchange (&running, false) || atomic_load (&late_beginning) != NULL;
  struct recorder *r = recorder_of_thread;
  if (r != NULL) {
    atomic_store (&r->current, CLOSED);
    r->position = r->end = NULL;
  }
  atomic_store (&late_beginning, records ? begin : NULL);
  atomic_store (&beginning_late, records && begin != NULL);
}

/* The buffers are the parent's. */
void
recorder_start_over (void)
{
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    r->position = r->end = NULL;
    r->buffer = r->held_oldest = r->held_newest = NULL;
    r->held_bytes = 0;
    r->current = r->watched = r->spare = NULL;
    r->holding = false;
    r->dropped_events = r->dropped_bytes = r->dropped_buffers = r->dropped_thread = 0;
    r->without_memory = r->unwritten_events = r->unwritten_bytes = 0;
    r->eventlog = (struct eventlog_thread){ 0 };
    if (r != recorder_of_thread) {
      r->taken = r->searching = false;
      r->depth = r->named_depth = 0;
    }
  }
  lost = 0;
  shots = shots_ended = 0;
}

struct recorder *
recorder_first (void)
{
  return atomic_load_explicit (&all_recorders, memory_order_acquire);
}

bool
recorder_hand_over_counters (struct recorder *r, struct counter_state *state)
{
  struct buffer *const b = atomic_exchange (&r->current, BUSY);
  r->position = r->end = NULL;
  r->buffer = NULL;
  if (b == NULL || b == CLOSED) {
    atomic_store_explicit (&r->current, b, memory_order_release);
    free (state);
    return false;
  }
  b->counters = state;
  const bool is_admitted = hand_over (r, b);
  atomic_store_explicit (&r->current, NULL, memory_order_release);
  return is_admitted;
}

static void
note_shot_end (uint32_t shot)
{
  uint32_t before = atomic_load (&shots_ended);
  while (before < shot && !atomic_compare_exchange_weak (&shots_ended, &before, shot))
    ;
}

void
recorder_begin_shot (struct recorder *r)
{
  atomic_store (&r->buffer->shot_begun, atomic_fetch_add (&shots, 1) + 1);
}

void
recorder_end_shot (void)
{
  struct recorder *r = recorder_of_thread;
  const uint32_t shot = atomic_load (&shots);
  if (!shots_are_whole)
    return;
  if (r == NULL || r->buffer == NULL) {
    note_shot_end (shot);
    return;
  }
  atomic_store (&r->buffer->shot_ended, shot);
  recorder_make_room (1, 0, 0, 0);
}

void
recorder_keep_shots_whole (void)
{
  shots_are_whole = true;
}

uint32_t
recorder_shots_ended (void)
{
  return atomic_load (&shots_ended);
}

bool
recorder_holds (struct recorder *r)
{
  return atomic_load_explicit (&r->holding, memory_order_acquire);
}

struct buffer *
recorder_close (struct recorder *r, bool *busy)
{
  struct buffer *b = atomic_load_explicit (&r->current, memory_order_acquire);
  do {
    /* Without what is kept back, what follows it makes no sense. */
    *busy = b == BUSY || recorder_holds (r);
    if (*busy || b == CLOSED)
      return NULL;
  } while (!atomic_compare_exchange_weak_explicit (&r->current, &b, CLOSED, memory_order_acq_rel,
                                                   memory_order_acquire));
  return b;
}

struct buffer *
recorder_watch (struct recorder *r, bool *busy)
{
  struct buffer *b = atomic_load (&r->current);
  *busy = b == BUSY;
  if (b == NULL || b == BUSY || b == CLOSED)
    return NULL;
  /* Either the thread still has it now, or it has seen that it is watched. */
  atomic_store (&r->watched, b);
  if (atomic_load (&r->current) == b)
    return b;
  recorder_unwatch (r);
  *busy = true;
  return NULL;
}

void
recorder_unwatch (struct recorder *r)
{
  atomic_store (&r->watched, NULL);
}

void
recorder_recycle (struct buffer *b)
{
  struct buffer *none = NULL;
  note_shot_end (atomic_load (&b->shot_ended));
  spool_free (&b->slot);
  if (b->mapped != spool_slot_size ()
      || !atomic_compare_exchange_strong_explicit (&b->owner->spare, &none, b, memory_order_release,
                                                   memory_order_relaxed))
    spool_give (&b->slot, b->mapped);
}

void
recorder_add_unwritten (struct recorder *r, uint64_t events, uint64_t bytes)
{
  add (&r->unwritten_events, events);
  add (&r->unwritten_bytes, bytes);
}

struct recorder_losses
recorder_losses_of (struct recorder *r)
{
  return (struct recorder_losses){
    .events = atomic_load_explicit (&r->without_memory, memory_order_relaxed),
    .dropped = atomic_load_explicit (&r->dropped_events, memory_order_relaxed),
    .bytes = atomic_load_explicit (&r->dropped_bytes, memory_order_relaxed),
    .buffers = atomic_load_explicit (&r->dropped_buffers, memory_order_relaxed),
    .thread = atomic_load_explicit (&r->dropped_thread, memory_order_relaxed),
    .unwritten = atomic_load_explicit (&r->unwritten_events, memory_order_relaxed),
    .unwritten_bytes = atomic_load_explicit (&r->unwritten_bytes, memory_order_relaxed),
  };
}

void
recorder_get_losses (struct recorder_losses *losses)
{
  *losses = (struct recorder_losses){ .events = atomic_load (&lost) };
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    const struct recorder_losses of = recorder_losses_of (r);
    losses->events += of.events;
    losses->dropped += of.dropped;
    losses->bytes += of.bytes;
    losses->buffers += of.buffers;
    losses->unwritten += of.unwritten;
    losses->unwritten_bytes += of.unwritten_bytes;
    losses->threads += of.bytes != 0;
    if (of.bytes > losses->most) {
      losses->most = of.bytes;
      losses->thread = of.thread;
    }
  }
}
