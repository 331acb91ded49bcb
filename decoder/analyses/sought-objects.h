/* sought-objects.h -- what was last at an address before a time: an object that was allocated there
 * or came there, or none any more.
 *
 * For one way through a log, in which events come in any order.  Whatever the log has, no more is
 * kept than a finding for each place that is sought.  Moves are not followed: what came from
 * elsewhere is sought there in another way through (object-types.h).
 *
 * Scans (scan.h) ask which events concern these places; they may while findings are added.
 */
#ifndef PROFLOG_SOUGHT_OBJECTS_H
#define PROFLOG_SOUGHT_OBJECTS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* An address, and up to when: the time and offset of an event. */
struct sought_place {
  uint64_t object;
  uint64_t time;
  uint64_t offset;
};

enum sought_state {
  SOUGHT_UNKNOWN,
  SOUGHT_ALLOCATED,
  SOUGHT_CAME, /* from another address */
  SOUGHT_WENT, /* nothing is known to be there since */
};

struct sought_finding {
  enum sought_state state;
  guint type;      /* ALLOCATED */
  uint64_t thread; /* ALLOCATED: that did it */
  uint64_t from;   /* CAME */
  uint64_t time;   /* of the event that tells */
  uint64_t offset;
};

struct sought_objects {
  GArray *places; /* of struct sought_place, sorted */
  struct sought_finding *findings;
  uint64_t *bits;      /* by hash of the address: is there any place of such a one? */
  GArray *collections; /* of uint64_t: times at which collections began */
  uint64_t until;      /* buffers that begin later tell nothing */
};

/* By addresses: how many bits of them are told apart. */
#define SOUGHT_BITS 20
#define SOUGHT_HASH UINT64_C (0x9E3779B97F4A7C15)

/* Places (transfer full; of struct sought_place) in any order, also more than once. */
void sought_objects_init (struct sought_objects *sought, GArray *places);
void sought_objects_clear (struct sought_objects *sought);

/* May an address be sought?  If not, it is not. */
static inline bool
sought_objects_may_have (const struct sought_objects *s, uint64_t object)
{
  const uint64_t bit = object * SOUGHT_HASH >> (64 - SOUGHT_BITS);
  return (s->bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* Does an event tell of an address that is sought? */
bool sought_objects_take (const struct sought_objects *sought, enum mlpd_kind kind,
                          const union mlpd_payload *payload);

/* Events, which a thread at a time gives. */
void sought_objects_allocated (struct sought_objects *sought, const struct mlpd_alloc *event,
                               uint64_t offset, uint64_t thread, guint type);
void sought_objects_moved (struct sought_objects *sought, const struct mlpd_gc_move *event,
                           uint64_t offset);
void sought_objects_collection (struct sought_objects *sought, const struct mlpd_gc_event *event);

/* After the last event. */
void sought_objects_finish (struct sought_objects *sought);

/* ... what was found of a place.  The sought objects'. */
const struct sought_finding *sought_objects_find (const struct sought_objects *sought,
                                                  const struct sought_place *place);

/* ... did a collection begin after the one time, up to the other? */
bool sought_objects_had_collection (const struct sought_objects *sought, uint64_t after,
                                    uint64_t until);

#endif
