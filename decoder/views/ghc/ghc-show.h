/* ghc-show.h -- events of an eventlog in the words of ghc-events, a line each.
 *
 * Bytes of the writer's texts that are no UTF-8 become U+FFFD.  Characters that act on a terminal,
 * begin a line or change the direction of text become \uXXXX, unless the output is to be that of
 * ghc-events.  Any thread may call these, each with an output of its own.
 */
#ifndef PROFLOG_GHC_SHOW_H
#define PROFLOG_GHC_SHOW_H

#include <glib.h>
#include <proflog/ghc-reader.h>

/* Whose text it is, byte for byte. */
enum ghc_show_like {
  GHC_SHOW_SAFE, /* that of GHC_SHOW_0_22, for a terminal */
  GHC_SHOW_0_22, /* texts are as they are */
  GHC_SHOW_0_17, /* no blocks, no size of a stack, other words of some stops */
};

/* Appends the types of events that a log declares. */
void ghc_show_types (const struct ghc_header *header, enum ghc_show_like like, GString *out);

/* Appends the text before the events of a log: these types, and a heading. */
void ghc_show_begin (const struct ghc_header *header, enum ghc_show_like like, GString *out);

/* Why a thread stopped, in the numbers of GHC_STOP_STATUS_: the event is a stop-thread.  *owner is
 * the thread of the black hole, or UINT64_MAX. */
unsigned ghc_show_status (const struct ghc_item *item, uint64_t *owner);

/* Appends the line of an event; of a marker of a block, none as 0.17. */
void ghc_show_event (const struct ghc_item *item, enum ghc_show_like like, GString *out);

/* Appends the text after the events. */
void ghc_show_end (GString *out);

#endif
