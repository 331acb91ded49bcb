/* live-ghc.h -- the part of a live model that is of an eventlog of GHC. */
#ifndef PROFLOG_LIVE_GHC_H
#define PROFLOG_LIVE_GHC_H

#include "decoder/core/durations.h"
#include "decoder/ghc/analyses/ghc-collector.h"
#include "decoder/live/live-figures.h"
#include <proflog/ghc-reader.h>

struct live_ghc {
  GPtrArray *caps;     /* struct live_cap *, by number; NULL: nothing is known of it */
  GHashTable *threads; /* guint number -> struct live_haskell *: those that live */
  uint64_t events, bytes;
  uint64_t pid;         /* 0: not known */
  uint64_t first, last; /* times */
  bool has_time;
  uint64_t heap, heap_max, live;
  uint64_t
      allocated_before; /* bytes reported first since the last figures, allocated at any time */
  struct ghc_collector collector;
  struct durations collections[LIVE_GENERATIONS];
  uint64_t untimed[LIVE_GENERATIONS]; /* collections whose start and end are missing */
  uint64_t pause_max_ns;              /* since the last figures ... */
  uint64_t seen;                      /* ... which had collections that began up to this time */
  uint64_t lost_events, damages;      /* of all logs of the stream */
};

void live_ghc_init (struct live_ghc *ghc);
void live_ghc_clear (struct live_ghc *ghc);

void live_ghc_item (struct live_ghc *ghc, const struct ghc_item *item);

/* Puts what is known into the `all` of figures, and adds the capabilities and threads, with their
 * counts of the interval, which begins anew.  Returns how many of the allocated bytes were
 * allocated before the interval, though they were not reported then. */
uint64_t live_ghc_figures (struct live_ghc *ghc, struct live_figures *figures);

#endif
