/* ghc-collector.h -- follows the collections of an eventlog, for those that need nothing else of
 * it: collections and their leaders are those that reports count (ghc-collections.h).
 */
#ifndef PROFLOG_GHC_COLLECTOR_H
#define PROFLOG_GHC_COLLECTOR_H

#include "decoder/ghc/analyses/ghc-collections.h"
#include <proflog/ghc-reader.h>

struct ghc_collector {
  struct ghc_collections_watch watch;
  guint retain;          /* parts that wait at most */
  bool is_ordered;       /* events come in order of time */
  GPtrArray *caps;       /* struct ghc_cap *, by number; NULL: the log has none of it */
  GPtrArray *stops;      /* struct ghc_stops * */
  GHashTable *processes; /* the capability sets that stand for one */
};

/* Calls `watch` for each collection: one whose events state who leads it when that is known, others
 * when no part of them can follow in an ordered log, or more than `retain` parts wait, or at the
 * end.  Clear it with ghc_collector_clear. */
void ghc_collector_init (struct ghc_collector *collector, const struct ghc_collections_watch *watch,
                         guint retain, bool is_ordered);
void ghc_collector_clear (struct ghc_collector *collector);

/* The kinds of events that it needs. */
bool ghc_collector_handles (enum ghc_kind kind);

/* An event of these; the others are ignored.  The events of a capability are to come in the order
 * of the file or of time. */
void ghc_collector_event (struct ghc_collector *collector, const struct ghc_item *item);

/* Nothing follows. */
void ghc_collector_finish (struct ghc_collector *collector);

/* Calls another watch for the collections that would be reported if nothing followed; they wait
 * nevertheless. */
void ghc_collector_preview (const struct ghc_collector *collector,
                            const struct ghc_collections_watch *watch);

/* Does an event state who leads collections, so far? */
bool ghc_collector_has_leads (const struct ghc_collector *collector);

#endif
