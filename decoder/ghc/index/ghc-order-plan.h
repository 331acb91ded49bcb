/* ghc-order-plan.h -- divides the time of an eventlog into slices that hold about as many bytes of
 * events each, by the chunks of its index.
 */
#ifndef PROFLOG_GHC_ORDER_PLAN_H
#define PROFLOG_GHC_ORDER_PLAN_H

#include "decoder/ghc/index/ghc-chunks.h"

struct ghc_order_options {
  uint64_t from, to;   /* times: from <= time <= to */
  unsigned threads;    /* 0: as many as there are processors */
  size_t window_bytes; /* of events that are sorted at once; 0: as many as suit caches */
  size_t window_most;  /* of these at most, where more come at once; 0: 8 MiB */
};

struct ghc_order_slice {
  uint64_t first, last;
  GArray *chunks; /* guint: which have events in it, in order of the file */
};

struct ghc_order_plan {
  const struct ghc_chunk *chunks;
  guint n_chunks;
  guint *by_first; /* all, ordered by their first time ... */
  guint next;      /* ... of which those before this one were taken */
  GArray *active;  /* of these, those that last to `from` or longer */
  uint64_t from, to;
  double bytes; /* of a slice */
  bool at_end;
};

/* Slices over these chunks, which are borrowed, from options->from to options->to.  Clear it with
 * ghc_order_plan_clear. */
void ghc_order_plan_init (struct ghc_order_plan *plan, const struct ghc_chunk *chunks,
                          guint n_chunks, const struct ghc_order_options *options);
void ghc_order_plan_clear (struct ghc_order_plan *plan);

/* The next slice; false at the end. */
bool ghc_order_plan_next (struct ghc_order_plan *plan, struct ghc_order_slice *slice);

#endif
