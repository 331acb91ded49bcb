/* objects.h -- the objects that --find and --track ask for.
 *
 * Allocations that match are listed; objects at the addresses that are tracked, and those found if
 * they are few, are followed (object-lives.h).
 */
#ifndef PROFLOG_OBJECTS_H
#define PROFLOG_OBJECTS_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/object-lives.h"
#include "decoder/analyses/roots.h"
#include "decoder/analyses/traces.h"

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
  const struct object_filter *filter; /* borrowed; NULL: nothing is asked for */
  GArray *found;                      /* of struct object_found, in file order */
  struct type_sums unlisted;          /* more that were found */
  GArray *events;                     /* of struct object_event */
  uint64_t events_left_out;
  uint64_t damages; /* of the log, when the latest heap shot began */

  /* After objects_resolve. */
  uint64_t n_found;
  uint64_t n_unlisted;
  GPtrArray *lives; /* of struct object_life; their types are classes */
  bool complete;    /* no scan can tell more */
};

/* What an event does not tell itself. */
struct object_place {
  unsigned version;
  uint64_t time;
  uint64_t offset;
  uint64_t thread;
  guint shots;      /* heap shots that have begun, this event's included */
  uint64_t damages; /* so far */
};

void objects_init (struct objects *objects, const struct object_filter *filter);
void objects_clear (struct objects *objects);

/* An event that was kept; backtraces go into `traces`, unless that is NULL.  `roots` tells what
 * addresses of roots belong to. */
void objects_event (struct objects *objects, struct symbols *symbols, struct traces *traces,
                    const struct roots *roots, const struct object_place *place,
                    enum mlpd_kind kind, const union mlpd_payload *payload);

/* After the last of them: drops what does not match by its name, and follows the rest. */
void objects_resolve (struct objects *objects, struct symbols *symbols);

/* Adds to the filter what the log told, after objects_resolve.  True if it must be scanned again
 * with that. */
bool objects_learn (const struct objects *objects, struct symbols *symbols,
                    struct object_filter *filter);

#endif
