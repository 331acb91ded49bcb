/* allocations.c -- adds allocations up. */
#include "decoder/analyses/allocations.h"
#include "config.h"

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
    sum->objects += of_vtable.objects;
    sum->bytes += of_vtable.bytes;
  }
  g_array_set_size (sums->vtables, 0);
}

void
allocations_init (struct allocations *a)
{
  *a = (struct allocations){ 0 };
  type_sums_init (&a->types);
}

void
allocations_clear (struct allocations *a)
{
  type_sums_clear (&a->types);
}

void
allocations_add (struct allocations *a, guint type, uint64_t objects, uint64_t bytes)
{
  struct type_sum *sum = type_sums_get (&a->types, type);
  sum->objects += objects;
  sum->bytes += bytes;
  a->objects += objects;
  a->bytes += bytes;
}
