/* object-ring.h -- the objects of a heap snapshot on their way from the thread or process that
 * walks the heap to the one that records them.
 *
 * The memory is shared with a child of a fork.  One producer, one consumer; no lock, no malloc.
 */
#ifndef PROFILER_OBJECT_RING_H
#define PROFILER_OBJECT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECT_RECORD_REFERENCES 128

/* An object, or (size 0) more references of the one before. */
struct object_record {
  uint64_t object, type; /* addresses; the type is its vtable or its class */
  uint64_t size;         /* bytes */
  uint32_t generation;
  uint32_t count; /* of the references */
  uint64_t references[OBJECT_RECORD_REFERENCES], offsets[OBJECT_RECORD_REFERENCES];
};

struct object_ring;

/* An empty ring; NULL: there is no memory. */
struct object_ring *object_ring_create (void);

/* Returns the memory of this process. */
void object_ring_destroy (struct object_ring *ring);

/* Children that are forked from now on do not have the ring. */
void object_ring_keep_from_children (struct object_ring *ring);

/* ---- the producer ---- */

/* False: there is no room now. */
bool object_ring_put (struct object_ring *ring, const struct object_record *record);

/* There are no more objects. */
void object_ring_end (struct object_ring *ring);

/* ---- the consumer ---- */

/* Whether there is a record now. */
bool object_ring_has_more (const struct object_ring *ring);

/* False: there is no record now.  In a record, references after `count` are undefined. */
bool object_ring_get (struct object_ring *ring, struct object_record *record);

/* All records were consumed, and there are no more. */
bool object_ring_is_over (const struct object_ring *ring);

#endif
