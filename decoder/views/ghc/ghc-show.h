/* ghc-show.h -- events of an eventlog in the words of ghc-events, a line each.
 *
 * Bytes of the writer's texts that are no UTF-8 become U+FFFD.  Characters that act on a terminal,
 * begin a line or change the direction of text become \uXXXX, unless texts are to be raw, as
 * ghc-events has them.  Any thread may call these, each with an output of its own.
 */
#ifndef PROFLOG_GHC_SHOW_H
#define PROFLOG_GHC_SHOW_H

#include <glib.h>
#include <proflog/ghc-reader.h>

/* Appends the types of events that a log declares. */
void ghc_show_types (const struct ghc_header *header, bool raw, GString *out);

/* Appends the text before the events of a log: these types, and a heading. */
void ghc_show_begin (const struct ghc_header *header, bool raw, GString *out);

/* Why a thread stopped, in the numbers of GHC_STOP_STATUS_: the event is a stop-thread.  *owner is
 * the thread of the black hole, or UINT64_MAX. */
unsigned ghc_show_status (const struct ghc_item *item, uint64_t *owner);

/* Appends the line of an event. */
void ghc_show_event (const struct ghc_item *item, bool raw, GString *out);

/* Appends the text after the events. */
void ghc_show_end (GString *out);

#endif
