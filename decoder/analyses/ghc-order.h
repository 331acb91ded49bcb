/* ghc-order.h -- the events of an eventlog in order of time, those of one time in the order of the
 * file, in memory that does not grow with the log.
 */
#ifndef PROFLOG_GHC_ORDER_H
#define PROFLOG_GHC_ORDER_H

#include "decoder/analyses/ghc-chunks.h"

/* Threads that work at most. */
#define GHC_ORDER_THREADS_MAX 8

/* What is called for the events.  `item` makes text of an event and may be called by several
 * threads at once, each with another text; events that follow each other come one behind the other
 * in a text.  `write` gets the texts in order, from the caller's thread, and empties them; false
 * stops. */
struct ghc_order_sink {
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  bool (*write) (void *data, GString *text);
  void *data;
};

/* Goes through the events of a part with from <= time <= to, on `threads` threads (0: as many as
 * there are processors).  False if `write` stopped it. */
bool ghc_order_events (const struct ghc_chunks *chunks, const struct ghc_part *part,
                       struct log_input *input, unsigned threads, uint64_t from, uint64_t to,
                       const struct ghc_order_sink *sink);

#endif
