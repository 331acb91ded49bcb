/* ghc-records.h -- events on their way from threads that decode them (ghc-order.h) to one that
 * takes them in order.
 *
 * Only for events whose fields are numbers, texts and stacks.
 */
#ifndef PROFLOG_GHC_RECORDS_H
#define PROFLOG_GHC_RECORDS_H

#include <glib.h>
#include <proflog/ghc-reader.h>

/* May the event be put down, for those that follow threads?  For those that show what happens? */
bool ghc_records_can_hold (enum ghc_kind kind);
bool ghc_records_can_trace (enum ghc_kind kind);

/* Appends an event to what ghc_records_each reads. */
void ghc_records_put (GString *records, const struct ghc_item *item);

/* Calls `take` for each event that was put down, in order, until it returns false; items have
 * neither bytes nor the type of the event, and `header` as their header.  False if `take` did. */
bool ghc_records_each (const GString *records, const struct ghc_header *header,
                       bool (*take) (void *data, const struct ghc_item *item), void *data);

#endif
