/* eventlog-part.c -- the process and its clock, as the first events of an eventlog have them. */
#include "config.h"

#include "decoder/input/eventlog-part.h"
#include <proflog/ghc-reader.h>

#define NS_PER_S UINT64_C (1000000000)

/* The zero of the log's times is at one time of day, whichever part states it. */
struct program {
  char format[8];
  uint64_t pid, zero;
};

bool
eventlog_part_read (const uint8_t *bytes, size_t length, GBytes **program, uint64_t *begin)
{
  struct program found = { .format = "eventlog" };
  bool has_pid = false, has_clock = false;
  const struct ghc_item *item;
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, bytes, length);
  while (!(has_pid && has_clock) && ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    if (item->type != GHC_ITEM_EVENT)
      continue;
    if (item->kind == GHC_OSPROCESS_PID) {
      found.pid = item->payload->osprocess_pid.pid;
      has_pid = true;
    } else if (item->kind == GHC_WALL_CLOCK_TIME) {
      const struct ghc_wall_clock_time *clock = &item->payload->wall_clock_time;
      found.zero = clock->seconds * NS_PER_S + clock->nanoseconds - item->time;
      *begin = item->time;
      has_clock = true;
    }
  }
  ghc_reader_free (reader);
  if (has_pid && has_clock)
    *program = g_bytes_new (&found, sizeof found);
  return has_pid && has_clock;
}
