/* ghc-start.c -- searches the first events of an eventlog. */
#include "config.h"

#include "decoder/ghc/ghc-start.h"
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

void
ghc_start_item (struct ghc_start *start, const struct ghc_item *item)
{
  start->is_over |= start->has_clock && item->type == GHC_ITEM_HEADER;
  if (start->is_over)
    return;
  if (item->type == GHC_ITEM_EVENT && item->kind == GHC_OSPROCESS_PID && start->pid == 0)
    start->pid = item->payload->osprocess_pid.pid;
  if (!start->has_clock && ghc_clock_of (item, &start->clock)) {
    start->has_clock = true;
    start->clock_at = item->time;
  }
}

void
ghc_start_read (struct ghc_start *start, struct ghc_reader *reader)
{
  const struct ghc_item *item;
  while (!start->is_over && (!start->has_clock || start->pid == 0)
         && ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    ghc_start_item (start, item);
}
