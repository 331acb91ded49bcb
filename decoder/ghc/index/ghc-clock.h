/* ghc-clock.h -- when the clock of an eventlog began. */
#ifndef PROFLOG_GHC_CLOCK_H
#define PROFLOG_GHC_CLOCK_H

#include "decoder/input/log-input.h"

#include <proflog/ghc-reader.h>

/* If the item states what time it was: true, and in *start the time of day, in ns since 1970, of
 * time 0.  What no clock can have reported counts as nothing. */
bool ghc_clock_of (const struct ghc_item *item, uint64_t *start);

/* What a log states about its start. */
struct ghc_start {
  bool has_clock;
  uint64_t clock; /* the time of day, in ns since 1970, of time 0 */
  uint32_t pid;   /* of the process, if that stands near the time of day; 0: unknown */
};

/* Searches for the first item that states the time of day in a log that can be read again
 * (log_input_make_rewindable), and goes back to the log's beginning.  False and an error if reading
 * fails. */
bool ghc_clock_find (struct log_input *input, struct ghc_start *start, GError **error);

#endif
