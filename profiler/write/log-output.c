/* log-output.c -- begins the log, writes buffers, ends the log. */
#include "config.h"

#include "profiler/write/log-output.h"
#include "agent/clock.h"
#include "agent/command.h"
#include "agent/native-thread.h"
#include "profiler/names/names.h"
#include "profiler/options/event-classes.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-rotate.h"
#include <errno.h>

/* ---- limits ---- */

enum {
  RESERVE
  = 64 << 10, /* names, losses and counts at the end, and the input that a compression retains */
  MARGIN_SHARE = 10, /* of the limit: for events that threads record before they see its end */
  MARGIN_MAX = 8 << 20,
  QUEUE_MIN = 128 << 10, /* of buffers that wait */
  PAUSED_NS = 100000000, /* how often it is checked whether the recording has begun */
};

static struct log_limit limits;
static struct {
  uint64_t begun;    /* when the recording began, by the system's clock; 0: it has not */
  bool size_reached; /* so the recording was stopped */
  bool is_full;      /* a buffer did not fit */
} state;

/* Before the writer's thread is started. */
static void
log_limit_start (const struct log_limit *l)
{
  limits = *l;
}

static uint64_t
bytes_written (void)
{
  return log_written () + log_names_waiting ();
}

/* Bytes of the buffers that threads record into: before the next check, all may become full. */
static uint64_t
bytes_open (void)
{
  uint64_t bytes = 0;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    bool busy;
    /* One that is being flushed is watched already. */
    struct buffer *const flushed = atomic_load (&r->watched);
    struct buffer *const b = flushed != NULL ? flushed : recorder_watch (r, &busy);
    if (b != NULL)
      bytes += b->mapped;
    if (b != NULL && flushed == NULL)
      recorder_unwatch (r);
  }
  return bytes;
}

/* No more may wait than half of the free bytes: then threads wait for the writer, so that it sees
 * the limit before they are beyond it. */
static void
narrow_queue (uint64_t bytes)
{
  const uint64_t half = bytes < limits.bytes ? (limits.bytes - bytes) / 2 : 0;
  if (half < buffer_queue_memory ())
    buffer_queue_set_memory (half > QUEUE_MIN ? half : QUEUE_MIN);
}

/* Stops the recording if the recorded bytes, and the end of the log, would nearly reach the limit
 * of bytes; before `length` bytes are written. */
static void
log_limit_check_size (size_t length)
{
  if (limits.bytes == 0 || state.size_reached)
    return;
  const uint64_t share = limits.bytes / MARGIN_SHARE;
  const uint64_t margin = share < MARGIN_MAX ? share : MARGIN_MAX;
  const uint64_t written = bytes_written () + length + RESERVE + margin;
  const uint64_t bytes = written + buffer_queue_waiting ();
  narrow_queue (written);
  /* The open buffers are counted where they can matter only. */
  if (bytes <= limits.bytes / 2 || bytes + bytes_open () <= limits.bytes)
    return;
  state.size_reached = true;
  log_rotate_stop (); /* another file would begin with all names */
  limits.stop ();
}

/* Whether `length` bytes more, and the end of the log, fit.  After the first that do not, none do.
 */
static bool
log_limit_allows (size_t length)
{
  if (limits.bytes != 0 && bytes_written () + length + RESERVE > limits.bytes)
    state.is_full = true;
  return !state.is_full;
}

bool
log_limit_is_reached (void)
{
  if (state.size_reached || state.is_full)
    return true;
  if (limits.ns == 0 || atomic_load (&event_recording_paused))
    return false;
  const uint64_t now = clock_of_system ();
  if (state.begun == 0)
    state.begun = now;
  /* A heap snapshot that has begun comes to its end. */
  const bool is_over = now - state.begun >= limits.ns && !log_rotate_shot_is_open ();
  if (is_over)
    limits.stop ();
  return is_over;
}

bool
log_limit_is_of_size (void)
{
  return state.size_reached || state.is_full;
}

uint64_t
log_limit_next_deadline (void)
{
  if (limits.ns == 0)
    return UINT64_MAX;
  const uint64_t now = clock_of_system ();
  if (state.begun == 0)
    return now + PAUSED_NS;
  const uint64_t end = state.begun + limits.ns;
  return end > now ? end : now + 1000000;
}

/* In the child of a fork. */
static void
log_limit_start_over (void)
{
  state.begun = 0;
  state.size_reached = state.is_full = false;
}

static struct log_origin origin;
static uint8_t file_header[LOG_HEADER_ROOM];
static size_t header_length;
static uint64_t begun; /* when the recording began: no event is before */
static bool begins_with_names;
static uint64_t flushed; /* log_bytes at the last flush */
static bool is_removed;  /* at the end: the file no longer has a name */
static struct sink_range removed_bytes;

/* ---- the beginning ---- */

void
log_describe (const struct log_origin *o)
{
  origin = *o;
}

const char *
log_options (void)
{
  return origin.arguments != NULL ? origin.arguments : "";
}

void
log_open (struct sink *sink, const struct log_rotation *rotation, const struct log_keeping *keeping,
          const struct log_limit *limit, void (*set_failed) (bool))
{
  const bool rotates = rotation->bytes != 0 || rotation->ns != 0;
  if (rotates || sink_listens (sink))
    names_retain_dead ();
  /* Readers that go by the order of the file take the roots after the start of the next snapshot,
   * on another thread, for those of one whose end follows. */
  recorder_set_shots_whole ();
  log_limit_start (limit);
  log_keep_start (keeping);
  header_length = log_format->put_header (file_header, &origin);
  begun = clock_now ();
  log_file_open (sink, set_failed);
  log_rotate_start (rotation, begun);
}

int
log_write_header (void)
{
  const size_t length = header_length;
  log_rotate_set_header (file_header, length);
  spool_set_log_header (file_header, length);
  if (sink_listens (log_current.sink))
    log_set_problem (LOG_UNREAD);
  log_current.error = log_file_send (&log_current, file_header, length);
  if (log_current.error != 0 && sink_listens (log_current.sink)) {
    log_file_fail (log_current.error);
    return 0;
  }
  log_set_problem (log_current.error);
  log_set_bytes (length);
  log_current.length = length;
  if (log_current.error == 0) {
    log_file_end_header (&log_current);
    log_keep_begin (log_current.sink, log_current.header_end);
  }
  log_file_put_moment (&log_current, begun);
  if (begins_with_names)
    log_request_reannounce ();
  /* A thread that holds the lock of names releases it soon. */
  while (log_current.error == 0 && !log_reannounce_if_requested ())
    native_thread_sleep (1);
  return log_current.error;
}

/* ---- buffers ---- */

bool
log_put_buffer (struct buffer *b, size_t length)
{
  const size_t from = buffer_flushed (b);
  if (log_has_failed ())
    return false;
  log_limit_check_size (length - from);
  if (!log_limit_allows (length - from)) {
    log_count_loss (b, length);
    return true;
  }
  log_rotate_if_due (length - from);
  log_rotate_note_shot (atomic_load (&b->shot_begun));
  log_flush_names ();
  log_reannounce_if_requested ();
  spool_begin_writing (&b->slot, log_current.length, from, length);
  const struct mlpd_buffer_header header = buffer_rest_header (b);
  log_put_events (&log_current, header, b->data + from, length - from);
  if (log_has_failed ()) {
    if (log_current.is_truncated)
      spool_end_writing (&b->slot, from); /* nothing of it is there */
    return false;
  }
  if (log_format->note != NULL)
    log_format->note (&header, b->data + from, length - from);
  if (log_current.error != 0) {
    log_count_loss (b, length);
    return true;
  }
  log_current.buffers++;
  log_keep_note (log_rotate_shot_is_open ());
  return true;
}

int
log_flush (void)
{
  log_flush_names ();
  const uint64_t bytes = log_bytes ();
  if (log_current.error == 0 && flushed != bytes) {
    log_file_flush (&log_current);
    flushed = bytes;
  }
  if (log_current.error == 0)
    log_keep_note (log_rotate_shot_is_open ());
  return sink_listens (log_current.sink) ? 0 : log_current.error;
}

void
log_run_timers (void)
{
  log_rotate_run_timers ();
  log_reannounce_if_requested ();
}

/* ---- the end ---- */

static void
put_end (uint64_t time)
{
  log_file_put_moment (&log_current, time);
  if (log_current.error != 0)
    return;
  spool_set_log_end (log_current.length + log_format->end_size);
  log_file_put_end (time);
}

/* Losses come before the end, and if that cannot be written, the reason for it.  If that is not
 * possible either, the log has no end. */
static void
put_losses_and_end (void)
{
  for (int i = 0; i < 2; i++) {
    const int problem = log_problem ();
    log_clear_error_for_end ();
    const uint64_t time = clock_now ();
    log_put_losses (problem > 0 ? problem : 0, time);
    if (log_rest_is_left ())
      log_file_flush (&log_current);
    else if (log_current.error == 0)
      put_end (time);
    if (log_current.error == 0)
      break;
  }
}

void
log_end (bool process_ends, const char *limit)
{
  log_end_names ();
  names_count_missing_as_lost ();
  if (log_format->put_last != NULL)
    log_format->put_last (&log_current);
  if (limit != NULL)
    log_format->put_limit (&log_current, limit);
  log_keep_note (log_rotate_shot_is_open ());
  put_losses_and_end ();
  is_removed = sink_is_removed (log_current.sink);
  removed_bytes = sink_removed_bytes (log_current.sink);
  log_finish_file (process_ends);
  spool_set_complete ();
}

void
log_close (struct log_result *result)
{
  sink_wait (log_current.sink, result->outcome, sizeof result->outcome);
  commands_wait ();
  result->written = sink_written (log_current.sink);
  result->is_removed = is_removed;
  result->removed = removed_bytes;
  if (!log_rest_is_left ()) {
    spool_remove ();
    log_keep_discard ();
  }
  log_file_close ();
}

void
log_abandon (struct log_result *result)
{
  spool_set_log_error (ETIMEDOUT);
  sink_abandon (log_current.sink);
  sink_check_command (log_current.sink, result->outcome, sizeof result->outcome);
  result->written = log_bytes ();
}

void
log_after_fork (void)
{
  if (log_current.sink != NULL)
    sink_after_fork (log_current.sink);
}

void
log_start_over (void)
{
  log_file_start_over ();
  log_names_start_over ();
  log_rotate_start_over ();
  log_limit_start_over ();
  log_keep_start_over ();
  log_losses_start_over ();
  flushed = 0;
  begins_with_names = true;
}
