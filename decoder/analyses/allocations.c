/* allocations.c -- adds allocations up. */
#include "decoder/analyses/allocations.h"
#include "config.h"

#define RECENT ((size_t) 1 << 16)

void
allocations_init (struct allocations *a)
{
  *a = (struct allocations){ .types = g_array_new (FALSE, TRUE, sizeof (struct type_sum)) };
}

void
allocations_clear (struct allocations *a)
{
  g_array_free (a->types, TRUE);
  g_free (a->recent);
}

struct type_sum *
type_sums_get (GArray *types, guint klass)
{
  if (klass >= types->len)
    g_array_set_size (types, klass + 1);
  return &g_array_index (types, struct type_sum, klass);
}

static size_t
place (uint64_t object)
{
  return (size_t) (((object >> 3) * UINT64_C (0x9E3779B97F4A7C15)) >> 48) % RECENT;
}

void
allocations_alloc (struct allocations *a, guint klass, const struct mlpd_alloc *event)
{
  struct type_sum *sum = type_sums_get (a->types, klass);
  sum->objects++;
  sum->bytes += event->size;
  a->objects++;
  a->bytes += event->size;
  if (a->recent == NULL)
    a->recent = g_new0 (struct recent, RECENT);
  a->recent[place (event->object)] = (struct recent){ event->object, klass };
}

void
allocations_move (struct allocations *a, struct mlpd_list objects)
{
  for (size_t i = 0; a->recent != NULL && i + 1 < objects.count; i += 2) {
    struct recent *from = &a->recent[place (objects.items[i])];
    struct recent *to = &a->recent[place (objects.items[i + 1])];
    if (objects.items[i] != 0 && from->object == objects.items[i]) {
      struct recent moved = { objects.items[i + 1], from->klass };
      from->object = 0;
      *to = moved;
    } else if (to->object == objects.items[i + 1]) {
      to->object = 0; /* another object is there now */
    }
  }
}

bool
allocations_find_class (const struct allocations *a, uint64_t object, guint *klass)
{
  if (a->recent == NULL || object == 0 || a->recent[place (object)].object != object)
    return false;
  *klass = a->recent[place (object)].klass;
  return true;
}
