/* live-model-private.h -- the parts of the model of a log that is being written. */
#ifndef PROFLOG_LIVE_MODEL_PRIVATE_H
#define PROFLOG_LIVE_MODEL_PRIVATE_H

#include "decoder/core/durations.h"
#include "decoder/ghc/analyses/ghc-collector.h"
#include "decoder/ghc/analyses/ghc-heap-profile.h"
#include "decoder/ghc/analyses/ghc-time-profile.h"
#include "decoder/live/live-figures.h"
#include <proflog/ghc-reader.h>
#include <proflog/mlpd.h>

/* ---- marks of a program since the last figures ---- */

struct live_marks {
  GPtrArray *names; /* of char *: of the interval, LIVE_MARK_NAMES_MAX at most */
  uint64_t all;
  GHashTable *counters; /* of Mono: uint64_t index of the counter -> name of the mark */
};

void live_marks_init (struct live_marks *marks);
void live_marks_clear (struct live_marks *marks);

/* Another program's log begins. */
void live_marks_reset (struct live_marks *marks);

/* Inspects an event of Mono: marks are counters (program-marks.h). */
void live_marks_mono (struct live_marks *marks, enum mlpd_kind kind,
                      const union mlpd_payload *payload);

/* Likewise of GHC: markers and messages of the program. */
void live_marks_ghc (struct live_marks *marks, const struct ghc_item *item);

/* Puts the marks into figures; the interval begins anew. */
void live_marks_figures (struct live_marks *marks, struct live_figures *figures);

/* ---- the part for eventlogs of GHC ---- */

struct live_ghc {
  GPtrArray *caps;     /* struct live_cap *, by number; NULL: nothing is known of it */
  GHashTable *threads; /* guint number -> struct live_haskell *: those that live */
  uint64_t events, bytes;
  uint64_t pid;         /* 0: not known */
  char *program;        /* its name; NULL: not known */
  uint64_t first, last; /* times */
  bool has_time;
  uint64_t heap, heap_max, live;
  uint64_t
      allocated_before; /* bytes reported first since the last figures, allocated at any time */
  struct ghc_collector collector;
  struct durations collections[LIVE_GENERATIONS];
  uint64_t untimed[LIVE_GENERATIONS]; /* collections whose start and end are missing */
  uint64_t pause_max_ns;              /* the longest pause since the last figures */
  uint64_t seen; /* the last figures had collections that began up to this time */
  struct ghc_heap_profiles profiles;
  struct ghc_time_profile samples; /* of time, and call stacks */
  /* Of the last figures: the samples, and those by frame (struct ghc_time_frame), by number. */
  uint64_t samples_before;
  GArray *frames_before;
  uint64_t lost_events, damages; /* of all logs of the stream */
};

void live_ghc_init (struct live_ghc *ghc);
void live_ghc_clear (struct live_ghc *ghc);

void live_ghc_item (struct live_ghc *ghc, const struct ghc_item *item);

/* Puts the known figures into their `all`, and adds the capabilities and threads, with their counts
 * of the interval, which begins anew.  Returns how many of the allocated bytes were allocated
 * before the interval, though they were not reported then. */
uint64_t live_ghc_figures (struct live_ghc *ghc, struct live_figures *figures);

#endif
