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

/* Inspects what the reader has at hand. */
static bool
find_some (struct ghc_reader *reader, uint64_t *start)
{
  const struct ghc_item *item;
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    if (ghc_clock_of (item, start))
      return true;
  return false;
}

bool
ghc_clock_find (struct log_input *input, bool *found, uint64_t *start, GError **error)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const uint8_t *bytes;
  size_t length;
  bool good;
  *found = false;
  while (!*found && (good = log_input_read (input, &bytes, &length, error)) && length != 0) {
    ghc_reader_push (reader, bytes, length);
    *found = find_some (reader, start);
  }
  if (!*found) {
    ghc_reader_finish (reader);
    *found = find_some (reader, start);
  }
  ghc_reader_free (reader);
  log_input_rewind (input);
  return *found || good;
}
