/* ghc-figures.h -- totals of an eventlog, of one process or of all. */
#ifndef PROFLOG_GHC_FIGURES_H
#define PROFLOG_GHC_FIGURES_H

#include "decoder/ghc/analyses/ghc-summary.h"

struct ghc_figures {
  guint caps; /* with events, or that were made */
  guint tasks;
  bool has_tasks;

  bool has_allocated, has_size;
  uint64_t allocated, copied, max_live, live_samples, max_slop, max_size;
  uint64_t negative_slops; /* collections that have none, of those that max_slop is of */
  bool has_fragmentation;
  int64_t fragmentation;                /* after the last collection */
  const struct ghc_heap_info_ghc *heap; /* NULL: unknown */

  bool has_collections;
  bool has_stats;      /* the runtime states copied bytes and the generation of collections */
  GArray *generations; /* of struct ghc_generation: of all capabilities together */
  struct ghc_generation unreported;
  struct ghc_generation all; /* and of all generations */
  struct ghc_balance balance;
  GArray *durations; /* of struct ghc_pause_durations, by generation + 1; 0: of unreported */
  struct ghc_pause_durations all_durations;
  const struct ghc_stops *stops; /* NULL: there are none, or of several processes */
  struct ghc_delays syncs, gaps;
  const struct ghc_concurrent *concurrent; /* of the whole log: that is of no capability */
  uint64_t unmatched, unfinished;

  bool has_sparks, has_spark_events;
  bool is_part; /* of the time: counters, which are reported now and then, lag behind */
  uint64_t sparks[GHC_SPARKS];
  uint64_t spark_events[GHC_SPARKS];

  bool begins_late;  /* in the middle of the program: counts from its start are of more time */
  uint64_t start;    /* of the time that counts */
  bool has_total;    /* capabilities state their activity */
  uint64_t total_ns; /* of the time */
  bool has_gc;       /* it can be determined which of it is collections */
  uint64_t gc_ns;    /* main pauses */
};

/* Of a process, or of all capabilities if it is NULL.  Clear it with ghc_figures_clear. */
void ghc_figures_init (struct ghc_figures *figures, const struct ghc_summary *summary,
                       const struct ghc_capset *process);
void ghc_figures_clear (struct ghc_figures *figures);

/* The sum of all generations of a capability. */
struct ghc_generation ghc_cap_all_generations (const struct ghc_cap *cap);

/* In percent: 0 if one thread did all, 100 if all did the same.  False if it cannot be determined.
 */
bool ghc_balance_percent (const struct ghc_balance *balance, double *percent);

/* The outcomes of sparks, by enum ghc_spark: the counters, or the single events where there are no
 * counters or these are not exact.  NULL: unknown. */
const uint64_t *ghc_figures_sparks (const struct ghc_figures *figures);

/* The time without pauses. */
uint64_t ghc_figures_mutator_ns (const struct ghc_figures *figures);

#endif
