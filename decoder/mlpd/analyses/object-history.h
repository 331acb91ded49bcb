/* object-history.h -- the history of objects, from the events at their addresses.
 *
 * An address has many objects one after the other, and an object has an address after the other.
 * Each object is a lifetime: it begins with its allocation, or with the first event that concerns
 * it, and goes on at its new address when it is moved.  It ends when another object is at its
 * address or when a whole heap snapshot does not have it.
 *
 * The buffers of threads come in any order, so all events that concern the addresses are gathered
 * first and then followed in order of time.
 */
#ifndef PROFLOG_OBJECT_HISTORY_H
#define PROFLOG_OBJECT_HISTORY_H

#include "decoder/mlpd/model/object-filter.h"

enum object_event_kind {
  OBJECT_ALLOCATED,
  OBJECT_MOVED,
  OBJECT_HANDLE_CREATED,
  OBJECT_HANDLE_DESTROYED,
  OBJECT_ROOT,
  OBJECT_IN_SHOT,
  OBJECT_REFERENCED,
  OBJECT_FINALIZED,
  OBJECT_THROWN,
  OBJECT_LOCK,
  OBJECT_REPLACED,  /* another object is at its address */
  OBJECT_MISSED,    /* a heap snapshot does not have it */
  OBJECT_GC_STARTS, /* of no object; in no lifetime */
  OBJECT_SHOT_STARTS,
  OBJECT_SHOT_ENDS,
};

/* In place of a type: the log does not state it. */
#define OBJECT_NO_TYPE G_MAXUINT32

struct object_event {
  enum object_event_kind kind;
  guint type;  /* ALLOCATED, IN_SHOT: of the object; REFERENCED: of the other; else of no use */
  guint trace; /* or TRACE_NONE */
  guint shot;  /* heap snapshots that had begun: the last of them is IN_SHOT's */
  uint64_t time;
  uint64_t offset; /* in the log, of the event that states */
  uint64_t thread;
  uint64_t object; /* its address; MOVED: before */
  uint64_t
      other; /* MOVED: address after; REFERENCED: that of the other object; ROOT: of the root */
  uint64_t number; /* ALLOCATED, IN_SHOT: size; HANDLE_...: handle; REFERENCED: where in the other;
                      LOCK: event of it */
  uint64_t detail; /* HANDLE_...: type; ROOT: source or kind; SHOT_ENDS: 1 if it is whole */
};

struct object_lifetime {
  uint64_t first;    /* address */
  uint64_t address;  /* the latest */
  guint type;        /* or OBJECT_NO_TYPE */
  uint64_t bytes;    /* 0: not known */
  bool is_requested; /* it was at an address that is requested, or was found */
  bool is_found;
  GArray *events; /* of struct object_event */

  /* While events come. */
  bool ended;
  guint seen; /* the latest heap snapshot that has it */
};

/* Lifetimes (transfer full; of struct object_lifetime) that are requested, in order of time.  Sorts
 * the events (of struct object_event), which are in file order. */
GPtrArray *object_lifetimes_build (GArray *events, const struct object_filter *filter);

/* Adds the other addresses of these objects to the filter.  True if there was anything new. */
bool object_lifetimes_extend_filter (const GPtrArray *lifetimes, struct object_filter *filter);

#endif
