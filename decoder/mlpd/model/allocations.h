/* allocations.h -- objects and bytes by type.
 *
 * An object is of a class or, from data version 15 on, has a vtable, of which the class may be
 * announced later.  Both are types: numbers of the one kind or the other.  At the end those of
 * vtables are added to those of their classes.
 */
#ifndef PROFLOG_ALLOCATIONS_H
#define PROFLOG_ALLOCATIONS_H

#include "decoder/core/chance.h"
#include "decoder/core/whole-number.h"
#include "decoder/mlpd/model/symbols.h"

/* A type: the index of a class symbol, or of a vtable symbol with this bit. */
#define TYPE_IS_VTABLE 0x80000000u

struct type_sum {
  uint64_t objects;
  uint64_t bytes;
};

static inline void
type_sum_add (struct type_sum *to, const struct type_sum *from)
{
  to->objects += from->objects;
  to->bytes = saturated_sum (to->bytes, from->bytes);
}

/* The variances of a sum that is estimated from samples, of its whole objects and of its bytes; 0:
 * nothing is estimated. */
struct allocation_error {
  float objects, bytes;
};

static inline void
allocation_error_add (struct allocation_error *to, const struct allocation_error *from)
{
  to->objects += from->objects;
  to->bytes += from->bytes;
}

/* Classes of sizes: 0, and each power of two up to below the next one. */
enum { ALLOCATION_SIZES = 65 };

static inline unsigned
allocation_size_class (uint64_t size)
{
  return size != 0 ? 64 - (unsigned) __builtin_clzll (size) : 0;
}

/* Sums by type. */
struct type_sums {
  GArray *classes; /* of struct type_sum, by class symbol */
  GArray *vtables; /* the same, by vtable symbol; empty at the end */
};

void type_sums_init (struct type_sums *sums);
void type_sums_clear (struct type_sums *sums);

/* The sum of a type, new if there was none. */
struct type_sum *type_sums_get (struct type_sums *sums, guint type);

/* Adds the sums of vtables to those of their classes. */
void type_sums_resolve (struct type_sums *sums, struct symbols *symbols);

/* The class of a type. */
guint type_class (struct symbols *symbols, guint type);

/* Where allocations are sampled, objects are counted in such parts of one until the end, as an
 * object that was recorded stands for 1.5 of them, say. */
#define OBJECT_PARTS 1024

struct allocations {
  uint64_t objects;
  uint64_t bytes;
  struct type_sums types;
  GArray *class_errors, *vtable_errors;    /* of struct allocation_error, as the types */
  uint64_t samples;                        /* that these are estimated from; 0: all was recorded */
  uint64_t sampling;                       /* one in this many bytes was (mlpd-origin.h) */
  struct type_sum sizes[ALLOCATION_SIZES]; /* by size, if requested */
};

/* The objects and bytes for which a recorded object of this size stands: all of its size that had
 * the chance. */
struct type_sum allocation_estimate (uint64_t size, uint64_t sampling);

/* The error of such an estimate. */
struct allocation_error allocations_error_of (const struct type_sum *estimate);

/* The error of the sum of a type, new if there was none. */
struct allocation_error *allocations_error_at (struct allocations *allocations, guint type);

/* The error of the sum of a class. */
struct allocation_error allocations_class_error (const struct allocations *allocations,
                                                 guint klass);

/* Whole objects of parts of them. */
static inline uint64_t
allocation_whole_objects (uint64_t parts)
{
  return (parts + OBJECT_PARTS / 2) / OBJECT_PARTS;
}

/* Adds the errors of vtables to those of their classes. */
void allocations_resolve_errors (struct allocations *allocations, struct symbols *symbols);

/* Makes whole objects of their parts. */
void allocations_round (struct allocations *allocations);

void allocations_init (struct allocations *allocations);
void allocations_clear (struct allocations *allocations);

/* This many objects of a type were allocated. */
void allocations_add (struct allocations *allocations, guint type, uint64_t objects,
                      uint64_t bytes);

#endif
