/* objects.h -- the objects that --find and --track request.
 *
 * Allocations that match are listed; objects at the addresses that are tracked, and those found if
 * they are few, are followed (object-history.h).
 */
#ifndef PROFLOG_OBJECTS_H
#define PROFLOG_OBJECTS_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/analyses/object-history.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/model/traces.h"

/* Allocations that are listed, the first in the log; the rest is counted. */
#define OBJECTS_FOUND_MAX 100000
/* Found objects are followed if there are no more. */
#define OBJECTS_FOLLOWED_MAX 100
/* Events that objects are followed by. */
#define OBJECTS_EVENTS_MAX (1u << 18)

struct object_found {
  uint64_t time;
  uint64_t offset; /* of the event */
  uint64_t thread;
  uint64_t object;
  uint64_t bytes;
  guint type; /* after objects_resolve: class */
  guint trace;
};

struct objects {
  const struct object_filter *filter; /* borrowed; NULL: nothing is requested */
  GArray *found;                      /* of struct object_found, in file order */
  struct type_sums unlisted;          /* more that were found */
  GArray *events;                     /* of struct object_event */
  uint64_t events_left_out;
  uint64_t damages; /* of the log, when the latest heap snapshot began */

  /* After objects_resolve. */
  uint64_t n_found;
  uint64_t n_unlisted;
  GPtrArray *lifetimes; /* of struct object_lifetime; their types are classes */
  bool complete;        /* no scan can decide more */
};

extern const struct analysis objects_analysis;

/* After the last of them: drops those whose name does not match, and follows the rest. */
void objects_resolve (struct objects *objects, struct symbols *symbols);

/* Adds the log's findings to the filter, after objects_resolve.  True if it must be scanned again
 * with them. */
bool objects_extend_filter (const struct objects *objects, struct symbols *symbols,
                            struct object_filter *filter);

#endif
