/* address-query.h -- the last object at an address before a time: allocated there, moved there, or
 * none.
 *
 * For one way through a log, in which events come in any order.  Whatever the log has, no more is
 * retained than a finding for each place that is queried.  Moves are not followed: an object from
 * elsewhere is queried there in another way through (object-queries.h).
 *
 * Scans (scan.h) query which events concern these places, also while findings are added.
 */
#ifndef PROFLOG_ADDRESS_QUERY_H
#define PROFLOG_ADDRESS_QUERY_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* An address, and up to when: the time and offset of an event. */
struct queried_address {
  uint64_t object;
  uint64_t time;
  uint64_t offset;
};

enum address_state {
  ADDRESS_UNKNOWN,
  ADDRESS_ALLOCATED,
  ADDRESS_MOVED_IN,  /* from another address */
  ADDRESS_MOVED_OUT, /* nothing is known to be there since */
};

struct address_finding {
  enum address_state state;
  guint type;      /* ALLOCATED */
  uint64_t thread; /* ALLOCATED: that did it */
  uint64_t from;   /* MOVED_IN */
  uint64_t time;   /* of the event that states */
  uint64_t offset;
};

struct address_query {
  GArray *places; /* of struct queried_address, sorted */
  struct address_finding *findings;
  uint64_t *bits;      /* by hash of the address: is there any place of such a one? */
  GArray *collections; /* of uint64_t: times at which collections began */
  uint64_t until;      /* buffers that begin later state nothing */
};

/* By addresses: how many bits of them are distinguished. */
#define ADDRESS_QUERY_BITS 20
#define ADDRESS_QUERY_HASH UINT64_C (0x9E3779B97F4A7C15)

/* Places (transfer full; of struct queried_address) in any order, also more than once. */
void address_query_init (struct address_query *query, GArray *places);
void address_query_clear (struct address_query *query);

/* The bit of an address. */
static inline uint64_t
address_query_bit (uint64_t object)
{
  return object * ADDRESS_QUERY_HASH >> (64 - ADDRESS_QUERY_BITS);
}

/* May an address be queried?  If not, it is not. */
static inline bool
address_query_may_have (const struct address_query *s, uint64_t object)
{
  const uint64_t bit = address_query_bit (object);
  return (s->bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* Does an event concern a queried address? */
bool address_query_matches (const struct address_query *query, enum mlpd_kind kind,
                            const union mlpd_payload *payload);

/* Events, which a thread at a time gives. */
void address_query_add_allocation (struct address_query *query, const struct mlpd_alloc *event,
                                   uint64_t offset, uint64_t thread, guint type);
void address_query_add_move (struct address_query *query, const struct mlpd_gc_move *event,
                             uint64_t offset);
void address_query_add_collection (struct address_query *query, const struct mlpd_gc_event *event);

/* After the last event. */
void address_query_finish (struct address_query *query);

/* The findings about a place, of the queried objects. */
const struct address_finding *address_query_find (const struct address_query *query,
                                                  const struct queried_address *place);

/* Did a collection begin after the one time, up to the other? */
bool address_query_had_collection (const struct address_query *query, uint64_t after,
                                   uint64_t until);

#endif
