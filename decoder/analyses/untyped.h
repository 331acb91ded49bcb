/* untyped.h -- throws, and events of locks, whose types the log does not tell right there.
 *
 * They are kept until the types are looked for (object-types.h), and count after that.
 */
#ifndef PROFLOG_UNTYPED_H
#define PROFLOG_UNTYPED_H

#include "decoder/analyses/sought-objects.h"

/* Events at most; of more the types are not looked for. */
#define UNTYPED_MAX (1u << 20)

/* The type of an object at an event: known, or to be looked for as of that time and offset. */
struct object_typing {
  bool known;
  bool asked;
  guint type; /* a class */
  uint64_t time;
  uint64_t offset;
};

#define UNTYPED_THROW UINT64_MAX

struct untyped {
  uint64_t event; /* of a lock; or UNTYPED_THROW */
  uint64_t object;
  uint64_t thread;
  uint64_t wait_ns;
  guint trace;
  struct object_typing typing;
  struct sought_place place; /* of the object, as far back as it has been followed */
};

#endif
