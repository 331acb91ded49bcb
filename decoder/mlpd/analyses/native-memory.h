/* native-memory.h -- memory that native libraries have allocated and freed, by backtrace: estimates
 * from the allocations that our module samples (docs/mlpd-format.md).
 */
#ifndef PROFLOG_NATIVE_MEMORY_H
#define PROFLOG_NATIVE_MEMORY_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/traces.h"
#include <glib.h>
#include <proflog/mlpd.h>

struct native_amount {
  uint64_t samples;
  uint64_t bytes;
  struct allocation_error error;
};

struct native_sum {
  guint trace;
  struct native_amount allocated, live; /* live: not freed up to the end of the log */
};

struct native_memory {
  GHashTable *live;   /* uint64_t id -> struct native_block, of those that are not freed */
  GArray *sums;       /* of struct native_sum, in the order in which their traces came first */
  GHashTable *places; /* trace -> place in them, + 1 */
  uint64_t freed;     /* samples */
};

extern const struct analysis native_memory_analysis;

#endif
