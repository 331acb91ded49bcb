/* ghc-clock.h -- when the clock of an eventlog began. */
#ifndef PROFLOG_GHC_CLOCK_H
#define PROFLOG_GHC_CLOCK_H

#include "decoder/ghc/ghc-start.h"
#include "decoder/input/log-input.h"

/* Searches for the first item that states the time of day in a log that can be read again
 * (log_input_make_rewindable), and goes back to the log's beginning.  False and an error if reading
 * fails. */
bool ghc_clock_find (struct log_input *input, struct ghc_start *start, GError **error);

#endif
