/* ghc-losses.h -- what an eventlog of our writers states about events that it lacks. */
#ifndef PROFLOG_GHC_LOSSES_H
#define PROFLOG_GHC_LOSSES_H

#include <proflog/ghc-reader.h>
#include <stdbool.h>

/* Whether the event is a message about missing events; *lost is their number, else 0.  A log that
 * could not be written any more has one even if that is 0. */
bool ghc_losses_of (const struct ghc_item *item, uint64_t *lost);

#endif
