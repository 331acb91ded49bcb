/* writer.c -- drains the queue into the sink. */
#include "config.h"

#include "profiler/writer.h"
#include "profiler/log-format.h"
#include "profiler/native-thread.h"
#include "profiler/warn.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES_PER_WAKE 256                       /* names alone wake the writer that often */
#define COUNT_EVERY_NS (20 * UINT64_C (1000000)) /* events of a buffer are counted that often */
#define NAP_NS UINT64_C (1000000)
#define FLUSH_LIMIT_MS 1000 /* how long a flush waits for threads that hand buffers over */
#define POINTS_EVERY_NS 100000000
#define WAIT_LIMIT_MS 2000 /* how long start and end of the process wait without progress */

static bool started;
static struct queue queue;
static sem_t wake;
/* Waking the writer takes the thread that does it as long as hundreds of events.  When there is
 * much to write it looks itself, every NAP_NS. */
static _Atomic unsigned napping; /* 0 or 1 */
static pthread_t thread;
static _Atomic bool finishing, finished;
static _Atomic bool exiting; /* the process ends when the writer has finished */
static _Atomic unsigned names_pushed;
static _Atomic uint64_t memory_limit; /* of buffers that wait */
static _Atomic unsigned patience_ms;
static _Atomic uint64_t bytes_waiting;   /* of buffers that were admitted and not written yet */
static _Atomic bool stalled;             /* a thread waited in vain; nothing was written since */
static _Atomic uint64_t buffers_written; /* to see progress */
static _Atomic uint64_t putting_since; /* a buffer is being written; by the system's clock; or 0 */
static _Atomic uint64_t events_written;
static _Atomic bool events_estimated;
static sem_t begun;              /* the log, or it failed to begin with ... */
static _Atomic bool start_waits; /* for the log's beginning */
static _Atomic int begin_error;  /* ... this errno number */

/* This thread has stopped all others: they wait for it.  (Reaching it must not allocate.) */
static _Thread_local bool has_stopped_world __attribute__ ((tls_model ("initial-exec")));

/* Flushes are counted when they are asked for, and when they are done. */
static _Atomic uint64_t flushes_wanted, flushes_done;
static _Atomic int flush_result;
static struct buffer *watched; /* the writer's: has not come by in the queue since then */

/* What is done every so often, besides when it is asked for. */
struct period {
  _Atomic unsigned ms; /* 0: not */
  uint64_t at;         /* the writer's: the system's time of the next one */
};
static struct period flushes, syncs;

/* What a log that has failed could not take, in turn. */
static struct kept {
  struct work *oldest, *newest;
} kept;

/* ---- pushing ---- */

uint64_t
writer_memory (void)
{
  return atomic_load_explicit (&memory_limit, memory_order_relaxed);
}

/* Counts the bytes as waiting if there is room. */
static bool
count_in (size_t bytes)
{
  if (atomic_fetch_add_explicit (&bytes_waiting, bytes, memory_order_relaxed) + bytes
      <= writer_memory ())
    return true;
  atomic_fetch_sub_explicit (&bytes_waiting, bytes, memory_order_relaxed);
  return false;
}

/* Waits until the writer has caught up; false if it does not.  A sink that takes nothing at all
 * makes only the first thread wait: the program must not come to a halt because of it. */
static bool
wait_for_room (size_t bytes)
{
  const unsigned patience = atomic_load_explicit (&patience_ms, memory_order_relaxed);
  for (unsigned i = 0; i < patience; i++) {
    if (atomic_load_explicit (&stalled, memory_order_relaxed) || !recorder_running ()
        || has_stopped_world)
      return false;
    native_thread_sleep (1);
    if (count_in (bytes))
      return true;
  }
  atomic_store_explicit (&stalled, true, memory_order_relaxed);
  return false;
}

bool
writer_admit (size_t bytes)
{
  return count_in (bytes) || wait_for_room (bytes);
}

void
writer_set_memory (uint64_t bytes)
{
  atomic_store_explicit (&memory_limit, bytes, memory_order_relaxed);
}

void
writer_set_patience (unsigned ms)
{
  atomic_store_explicit (&patience_ms, ms, memory_order_relaxed);
}

void
writer_push_buffer (struct buffer *b)
{
  queue_push (&queue, &b->work.item);
  /* Either the writer sees the buffer after its nap, or this sees that it is over: both write, and
   * so one of them comes first. */
  if (atomic_fetch_add (&napping, 0) == 0
      || atomic_load_explicit (&bytes_waiting, memory_order_relaxed) > writer_memory () / 4)
    sem_post (&wake);
}

void
writer_push_name (struct work *w)
{
  queue_push (&queue, &w->item);
  if (atomic_fetch_add_explicit (&names_pushed, 1, memory_order_relaxed) % NAMES_PER_WAKE
      == NAMES_PER_WAKE - 1)
    sem_post (&wake);
}

void
writer_announce_again (void)
{
  log_want_names_again ();
  sem_post (&wake);
}

uint64_t
writer_thread (void)
{
  return (uint64_t) (uintptr_t) thread;
}

void
writer_get_figures (struct writer_figures *f)
{
  log_get_name (f->log, sizeof f->log);
  f->bytes = log_bytes ();
  f->buffers = atomic_load_explicit (&buffers_written, memory_order_relaxed);
  f->events = atomic_load_explicit (&events_written, memory_order_relaxed);
  f->estimated = atomic_load_explicit (&events_estimated, memory_order_relaxed);
  f->waiting = atomic_load_explicit (&bytes_waiting, memory_order_relaxed);
}

void
writer_set_world_stopped (bool stopped)
{
  has_stopped_world = stopped;
}

bool
writer_is_world_stopped (void)
{
  return has_stopped_world;
}

/* ---- writing ---- */

static size_t
published (const struct buffer *b)
{
  return (size_t) spool_published (&b->slot);
}

/* Counts the events up to `length` that are not in the log.  Threads do not count theirs, and going
 * over all that a program in a hurry records would take it much time: then most buffers are
 * believed to be like the last one that was counted. */
static void
count_events (const struct buffer *b, size_t length)
{
  static uint64_t next, counted_events, counted_bytes;
  const size_t from = buffer_flushed (b);
  const uint64_t now = clock_of_system ();
  uint64_t events;
  if (now < next) {
    events = counted_events * (length - from) / counted_bytes;
    atomic_store_explicit (&events_estimated, true, memory_order_relaxed);
  } else {
    const struct mlpd_buffer_header header = buffer_rest_header (b);
    struct mlpd_buffer_header behind;
    log_format->pass (&header, b->data + from, length - from, &events, &behind);
    counted_events = events;
    counted_bytes = length - from;
    next = now + COUNT_EVERY_NS;
  }
  atomic_fetch_add_explicit (&events_written, events, memory_order_relaxed);
}

/* Writes the bytes of events up to `length` that are not in the log.  False if it has failed. */
static bool
put_buffer (struct buffer *b, size_t length)
{
  if (length == buffer_flushed (b))
    return true;
  atomic_store_explicit (&putting_since, clock_of_system (), memory_order_relaxed);
  const bool is_put = log_put_buffer (b, length);
  atomic_store_explicit (&putting_since, 0, memory_order_relaxed);
  atomic_store_explicit (&stalled, !is_put, memory_order_relaxed);
  if (is_put && log_problem () == 0)
    count_events (b, length);
  atomic_fetch_add_explicit (&buffers_written, is_put, memory_order_relaxed);
  return is_put;
}

/* Puts work aside that a log which has failed cannot take: for another output, or the spool. */
static void
keep (struct work *w)
{
  atomic_store_explicit (&w->item.next, NULL, memory_order_relaxed);
  if (kept.newest != NULL)
    atomic_store_explicit (&kept.newest->item.next, &w->item, memory_order_relaxed);
  else
    kept.oldest = w;
  kept.newest = w;
}

/* The next of what was kept; NULL: nothing is. */
static struct work *
take_kept (struct kept *k)
{
  struct work *w = k->oldest;
  if (w != NULL)
    k->oldest = (struct work *) atomic_load_explicit (&w->item.next, memory_order_relaxed);
  return w;
}

/* Does a piece of work, which is gone then. */
static void
do_work (struct work *w)
{
  struct buffer *b = buffer_of_work (w); /* if it is one */
  if (b == watched)
    watched = NULL;
  switch (w->kind) {
  case WORK_BUFFER:
    if (!put_buffer (b, published (b))) {
      keep (w);
      break;
    }
    log_know_counters (b->counters);
    atomic_fetch_sub_explicit (&bytes_waiting, b->mapped, memory_order_relaxed);
    recorder_recycle (b);
    break;
  case WORK_DROPPED:
    recorder_recycle (b);
    break;
  case WORK_NAME:
    log_put_name ((struct name_work *) w);
    free (w);
    break;
  case WORK_NAMES:
    log_flush_names ();
    if (log_has_failed ())
      keep (w);
    else
      spool_give (&b->slot, b->mapped);
    break;
  case WORK_FORGET:
    free ((struct name *) ((struct name_work *) w)->name);
    free (w);
    break;
  }
}

static void
drain (void)
{
  struct queue_item *item;
  while ((item = queue_pop (&queue)) != NULL)
    do_work ((struct work *) item);
  log_tend ();
  spool_tell_trouble ();
}

/* Drains the queue, waiting for threads that are about to push, but not for ever: the runtime
 * may have suspended one. */
static void
drain_patiently (int *patience)
{
  drain ();
  while (queue_has_more (&queue) && (*patience)-- > 0) {
    native_thread_sleep (1);
    drain ();
  }
}

/* ---- before buffers are full ---- */

/* Writes the bytes up to `length` of a buffer that a thread goes on to fill.  False if that cannot
 * be. */
static bool
put_part (struct buffer *b, size_t length)
{
  const size_t from = buffer_flushed (b);
  const struct mlpd_buffer_header header = buffer_rest_header (b);
  struct mlpd_buffer_header rest;
  uint64_t events;
  if (!log_format->pass (&header, b->data + from, length - from, &events, &rest))
    return true; /* there is nothing that could be written */
  if (!put_buffer (b, length))
    return false;
  b->rest = rest;
  atomic_store_explicit (&b->flushed, length, memory_order_relaxed);
  spool_end_writing (&b->slot, length);
  return true;
}

/* Writes what r's thread has recorded up to now.  False if that cannot be yet. */
static bool
flush_thread (struct recorder *r, int *patience)
{
  struct buffer *b;
  bool busy;
  while ((b = recorder_watch (r, &busy)) == NULL && busy && (*patience)-- > 0) {
    drain ();
    native_thread_sleep (1);
  }
  if (b == NULL)
    return !busy;
  const size_t length = published (b);
  bool is_done = length == buffer_flushed (b);
  if (!is_done) {
    watched = b;
    drain_patiently (patience); /* names that it needs, and buffers before it */
    is_done = watched == NULL;  /* it was itself handed over */
    if (!is_done && !queue_has_more (&queue) && !recorder_holds (r))
      is_done = put_part (b, length);
    watched = NULL;
  }
  recorder_unwatch (r);
  return is_done;
}

/* Writes what all threads have recorded up to now.  False if that cannot be yet. */
static bool
flush_threads (void)
{
  int patience = FLUSH_LIMIT_MS;
  bool is_done = true;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next)
    is_done = flush_thread (r, &patience) && is_done;
  return is_done;
}

static void
flush_all (void)
{
  const uint64_t wanted = atomic_load (&flushes_wanted);
  const int result = flush_threads () ? 0 : EAGAIN;
  const int error = log_flush ();
  atomic_store (&flush_result, error != 0 ? EIO : result);
  atomic_store (&flushes_done, wanted);
}

int
writer_flush (unsigned limit_ms, unsigned reader_ms)
{
  const uint64_t ticket = atomic_fetch_add (&flushes_wanted, 1) + 1;
  sem_post (&wake);
  for (unsigned i = 0; i < limit_ms && !atomic_load (&finishing); i++) {
    if (atomic_load (&flushes_done) >= ticket)
      return atomic_load (&flush_result);
    if (i >= reader_ms && log_reader_stalls () >= reader_ms)
      break;
    native_thread_sleep (1);
  }
  return ETIMEDOUT;
}

static void
set_period (struct period *period, unsigned ms)
{
  atomic_store (&period->ms, ms);
  sem_post (&wake);
}

void
writer_flush_every (unsigned ms)
{
  set_period (&flushes, ms);
}

void
writer_sync_every (unsigned ms)
{
  set_period (&syncs, ms);
}

/* Whether it is time, once; sets when the next one will be. */
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

/* Whoever has stopped the world notes them here, one at a time; the writer tells of them. */
static struct {
  struct log_sync_point ring[1024];
  _Atomic unsigned noted, written; /* so many since the start */
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
    sem_post (&wake);
}

static unsigned
points_waiting (void)
{
  return atomic_load_explicit (&points.noted, memory_order_acquire)
         - atomic_load_explicit (&points.written, memory_order_relaxed);
}

/* Tells of the points, which have all events of the time before them before them in the log. */
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
 * if a thread has recorded what cannot be written yet, or announces a name. */
static void
tend_points (void)
{
  const unsigned count = points_waiting ();
  const uint64_t start = clock_now (), now = clock_of_system ();
  if (count == 0 || (now < points.at && count < POINTS_RING / 2))
    return;
  points.at = now + POINTS_EVERY_NS;
  if (!names_are_announced () || !flush_threads ())
    return;
  drain ();
  if (!queue_has_more (&queue))
    write_points (count, start);
}

/* ---- another output ---- */

/* Who asks for it and who does it take turns by the state. */
enum { CHANGE_NONE, CHANGE_WANTED, CHANGE_UNDER_WAY, CHANGE_DONE };
static struct {
  _Atomic int state;
  char output[PATH_MAX];
  int result;
  char why[PATH_MAX + 128];
} change;

/* Another output has come: what it cannot take, either, is kept again. */
static void
write_kept (void)
{
  struct kept work = kept;
  struct work *w;
  kept = (struct kept){ NULL, NULL };
  while ((w = take_kept (&work)) != NULL)
    do_work (w);
}

static void
change_output (void)
{
  int state = CHANGE_WANTED;
  if (!atomic_compare_exchange_strong (&change.state, &state, CHANGE_UNDER_WAY))
    return;
  flush_all ();
  snprintf (change.why, sizeof change.why, "other threads are busy with names");
  for (int i = 0; i < FLUSH_LIMIT_MS; i++) {
    change.result = log_change (change.output, change.why, sizeof change.why);
    if (change.result != EAGAIN)
      break;
    native_thread_sleep (1);
  }
  if (change.result == 0)
    write_kept ();
  atomic_store (&change.state, CHANGE_DONE);
}

int
writer_change_output (const char *output, unsigned limit_ms, char *why, size_t size)
{
  int state = CHANGE_DONE; /* one that took longer than it was waited for */
  atomic_compare_exchange_strong (&change.state, &state, CHANGE_NONE);
  snprintf (why, size, "the output is still being changed, or nothing was taken from us for %u ms",
            limit_ms);
  if (atomic_load (&change.state) != CHANGE_NONE)
    return EBUSY;
  snprintf (change.output, sizeof change.output, "%s", output);
  atomic_store (&change.state, CHANGE_WANTED);
  sem_post (&wake);
  for (unsigned i = 0; i < limit_ms && atomic_load (&change.state) != CHANGE_DONE; i++) {
    if (atomic_load (&finishing))
      break;
    native_thread_sleep (1);
  }
  state = CHANGE_WANTED;
  if (atomic_compare_exchange_strong (&change.state, &state, CHANGE_NONE) || state != CHANGE_DONE)
    return ETIMEDOUT;
  const int result = change.result;
  if (result != 0)
    snprintf (why, size, "%s", change.why);
  atomic_store (&change.state, CHANGE_NONE);
  return result;
}

static void
do_what_is_due (void)
{
  change_output ();
  if (is_due (&syncs))
    log_want_names_again ();
  tend_points ();
  if (is_due (&flushes) || atomic_load (&flushes_wanted) != atomic_load (&flushes_done))
    flush_all ();
}

/* ---- the thread ---- */

/* Takes what the threads that still live have recorded. */
static void
take_living (void)
{
  int patience = WAIT_LIMIT_MS;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    bool busy;
    struct buffer *b;
    while ((b = recorder_close (r, &busy)) == NULL && busy && patience-- > 0) {
      drain (); /* it may wait for room in the queue */
      native_thread_sleep (1);
    }
    /* The thread may go on in its buffer: what it publishes from now on does not count.  Names
     * that are missing up to here are announced when it does not hold any more. */
    size_t length = b != NULL ? published (b) : 0;
    while (recorder_holds (r) && patience-- > 0) {
      drain ();
      native_thread_sleep (1);
    }
    drain_patiently (&patience); /* what this thread handed over before comes first */
    if (b != NULL && !put_buffer (b, length))
      log_leave_buffer (b, length);
  }
  drain_patiently (&patience);
}

/* No other output will come. */
static void
leave_kept (void)
{
  struct work *w;
  while ((w = take_kept (&kept)) != NULL)
    if (w->kind == WORK_BUFFER)
      log_leave_buffer (buffer_of_work (w), published (buffer_of_work (w)));
}

/* Sleeps until there is something to do, which there probably is soon after there was much. */
static void
wait_for_work (bool soon)
{
  static uint64_t adjust_at; /* on the system's clock */
  uint64_t now = clock_of_system ();
  if (now >= adjust_at) {
    adjust_at = now + clock_adjust ();
    now = clock_of_system ();
  }
  const uint64_t tend_at = now + log_rest ();
  uint64_t next = tend_at < adjust_at ? tend_at : adjust_at;
  if (flushes.at < next)
    next = flushes.at;
  if (syncs.at < next)
    next = syncs.at;
  if (points_waiting () != 0 && points.at < next)
    next = points.at;
  if (soon && now + NAP_NS < next)
    next = now + NAP_NS;
  atomic_store (&napping, soon);
  native_thread_wait (&wake, next);
  atomic_exchange (&napping, 0);
}

/* Nobody waits any more to hear that the log could not begin. */
static void
tell_late_start (int error)
{
  char name[PATH_MAX];
  recorder_stop ();
  log_get_name (name, sizeof name);
  warn ("cannot write the log %s: %s; recording ends here", name, strerror (error));
}

static void *
run (void *unused)
{
  (void) unused;
  const int error = log_begin ();
  begin_error = error;
  sem_post (&begun);
  if (error != 0) {
    if (!atomic_load (&start_waits))
      tell_late_start (error);
    return NULL;
  }
  bool wrote = false;
  while (!atomic_load (&finishing)) {
    wait_for_work (wrote);
    const uint64_t before = atomic_load_explicit (&buffers_written, memory_order_relaxed);
    drain ();
    do_what_is_due ();
    wrote = atomic_load_explicit (&buffers_written, memory_order_relaxed) != before;
  }
  log_keep_file ();
  take_living ();
  leave_kept ();
  recorder_stop ();
  if (points_waiting () != 0)
    write_points (points_waiting (), UINT64_MAX);
  log_end (atomic_load (&exiting));
  return NULL;
}

/* ---- start and end ---- */

int
writer_start (struct sink *sink, const struct writer_limits *l)
{
  writer_set_memory (l->memory);
  writer_set_patience (l->patience_ms);
  queue_init (&queue);
  sem_init (&wake, 0, 0);
  sem_init (&begun, 0, 0);
  log_open (sink, &(struct log_rotation){ .bytes = l->rotate_bytes, .ns = l->rotate_ns },
            l->may_go_on);
  /* Once the thread is there, the sink is its own. */
  const bool waits = !sink_listens (sink);
  atomic_store (&start_waits, waits);
  int error = native_thread_start (&thread, 0, run);
  if (error == 0) {
    spool_set_writer (writer_thread ());
    /* What is wrong with the output is to be known before the program runs; it does not wait for
     * who does not read, though. */
    const uint64_t until = clock_of_system () + UINT64_C (1000000) * WAIT_LIMIT_MS;
    if (waits && !native_thread_wait (&begun, until))
      atomic_store (&start_waits, false);
    else if (waits && (error = begin_error) != 0)
      pthread_join (thread, NULL);
  }
  if (error != 0)
    log_close ();
  started = error == 0;
  return error;
}

/* For how long the output has taken nothing, in ms. */
static unsigned
time_without_progress (void)
{
  const uint64_t since = atomic_load_explicit (&putting_since, memory_order_relaxed);
  return since != 0 ? (unsigned) ((clock_of_system () - since) / 1000000) : 0;
}

/* Waits for the thread's end as long as it gets on.  Who reads, and had stopped before, has had his
 * time; a disk may be slow.  Returns 0, or for how many ms nothing was written. */
static unsigned
join_thread (void)
{
  for (;;) {
    const uint64_t before = atomic_load_explicit (&buffers_written, memory_order_relaxed);
    const bool is_read = atomic_load_explicit (&patience_ms, memory_order_relaxed) == 0;
    const unsigned passed = is_read ? time_without_progress () : 0;
    if (native_thread_join (thread, passed < WAIT_LIMIT_MS ? WAIT_LIMIT_MS - passed : 0))
      return 0;
    if (atomic_load_explicit (&buffers_written, memory_order_relaxed) == before) {
      const unsigned waited = time_without_progress ();
      return waited > WAIT_LIMIT_MS ? waited : WAIT_LIMIT_MS;
    }
  }
}

/* One line of all that was lost. */
static void
tell_losses (const char *name)
{
  struct recorder_losses l;
  char slow[256] = "", memory[64] = "", unwritten[128] = "";
  recorder_get_losses (&l);
  if (l.buffers != 0)
    snprintf (
        slow, sizeof slow,
        "%llu events (%llu bytes) of %llu threads, the most (%llu bytes) of thread 0x%llx, as the "
        "output was too slow",
        (unsigned long long) l.dropped, (unsigned long long) l.bytes,
        (unsigned long long) l.threads, (unsigned long long) l.most, (unsigned long long) l.thread);
  if (l.events != 0)
    snprintf (memory, sizeof memory, "%s%llu events, as there was no memory",
              slow[0] != 0 ? "; " : "", (unsigned long long) l.events);
  if (l.unwritten != 0)
    snprintf (unwritten, sizeof unwritten,
              "%s%llu events (%llu bytes), as they could not be written",
              slow[0] != 0 || memory[0] != 0 ? "; " : "", (unsigned long long) l.unwritten,
              (unsigned long long) l.unwritten_bytes);
  if (recorder_lost_events (&l) != 0)
    warn ("the log %s lacks %s%s%s", name, slow, memory, unwritten);
}

void
writer_finish (bool process_ends)
{
  char name[PATH_MAX];
  if (!started || atomic_exchange (&finished, true))
    return;
  atomic_store (&exiting, process_ends);
  atomic_store (&finishing, true);
  sem_post (&wake);
  const unsigned waited_ms = join_thread ();
  log_get_name (name, sizeof name);
  tell_losses (name);
  const char *spool = spool_left ();
  if (waited_ms == 0) {
    if (log_rest_is_left ())
      warn ("the log %s is not complete: %s; the rest is in %s", name, strerror (log_problem ()),
            spool);
    log_close ();
    return;
  }
  log_give_up ();
  warn ("the log %s is not complete: nothing was taken from us for %u ms%s%s", name, waited_ms,
        spool != NULL ? "; the rest is in " : "", spool != NULL ? spool : "");
  /* the thread and what it uses end with the process */
}

void
writer_after_fork (void)
{
  atomic_store (&finished, true);
  if (started)
    log_after_fork ();
}

void
writer_start_over (void)
{
  points.noted = points.written = 0;
  log_start_over ();
  started = false;
  finishing = finished = stalled = events_estimated = false;
  putting_since = 0;
  names_pushed = 0;
  bytes_waiting = buffers_written = events_written = flushes_wanted = flushes_done = 0;
  watched = NULL;
  flushes.at = syncs.at = 0;
  change.state = CHANGE_NONE;
  kept = (struct kept){ NULL, NULL }; /* the parent's */
}
