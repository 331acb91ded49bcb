/* recorder.c -- recorders and their buffers; the slow paths. */
#include "config.h"

#include "profiler/record/recorder.h"
#include "profiler/record/buffer-queue.h"
#include "agent/native-thread.h"
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
/* In the child of a fork: how recording begins if there is something to record, and whether it has
 * not begun yet. */
static void (*_Atomic deferred_start) (void);
static _Atomic bool is_deferred;
static bool shots_are_whole;
static _Atomic uint32_t shots, shots_ended;
static _Atomic uint64_t lost; /* outside of any recorder */
static _Atomic unsigned recorders;
static pthread_key_t end_of_thread;
static void (*thread_end) (struct recorder *);
static struct {
  void (*record_pending) (struct recorder *);
  void (*put_last) (struct recorder *);
  size_t bound;
} late_events;

/* Everything here may run while the collector has stopped the world, with threads suspended
 * inside malloc: memory comes from mmap alone. */
static void *
map (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Claims a recorder that no living thread uses, or creates one.  The exchange on `taken` acquires
 * the recorder's data of the thread before: it pairs with the release in thread_ended.  The first,
 * relaxed load only avoids an exchange that would fail.  `recorders` gives each a number and
 * nothing else: relaxed.  The new head of the list is released with its fields, for
 * recorder_first. */
static struct recorder *
claim_recorder (void)
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

/* Each sum has one thread that adds to it: a load and a store are enough.  Relaxed: other threads
 * only show these figures. */
static void
add (_Atomic uint64_t *sum, uint64_t value)
{
  atomic_store_explicit (sum, atomic_load_explicit (sum, memory_order_relaxed) + value,
                         memory_order_relaxed);
}

/* The same for lost events. */
static void
add_loss (_Atomic uint64_t *sum, uint64_t events)
{
  add (sum, events);
  spool_add_lost (events);
}

/* Pushes the buffers that were held back, in order.  Their links are this thread's own until then:
 * relaxed. */
static void
push_held (struct recorder *r)
{
  struct buffer *b = r->held_oldest;
  r->held_oldest = r->held_newest = NULL;
  r->held_bytes = 0;
  while (b != NULL) {
    struct queue_item *next = atomic_load_explicit (&b->work.item.next, memory_order_relaxed);
    b->slot.sequence = spool_sequence (); /* names may have come in between */
    buffer_queue_push (b);
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
  if (r->held_bytes >= buffer_queue_memory () / 2)
    push_held (r);
}

/* The writer may be reading a buffer that it watches: then the writer frees it.  This thread has
 * exchanged `current` and now loads `watched`; recorder_watch stores `watched` and then loads
 * `current`.  All four are sequentially consistent, so at least one thread sees the other. */
static void
drop (struct recorder *r, struct buffer *b)
{
  if (atomic_load (&r->watched) != b) {
    recorder_recycle (b);
    return;
  }
  b->work.kind = WORK_DROPPED;
  buffer_queue_push (b);
}

/* False if the buffer is dropped. */
static bool
hand_over (struct recorder *r, struct buffer *b)
{
  b->slot.sequence = spool_sequence ();
  const bool is_admitted = buffer_queue_admit (b->mapped);
  if (!is_admitted) {
    const size_t length = (size_t) spool_published (&b->slot);
    struct mlpd_buffer_header rest;
    uint64_t events;
    buffer_count (b, length, &events, &rest);
    add_loss (&r->dropped_events, events);
    add (&r->dropped_bytes, length - buffer_flushed (b));
    add (&r->dropped_buffers, 1);
    atomic_store_explicit (&r->dropped_thread, b->slot.header.thread, memory_order_relaxed);
    free (b->counters);
    drop (r, b);
  } else if (atomic_load_explicit (&r->holding, memory_order_relaxed)) {
    hold (r, b);
  } else {
    buffer_queue_push (b);
  }
  return is_admitted;
}

/* The exchange on `spare` acquires a buffer as recorder_recycle released it: the writer no
 * longer touches it.  `flushed` is relaxed, as the buffer is not in use yet; storing it to
 * `current` releases it. */
static struct buffer *
new_buffer (struct recorder *r, size_t bound)
{
  size_t needed = sizeof (struct buffer) + bound;
  struct buffer *b = NULL;
  if (needed <= spool_slot_size ())
    b = atomic_exchange_explicit (&r->spare, NULL, memory_order_acquire);
  if (b == NULL) {
    size_t mapped;
    b = (struct buffer *) spool_allocate (needed, &mapped);
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
 * if the writer has closed the recorder.  The exchange decides between this thread and
 * recorder_close; for its order see drop.  CLOSED is stored back for the writer, which reads no
 * data by it. */
static bool
hand_over_current (struct recorder *r)
{
  if (late_events.put_last != NULL && r->buffer != NULL)
    late_events.put_last (r);
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

void
recorder_add_lost (uint64_t events)
{
  atomic_fetch_add_explicit (&lost, events, memory_order_relaxed);
  spool_add_lost (events);
}

static uint64_t
choose_base (uint64_t wanted, uint64_t before)
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

/* The time that a new buffer counts from: that of the first event, or before it.  Enters may be
 * recorded late, with times that were read before. */
static uint64_t
choose_time_base (const struct recorder *r, const struct mlpd_encoder *before)
{
  const struct pending_calls *const p = &r->calls;
  uint64_t time = pending_calls_get (&p->count) != 0 ? p->starts[p->recorded] : p->last;
  if (time == 0)
    time = clock_now ();
  return time > before->time ? time : before->time;
}

struct recorder *
recorder_make_room (size_t bound, uint64_t ptr, uint64_t object, uint64_t method)
{
  if (!recorder_running ())
    return NULL;
  struct recorder *r = recorder_of_thread;
  if (r == NULL) {
    r = claim_recorder ();
    if (r == NULL) {
      recorder_add_lost (1);
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
  if (!hand_over_current (r))
    return NULL;
  struct buffer *b = new_buffer (r, bound + late_events.bound);
  if (b != NULL) {
    struct mlpd_encoder *e = &b->encoder;
    mlpd_encoder_start (e, recorder_version, choose_time_base (r, &before));
    e->ptr_base = choose_base (ptr, before.ptr_base);
    e->obj_base = choose_base (object >> 3, before.obj_base);
    e->method = e->method_base = choose_base (method, before.method);
    b->slot.header = header_of (r, e);
    spool_use (&b->slot, PROFLOG_SPOOL_EVENTS);
  }
  /* Releases the header and the fields of the buffer to recorder_close and recorder_watch. */
  atomic_store_explicit (&r->current, b, memory_order_release);
  if (b == NULL) {
    add_loss (&r->without_memory, 1);
    return NULL;
  }
  r->buffer = b;
  r->position = b->data;
  r->end = (uint8_t *) b + b->mapped - late_events.bound;
  return r;
}

struct recorder *
recorder_begin_slowly (size_t bound, uint64_t ptr, uint64_t object, uint64_t method)
{
  struct recorder *r = recorder_of_thread;
  if (r != NULL && pending_calls_get (&r->calls.count) != 0)
    late_events.record_pending (r);
  if (r != NULL && recorder_has_room (r, bound))
    return r;
  return recorder_make_room (bound, ptr, object, method);
}

void
recorder_set_late_events (void (*record_pending) (struct recorder *),
                          void (*put_last) (struct recorder *), size_t bound)
{
  late_events.record_pending = record_pending;
  late_events.put_last = put_last;
  late_events.bound = bound;
}

void
recorder_set_thread_end (void (*end) (struct recorder *))
{
  thread_end = end;
}

/* Runs on a thread that ends, after the runtime's last event of it. */
static void
thread_ended (void *recorder)
{
  struct recorder *r = recorder;
  if (thread_end != NULL)
    thread_end (r);
  recorder_of_thread = NULL;
  call_stack_clear (&r->stack);
  if (hand_over_current (r))
    atomic_store_explicit (&r->current, NULL, memory_order_release);
  pending_calls_clear (&r->calls);
  /* Releases the whole recorder to the thread that claims it next. */
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
  buffer_queue_close ();
}

/* Threads of the child wait for the one that begins its log; but not if it may be stopped. */
static bool
start_deferred (void)
{
  void (*begin) (void) = atomic_exchange (&deferred_start, NULL);
  if (begin != NULL) {
    begin ();
    atomic_store (&is_deferred, false);
  }
  while (atomic_load (&is_deferred) && !buffer_queue_is_world_stopped ())
    native_thread_sleep (1);
  return atomic_load (&running);
}

/* The acquire pairs with the store in recorder_start: a thread that may record sees the version of
 * the log and the spool, which were set before.  `is_deferred` alone is relaxed: start_deferred
 * reads it again in order. */
bool
recorder_running (void)
{
  if (__builtin_expect (atomic_load_explicit (&running, memory_order_acquire), 1))
    return true;
  return atomic_load_explicit (&is_deferred, memory_order_relaxed) && start_deferred ();
}

/* While the thread holds, names of its events are missing.  It sets `holding` before it publishes
 * such events, so a writer that has loaded their length (spool_published) sees it.  It clears
 * `holding` after it has pushed the names and the buffers: the release pairs with the acquire in
 * recorder_holds, and a writer that sees false finds them in the queue. */

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
  const bool records = atomic_exchange (&running, false) || atomic_load (&deferred_start) != NULL;
  struct recorder *r = recorder_of_thread;
  if (r != NULL) {
    atomic_store (&r->current, CLOSED);
    r->position = r->end = NULL;
    r->buffer = NULL; /* the parent's: nothing is put last into it as the thread ends */
  }
  atomic_store (&deferred_start, records ? begin : NULL);
  atomic_store (&is_deferred, records && begin != NULL);
}

/* Other threads of the child wait in start_deferred.  The buffers are the parent's. */
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
      r->taken = false;
      call_stack_clear (&r->stack);
      pending_calls_clear (&r->calls);
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

/* Numbers of heap snapshots are sequentially consistent: they are rare, and compared with each
 * other. The largest number that any thread has ended remains. */
static void
record_shot_end (uint32_t shot)
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
    record_shot_end (shot);
    return;
  }
  atomic_store (&r->buffer->shot_ended, shot);
  recorder_make_room (1, 0, 0, 0);
}

void
recorder_set_shots_whole (void)
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

/* The acquire pairs with the release of `current` in recorder_make_room: the writer sees the
 * buffer's fields.  The exchange also releases, for the thread that finds CLOSED. */
struct buffer *
recorder_close (struct recorder *r, bool *busy)
{
  struct buffer *b = atomic_load_explicit (&r->current, memory_order_acquire);
  do {
    /* Buffers that are held back come first: later ones refer to their names. */
    *busy = b == BUSY || recorder_holds (r);
    if (*busy || b == CLOSED)
      return NULL;
  } while (!atomic_compare_exchange_weak_explicit (&r->current, &b, CLOSED, memory_order_acq_rel,
                                                   memory_order_acquire));
  return b;
}

/* Sequentially consistent throughout: see drop. */
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

/* The exchange on `spare` releases the buffer to new_buffer; if it fails, nothing was read by it.
 */
void
recorder_recycle (struct buffer *b)
{
  struct buffer *none = NULL;
  record_shot_end (atomic_load (&b->shot_ended));
  spool_free (&b->slot);
  if (b->mapped != spool_slot_size ()
      || !atomic_compare_exchange_strong_explicit (&b->owner->spare, &none, b, memory_order_release,
                                                   memory_order_relaxed))
    spool_release (&b->slot, b->mapped);
}

void
recorder_add_unwritten (struct recorder *r, uint64_t events, uint64_t bytes)
{
  add_loss (&r->unwritten_events, events);
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
