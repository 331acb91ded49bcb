/* ghc-collections.h -- which capabilities took part in which collection.
 *
 * A collection is that of its leading capability, the one that wrote that all stand still, or the
 * figures. Others of the same process took part if they have one whose times overlap with it.
 * Runtimes before GHC 7.6, and of other languages, write neither: then a collection is all parts
 * that overlap, and who requested it leads it, or who began.  All commands count collections so.
 * Blocks of capabilities overlap in time, so parts wait to be matched; when too many do, the oldest
 * are, with the facts by then.
 */
#ifndef PROFLOG_GHC_COLLECTIONS_H
#define PROFLOG_GHC_COLLECTIONS_H

#include "decoder/core/utilisation.h"
#include "decoder/ghc/analyses/ghc-caps.h"

/* Parts that wait at most.  A capability takes part in all collections or has nothing to report,
 * and its blocks come when they are full, after some ten thousand of them. */
#define GHC_INTERVALS_MAX 400000

/* Pauses of a process one after the other, under two definitions; the heap after the last of them
 * (0: unknown). */
struct ghc_stops {
  guint process;
  bool has_process;
  struct utilisation main, span;
  uint64_t heap_bytes;
};

/* The process that a capability is in; made if it is not there.  `all` holds struct ghc_stops *. */
struct ghc_stops *ghc_stops_of (GPtrArray *all, const struct ghc_cap *cap);
void ghc_stops_free (struct ghc_stops *stops);

/* Is called for each collection, also for those that do not count: `main` is the part of the
 * capability that led it.  Does an event state so? */
struct ghc_collections_watch {
  void (*collection) (void *data, const struct ghc_cap *leader, const struct ghc_interval *main,
                      bool is_stated);
  void *data;
};

/* Matches the parts of the capabilities (struct ghc_cap *, NULL where a number has none), the
 * oldest first, as long as more than `retain` parts wait.  `watch` may be NULL. */
void ghc_collections_match (GPtrArray *caps, const struct ghc_times *times, GPtrArray *stops,
                            guint retain, const struct ghc_collections_watch *watch);

/* The same of all collections that state who leads them. */
void ghc_collections_match_led (GPtrArray *caps, const struct ghc_times *times, GPtrArray *stops,
                                const struct ghc_collections_watch *watch);

/* For how long a capability waited for others in its parts of collections, as far as they lie in
 * the times. */
uint64_t ghc_collections_idle_ns (const GPtrArray *caps, const struct ghc_cap *cap);

/* How many parts wait. */
guint ghc_collections_waiting (const GPtrArray *caps);

#endif
