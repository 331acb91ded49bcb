/* allocations.h -- objects and bytes by class. */
#ifndef PROFLOG_ALLOCATIONS_H
#define PROFLOG_ALLOCATIONS_H

#include "decoder/analyses/symbols.h"

struct type_sum {
  uint64_t objects;
  uint64_t bytes;
};

struct allocations {
  uint64_t objects;
  uint64_t bytes;
  GArray *types; /* of struct type_sum, by class symbol */
  /* Classes of objects that were allocated lately, by address: tells the class of an exception or
   * a lock where nothing else does.  Bounded: a later object may take an earlier one's place. */
  struct recent {
    uint64_t object;
    guint klass;
  } * recent;
};

void allocations_init (struct allocations *allocations);
void allocations_clear (struct allocations *allocations);
void allocations_alloc (struct allocations *allocations, guint klass,
                        const struct mlpd_alloc *event);

/* Objects got other addresses: old and new one in turn. */
void allocations_move (struct allocations *allocations, struct mlpd_list objects);

/* The class of an object that was allocated lately; false if it is not known. */
bool allocations_find_class (const struct allocations *allocations, uint64_t object, guint *klass);

/* The sum of a class in an array by class symbol, grown as needed. */
struct type_sum *type_sums_get (GArray *types, guint klass);

#endif
