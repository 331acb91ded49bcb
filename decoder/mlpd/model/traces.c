/* traces.c -- open addressing: this is done for every allocation with a backtrace. */
#include "config.h"

#include "decoder/mlpd/model/traces.h"
#include <string.h>

enum { FIRST_SLOTS = 256 };

struct trace {
  guint first; /* of its frames */
  guint count;
};

/* ---- traces ---- */

void
traces_init (struct traces *t)
{
  *t = (struct traces){ .all = g_array_new (FALSE, FALSE, sizeof (struct trace)),
                        .frames = g_array_new (FALSE, FALSE, sizeof (guint)),
                        .slots = g_new0 (struct trace_slot, FIRST_SLOTS),
                        .n_slots = FIRST_SLOTS };
}

void
traces_clear (struct traces *t)
{
  g_array_free (t->all, TRUE);
  g_array_free (t->frames, TRUE);
  g_free (t->slots);
}

void
traces_start (struct traces *t)
{
  if (t->all->len == 0)
    return;
  g_array_set_size (t->all, 0);
  g_array_set_size (t->frames, 0);
  memset (t->slots, 0, t->n_slots * sizeof *t->slots);
}

static guint32
hash_frames (const guint *methods, size_t n)
{
  uint64_t h = n;
  for (size_t i = 0; i < n; i++)
    h = (h ^ methods[i]) * UINT64_C (0x9E3779B97F4A7C15);
  return (guint32) (h >> 32);
}

static struct trace
trace_at (const struct traces *t, guint trace)
{
  return g_array_index (t->all, struct trace, trace);
}

static bool
is_trace (const struct traces *t, guint trace, const guint *methods, size_t n)
{
  const struct trace kept = trace_at (t, trace);
  return kept.count == n
         && (n == 0
             || memcmp (&g_array_index (t->frames, guint, kept.first), methods, n * sizeof *methods)
                    == 0);
}

static void
grow_slots (struct traces *t)
{
  const guint n = t->n_slots * 2;
  struct trace_slot *slots = g_new0 (struct trace_slot, n);
  for (guint i = 0; i < t->n_slots; i++) {
    if (t->slots[i].place == 0)
      continue;
    guint at = t->slots[i].hash & (n - 1);
    while (slots[at].place != 0)
      at = (at + 1) & (n - 1);
    slots[at] = t->slots[i];
  }
  g_free (t->slots);
  t->slots = slots;
  t->n_slots = n;
}

guint
traces_add (struct traces *t, const guint *methods, size_t n)
{
  const guint32 hash = hash_frames (methods, n);
  guint at = hash & (t->n_slots - 1);
  for (; t->slots[at].place != 0; at = (at + 1) & (t->n_slots - 1))
    if (t->slots[at].hash == hash && is_trace (t, t->slots[at].place - 1, methods, n))
      return t->slots[at].place - 1;
  const struct trace trace = { .first = t->frames->len, .count = (guint) n };
  if (n > 0)
    g_array_append_vals (t->frames, methods, (guint) n);
  g_array_append_val (t->all, trace);
  t->slots[at] = (struct trace_slot){ .hash = hash, .place = t->all->len };
  if (t->all->len > t->n_slots / 2)
    grow_slots (t);
  return t->all->len - 1;
}

const guint *
traces_frames (const struct traces *t, guint trace, guint *n)
{
  const struct trace kept = trace_at (t, trace);
  *n = kept.count;
  return kept.count != 0 ? &g_array_index (t->frames, guint, kept.first) : NULL;
}

/* ---- sums ---- */

void
trace_sums_init (struct trace_sums *s)
{
  *s = (struct trace_sums){ .all = g_array_new (FALSE, FALSE, sizeof (struct trace_sum)),
                            .latest = g_array_new (FALSE, TRUE, sizeof (guint)) };
  id_map_init (&s->places);
}

void
trace_sums_clear (struct trace_sums *s)
{
  g_array_free (s->all, TRUE);
  g_array_free (s->latest, TRUE);
  id_map_clear (&s->places);
}

void
trace_sums_start (struct trace_sums *s)
{
  if (s->all->len == 0)
    return;
  s->has_traces = false;
  g_array_set_size (s->all, 0);
  g_array_set_size (s->latest, 0);
  id_map_reset (&s->places);
}

static struct trace_sum *
sum_at (const struct trace_sums *s, guint place)
{
  return &g_array_index (s->all, struct trace_sum, place - 1);
}

guint
trace_sums_place (struct trace_sums *s, guint key, guint trace)
{
  const guint place = id_map_number (&s->places, (uint64_t) key << 32 | trace);
  if (place < s->all->len)
    return place;
  s->has_traces |= trace != TRACE_NONE;
  if (key >= s->latest->len)
    g_array_set_size (s->latest, key + 1);
  guint *latest = &g_array_index (s->latest, guint, key);
  const struct trace_sum sum = { .key = key, .trace = trace, .before = *latest };
  g_array_append_val (s->all, sum);
  *latest = s->all->len;
  return place;
}

void
trace_sums_add (struct trace_sums *s, guint key, guint trace, uint64_t count, uint64_t bytes)
{
  trace_sums_add_at (s, trace_sums_place (s, key, trace), count, bytes);
}

void
trace_sums_add_error (struct trace_sums *s, guint key, guint trace,
                      const struct allocation_error *error)
{
  const guint place = trace_sums_place (s, key, trace);
  allocation_error_add (&g_array_index (s->all, struct trace_sum, place).error, error);
}

struct sum_order {
  const struct traces *traces;
  const struct symbols *symbols;
  enum trace_order order;
};

int
traces_compare (const struct traces *traces, const struct symbols *symbols, guint a, guint b)
{
  if (a == TRACE_NONE || b == TRACE_NONE)
    return (a == TRACE_NONE) - (b == TRACE_NONE);
  guint n_a, n_b;
  const guint *x = traces_frames (traces, a, &n_a);
  const guint *y = traces_frames (traces, b, &n_b);
  for (guint i = 0; i < MIN (n_a, n_b); i++)
    if (x[i] != y[i])
      return symbols_compare (symbols, SYMBOL_METHOD, x[i], y[i]);
  return (n_a > n_b) - (n_a < n_b);
}

static int
compare_sums (const void *a, const void *b, void *data)
{
  const struct sum_order *o = data;
  const struct trace_sum *x = *(const struct trace_sum *const *) a;
  const struct trace_sum *y = *(const struct trace_sum *const *) b;
  const uint64_t of_x = o->order == TRACES_BY_COUNT ? x->count : x->bytes;
  const uint64_t of_y = o->order == TRACES_BY_COUNT ? y->count : y->bytes;
  return of_x != of_y ? (of_x < of_y) - (of_x > of_y)
                      : traces_compare (o->traces, o->symbols, x->trace, y->trace);
}

GPtrArray *
trace_sums_for_key (const struct trace_sums *s, const struct traces *traces,
                    const struct symbols *symbols, guint key, enum trace_order order)
{
  GPtrArray *found = g_ptr_array_new ();
  struct sum_order o = { traces, symbols, order };
  guint place = key < s->latest->len ? g_array_index (s->latest, guint, key) : 0;
  for (; place != 0; place = sum_at (s, place)->before)
    g_ptr_array_add (found, sum_at (s, place));
  g_ptr_array_sort_with_data (found, compare_sums, &o);
  return found;
}
