/* pending-type.h -- events about objects whose types the log does not have right there: throws, and
 * events of locks.
 *
 * They are retained until the types are searched for (object-queries.h), and count after that.
 */
#ifndef PROFLOG_PENDING_TYPE_H
#define PROFLOG_PENDING_TYPE_H

#include "decoder/mlpd/model/address-query.h"

/* Events at most; the types of more are not searched for. */
#define PENDING_TYPES_MAX (1u << 20)

/* The type of an object at an event: known, or pending as of that time and offset. */
struct type_ref {
  bool is_known;
  bool is_pending;
  guint type; /* a class */
  uint64_t time;
  uint64_t offset;
};

struct pending_typed_event {
  void (*count) (void *state, const struct pending_typed_event *event); /* when all is known */
  void *state;
  uint64_t event; /* of a lock */
  uint64_t object;
  uint64_t thread; /* its id, as allocations have it */
  guint number;    /* of a lock, the thread's number */
  uint64_t wait_ns;
  uint64_t wait_end; /* of a wait for a lock that may have samples; 0: none */
  bool is_wait;      /* it ends a wait for a lock that is summed up by thread */
  guint trace;       /* of the end of a wait: where it began */
  struct type_ref type;
  struct queried_address place; /* of the object, as far back as it has been followed */
};

struct pending_types {
  GArray *events;    /* of struct pending_typed_event, in file order */
  uint64_t left_out; /* events whose types are not searched for, though the log may have them */
};

void pending_types_init (struct pending_types *pending);
void pending_types_clear (struct pending_types *pending);

/* Counts an event at once, or retains a copy while its type is pending. */
void pending_types_add (struct pending_types *pending, const struct pending_typed_event *event);

/* Counts the retained events, as far as their types are known now. */
void pending_types_count (struct pending_types *pending);

#endif
