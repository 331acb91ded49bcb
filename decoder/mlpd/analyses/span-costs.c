/* span-costs.c -- charges a thread's costs to its spans at each edge of one. */
#include "config.h"

#include "decoder/mlpd/analyses/span-costs.h"

#include <stdlib.h>
#include <string.h>

/* A span that has begun. */
struct open_span {
  uint64_t id, thread, begin;
  uint64_t number;  /* for those who watch */
  uint64_t entered; /* the thread that it is on */
  struct span_name *name;
  struct span_thread *on; /* NULL: it has left its thread */
  struct open_span *next; /* that began before with the same id and is open */
  struct span_sum cost;
  bool is_across;
  bool counts; /* it began in the times and threads that count */
};

struct span_thread {
  uint64_t id;
  GPtrArray *stack; /* of struct open_span *, the innermost last */
  uint64_t latest;  /* of its events */
  uint64_t settled; /* costs until then are charged; 0: it has no event yet */
  struct span_sum pending;
  uint64_t paused_ns, pauses; /* of the program, at that time */
  uint64_t lock_since;        /* 0: it waits for no monitor */
  GArray *hits;               /* of struct span_hit, by their ends; NULL: none */
  guint next_hit;
  bool has_ended;
  GArray *lives; /* of struct span_life; NULL: unknown */
  guint life;    /* number of the present one, from 1 on; 0: none yet */
  bool counts;
};

static void
free_name (gpointer data)
{
  struct span_name *name = data;
  g_array_unref (name->done);
  g_free (name->name);
  g_free (name);
}

static void
free_thread (gpointer data)
{
  struct span_thread *t = data;
  g_ptr_array_unref (t->stack);
  if (t->hits != NULL)
    g_array_unref (t->hits);
  if (t->lives != NULL)
    g_array_unref (t->lives);
  g_free (t);
}

static void
free_open (gpointer data)
{
  struct open_span *s = data;
  while (s != NULL) {
    struct open_span *next = s->next;
    g_slice_free (struct open_span, s);
    s = next;
  }
}

void
span_costs_init (struct span_costs *c, uint64_t from, uint64_t to)
{
  *c = (struct span_costs){
    .names = g_ptr_array_new_with_free_func (free_name),
    .by_number = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .open = g_hash_table_new (g_int64_hash, g_int64_equal),
    .threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_thread),
    .from = from,
    .to = to,
  };
}

void
span_costs_clear (struct span_costs *c)
{
  GHashTableIter i;
  gpointer open;
  g_hash_table_iter_init (&i, c->open);
  while (g_hash_table_iter_next (&i, NULL, &open))
    free_open (open);
  g_hash_table_unref (c->open);
  g_hash_table_unref (c->threads);
  g_hash_table_unref (c->by_number);
  g_ptr_array_unref (c->names);
}

/* ---- names ---- */

static struct span_name *
find_name (struct span_costs *c, const char *name)
{
  for (guint i = 0; i < c->names->len; i++) {
    struct span_name *n = g_ptr_array_index (c->names, i);
    if (strcmp (n->name, name) == 0)
      return n;
  }
  struct span_name *n = g_new0 (struct span_name, 1);
  n->name = g_strdup (name);
  n->done = g_array_new (FALSE, FALSE, sizeof (struct span_done));
  g_ptr_array_add (c->names, n);
  return n;
}

void
span_costs_name (struct span_costs *c, uint64_t number, const char *name)
{
  const struct span_name *known = g_hash_table_lookup (c->by_number, &number);
  if (known == NULL || strcmp (known->name, name) != 0)
    g_hash_table_replace (c->by_number, g_memdup2 (&number, sizeof number), find_name (c, name));
}

/* ---- threads ---- */

static struct span_thread *
thread_of (struct span_costs *c, uint64_t id)
{
  struct span_thread *t = g_hash_table_lookup (c->threads, &id);
  if (t != NULL)
    return t;
  t = g_new0 (struct span_thread, 1);
  t->id = id;
  t->stack = g_ptr_array_new ();
  g_hash_table_insert (c->threads, &t->id, t);
  return t;
}

static gint
compare_hits (gconstpointer a, gconstpointer b)
{
  const struct span_hit *x = a, *y = b;
  return (x->end > y->end) - (x->end < y->end);
}

void
span_costs_set_hits (struct span_costs *c, uint64_t thread, GArray *hits)
{
  struct span_thread *t = thread_of (c, thread);
  g_array_sort (hits, compare_hits);
  t->hits = hits;
}

void
span_costs_add_life (struct span_costs *c, uint64_t thread, struct span_life life)
{
  struct span_thread *t = thread_of (c, thread);
  if (t->lives == NULL)
    t->lives = g_array_new (FALSE, FALSE, sizeof life);
  g_array_append_val (t->lives, life);
}

bool
span_costs_has_thread (const struct span_costs *c, uint64_t id)
{
  const struct span_thread *t = c->latest_thread != NULL && c->latest_thread->id == id
                                    ? c->latest_thread
                                    : g_hash_table_lookup (c->threads, &id);
  return t != NULL && t->settled != 0 && !t->has_ended;
}

/* How long the world was stopped up to now. */
static uint64_t
paused_until (const struct span_costs *c, uint64_t time)
{
  return c->paused_ns + (c->stopped_at != 0 && time > c->stopped_at ? time - c->stopped_at : 0);
}

/* NULL: not known. */
static const struct span_life *
present_life (const struct span_thread *t)
{
  return t->lives != NULL && t->life != 0 && t->life <= t->lives->len
             ? &g_array_index (t->lives, struct span_life, t->life - 1)
             : NULL;
}

static void
begin_thread (const struct span_costs *c, struct span_thread *t, uint64_t time, bool counts)
{
  t->settled = MAX (time, 1);
  t->latest = t->settled;
  t->life++;
  const struct span_life *life = present_life (t);
  if (life != NULL) {
    t->settled = MIN (t->settled, MAX (life->start, 1));
    t->latest = MAX (t->latest, life->end);
  }
  t->counts = counts;
  t->paused_ns = paused_until (c, time);
  t->pauses = c->pauses;
}

/* ---- costs ---- */

static void
add_sum (struct span_sum *to, const struct span_sum *of)
{
  for (guint i = 0; i < SPAN_COSTS; i++)
    to->of[i] += of->of[i];
}

static uint64_t
clamp (const struct span_costs *c, uint64_t time)
{
  return CLAMP (time, c->from, c->to);
}

/* The part of a hit that is before `time`; the rest stays. */
static void
take_hit (const struct span_costs *c, struct span_hit *hit, uint64_t time, struct span_sum *to)
{
  const uint64_t all = hit->end - hit->begin;
  const uint64_t part = time - hit->begin;
  uint64_t wait = hit->wait_ns;
  if (time < hit->end)
    wait = (uint64_t) ((double) wait * (double) part / (double) all);
  hit->wait_ns -= wait;
  hit->begin = MIN (time, hit->end);
  if (time >= c->from && time < c->to) {
    to->of[SPAN_WAIT_NS] += wait;
    to->of[SPAN_WAITS + hit->kind] += wait;
  }
  if (time < hit->end || hit->end < c->from || hit->end >= c->to)
    return;
  to->of[SPAN_CPU_NS] += hit->cpu_ns;
}

/* A wait is that of all intervals that it is in; processor time is that of the moment of its hit.
 */
static void
take_hits (const struct span_costs *c, struct span_thread *t, uint64_t time, struct span_sum *to)
{
  for (; t->hits != NULL && t->next_hit < t->hits->len; t->next_hit++) {
    struct span_hit *hit = &g_array_index (t->hits, struct span_hit, t->next_hit);
    if (hit->begin >= time && hit->end > time)
      return;
    take_hit (c, hit, MIN (time, hit->end), to);
    if (hit->end > time)
      return;
  }
}

/* Charges the thread's costs since the last time. */
static void
settle (struct span_costs *c, struct span_thread *t, uint64_t time)
{
  struct span_sum sum = t->pending;
  const uint64_t paused = paused_until (c, time);
  time = MAX (time, t->settled);
  sum.of[SPAN_WALL_NS] = clamp (c, time) - clamp (c, t->settled);
  sum.of[SPAN_PAUSE_NS] = MIN (paused - t->paused_ns, sum.of[SPAN_WALL_NS]);
  sum.of[SPAN_PAUSES] = c->pauses - t->pauses;
  take_hits (c, t, time, &sum);
  memset (&t->pending, 0, sizeof t->pending);
  t->settled = time;
  t->paused_ns = paused;
  t->pauses = c->pauses;
  if (!t->counts)
    return;
  for (guint i = 0; i < t->stack->len; i++)
    add_sum (&((struct open_span *) g_ptr_array_index (t->stack, i))->cost, &sum);
  const struct open_span *innermost
      = t->stack->len != 0 ? g_ptr_array_index (t->stack, t->stack->len - 1) : NULL;
  if (innermost == NULL)
    add_sum (&c->outside, &sum);
  else if (c->is_wanted == NULL || innermost->counts)
    add_sum (&innermost->name->own, &sum);
}

/* Hits may come after the event that states the end. */
static void
pass_end (struct span_costs *c, struct span_thread *t)
{
  settle (c, t, t->latest);
  t->has_ended = false;
  t->settled = 0;
  t->latest = 0;
}

struct span_thread *
span_costs_thread (struct span_costs *c, uint64_t id, uint64_t time, bool counts)
{
  struct span_thread *t = c->latest_thread;
  if (t == NULL || t->id != id)
    t = c->latest_thread = thread_of (c, id);
  if (t->has_ended)
    pass_end (c, t);
  if (t->settled == 0)
    begin_thread (c, t, time, counts);
  t->latest = MAX (t->latest, time);
  return t;
}

void
span_costs_add (struct span_thread *t, enum span_cost cost, uint64_t amount)
{
  t->pending.of[cost] += amount;
}

void
span_costs_lock (struct span_thread *t, uint64_t time, bool is_contention)
{
  if (is_contention) {
    t->lock_since = time;
    t->pending.of[SPAN_LOCKS]++;
  } else if (t->lock_since != 0) {
    t->pending.of[SPAN_LOCK_NS] += time - MIN (time, t->lock_since);
    t->lock_since = 0;
  }
}

void
span_costs_stop_world (struct span_costs *c, uint64_t time)
{
  if (c->stopped_at == 0)
    c->stopped_at = time;
}

void
span_costs_start_world (struct span_costs *c, uint64_t time)
{
  if (c->stopped_at == 0)
    return;
  c->paused_ns = paused_until (c, time);
  c->pauses++;
  c->stopped_at = 0;
}

/* ---- edges ---- */

/* Takes the span from the thread that it is on, whose costs are its own until now. */
static void
leave (struct span_costs *c, struct open_span *s, uint64_t time)
{
  if (s->on == NULL)
    return;
  settle (c, s->on, time);
  g_ptr_array_remove (s->on->stack, s);
  if (c->watch != NULL)
    c->watch->stays (c->watch->data, s->number, s->on->id, s->entered, time);
  s->on = NULL;
}

static void
enter (struct span_costs *c, struct open_span *s, struct span_thread *t, uint64_t time)
{
  if (s->on == t)
    return;
  leave (c, s, time);
  settle (c, t, time);
  s->is_across |= s->thread != t->id;
  g_ptr_array_add (t->stack, s);
  s->on = t;
  s->entered = time;
}

static bool
is_selected (const struct span_costs *c, const struct span_thread *t, uint64_t time)
{
  return t->counts && time >= c->from && time < c->to
         && (c->is_wanted == NULL || c->is_wanted (c->wanted_data, t->id, time));
}

static void
begin (struct span_costs *c, struct span_thread *t, uint64_t time,
       const struct mlpd_program_span *edge)
{
  struct span_name *name = g_hash_table_lookup (c->by_number, &edge->name);
  struct open_span *s = g_slice_new0 (struct open_span);
  s->id = edge->id;
  s->thread = t->id;
  s->begin = time;
  s->number = c->begun++;
  s->name = name != NULL ? name : find_name (c, "(unknown)");
  s->counts = is_selected (c, t, time);
  s->next = g_hash_table_lookup (c->open, &edge->id);
  g_hash_table_replace (c->open, &s->id, s);
  if (c->watch != NULL)
    c->watch->begins (c->watch->data, s->id, s->name->name);
  enter (c, s, t, time);
}

static void
add_done (struct span_costs *c, const struct open_span *s, uint64_t time)
{
  struct span_name *name = s->name;
  const struct span_done done = { .id = s->id,
                                  .thread = s->thread,
                                  .begin = s->begin,
                                  .duration_ns = time - MIN (time, s->begin),
                                  .cost = s->cost };
  name->count++;
  name->total_ns += done.duration_ns;
  name->max_ns = MAX (name->max_ns, done.duration_ns);
  name->across_threads += s->is_across;
  if (c->retained >= SPANS_MAX) {
    c->left_out++;
    return;
  }
  g_array_append_val (name->done, done);
  c->retained++;
}

static void
end (struct span_costs *c, struct span_thread *t, uint64_t time, uint64_t id)
{
  struct open_span *s = g_hash_table_lookup (c->open, &id);
  const bool is_in = is_selected (c, t, time);
  if (s == NULL) {
    c->without_begin += is_in;
    return;
  }
  leave (c, s, time);
  s->is_across |= s->thread != t->id;
  if (c->watch != NULL)
    c->watch->ends (c->watch->data, s->number, time - MIN (time, s->begin));
  if (s->counts && is_in)
    add_done (c, s, time);
  else
    s->name->unfinished += s->counts || is_in;
  if (s->next != NULL)
    g_hash_table_replace (c->open, &s->next->id, s->next);
  else
    g_hash_table_remove (c->open, &id);
  g_slice_free (struct open_span, s);
}

/* All spans of an id enter in the order in which they began. */
static void
enter_all (struct span_costs *c, struct open_span *s, struct span_thread *t, uint64_t time)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (; s != NULL; s = s->next)
    g_ptr_array_add (all, s);
  for (guint i = all->len; i > 0; i--)
    enter (c, g_ptr_array_index (all, i - 1), t, time);
}

void
span_costs_edge (struct span_costs *c, struct span_thread *t, uint64_t time,
                 const struct mlpd_program_span *edge)
{
  switch (edge->edge) {
  case MLPD_SPAN_BEGIN:
    begin (c, t, time, edge);
    break;
  case MLPD_SPAN_END:
    end (c, t, time, edge->id);
    break;
  case MLPD_SPAN_LEAVE:
    for (struct open_span *s = g_hash_table_lookup (c->open, &edge->id); s != NULL; s = s->next)
      leave (c, s, time);
    break;
  case MLPD_SPAN_ENTER:
    enter_all (c, g_hash_table_lookup (c->open, &edge->id), t, time);
    break;
  }
}

/* Its spans may end on another thread. */
void
span_costs_end_thread (struct span_costs *c, struct span_thread *t, uint64_t time)
{
  settle (c, t, time);
  for (guint i = 0; i < t->stack->len; i++)
    ((struct open_span *) g_ptr_array_index (t->stack, i))->on = NULL;
  g_ptr_array_set_size (t->stack, 0);
  t->has_ended = true;
  t->lock_since = 0;
}

void
span_costs_finish (struct span_costs *c)
{
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, c->threads);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    struct span_thread *t = value;
    if (t->settled == 0 && t->lives != NULL) /* it has hits only */
      begin_thread (c, t, g_array_index (t->lives, struct span_life, 0).start, true);
    if (t->settled != 0)
      settle (c, t, t->latest);
    g_ptr_array_set_size (t->stack, 0);
  }
  g_hash_table_iter_init (&i, c->open);
  while (g_hash_table_iter_next (&i, NULL, &value))
    for (struct open_span *s = value; s != NULL; s = s->next) {
      s->name->unfinished += s->counts;
      if (c->watch != NULL && s->on != NULL)
        c->watch->stays (c->watch->data, s->number, s->on->id, s->entered, UINT64_MAX);
      s->on = NULL;
    }
}

/* ---- percentiles ---- */

static int
compare_values (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

void
span_costs_percentiles (const struct span_name *name, unsigned cost, const guint *percents, guint n,
                        uint64_t *values)
{
  const guint count = name->done->len;
  g_autofree uint64_t *sorted = g_new (uint64_t, MAX (count, 1));
  memset (values, 0, n * sizeof *values);
  if (count == 0)
    return;
  for (guint i = 0; i < count; i++) {
    const struct span_done *done = &g_array_index (name->done, struct span_done, i);
    sorted[i] = cost == SPAN_COSTS ? done->duration_ns : done->cost.of[cost];
  }
  qsort (sorted, count, sizeof *sorted, compare_values);
  for (guint i = 0; i < n; i++) {
    const uint64_t rank = ((uint64_t) count * percents[i] + 99) / 100;
    values[i] = sorted[MAX (rank, 1) - 1];
  }
}
