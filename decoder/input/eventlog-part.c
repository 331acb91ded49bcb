/* eventlog-part.c -- the process and its clock, as the first events of an eventlog have them. */
#include "config.h"

#include "decoder/input/eventlog-part.h"
#include "decoder/ghc/ghc-start.h"

/* The zero of the log's times is at one time of day, whichever part states it. */
struct program {
  char format[8];
  uint64_t pid, zero;
};

bool
eventlog_part_read (const uint8_t *bytes, size_t length, GBytes **program, uint64_t *begin)
{
  struct ghc_start start = { .has_clock = false };
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, bytes, length);
  ghc_start_read (&start, reader);
  ghc_reader_free (reader);
  if (!start.has_clock || start.pid == 0)
    return false;
  const struct program found = { .format = "eventlog", .pid = start.pid, .zero = start.clock };
  *program = g_bytes_new (&found, sizeof found);
  *begin = start.clock_at;
  return true;
}
