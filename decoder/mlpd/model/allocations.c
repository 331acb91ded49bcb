/* allocations.c -- adds allocations up. */
#include "config.h"

#include "decoder/mlpd/model/allocations.h"
#include "decoder/core/whole-number.h"
#include <math.h>

void
type_sums_init (struct type_sums *sums)
{
  sums->classes = g_array_new (FALSE, TRUE, sizeof (struct type_sum));
  sums->vtables = g_array_new (FALSE, TRUE, sizeof (struct type_sum));
}

void
type_sums_clear (struct type_sums *sums)
{
  g_array_free (sums->classes, TRUE);
  g_array_free (sums->vtables, TRUE);
}

struct type_sum *
type_sums_get (struct type_sums *sums, guint type)
{
  GArray *array = (type & TYPE_IS_VTABLE) != 0 ? sums->vtables : sums->classes;
  const guint symbol = type & ~TYPE_IS_VTABLE;
  if (symbol >= array->len)
    g_array_set_size (array, symbol + 1);
  return &g_array_index (array, struct type_sum, symbol);
}

guint
type_class (struct symbols *symbols, guint type)
{
  return (type & TYPE_IS_VTABLE) != 0 ? symbols_class_of_vtable (symbols, type & ~TYPE_IS_VTABLE)
                                      : type;
}

void
type_sums_resolve (struct type_sums *sums, struct symbols *symbols)
{
  for (guint i = 0; i < sums->vtables->len; i++) {
    const struct type_sum of_vtable = g_array_index (sums->vtables, struct type_sum, i);
    if (of_vtable.objects == 0)
      continue;
    struct type_sum *sum = type_sums_get (sums, symbols_class_of_vtable (symbols, i));
    type_sum_add (sum, &of_vtable);
  }
  g_array_set_size (sums->vtables, 0);
}

void
allocations_init (struct allocations *a)
{
  *a = (struct allocations){ 0 };
  type_sums_init (&a->types);
  a->class_errors = g_array_new (FALSE, TRUE, sizeof (struct allocation_error));
  a->vtable_errors = g_array_new (FALSE, TRUE, sizeof (struct allocation_error));
}

void
allocations_clear (struct allocations *a)
{
  type_sums_clear (&a->types);
  g_array_unref (a->class_errors);
  g_array_unref (a->vtable_errors);
}

void
allocations_add (struct allocations *a, guint type, uint64_t objects, uint64_t bytes)
{
  struct type_sum *sum = type_sums_get (&a->types, type);
  sum->objects += objects;
  sum->bytes = saturated_sum (sum->bytes, bytes);
  a->objects += objects;
  a->bytes = saturated_sum (a->bytes, bytes);
}

struct type_sum
allocation_estimate (uint64_t size, uint64_t sampling)
{
  const double bytes = (double) MAX (size, 1);
  const double weight = -1 / expm1 (-bytes / (double) sampling);
  return (struct type_sum){ whole_number (weight * OBJECT_PARTS + 0.5),
                            whole_number (weight * (double) size + 0.5) };
}

/* Of n objects that were recorded with the probability p, the variance of n / p is estimated by
 * n (1 - p) / p^2. */
struct allocation_error
allocations_error_of (const struct type_sum *estimate)
{
  const double weight = (double) estimate->objects / OBJECT_PARTS,
               size = (double) estimate->bytes / weight, variance = weight * MAX (weight - 1, 0);
  return (struct allocation_error){ (float) variance, (float) (variance * size * size) };
}

static struct allocation_error *
error_at (GArray *errors, guint symbol)
{
  if (symbol >= errors->len)
    g_array_set_size (errors, symbol + 1);
  return &g_array_index (errors, struct allocation_error, symbol);
}

struct allocation_error *
allocations_error_at (struct allocations *a, guint type)
{
  return (type & TYPE_IS_VTABLE) != 0 ? error_at (a->vtable_errors, type & ~TYPE_IS_VTABLE)
                                      : error_at (a->class_errors, type);
}

struct allocation_error
allocations_class_error (const struct allocations *a, guint klass)
{
  return klass < a->class_errors->len
             ? g_array_index (a->class_errors, struct allocation_error, klass)
             : (struct allocation_error){ 0 };
}

void
allocations_resolve_errors (struct allocations *a, struct symbols *symbols)
{
  for (guint i = 0; i < a->vtable_errors->len; i++) {
    const struct allocation_error error
        = g_array_index (a->vtable_errors, struct allocation_error, i);
    if (error.objects > 0)
      allocation_error_add (error_at (a->class_errors, symbols_class_of_vtable (symbols, i)),
                            &error);
  }
  g_array_set_size (a->vtable_errors, 0);
}

void
allocations_round (struct allocations *a)
{
  for (guint i = 0; i < a->types.classes->len; i++) {
    struct type_sum *sum = &g_array_index (a->types.classes, struct type_sum, i);
    sum->objects = allocation_whole_objects (sum->objects);
  }
  for (guint i = 0; i < ALLOCATION_SIZES; i++)
    a->sizes[i].objects = allocation_whole_objects (a->sizes[i].objects);
  a->objects = allocation_whole_objects (a->objects);
}
