/* ghc-clock.h -- when the clock of an eventlog began. */
#ifndef PROFLOG_GHC_CLOCK_H
#define PROFLOG_GHC_CLOCK_H

#include "decoder/formats/log-input.h"

#include <proflog/ghc-reader.h>

/* If the item tells what time it was: true, and in *start the time of day, in ns since 1970, of
 * time 0.  What no clock can have told counts as nothing. */
bool ghc_clock_of (const struct ghc_item *item, uint64_t *start);

/* Looks for the first that does in a log that can be read again (log_input_keep), and goes back to
 * the log's beginning.  False and an error if reading fails; *found tells whether there is one. */
bool ghc_clock_find (struct log_input *input, bool *found, uint64_t *start, GError **error);

#endif
