/* log-limit.c -- ends the recording so early that all recorded events fit. */
#include "config.h"

#include "profiler/write/log-limit.h"
#include "agent/clock.h"
#include "profiler/options/event-classes.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-names.h"
#include "profiler/write/log-rotate.h"

enum {
  RESERVE = 64 << 10, /* names, losses and counts at the end, and what a compression retains */
  MARGIN_SHARE = 10,  /* of the limit: for events that threads record before they see its end */
  MARGIN_MAX = 8 << 20,
  QUEUE_MIN = 128 << 10, /* of buffers that wait */
  PAUSED_NS = 100000000, /* how often it is checked whether the recording has begun */
};

static struct log_limit limit;
static struct {
  uint64_t begun;    /* when the recording began, by the system's clock; 0: it has not */
  bool size_reached; /* so the recording was stopped */
  bool is_full;      /* a buffer did not fit */
} state;

void
log_limit_start (const struct log_limit *l)
{
  limit = *l;
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

/* No more may wait than half of what fits: then threads wait for the writer, so that it sees the
 * limit before they are beyond it. */
static void
narrow_queue (uint64_t bytes)
{
  const uint64_t half = bytes < limit.bytes ? (limit.bytes - bytes) / 2 : 0;
  if (half < buffer_queue_memory ())
    buffer_queue_set_memory (half > QUEUE_MIN ? half : QUEUE_MIN);
}

void
log_limit_check_size (size_t length)
{
  if (limit.bytes == 0 || state.size_reached)
    return;
  const uint64_t share = limit.bytes / MARGIN_SHARE;
  const uint64_t margin = share < MARGIN_MAX ? share : MARGIN_MAX;
  const uint64_t written = bytes_written () + length + RESERVE + margin;
  const uint64_t bytes = written + buffer_queue_waiting ();
  narrow_queue (written);
  /* The open buffers are counted where they can matter only. */
  if (bytes <= limit.bytes / 2 || bytes + bytes_open () <= limit.bytes)
    return;
  state.size_reached = true;
  log_rotate_stop (); /* another file would begin with all names */
  limit.stop ();
}

bool
log_limit_allows (size_t length)
{
  if (limit.bytes != 0 && bytes_written () + length + RESERVE > limit.bytes)
    state.is_full = true;
  return !state.is_full;
}

bool
log_limit_is_reached (void)
{
  if (state.size_reached || state.is_full)
    return true;
  if (limit.ns == 0 || atomic_load (&event_recording_paused))
    return false;
  const uint64_t now = clock_of_system ();
  if (state.begun == 0)
    state.begun = now;
  /* A heap snapshot that has begun comes to its end. */
  const bool is_over = now - state.begun >= limit.ns && !log_rotate_shot_is_open ();
  if (is_over)
    limit.stop ();
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
  if (limit.ns == 0)
    return UINT64_MAX;
  const uint64_t now = clock_of_system ();
  if (state.begun == 0)
    return now + PAUSED_NS;
  const uint64_t end = state.begun + limit.ns;
  return end > now ? end : now + 1000000;
}

void
log_limit_start_over (void)
{
  state.begun = 0;
  state.size_reached = state.is_full = false;
}
