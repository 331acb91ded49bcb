/* late-calls.c -- records enters late, and the number of calls that are not recorded. */
#include "config.h"

#include "profiler/record/calls-left-out.h"

/* Where calls are recorded, the number in the log is at most so much older. */
#define STATE_EVERY_NS (100 * UINT64_C (1000000))

static uint64_t threshold_ns;

/* ---- the number ---- */

static const struct mlpd_counter counter
    = { .section = MLPD_COUNTER_SECTION_PROFILER,
        .name = { MLPD_SKIPPED_CALLS, sizeof MLPD_SKIPPED_CALLS - 1 },
        .type = MLPD_COUNTER_TYPE_ULONG,
        .unit = MLPD_COUNTER_UNIT_COUNT,
        .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
        .index = MLPD_SKIPPED_CALLS_INDEX };

size_t
late_calls_bound (void)
{
  const struct mlpd_counter_value value = { .index = counter.index, .type = counter.type };
  const struct mlpd_sample_counters_desc described = { .counters = { &counter, 1 } };
  const struct mlpd_sample_counters values = { .values = { &value, 1 } };
  return mlpd_bound_sample_counters_desc (&described) + mlpd_bound_sample_counters (&values);
}

/* The counter is described each time, as that may be the first one in a file. */
uint8_t *
late_calls_put (struct mlpd_encoder *e, uint8_t *to, uint64_t skipped, uint64_t time)
{
  const struct mlpd_counter_value value
      = { .index = counter.index, .type = counter.type, .number = skipped };
  const struct mlpd_sample_counters_desc described = { .time = time, .counters = { &counter, 1 } };
  const struct mlpd_sample_counters values = { .time = time, .values = { &value, 1 } };
  to = mlpd_put_sample_counters_desc (e, to, &described);
  return mlpd_put_sample_counters (e, to, &values);
}

/* The buffer has room.  While enters are pending, no event is later than the last one. */
static void
state_skipped (struct recorder *r)
{
  struct pending_calls *const p = &r->calls;
  const uint64_t skipped = pending_calls_get (&p->skipped),
                 change = skipped - pending_calls_get (&p->stated);
  if (change == 0)
    return;
  const uint64_t time = pending_calls_get (&p->count) == 0 ? p->last : 0;
  recorder_commit (
      r, late_calls_put (&r->buffer->encoder, r->position, change, recorder_time (r, time)));
  atomic_store_explicit (&p->stated, skipped, memory_order_relaxed);
  p->stated_at = p->last;
}

/* ---- enters ---- */

/* A call that was not timed began before the one in it. */
static void
fill_starts (struct pending_calls *p)
{
  uint64_t known = p->last;
  for (size_t i = p->recorded + pending_calls_get (&p->count); i > p->recorded; i--)
    if (p->starts[i - 1] == 0)
      p->starts[i - 1] = known;
    else
      known = p->starts[i - 1];
}

/* Records the enters of the `count` outermost calls that are pending. */
static void
record_enters (struct recorder *r, size_t count)
{
  struct pending_calls *const p = &r->calls;
  fill_starts (p);
  for (size_t i = p->recorded; i < p->recorded + count; i++) {
    struct mlpd_method_enter event = { .method = r->stack.frames[i] };
    const size_t bound = mlpd_bound_method_enter (&event);
    if (!recorder_has_room (r, bound) && recorder_make_room (bound, 0, 0, event.method) == NULL)
      break; /* enters of inner calls would be without their callers: they are lost, too */
    RECORD_AT (r, p->starts[i], method_enter, event);
  }
  p->recorded += count;
  pending_calls_add (&p->count, -(uint64_t) count);
}

/* Records the enters of all pending calls. */
static void
record_pending (struct recorder *r)
{
  struct pending_calls *const p = &r->calls;
  record_enters (r, pending_calls_get (&p->count));
  if (p->last - p->stated_at >= STATE_EVERY_NS && recorder_has_room (r, late_calls_bound ()))
    state_skipped (r);
}

/* ---- start, and end of a thread ---- */

/* Calls that are open as the thread ends and were not short are recorded. */
static void
end_thread (struct recorder *r)
{
  struct pending_calls *const p = &r->calls;
  const size_t count = pending_calls_get (&p->count);
  if (count != 0)
    p->last = clock_now ();
  size_t i = count;
  while (i > 0
         && (p->starts[p->recorded + i - 1] == 0
             || p->last - p->starts[p->recorded + i - 1] < threshold_ns))
    i--;
  if (i != 0)
    record_enters (r, i);
  pending_calls_add (&p->skipped, count - i);
  pending_calls_add (&p->count, -(uint64_t) (count - i));
}

void
late_calls_start (uint64_t threshold)
{
  threshold_ns = threshold;
  recorder_set_late_events (record_pending, state_skipped, late_calls_bound ());
  recorder_set_thread_end (end_thread);
}
