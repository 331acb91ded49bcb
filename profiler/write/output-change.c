/* output-change.c -- a request that one thread makes and the writer carries out. */
#include "config.h"

#include "profiler/write/output-change.h"
#include "agent/native-thread.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/write/log-rotate.h"
#include "profiler/write/queue-consumer.h"
#include "profiler/write/writer-flush.h"
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

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

void
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

void
output_change_start_over (void)
{
  change.state = CHANGE_NONE;
}
