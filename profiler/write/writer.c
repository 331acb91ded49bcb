/* writer.c -- the writer's thread: its loop, its start and its end. */
#include "config.h"

#include "profiler/write/writer.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include "profiler/names/names.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/calls-left-out.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-output.h"
#include "profiler/write/log-rotate.h"
#include "profiler/write/writer-work.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- change of the output ---- */

#define BUSY_LIMIT_MS 1000 /* how long a change waits for threads that announce names */

/* The state shows which of the requesting thread and the writer owns the fields: each stores its
 * own before it stores the state, and reads the other's after it has loaded the state. Sequentially
 * consistent, as this is rare. */
enum { CHANGE_NONE, CHANGE_REQUESTED, CHANGE_UNDER_WAY, CHANGE_DONE };
static struct {
  _Atomic int state;
  char output[PATH_MAX];
  int result;
  char why[PATH_MAX + 128];
} change;

/* On the writer's thread: changes the output if that was requested. */
static void
output_change_if_requested (void)
{
  int state = CHANGE_REQUESTED;
  if (!atomic_compare_exchange_strong (&change.state, &state, CHANGE_UNDER_WAY))
    return;
  writer_flush_now ();
  if (log_rotate_shot_is_open ()) {
    /* No file begins within a heap snapshot, of which more buffers follow. */
    snprintf (change.why, sizeof change.why, "a heap snapshot is being written");
    atomic_store (&change.state, CHANGE_REQUESTED);
    return;
  }
  snprintf (change.why, sizeof change.why, "other threads are announcing names");
  for (int i = 0; i < BUSY_LIMIT_MS; i++) {
    change.result = log_change (change.output, change.why, sizeof change.why);
    if (change.result != EAGAIN)
      break;
    native_thread_sleep (1);
  }
  if (change.result == 0)
    consumer_write_requeued ();
  atomic_store (&change.state, CHANGE_DONE);
}

int
writer_change_output (const char *output, unsigned limit_ms, char *why, size_t size)
{
  int state = CHANGE_DONE; /* of an earlier request that timed out */
  atomic_compare_exchange_strong (&change.state, &state, CHANGE_NONE);
  snprintf (why, size, "the output is still being changed, or accepted no data for %u ms",
            limit_ms);
  if (atomic_load (&change.state) != CHANGE_NONE)
    return EBUSY;
  change.why[0] = 0;
  snprintf (change.output, sizeof change.output, "%s", output);
  atomic_store (&change.state, CHANGE_REQUESTED);
  buffer_queue_wake ();
  for (unsigned i = 0; i < limit_ms && atomic_load (&change.state) != CHANGE_DONE; i++) {
    if (writer_flush_is_finishing ())
      break;
    native_thread_sleep (1);
  }
  state = CHANGE_REQUESTED;
  const bool is_taken_back = atomic_compare_exchange_strong (&change.state, &state, CHANGE_NONE);
  if (is_taken_back && change.why[0] != 0)
    snprintf (why, size, "%s", change.why);
  if (is_taken_back || state != CHANGE_DONE)
    return ETIMEDOUT;
  const int result = change.result;
  if (result != 0)
    snprintf (why, size, "%s", change.why);
  atomic_store (&change.state, CHANGE_NONE);
  return result;
}

/* In the child of a fork. */
static void
output_change_start_over (void)
{
  change.state = CHANGE_NONE;
}

/* ---- calls that are not recorded ---- */

/* After the thread's last buffer was written, up to `length`: writes the number of its skipped
 * calls that the log does not have, as an event of the thread.  At the time of the thread's last
 * event. */
static void
log_put_skipped_calls (const struct recorder *r, const struct buffer *b, size_t length)
{
  enum { ROOM = 512 };
  uint8_t bytes[ROOM];
  struct mlpd_buffer_header rest;
  uint64_t events;
  const uint64_t skipped = pending_calls_unstated (&r->calls);
  if (skipped == 0 || late_calls_bound () > sizeof bytes
      || !buffer_count (b, length, &events, &rest))
    return;
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, recorder_version, rest.time_base);
  const uint8_t *end = late_calls_put (&e, bytes, skipped, rest.time_base);
  log_put_events (&log_current, mlpd_encoder_header (&e, rest.thread, 0), bytes,
                  (size_t) (end - bytes));
}

/* ---- by method ---- */

enum {
  METHOD_COUNTERS = 2, /* for each method */
  COUNTERS_MAX = 1 + METHOD_COUNTERS * LEFT_OUT_METHODS,
};

/* The names in the descriptions are of malloc. */
struct counters {
  struct mlpd_counter *described;
  struct counter_state *state; /* of these */
};

static void
add_counter (const struct counters *c, char *name, uint64_t index, uint64_t number)
{
  if (name == NULL)
    return;
  c->described[c->state->count]
      = (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                               .name = { name, strlen (name) },
                               .type = MLPD_COUNTER_TYPE_ULONG,
                               .unit = MLPD_COUNTER_UNIT_COUNT,
                               .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                               .index = index };
  c->state->values[c->state->count++] = (struct mlpd_counter_value){
    .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = number
  };
}

static char *
join (const char *text, const char *name)
{
  const size_t length = strlen (text) + strlen (name);
  char *joined = malloc (length + 1);
  if (joined != NULL)
    strcat (strcpy (joined, text), name);
  return joined;
}

static void
add_untimed (const struct counters *c)
{
  struct untimed_calls *list = malloc (LEFT_OUT_METHODS * sizeof *list);
  const size_t n = list != NULL ? left_out_list_untimed (list) : 0;
  for (size_t i = 0; i < n; i++) {
    const struct name *name = names_find (NAME_METHOD, list[i].method);
    const uint64_t missed = list[i].periods * LEFT_OUT_LONG_CALLS;
    if (name == NULL)
      continue;
    add_counter (c, join (MLPD_UNTIMED_CALLS, name->text), MLPD_UNTIMED_CALLS_INDEX + i,
                 list[i].calls);
    add_counter (c, join (MLPD_MISSED_CALLS, name->text), MLPD_MISSED_CALLS_INDEX + i,
                 missed < list[i].calls ? missed : list[i].calls);
  }
  free (list);
}

/* At the end of the log: writes the calls that are left out by method, as counters. */
static void
log_put_left_out_calls (void)
{
  if (left_out_methods () == 0 && left_out_untimed_methods () == 0)
    return;
  const struct counters c
      = { .described = calloc (COUNTERS_MAX, sizeof *c.described),
          .state = calloc (1, sizeof *c.state + COUNTERS_MAX * sizeof *c.state->values) };
  if (c.described != NULL && c.state != NULL && log_format->put_counters != NULL) {
    c.state->described = c.described;
    if (left_out_methods () != 0)
      add_counter (&c, join (MLPD_LEFT_OUT_METHODS, ""), MLPD_LEFT_OUT_METHODS_INDEX,
                   left_out_methods ());
    add_untimed (&c);
    if (c.state->count != 0)
      log_format->put_counters (&log_current, c.state, clock_now ());
    for (size_t i = 0; i < c.state->count; i++)
      free ((char *) c.described[i].name.text);
  }
  free (c.described);
  free (c.state);
}

#define POLL_NS UINT64_C (1000000)
#define SLOW_POLL_NS UINT64_C (10000000) /* where little comes: buffers of threads that end */
#define LITTLE_BYTES 65536               /* in the log, between two polls */
#define SEEN_NS UINT64_C (100000000) /* the most by which a killed program's log ends too early */
#define WAIT_LIMIT_MS 2000 /* how long start and end of the process wait without progress */

/* All atomics here are sequentially consistent: they change once in the life of the thread. */
static struct {
  bool started;
  pthread_t thread;
  _Atomic bool finishing, finished;
  _Atomic bool exiting;     /* the process ends when the writer has finished */
  sem_t begun;              /* the log has begun, or failed to begin with `begin_error` */
  _Atomic bool start_waits; /* writer_start waits for the log's beginning, and reports its error */
  _Atomic int begin_error;  /* errno number */
} writer;

void
writer_get_figures (struct writer_figures *f)
{
  log_get_name (f->log, sizeof f->log);
  f->bytes = log_bytes ();
  f->buffers = consumer_buffers ();
  f->events = consumer_events ();
  f->estimated = consumer_events_are_estimated ();
  f->waiting = buffer_queue_waiting ();
}

/* ---- the thread ---- */

/* Writes the events of the threads that still live. */
static void
collect_open_buffers (void)
{
  int patience_ms = WAIT_LIMIT_MS;
  consumer_drain_waiting ();
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    bool busy;
    struct buffer *b;
    while ((b = recorder_close (r, &busy)) == NULL && busy && patience_ms-- > 0) {
      consumer_drain (); /* it may wait for room in the queue */
      native_thread_sleep (1);
    }
    /* The thread may go on in its buffer: events that it publishes later do not count.  Names that
     * are missing up to here are announced when it no longer holds. */
    size_t length = b != NULL ? consumer_published (b) : 0;
    while (recorder_holds (r) && patience_ms-- > 0) {
      consumer_drain ();
      native_thread_sleep (1);
    }
    consumer_drain_patiently (&patience_ms); /* earlier buffers of this thread come first */
    if (b != NULL && !consumer_put_buffer (b, length))
      log_abandon_buffer (b, length);
    else if (b != NULL)
      log_put_skipped_calls (r, b, length);
  }
  consumer_drain_patiently (&patience_ms);
  consumer_drain_waiting (); /* if threads recorded on faster than the output accepts */
}

/* Sleeps until there is work.  After a buffer was written another one is likely to follow soon:
 * then the next look is after `poll_ns`, if that is not 0, and no thread wakes this one. */
static void
wait_for_work (bool is_empty, uint64_t poll_ns)
{
  static uint64_t adjust_at; /* on the system's clock */
  uint64_t now = clock_of_system ();
  if (now >= adjust_at) {
    adjust_at = now + clock_adjust ();
    now = clock_of_system ();
  }
  const uint64_t timers_at = now + log_rotate_next_deadline ();
  const uint64_t flush_at = writer_flush_next_deadline ();
  const uint64_t end_at = log_limit_next_deadline ();
  uint64_t next = timers_at < adjust_at ? timers_at : adjust_at;
  if (spool_path () != NULL && now + SEEN_NS < next)
    next = now + SEEN_NS;
  if (flush_at < next)
    next = flush_at;
  if (end_at < next)
    next = end_at;
  if (poll_ns != 0 && now + poll_ns < next)
    next = now + poll_ns;
  if (!is_empty)
    return;
  /* Only while this thread writes nothing: its next event in the log may have a later time. */
  spool_set_seen_time (clock_now ());
  buffer_queue_wait (next, poll_ns != 0);
  spool_set_seen_time (0);
}

/* The log has ended, and the program keeps running. */
static void
end_before_program (void)
{
  char name[PATH_MAX];
  if (log_problem () != 0)
    return; /* which is reported at the end */
  log_set_problem (LOG_ENDED);
  if (!log_rest_is_left ())
    spool_remove ();
  writer_flush_finish ();
  log_get_name (name, sizeof name);
  if (log_limit_is_of_size ())
    proflog_warn ("the log %s is complete: with more events it might exceed max-size; the program "
                  "keeps running unprofiled",
                  name);
}

/* The process ends although its threads keep running (C's exit, an unhandled exception), and they
 * record until the system ends them.  If one does, the log gets the present events, and the spool
 * the rest: it stays, and threads go on in it.  They no longer wait for room. */
static bool
leave_threads_in_spool (void)
{
  if (!atomic_load (&writer.exiting) || spool_path () == NULL
      || sink_file (log_current.sink) == NULL || log_problem () != 0)
    return false;
  writer_set_block_ms (0);
  if (!writer_flush_sees_threads ())
    return false;
  log_leave_rest ();
  log_end (true, NULL);
  return true;
}

static void *
run (void *unused)
{
  (void) unused;
  buffer_queue_set_consumer ((uint64_t) (uintptr_t) pthread_self ());
  const int error = log_write_header ();
  writer.begin_error = error;
  sem_post (&writer.begun);
  if (error != 0 && atomic_exchange (&writer.start_waits, false))
    return NULL; /* writer_start reports it */
  if (error != 0)
    log_file_fail (error); /* the program is running: its events are counted */
  bool is_empty = true;
  uint64_t poll_ns = 0;
  while (!atomic_load (&writer.finishing) && !log_limit_is_reached ()) {
    wait_for_work (is_empty, poll_ns);
    const uint64_t before = consumer_buffers (), bytes = log_bytes ();
    is_empty = consumer_drain ();
    output_change_if_requested ();
    writer_flush_if_due ();
    poll_ns = consumer_buffers () == before         ? 0
              : log_bytes () - bytes < LITTLE_BYTES ? SLOW_POLL_NS
                                                    : POLL_NS;
  }
  const bool is_limited = !atomic_load (&writer.finishing);
  if (!is_limited && leave_threads_in_spool ())
    return NULL;
  collect_open_buffers ();
  consumer_abandon_requeued ();
  recorder_stop ();
  writer_flush_last_points ();
  log_put_left_out_calls ();
  log_end (atomic_load (&writer.exiting), !is_limited               ? NULL
                                          : log_limit_is_of_size () ? "max-size"
                                                                    : "duration");
  if (is_limited)
    end_before_program ();
  return NULL;
}

/* ---- start and end ---- */

int
writer_start (struct sink *sink, const struct writer_limits *l)
{
  buffer_queue_start (l->memory, l->block_ms);
  log_set_blocking (l->block_ms, l->reader_block_ms);
  log_apply_blocking (sink);
  sem_init (&writer.begun, 0, 0);
  log_open (sink, &(struct log_rotation){ .bytes = l->rotate_bytes, .ns = l->rotate_ns },
            &l->keeping,
            &(struct log_limit){ .bytes = l->end_bytes, .ns = l->end_ns, .stop = l->stop },
            l->set_failed);
  /* Once the thread is there, the sink is its own. */
  const bool waits = !sink_listens (sink);
  atomic_store (&writer.start_waits, waits);
  int error = native_thread_start (&writer.thread, 0, run);
  if (error == 0) {
    const uint64_t id = (uint64_t) (uintptr_t) writer.thread;
    buffer_queue_set_consumer (id);
    spool_set_writer (id);
    /* Errors of the output are to be known before the program runs; it does not wait for a reader
     * that does not read, though.  The exchange decides whether the thread still ends after an
     * error or goes on: if it has ended, the error is reported here, even if that comes after the
     * wait. */
    const uint64_t until = clock_of_system () + UINT64_C (1000000) * WAIT_LIMIT_MS;
    const bool has_begun = waits
                           && (native_thread_wait (&writer.begun, until)
                               || !atomic_exchange (&writer.start_waits, false));
    if (has_begun && (error = writer.begin_error) != 0)
      pthread_join (writer.thread, NULL);
  }
  if (error != 0) {
    struct log_result unused;
    log_close (&unused);
  }
  writer.started = error == 0;
  return error;
}

void
writer_set_block_ms (unsigned ms)
{
  log_set_blocking (ms, ms);
  buffer_queue_set_block_ms (ms);
}

/* Waits for the thread's end as long as it makes progress.  A reader that had stopped before gets
 * no more time; a disk may be slow.  Returns 0, or for how many ms nothing was written. */
static unsigned
join_thread (void)
{
  for (;;) {
    const uint64_t before = consumer_buffers ();
    const bool is_read = buffer_queue_block_ms () == 0;
    const unsigned passed = is_read ? consumer_stalled_ms () : 0;
    if (native_thread_join (writer.thread, passed < WAIT_LIMIT_MS ? WAIT_LIMIT_MS - passed : 0))
      return 0;
    if (consumer_buffers () == before) {
      const unsigned waited = consumer_stalled_ms ();
      return waited > WAIT_LIMIT_MS ? waited : WAIT_LIMIT_MS;
    }
  }
}

/* Reports all losses of a log that could be written, in one line. */
static void
report_losses (const char *name, const struct recorder_losses *l)
{
  char slow[256] = "", memory[64] = "", unwritten[128] = "";
  if (l->buffers != 0)
    snprintf (slow, sizeof slow,
              "%llu events (%llu bytes) of %llu threads, the most (%llu bytes) of thread 0x%llx, "
              "as the output was too slow",
              (unsigned long long) l->dropped, (unsigned long long) l->bytes,
              (unsigned long long) l->threads, (unsigned long long) l->most,
              (unsigned long long) l->thread);
  if (l->events != 0)
    snprintf (memory, sizeof memory, "%s%llu events, as there was no memory",
              slow[0] != 0 ? "; " : "", (unsigned long long) l->events);
  if (l->unwritten != 0)
    snprintf (unwritten, sizeof unwritten,
              "%s%llu events (%llu bytes), as they could not be written",
              slow[0] != 0 || memory[0] != 0 ? "; " : "", (unsigned long long) l->unwritten,
              (unsigned long long) l->unwritten_bytes);
  if (recorder_lost_events (l) != 0)
    proflog_warn ("the log %s lacks %s%s%s", name, slow, memory, unwritten);
}

/* Reports a log that goes no further, with all that is known, in one line.  `waits`: the writer is
 * left, with buffers in memory that nobody counts; without a spool they are lost. */
static void
report_failure (const char *name, const char *reason, const struct recorder_losses *l,
                const struct log_result *result, const char *spool, bool waits)
{
  const uint64_t lost = recorder_lost_events (l);
  char events[96] = "";
  if (lost != 0 || spool == NULL)
    snprintf (events, sizeof events, "; %llu events are lost%s", (unsigned long long) lost,
              waits && spool == NULL ? ", and those that wait in memory" : "");
  proflog_warn ("log %s is incomplete: %s after %llu bytes%s%s%s%s%s", name, reason,
                (unsigned long long) result->written, events,
                spool != NULL ? "; the rest is in " : "", spool != NULL ? spool : "",
                result->outcome[0] != 0 ? "; " : "", result->outcome);
}

/* One line, if there is anything to report.  `waited_ms`: the output has accepted nothing for so
 * long, and the writer is left there; 0: it has ended. */
static void
report_end (unsigned waited_ms)
{
  char name[PATH_MAX], stalled[64];
  struct recorder_losses losses;
  struct log_result result = { 0 };
  const int problem = log_problem ();
  const char *const spool = waited_ms != 0 || log_rest_is_left () ? spool_path () : NULL;
  log_get_name (name, sizeof name);
  if (waited_ms != 0)
    log_abandon (&result);
  else
    log_close (&result);
  recorder_get_losses (&losses);
  if (waited_ms != 0) {
    snprintf (stalled, sizeof stalled, "the output accepted no data for %u ms", waited_ms);
    report_failure (name, stalled, &losses, &result, spool, true);
  } else if (problem > 0) {
    report_failure (name, strerror (problem), &losses, &result, spool, false);
  } else {
    report_losses (name, &losses);
    if (result.is_removed)
      proflog_warn ("the log %s was removed while the program ran: its %llu bytes are lost", name,
                    (unsigned long long) result.written);
    else if (result.removed.to != 0)
      proflog_warn (
          "the log %s was truncated while the program ran: its bytes %llu to %llu are lost", name,
          (unsigned long long) result.removed.from, (unsigned long long) result.removed.to - 1);
    if (result.outcome[0] != 0)
      proflog_warn ("%s", result.outcome);
  }
}

void
writer_finish (bool process_ends)
{
  if (!writer.started || atomic_exchange (&writer.finished, true))
    return;
  atomic_store (&writer.exiting, process_ends);
  atomic_store (&writer.finishing, true);
  writer_flush_finish ();
  buffer_queue_wake ();
  /* If it does not end, the thread and its memory end with the process. */
  report_end (join_thread ());
}

void
writer_after_fork (void)
{
  atomic_store (&writer.finished, true);
  if (writer.started)
    log_after_fork ();
}

void
writer_start_over (void)
{
  log_start_over ();
  consumer_start_over ();
  writer_flush_start_over ();
  output_change_start_over ();
  writer.started = false;
  writer.finishing = writer.finished = false;
}
