/* ghc-summary-order.h -- gives a summary the events of an eventlog in order of time.
 *
 * Threads that decode the log put events down as records (ghc-records.h); one takes the records.
 */
#ifndef PROFLOG_GHC_SUMMARY_ORDER_H
#define PROFLOG_GHC_SUMMARY_ORDER_H

#include "decoder/ghc/analyses/ghc-summary.h"

struct ghc_summary_order {
  struct ghc_summary *summary;
  struct ghc_header header; /* of the events; without its types */
};

/* A log with this header begins. */
void ghc_summary_order_begin (struct ghc_summary_order *order, const struct ghc_header *header);

/* Appends the event to records, if the summary takes such.  By any thread. */
void ghc_summary_order_put (GString *records, const struct ghc_item *item);

/* The next records, in order.  Returns true: the summary wants the rest, too. */
bool ghc_summary_order_take (const struct ghc_summary_order *order, const GString *records);

#endif
