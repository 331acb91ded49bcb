/* ghc-clock.c -- searches an eventlog for the start of its clock. */
#include "config.h"

#include "decoder/ghc/index/ghc-clock.h"
#define NS_PER_S 1000000000

bool
ghc_clock_of (const struct ghc_item *item, uint64_t *start)
{
  if (item->type != GHC_ITEM_EVENT || item->kind != GHC_WALL_CLOCK_TIME)
    return false;
  const struct ghc_wall_clock_time *clock = &item->payload->wall_clock_time;
  if (clock->seconds > UINT64_MAX / NS_PER_S - 1)
    return false;
  const uint64_t now = clock->seconds * NS_PER_S + clock->nanoseconds;
  *start = now - item->time;
  return now >= item->time;
}

/* Inspects what the reader has at hand.  Runtimes state the process directly before the time of
 * day, or directly after it. */
static void
find_some (struct ghc_reader *reader, struct ghc_start *start)
{
  const struct ghc_item *item;
  while ((!start->has_clock || start->pid == 0)
         && ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    if (start->has_clock && item->type == GHC_ITEM_HEADER)
      break; /* of another log */
    if (item->type == GHC_ITEM_EVENT && item->kind == GHC_OSPROCESS_PID && start->pid == 0)
      start->pid = item->payload->osprocess_pid.pid;
    if (!start->has_clock)
      start->has_clock = ghc_clock_of (item, &start->clock);
  }
}

bool
ghc_clock_find (struct log_input *input, struct ghc_start *start, GError **error)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const uint8_t *bytes;
  size_t length;
  bool good = true;
  *start = (struct ghc_start){ .has_clock = false };
  while (!start->has_clock && (good = log_input_read (input, &bytes, &length, error))
         && length != 0) {
    ghc_reader_push (reader, bytes, length);
    find_some (reader, start);
  }
  if (!start->has_clock) {
    ghc_reader_finish (reader);
    find_some (reader, start);
  }
  ghc_reader_free (reader);
  log_input_rewind (input);
  return start->has_clock || good;
}
