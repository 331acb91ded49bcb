/* waits.c -- finds the kind, the method and the object of each stack that waited. */
#include "config.h"

#include "decoder/mlpd/query/waits.h"

/* A method, by its symbol; the name of each is searched once. */
struct method {
  const char *name; /* NULL: it was not searched */
  enum wait_kind kind;
  bool is_inside;
};

struct context {
  const struct summary *summary;
  struct waits *waits;
  GArray *methods;   /* of struct method */
  GHashTable *found; /* struct wait -> its place in all, + 1 */
};

static const struct method *
find_method (struct context *c, guint symbol)
{
  if (symbol >= c->methods->len)
    g_array_set_size (c->methods, symbol + 1);
  struct method *m = &g_array_index (c->methods, struct method, symbol);
  if (m->name != NULL)
    return m;
  char *name = symbols_name (&c->summary->symbols, SYMBOL_METHOD, symbol);
  m->kind = wait_kind_of_method (name);
  m->is_inside = wait_is_inside (name);
  m->name = g_string_chunk_insert_const (c->waits->names, name);
  g_free (name);
  return m;
}

/* The name of a method outside of the waiting itself; NULL of others, of which `innermost` is the
 * first. */
static const char *
name_outside (struct context *c, guint symbol, const char **innermost)
{
  const struct method *m = find_method (c, symbol);
  if (!m->is_inside)
    return m->name;
  if (*innermost == NULL)
    *innermost = m->name;
  return NULL;
}

static const struct call_node *
node_at (const struct context *c, uint64_t node)
{
  return &g_array_index (c->summary->samples.wait_tree.nodes, struct call_node, node);
}

/* The innermost method of a stack outside of the waiting itself; if there is none, the innermost.
 */
static const char *
method_of_stack (struct context *c, uint64_t node)
{
  const char *innermost = NULL, *name = NULL;
  for (; node != CALL_TREE_ROOT && name == NULL; node = node_at (c, node)->parent)
    name = name_outside (c, node_at (c, node)->method, &innermost);
  return name != NULL ? name : innermost;
}

/* The same of a backtrace, whose outermost frame is the first. */
static const char *
method_of_trace (struct context *c, guint trace)
{
  const char *innermost = NULL, *name = NULL;
  guint n = 0;
  const guint *frames = trace != TRACE_NONE ? traces_frames (&c->summary->traces, trace, &n) : NULL;
  while (n != 0 && name == NULL)
    name = name_outside (c, frames[--n], &innermost);
  return name != NULL ? name : innermost;
}

/* A method in known code was interrupted there, and waits for a processor. */
static enum wait_kind
kind_of (struct context *c, const struct sample_wait *stack, const char *function)
{
  enum wait_kind kind = WAIT_NONE;
  if (samples_is_managed (&c->summary->samples, stack->ip))
    return WAIT_OTHER;
  if (stack->node != CALL_TREE_ROOT)
    kind = find_method (c, node_at (c, stack->node)->method)->kind;
  if (kind == WAIT_NONE)
    kind = wait_kind_of_function (function);
  return kind == WAIT_NONE ? WAIT_OTHER : kind;
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

/* The class of a lock. */
static const char *
object_of_lock (struct context *c, guint lock)
{
  const struct monitor_sum *sum = g_ptr_array_index (c->summary->monitors.locks, lock);
  if (!sum->type_known)
    return NULL;
  g_autofree char *name = symbols_name (&c->summary->symbols, SYMBOL_CLASS, sum->type);
  return g_string_chunk_insert_const (c->waits->names, name);
}

/* Adds hits that contention of their thread is around; the others remain in `rest`. */
static void
add_contended (struct context *c, struct wait *rest, const GArray *times)
{
  for (guint i = 0; i < times->len; i++) {
    const struct sample_wait_time *t = &g_array_index (times, struct sample_wait_time, i);
    guint lock;
    if (!lock_waits_find (&c->summary->monitors.waits, rest->thread, t->time, &lock))
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
  const char *function = samples_native_name (&c->summary->samples, stack->ip);
  const char *method = method_of_stack (c, stack->node);
  if (method == NULL)
    method = function != NULL ? function : "[unknown]";
  struct wait wait = { .kind = kind_of (c, stack, function),
                       .method = g_string_chunk_insert_const (c->waits->names, method),
                       .thread = stack->thread,
                       .ns = sum->ns,
                       .count = sum->hits };
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
                             .thread = of->thread,
                             .ns = sum->ns,
                             .count = sum->count };
  add (c, &wait);
}

static guint
hash_wait (gconstpointer wait)
{
  const struct wait *w = wait;
  return (g_direct_hash (w->method) * 31 + g_direct_hash (w->object)) * 31
         + g_int64_hash (&w->thread) + w->kind;
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
  const struct summary *s = c->summary;
  const bool has_samples = s->samples.wait_ns != 0;
  GHashTableIter iter;
  gpointer of, sum;
  g_hash_table_iter_init (&iter, has_samples ? s->samples.waits : s->monitors.waits.sums);
  while (g_hash_table_iter_next (&iter, &of, &sum)) {
    c->waits->source = has_samples ? "samples" : "monitors";
    if (has_samples)
      add_stack (c, of, sum);
    else
      add_lock (c, of, sum);
  }
}

void
waits_init (struct waits *w, const struct summary *s)
{
  *w = (struct waits){ .all = g_array_new (FALSE, FALSE, sizeof (struct wait)),
                       .names = g_string_chunk_new (1024) };
  struct context c = { .summary = s,
                       .waits = w,
                       .methods = g_array_new (FALSE, TRUE, sizeof (struct method)),
                       .found = g_hash_table_new_full (hash_wait, is_same_wait, g_free, NULL) };
  add_all (&c);
  g_array_free (c.methods, TRUE);
  g_hash_table_destroy (c.found);
}

void
waits_clear (struct waits *w)
{
  g_array_free (w->all, TRUE);
  g_string_chunk_free (w->names);
}
