/* sought-objects.c -- see sought-objects.h. */
#include "decoder/analyses/sought-objects.h"
#include "config.h"

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const struct sought_place *x = a, *y = b;
  if (x->object != y->object)
    return x->object < y->object ? -1 : 1;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static struct sought_place *
place_at (const struct sought_objects *s, guint i)
{
  return &g_array_index (s->places, struct sought_place, i);
}

/* The first place that is not before this one. */
static guint
lower_bound (const struct sought_objects *s, const struct sought_place *place)
{
  guint first = 0, last = s->places->len;
  while (first < last) {
    const guint middle = first + (last - first) / 2;
    if (compare_places (place_at (s, middle), place) < 0)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

static bool
has (const struct sought_objects *s, uint64_t object)
{
  if (!sought_objects_may_have (s, object))
    return false;
  const guint i = lower_bound (s, &(const struct sought_place){ .object = object });
  return i < s->places->len && place_at (s, i)->object == object;
}

void
sought_objects_init (struct sought_objects *s, GArray *places)
{
  *s = (struct sought_objects){ .places = places,
                                .bits = g_new0 (uint64_t, (size_t) 1 << (SOUGHT_BITS - 6)),
                                .collections = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  g_array_sort (places, compare_places);
  guint n = 0;
  for (guint i = 0; i < places->len; i++) {
    const struct sought_place place = *place_at (s, i);
    if (n == 0 || compare_places (place_at (s, n - 1), &place) != 0)
      *place_at (s, n++) = place;
    s->until = MAX (s->until, place.time);
    const uint64_t bit = place.object * SOUGHT_HASH >> (64 - SOUGHT_BITS);
    s->bits[bit / 64] |= UINT64_C (1) << bit % 64;
  }
  g_array_set_size (places, n);
  s->findings = g_new0 (struct sought_finding, n + 1);
}

void
sought_objects_clear (struct sought_objects *s)
{
  g_array_unref (s->places);
  g_array_unref (s->collections);
  g_free (s->findings);
  g_free (s->bits);
}

bool
sought_objects_take (const struct sought_objects *s, enum mlpd_kind kind,
                     const union mlpd_payload *payload)
{
  if (kind == MLPD_ALLOC)
    return has (s, payload->alloc.object);
  for (size_t i = 0; kind == MLPD_GC_MOVE && i < payload->gc_move.objects.count; i++)
    if (has (s, payload->gc_move.objects.items[i]))
      return true;
  return false;
}

/* Does the one tell of what was there later? */
static bool
is_later (const struct sought_finding *a, const struct sought_finding *b)
{
  if (b->state == SOUGHT_UNKNOWN || a->time != b->time)
    return b->state == SOUGHT_UNKNOWN || a->time > b->time;
  if (a->offset != b->offset)
    return a->offset > b->offset;
  return b->state == SOUGHT_WENT; /* objects that move at once: all go before any comes */
}

/* What it tells of the first place that is not before `after`, if that is of the same address. */
static void
note (struct sought_objects *s, const struct sought_place *after,
      const struct sought_finding *finding)
{
  const guint i = lower_bound (s, after);
  if (i < s->places->len && place_at (s, i)->object == after->object
      && is_later (finding, &s->findings[i]))
    s->findings[i] = *finding;
}

void
sought_objects_allocated (struct sought_objects *s, const struct mlpd_alloc *event, uint64_t offset,
                          uint64_t thread, guint type)
{
  /* Of one time, an object's allocation was before whatever was done to it. */
  const struct sought_place place = { .object = event->object, .time = event->time };
  const struct sought_finding finding = {
    .state = SOUGHT_ALLOCATED, .type = type, .thread = thread, .time = event->time, .offset = offset
  };
  if (has (s, event->object))
    note (s, &place, &finding);
}

void
sought_objects_moved (struct sought_objects *s, const struct mlpd_gc_move *event, uint64_t offset)
{
  struct sought_place place = { .time = event->time, .offset = offset + 1 };
  struct sought_finding finding = { .time = event->time, .offset = offset };
  for (size_t i = 0; i + 1 < event->objects.count; i += 2) {
    const uint64_t from = event->objects.items[i], to = event->objects.items[i + 1];
    if (has (s, from)) {
      place.object = from;
      finding.state = SOUGHT_WENT;
      note (s, &place, &finding);
    }
    if (has (s, to)) {
      place.object = to;
      finding.state = SOUGHT_CAME;
      finding.from = from;
      note (s, &place, &finding);
    }
  }
}

void
sought_objects_collection (struct sought_objects *s, const struct mlpd_gc_event *event)
{
  if (event->event == MLPD_GC_EVENT_START)
    g_array_append_val (s->collections, event->time);
}

void
sought_objects_finish (struct sought_objects *s)
{
  g_array_sort (s->collections, compare_times);
  for (guint i = 1; i < s->places->len; i++)
    if (s->findings[i].state == SOUGHT_UNKNOWN
        && place_at (s, i)->object == place_at (s, i - 1)->object)
      s->findings[i] = s->findings[i - 1];
}

const struct sought_finding *
sought_objects_find (const struct sought_objects *s, const struct sought_place *place)
{
  static const struct sought_finding none = { .state = SOUGHT_UNKNOWN };
  const guint i = lower_bound (s, place);
  return i < s->places->len && compare_places (place_at (s, i), place) == 0 ? &s->findings[i]
                                                                            : &none;
}

bool
sought_objects_had_collection (const struct sought_objects *s, uint64_t after, uint64_t until)
{
  guint first = 0, last = s->collections->len;
  while (first < last) {
    const guint middle = first + (last - first) / 2;
    if (g_array_index (s->collections, uint64_t, middle) <= after)
      first = middle + 1;
    else
      last = middle;
  }
  return first < s->collections->len && g_array_index (s->collections, uint64_t, first) <= until;
}
