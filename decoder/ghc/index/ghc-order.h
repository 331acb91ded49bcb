/* ghc-order.h -- the events of an eventlog in order of time, those of one time in the order of the
 * file, in memory that does not grow with the log.
 */
#ifndef PROFLOG_GHC_ORDER_H
#define PROFLOG_GHC_ORDER_H

#include "decoder/ghc/index/ghc-chunks.h"

struct ghc_order_options {
  uint64_t from, to;   /* times: from <= time <= to */
  unsigned threads;    /* 0: as many as there are processors */
  size_t window_bytes; /* of events that are sorted at once; 0: as many as suit caches */
  size_t window_most;  /* of these at most, where more come at once; 0: 8 MiB */
};

/* The functions that are called for the events.  `item` makes text of an event and may be called by
 * several threads at once, each with another text; events that follow each other come one after the
 * other in a text.  `write` gets the texts in order, from the caller's thread, and empties them;
 * false stops.
 *
 * Or, instead of both: `take` gets the events of the kinds that `wants` names, in order, from the
 * caller's thread; false stops. */
struct ghc_order_sink {
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  bool (*write) (void *data, GString *text);
  void *data;
  bool (*wants) (const void *data, enum ghc_kind kind);
  bool (*take) (void *data, const struct ghc_item *item);
};

/* Goes through the events of a part.  False if `write` or `take` stopped it. */
bool ghc_order_events (const struct ghc_chunks *chunks, const struct ghc_part *part,
                       struct log_input *input, const struct ghc_order_options *options,
                       const struct ghc_order_sink *sink);

#endif
