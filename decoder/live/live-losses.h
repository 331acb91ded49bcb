/* live-losses.h -- what logs tell of events that are missing in them. */
#ifndef PROFLOG_LIVE_LOSSES_H
#define PROFLOG_LIVE_LOSSES_H

#include <proflog/ghc-reader.h>
#include <proflog/mlpd-reader.h>

/* How many events are missing, as the event says; 0: it says nothing of that. */
uint64_t live_losses_mono (enum mlpd_kind kind, const union mlpd_payload *payload);
uint64_t live_losses_ghc (const struct ghc_item *item);

#endif
