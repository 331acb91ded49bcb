/* ghc-clock.c -- searches an eventlog for the start of its clock. */
#include "config.h"

#include "decoder/ghc/index/ghc-clock.h"

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
    ghc_start_read (start, reader);
  }
  if (!start->has_clock) {
    ghc_reader_finish (reader);
    ghc_start_read (start, reader);
  }
  ghc_reader_free (reader);
  log_input_rewind (input);
  return start->has_clock || good;
}
