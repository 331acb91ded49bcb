/* waits.c -- finds the kind, the method and the object of each stack that waited. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/core/library-names.h"
#include "decoder/mlpd/query/waits.h"

/* A method, by its symbol; the name of each is searched once. */
struct method {
  const char *name; /* NULL: it was not searched */
  enum wait_kind kind;
  bool is_inside, is_of_program;
};

/* The facts in a stack or backtrace. */
struct place {
  const char *inside;  /* its innermost method */
  const char *outside; /* the innermost one that is not of the waiting itself */
  const char *own;     /* the innermost one of the program; NULL: there is none */
  struct wait_stack stack;
};

struct context {
  const struct summary *summary;
  const struct samples *samples;
  const struct monitors *monitors;
  struct waits *waits;
  GArray *methods;   /* of struct method */
  GHashTable *found; /* struct wait -> its place in all, + 1 */
  GHashTable *own;   /* struct thread *, that waited in code outside of the waiting itself */
};

static const struct method *
find_method (struct context *c, guint symbol)
{
  if (symbol >= c->methods->len)
    g_array_set_size (c->methods, symbol + 1);
  struct method *m = &g_array_index (c->methods, struct method, symbol);
  if (m->name != NULL)
    return m;
  g_autofree char *name = symbols_name (&c->summary->symbols, SYMBOL_METHOD, symbol);
  *m = (struct method){ .name = g_string_chunk_insert_const (c->waits->names, name),
                        .kind = wait_kind_of_method (name),
                        .is_inside = wait_is_inside (name),
                        .is_of_program = library_names_is_program (name) };
  return m;
}

/* Frames are added from the innermost on. */
static void
add_frame (struct place *place, const struct method *m)
{
  if (place->inside == NULL)
    place->inside = m->name;
  wait_stack_add (&place->stack, m->name, m->is_inside);
  if (place->outside == NULL && !m->is_inside)
    place->outside = m->name;
  if (place->own == NULL && m->is_of_program)
    place->own = m->name;
}

/* The one that is shown: NULL if there is none. */
static const char *
method_of (const struct place *place)
{
  return place->own != NULL ? place->own : place->outside != NULL ? place->outside : place->inside;
}

static const struct call_node *
node_at (const struct context *c, uint64_t node)
{
  return &g_array_index (c->samples->wait_tree.nodes, struct call_node, node);
}

static void
add_frames_of_stack (struct context *c, struct place *place, uint64_t node)
{
  for (; node != CALL_TREE_ROOT && place->own == NULL; node = node_at (c, node)->parent)
    add_frame (place, find_method (c, node_at (c, node)->method));
}

/* Of a backtrace, whose outermost frame is the first. */
static const char *
method_of_trace (struct context *c, guint trace)
{
  struct place place = { .inside = NULL };
  guint n = 0;
  const guint *frames = trace != TRACE_NONE ? traces_frames (&c->summary->traces, trace, &n) : NULL;
  while (n != 0 && place.own == NULL)
    add_frame (&place, find_method (c, frames[--n]));
  return method_of (&place);
}

static struct place
place_of_stack (struct context *c, const struct sample_wait *stack, const char *function)
{
  const enum wait_kind innermost = stack->node != CALL_TREE_ROOT
                                       ? find_method (c, node_at (c, stack->node)->method)->kind
                                       : WAIT_NONE;
  struct place place = { .stack = wait_stack_new (innermost, function) };
  add_frames_of_stack (c, &place, stack->node);
  if (samples_is_managed (c->samples, stack->ip))
    place.stack.kind = WAIT_OTHER; /* for a processor */
  return place;
}

static const struct thread *
thread_of (const struct context *c, uint64_t number)
{
  return g_ptr_array_index (c->summary->threads.all, number);
}

/* A thread without a name that also waits in a program's code is one whose stack was not read here.
 */
static bool
is_idle (const struct context *c, const struct thread *thread, uint64_t ip,
         const struct wait_stack *stack, const char *function)
{
  const char *name = thread->name;
  if (name == NULL && g_hash_table_contains (c->own, thread))
    name = "";
  return !samples_is_managed (c->samples, ip) && wait_stack_is_idle (stack, function, name);
}

static void
note_own_thread (struct context *c, const struct sample_wait *stack)
{
  struct place place = { .inside = NULL };
  add_frames_of_stack (c, &place, stack->node);
  if (place.outside != NULL)
    g_hash_table_add (c->own, (gpointer) thread_of (c, stack->thread));
}

/* Adds to the wait of the same kind, method, object and thread. */
static void
add (struct context *c, const struct wait *wait)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (c->found, wait));
  c->waits->total_ns += wait->ns;
  if (place != 0) {
    struct wait *sum = &g_array_index (c->waits->all, struct wait, place - 1);
    sum->ns += wait->ns;
    sum->count += wait->count;
    return;
  }
  g_array_append_vals (c->waits->all, wait, 1);
  place = c->waits->all->len;
  g_hash_table_insert (c->found, g_memdup2 (wait, sizeof *wait), GUINT_TO_POINTER (place));
}

static const char *
class_name (struct context *c, guint type)
{
  g_autofree char *name = symbols_name (&c->summary->symbols, SYMBOL_CLASS, type);
  return g_string_chunk_insert_const (c->waits->names, name);
}

/* The class of a lock. */
static const char *
object_of_lock (struct context *c, guint lock)
{
  const struct monitor_sum *sum = g_ptr_array_index (c->monitors->locks, lock);
  return sum->type_known ? class_name (c, sum->type) : NULL;
}

/* Adds hits that contention of their thread is around; the others remain in `rest`. */
static void
add_contended (struct context *c, struct wait *rest, const GArray *times)
{
  for (guint i = 0; i < times->len; i++) {
    const struct sample_wait_time *t = &g_array_index (times, struct sample_wait_time, i);
    guint lock;
    if (!monitors_find_wait (&c->monitors->waits, rest->thread->number, t->time, &lock))
      continue;
    struct wait wait = *rest;
    wait.object = object_of_lock (c, lock);
    wait.ns = t->ns;
    wait.count = t->hits;
    add (c, &wait);
    rest->ns -= t->ns;
    rest->count -= t->hits;
  }
}

static void
add_stack (struct context *c, const struct sample_wait *stack, const struct sample_wait_sum *sum)
{
  const char *function = samples_native_name (c->samples, stack->ip);
  const struct place place = place_of_stack (c, stack, function);
  const char *method = method_of (&place);
  if (method == NULL)
    method = function != NULL ? function : "[unknown]";
  struct wait wait = { .kind = place.stack.kind,
                       .method = g_string_chunk_insert_const (c->waits->names, method),
                       .thread = thread_of (c, stack->thread),
                       .ns = sum->ns,
                       .count = sum->hits };
  if (is_idle (c, wait.thread, stack->ip, &place.stack, function)) {
    g_array_append_val (c->waits->idle, wait);
    return;
  }
  if (wait.kind == WAIT_LOCK && sum->times != NULL)
    add_contended (c, &wait, sum->times);
  if (wait.ns != 0)
    add (c, &wait);
}

static void
add_lock (struct context *c, const struct lock_wait *of, const struct lock_wait_sum *sum)
{
  const struct wait wait = { .kind = WAIT_LOCK,
                             .method = method_of_trace (c, of->trace),
                             .object = object_of_lock (c, of->lock),
                             .thread = thread_of (c, of->thread),
                             .ns = sum->ns,
                             .count = sum->count };
  add (c, &wait);
}

static guint
hash_wait (gconstpointer wait)
{
  const struct wait *w = wait;
  return (g_direct_hash (w->method) * 31 + g_direct_hash (w->object)) * 31
         + g_direct_hash (w->thread) + w->kind;
}

static gboolean
is_same_wait (gconstpointer a, gconstpointer b)
{
  const struct wait *x = a, *y = b;
  return x->kind == y->kind && x->method == y->method && x->object == y->object
         && x->thread == y->thread;
}

static void
add_all (struct context *c)
{
  const bool has_samples = c->waits->has_samples = c->samples->wait_ns != 0;
  GHashTableIter iter;
  gpointer of, sum;
  g_hash_table_iter_init (&iter, has_samples ? c->samples->waits : c->monitors->waits.sums);
  while (g_hash_table_iter_next (&iter, &of, &sum)) {
    c->waits->source = has_samples ? "samples" : "monitors";
    if (has_samples)
      add_stack (c, of, sum);
    else
      add_lock (c, of, sum);
  }
}

static void
note_own_threads (struct context *c)
{
  GHashTableIter iter;
  gpointer stack;
  g_hash_table_iter_init (&iter, c->samples->waits);
  while (g_hash_table_iter_next (&iter, &stack, NULL))
    note_own_thread (c, stack);
}

static void
begin (struct context *c, const struct summary *s, struct waits *w)
{
  *w = (struct waits){ .all = g_array_new (FALSE, FALSE, sizeof (struct wait)),
                       .idle = g_array_new (FALSE, FALSE, sizeof (struct wait)),
                       .names = g_string_chunk_new (1024) };
  *c = (struct context){ .summary = s,
                         .samples = SUMMARY_STATE (s, samples),
                         .monitors = SUMMARY_STATE (s, monitors),
                         .waits = w,
                         .methods = g_array_new (FALSE, TRUE, sizeof (struct method)),
                         .found = g_hash_table_new_full (hash_wait, is_same_wait, g_free, NULL),
                         .own = g_hash_table_new (NULL, NULL) };
  note_own_threads (c);
}

static void
end (struct context *c)
{
  g_array_free (c->methods, TRUE);
  g_hash_table_destroy (c->found);
  g_hash_table_destroy (c->own);
}

void
waits_init (struct waits *w, const struct summary *s)
{
  struct context c;
  begin (&c, s, w);
  add_all (&c);
  end (&c);
}

/* ---- who held the locks ---- */

static void
add_holder (struct context *c, GArray *all, const struct lock_holder *of,
            const struct lock_wait_sum *sum)
{
  const struct wait_holder holder
      = { .thread = g_hash_table_lookup (c->summary->threads.by_id, &of->thread),
          .id = of->thread,
          .object = of->type.is_known ? class_name (c, of->type.type) : NULL,
          .method = method_of_trace (c, of->trace),
          .ns = sum->ns,
          .count = sum->count };
  for (guint i = 0; i < all->len; i++) {
    struct wait_holder *same = &g_array_index (all, struct wait_holder, i);
    if (same->id == holder.id && same->object == holder.object && same->method == holder.method) {
      same->ns += holder.ns;
      same->count += holder.count;
      return;
    }
  }
  g_array_append_val (all, holder);
}

GArray *
waits_holders (struct waits *w, const struct summary *s)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct wait_holder));
  struct waits unused;
  struct context c;
  GHashTableIter iter;
  gpointer of, sum;
  begin (&c, s, &unused);
  c.waits = w; /* has the names */
  g_hash_table_iter_init (&iter, c.monitors->waits.holders);
  while (g_hash_table_iter_next (&iter, &of, &sum))
    if (((const struct lock_wait_sum *) sum)->count != 0)
      add_holder (&c, all, of, sum);
  end (&c);
  waits_clear (&unused);
  return all;
}

void
waits_clear (struct waits *w)
{
  g_array_free (w->all, TRUE);
  g_array_free (w->idle, TRUE);
  g_string_chunk_free (w->names);
}

void
waits_each_stack (const struct summary *s,
                  void (*put) (void *data, const struct sample_wait *stack,
                               const struct sample_wait_sum *sum),
                  void *data)
{
  struct waits waits;
  struct context c;
  GHashTableIter iter;
  gpointer stack, sum;
  begin (&c, s, &waits);
  g_hash_table_iter_init (&iter, c.samples->waits);
  while (g_hash_table_iter_next (&iter, &stack, &sum)) {
    const char *function
        = samples_native_name (c.samples, ((const struct sample_wait *) stack)->ip);
    const struct sample_wait *of = stack;
    const struct place place = place_of_stack (&c, of, function);
    if (!is_idle (&c, thread_of (&c, of->thread), of->ip, &place.stack, function))
      put (data, stack, sum);
  }
  end (&c);
  waits_clear (&waits);
}

/* ---- of hits ---- */

struct waits_idle {
  struct context context;
  struct waits waits;
};

struct waits_idle *
waits_idle_new (const struct summary *s)
{
  struct waits_idle *idle = g_new (struct waits_idle, 1);
  begin (&idle->context, s, &idle->waits);
  return idle;
}

void
waits_idle_free (struct waits_idle *idle)
{
  if (idle == NULL)
    return;
  end (&idle->context);
  waits_clear (&idle->waits);
  g_free (idle);
}

static const char *
name_at (const struct context *c, const struct mlpd_sample_hit *hit, size_t i)
{
  const char *name
      = symbols_current_name (&c->summary->symbols, SYMBOL_METHOD, hit->frames.items[i].method);
  return name != NULL ? name : "";
}

bool
waits_idle_has (struct waits_idle *idle, uint64_t thread, uint64_t time,
                const struct mlpd_sample_hit *hit)
{
  const struct context *c = &idle->context;
  const uint64_t ip = samples_ip (hit);
  const char *function = samples_native_name (c->samples, ip);
  const char *innermost = hit->frames.count != 0 ? name_at (c, hit, 0) : NULL;
  struct wait_stack stack = wait_stack_new (wait_kind_of_method (innermost), function);
  for (size_t i = 0; i < hit->frames.count && !stack.has_outside; i++) {
    const char *name = name_at (c, hit, i);
    wait_stack_add (&stack, name, wait_is_inside (name));
  }
  const struct thread *t = threads_find (&c->summary->threads, thread, time);
  return t != NULL && is_idle (c, t, ip, &stack, function);
}

/* ---- of several threads ---- */

/* Sums of groups, of which each thread counts once. */
struct sums {
  GArray *all;       /* of struct wait_sum */
  GHashTable *found; /* struct wait, without its thread -> its place in all, + 1 */
  GHashTable *known; /* struct wait, with it */
};

static struct sums
sums_new (void)
{
  return (struct sums){ g_array_new (FALSE, FALSE, sizeof (struct wait_sum)),
                        g_hash_table_new_full (hash_wait, is_same_wait, g_free, NULL),
                        g_hash_table_new_full (hash_wait, is_same_wait, g_free, NULL) };
}

static GArray *
sums_take (const struct sums *sums)
{
  g_hash_table_destroy (sums->found);
  g_hash_table_destroy (sums->known);
  return sums->all;
}

/* Adds a wait to those of its kind, method and object. */
static void
add_to_sum (const struct sums *sums, const struct wait *w)
{
  struct wait group = *w;
  group.thread = NULL;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (sums->found, &group));
  if (place == 0) {
    const struct wait_sum new = { .kind = w->kind, .method = w->method, .object = w->object };
    g_array_append_val (sums->all, new);
    place = sums->all->len;
    g_hash_table_insert (sums->found, g_memdup2 (&group, sizeof group), GUINT_TO_POINTER (place));
  }
  struct wait_sum *sum = &g_array_index (sums->all, struct wait_sum, place - 1);
  sum->ns += w->ns;
  sum->count += w->count;
  if (!g_hash_table_contains (sums->known, w)) {
    g_hash_table_add (sums->known, g_memdup2 (w, sizeof *w));
    sum->threads++;
  }
}

GArray *
waits_by_method (const struct waits *waits)
{
  const struct sums sums = sums_new ();
  for (guint i = 0; i < waits->all->len; i++)
    add_to_sum (&sums, &g_array_index (waits->all, struct wait, i));
  return sums_take (&sums);
}

GArray *
waits_idle_by_name (const struct waits *waits)
{
  const struct sums sums = sums_new ();
  for (guint i = 0; i < waits->idle->len; i++) {
    struct wait w = g_array_index (waits->idle, struct wait, i);
    const char *name = w.thread->name;
    w.kind = WAIT_NONE;
    w.method = name != NULL ? g_string_chunk_insert_const (waits->names, name) : NULL;
    add_to_sum (&sums, &w);
  }
  return sums_take (&sums);
}
