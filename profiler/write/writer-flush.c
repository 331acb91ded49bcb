/* writer-flush.c -- writes the parts of buffers that their threads go on to fill. */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "profiler/names/names.h"
#include "profiler/os/thread-states.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-output.h"
#include "profiler/write/writer-work.h"
#include <errno.h>

#define FLUSH_LIMIT_MS 1000 /* how long a flush waits for threads that hand buffers over */
#define POINTS_EVERY_NS 100000000

/* Requests and their answers, for one thread that waits and the writer: sequentially consistent,
 * as they are rare.  The result is stored before `done`, and read after it. */
static struct {
  _Atomic uint64_t requested, done;
  _Atomic int result;
  _Atomic bool finishing;
} requests;

/* Work that is done at an interval, besides on request. */
struct period {
  _Atomic unsigned ms; /* 0: never */
  uint64_t at;         /* the writer's: the system's time of the next one */
};
static struct period flush_period, reannounce_period;

/* ---- flushing ---- */

/* Writes the bytes up to `length` of a buffer that a thread goes on to fill.  False if the log has
 * failed. */
static bool
put_part (struct buffer *b, size_t length)
{
  struct mlpd_buffer_header rest;
  uint64_t events;
  if (!buffer_count (b, length, &events, &rest))
    return true; /* no part of it could be written */
  if (!consumer_put_buffer (b, length))
    return false;
  b->rest = rest;
  /* Relaxed: the buffer's thread only counts by it (buffer_flushed), after the writer is done. */
  atomic_store_explicit (&b->flushed, length, memory_order_relaxed);
  spool_end_writing (&b->slot, length);
  return true;
}

/* Watches the buffer of r's thread when the thread is neither busy nor holds buffers back, as it
 * does until it has named the classes of a heap snapshot. */
static struct buffer *
watch_patiently (struct recorder *r, bool *busy, int *patience_ms)
{
  for (;;) {
    struct buffer *const b = recorder_watch (r, busy);
    if (!*busy && !recorder_holds (r))
      return b;
    if ((*patience_ms)-- <= 0)
      return b;
    recorder_unwatch (r);
    consumer_drain ();
    native_thread_sleep (1);
  }
}

/* Writes the events of r's thread up to now.  False if that is not possible yet. */
static bool
flush_thread (struct recorder *r, int *patience_ms)
{
  bool busy;
  struct buffer *const b = watch_patiently (r, &busy, patience_ms);
  if (b == NULL)
    return !busy;
  const size_t length = consumer_published (b);
  bool is_done = length == buffer_flushed (b);
  if (!is_done) {
    consumer_watch (b);
    consumer_drain_patiently (patience_ms); /* names that it needs, and buffers before it */
    is_done = consumer_has_seen_watched (); /* it was itself handed over */
    if (!is_done && !buffer_queue_has_more () && !recorder_holds (r))
      is_done = put_part (b, length);
    consumer_watch (NULL);
  }
  recorder_unwatch (r);
  return is_done;
}

/* Writes the events of all threads up to now.  False if that is not possible yet. */
static bool
flush_threads (void)
{
  int patience_ms = FLUSH_LIMIT_MS;
  bool is_done = true;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next)
    is_done = flush_thread (r, &patience_ms) && is_done;
  return is_done;
}

void
writer_flush_now (void)
{
  const uint64_t requested = atomic_load (&requests.requested);
  const int result = flush_threads () ? 0 : EAGAIN;
  const int error = log_flush ();
  atomic_store (&requests.result, error != 0 ? EIO : result);
  atomic_store (&requests.done, requested);
}

/* Whether a thread has recorded something that the log does not have. */
static bool
has_more (struct recorder *r)
{
  bool busy;
  const struct buffer *const b = recorder_watch (r, &busy);
  const bool has = busy || (b != NULL && consumer_published (b) != buffer_flushed (b));
  recorder_unwatch (r);
  return has;
}

/* On a busy machine a thread may record nothing for long although it keeps running. */
bool
writer_flush_sees_threads (void)
{
  enum { LOOK_MS = 2 };
  writer_flush_now ();
  native_thread_sleep (LOOK_MS);
  if (other_threads_run ())
    return true;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next)
    if (has_more (r))
      return true;
  return buffer_queue_has_more ();
}

int
writer_flush (unsigned limit_ms, unsigned reader_ms, unsigned busy_ms)
{
  const uint64_t ticket = atomic_fetch_add (&requests.requested, 1) + 1;
  uint64_t before = consumer_buffers ();
  buffer_queue_wake ();
  for (unsigned i = 0, idle = 0; idle < limit_ms && !atomic_load (&requests.finishing); i++) {
    const uint64_t buffers = consumer_buffers ();
    idle = buffers == before ? idle + 1 : 0;
    before = buffers;
    if (atomic_load (&requests.done) >= ticket)
      return atomic_load (&requests.result);
    if (i >= reader_ms && log_reader_stalls () >= reader_ms)
      break;
    if (i >= busy_ms)
      return EBUSY;
    native_thread_sleep (1);
  }
  return ETIMEDOUT;
}

void
writer_flush_finish (void)
{
  atomic_store (&requests.finishing, true);
}

bool
writer_flush_is_finishing (void)
{
  return atomic_load (&requests.finishing);
}

/* ---- intervals ---- */

static void
set_period (struct period *period, unsigned ms)
{
  atomic_store (&period->ms, ms);
  buffer_queue_wake ();
}

void
writer_set_flush_interval (unsigned ms)
{
  set_period (&flush_period, ms);
}

void
writer_set_reannounce_interval (unsigned ms)
{
  set_period (&reannounce_period, ms);
}

void
writer_reannounce (void)
{
  log_request_reannounce ();
  buffer_queue_wake ();
}

/* Whether it is time, once; sets when the next time will be. */
static bool
is_due (struct period *period)
{
  const uint64_t ns = (uint64_t) atomic_load (&period->ms) * 1000000;
  const uint64_t now = clock_of_system ();
  const bool is_time = ns != 0 && period->at != UINT64_MAX && now >= period->at;
  if (ns == 0)
    period->at = UINT64_MAX;
  else if (is_time || period->at - now > ns)
    period->at = now + ns;
  return is_time;
}

/* ---- sync points ---- */

/* Threads that have stopped the world note them here, one at a time; the writer writes them.
 * `noted` is stored with release after the point, and loaded with acquire by the writer before it
 * reads the point; `written` the other way round, before a point is overwritten. */
static struct {
  struct log_sync_point ring[1024];
  _Atomic unsigned noted, written; /* counts since the start */
  uint64_t at;                     /* the system's time when the next may be written */
} points;

enum { POINTS_RING = sizeof points.ring / sizeof *points.ring };

void
writer_sync_point (unsigned type)
{
  const unsigned n = atomic_load_explicit (&points.noted, memory_order_relaxed),
                 written = atomic_load_explicit (&points.written, memory_order_acquire);
  if (n - written == POINTS_RING)
    return;
  points.ring[n % POINTS_RING] = (struct log_sync_point){ .time = clock_now (), .type = type };
  atomic_store_explicit (&points.noted, n + 1, memory_order_release);
  if (n == written)
    buffer_queue_wake ();
}

/* `written` is the writer's own: relaxed. */
static unsigned
points_waiting (void)
{
  return atomic_load_explicit (&points.noted, memory_order_acquire)
         - atomic_load_explicit (&points.written, memory_order_relaxed);
}

/* Writes the points; all events of the time before them are before them in the log. */
static void
write_points (unsigned count, uint64_t until)
{
  struct log_sync_point list[POINTS_RING];
  const unsigned first = atomic_load_explicit (&points.written, memory_order_relaxed);
  for (unsigned i = 0; i < count; i++)
    list[i] = points.ring[(first + i) % POINTS_RING];
  if (log_put_sync_points (list, count, until))
    atomic_store_explicit (&points.written, first + count, memory_order_release);
}

/* Each flush cuts buffers in two, so it is not done at each collection.  It is done some time later
 * if a thread has events that cannot be written yet, or announces a name. */
static void
write_points_if_due (void)
{
  const unsigned count = points_waiting ();
  const uint64_t start = clock_now (), now = clock_of_system ();
  if (count == 0 || (now < points.at && count < POINTS_RING / 2))
    return;
  points.at = now + POINTS_EVERY_NS;
  if (!names_are_announced () || !flush_threads ())
    return;
  if (consumer_drain () && !buffer_queue_has_more ())
    write_points (count, start);
}

void
writer_flush_last_points (void)
{
  const unsigned count = points_waiting ();
  if (count != 0)
    write_points (count, UINT64_MAX);
}

/* ---- the writer's loop ---- */

void
writer_flush_if_due (void)
{
  if (is_due (&reannounce_period))
    log_request_reannounce ();
  write_points_if_due ();
  if (is_due (&flush_period) || atomic_load (&requests.requested) != atomic_load (&requests.done))
    writer_flush_now ();
}

uint64_t
writer_flush_next_deadline (void)
{
  uint64_t next = flush_period.at < reannounce_period.at ? flush_period.at : reannounce_period.at;
  if (points_waiting () != 0 && points.at < next)
    next = points.at;
  return next;
}

void
writer_flush_start_over (void)
{
  points.noted = points.written = 0;
  requests.requested = requests.done = 0;
  requests.finishing = false;
  flush_period.at = reannounce_period.at = 0;
}
