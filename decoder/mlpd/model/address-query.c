/* address-query.c -- finds the last allocation or move at each queried address. */
#include "config.h"

#include "decoder/mlpd/model/address-query.h"

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const struct queried_address *x = a, *y = b;
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

static struct queried_address *
place_at (const struct address_query *s, guint i)
{
  return &g_array_index (s->places, struct queried_address, i);
}

/* The first place that is not before this one. */
static guint
lower_bound (const struct address_query *s, const struct queried_address *place)
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
has (const struct address_query *s, uint64_t object)
{
  if (!address_query_may_have (s, object))
    return false;
  const guint i = lower_bound (s, &(const struct queried_address){ .object = object });
  return i < s->places->len && place_at (s, i)->object == object;
}

void
address_query_init (struct address_query *s, GArray *places)
{
  *s = (struct address_query){ .places = places,
                               .bits = g_new0 (uint64_t, (size_t) 1 << (ADDRESS_QUERY_BITS - 6)),
                               .collections = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  g_array_sort (places, compare_places);
  guint n = 0;
  for (guint i = 0; i < places->len; i++) {
    const struct queried_address place = *place_at (s, i);
    if (n == 0 || compare_places (place_at (s, n - 1), &place) != 0)
      *place_at (s, n++) = place;
    s->until = MAX (s->until, place.time);
    const uint64_t bit = address_query_bit (place.object);
    s->bits[bit / 64] |= UINT64_C (1) << bit % 64;
  }
  g_array_set_size (places, n);
  s->findings = g_new0 (struct address_finding, n + 1);
}

void
address_query_clear (struct address_query *s)
{
  g_array_unref (s->places);
  g_array_unref (s->collections);
  g_free (s->findings);
  g_free (s->bits);
}

bool
address_query_matches (const struct address_query *s, enum mlpd_kind kind,
                       const union mlpd_payload *payload)
{
  if (kind == MLPD_ALLOC)
    return has (s, payload->alloc.object);
  for (size_t i = 0; kind == MLPD_GC_MOVE && i < payload->gc_move.objects.count; i++)
    if (has (s, payload->gc_move.objects.items[i]))
      return true;
  return false;
}

/* Is the one of a later object? */
static bool
is_later (const struct address_finding *a, const struct address_finding *b)
{
  if (b->state == ADDRESS_UNKNOWN || a->time != b->time)
    return b->state == ADDRESS_UNKNOWN || a->time > b->time;
  if (a->offset != b->offset)
    return a->offset > b->offset;
  return b->state == ADDRESS_MOVED_OUT; /* objects that move at once: all go before any comes */
}

/* Notes it for the first place that is not before `after`, if that is of the same address. */
static void
note (struct address_query *s, const struct queried_address *after,
      const struct address_finding *finding)
{
  const guint i = lower_bound (s, after);
  if (i < s->places->len && place_at (s, i)->object == after->object
      && is_later (finding, &s->findings[i]))
    s->findings[i] = *finding;
}

void
address_query_add_allocation (struct address_query *s, const struct mlpd_alloc *event,
                              uint64_t offset, uint64_t thread, guint type)
{
  /* Of one time, an object's allocation was before whatever was done to it. */
  const struct queried_address place = { .object = event->object, .time = event->time };
  const struct address_finding finding = { .state = ADDRESS_ALLOCATED,
                                           .type = type,
                                           .thread = thread,
                                           .time = event->time,
                                           .offset = offset };
  if (has (s, event->object))
    note (s, &place, &finding);
}

void
address_query_add_move (struct address_query *s, const struct mlpd_gc_move *event, uint64_t offset)
{
  struct queried_address place = { .time = event->time, .offset = offset + 1 };
  struct address_finding finding = { .time = event->time, .offset = offset };
  for (size_t i = 0; i + 1 < event->objects.count; i += 2) {
    const uint64_t from = event->objects.items[i], to = event->objects.items[i + 1];
    if (has (s, from)) {
      place.object = from;
      finding.state = ADDRESS_MOVED_OUT;
      note (s, &place, &finding);
    }
    if (has (s, to)) {
      place.object = to;
      finding.state = ADDRESS_MOVED_IN;
      finding.from = from;
      note (s, &place, &finding);
    }
  }
}

void
address_query_add_collection (struct address_query *s, const struct mlpd_gc_event *event)
{
  if (event->event == MLPD_GC_EVENT_START)
    g_array_append_val (s->collections, event->time);
}

void
address_query_finish (struct address_query *s)
{
  g_array_sort (s->collections, compare_times);
  for (guint i = 1; i < s->places->len; i++)
    if (s->findings[i].state == ADDRESS_UNKNOWN
        && place_at (s, i)->object == place_at (s, i - 1)->object)
      s->findings[i] = s->findings[i - 1];
}

const struct address_finding *
address_query_find (const struct address_query *s, const struct queried_address *place)
{
  static const struct address_finding none = { .state = ADDRESS_UNKNOWN };
  const guint i = lower_bound (s, place);
  return i < s->places->len && compare_places (place_at (s, i), place) == 0 ? &s->findings[i]
                                                                            : &none;
}

bool
address_query_had_collection (const struct address_query *s, uint64_t after, uint64_t until)
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
