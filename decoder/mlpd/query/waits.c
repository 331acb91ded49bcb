/* waits.c -- finds the kind and the method of each stack that was found waiting. */
#include "config.h"

#include "decoder/mlpd/query/waits.h"

/* A method, by its symbol; each is looked up once. */
struct method {
  const char *name; /* NULL: it was not looked up */
  enum wait_kind kind;
  bool is_inside;
};

struct context {
  const struct samples *samples;
  const struct symbols *symbols;
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
  char *name = symbols_name (c->symbols, SYMBOL_METHOD, symbol);
  m->kind = wait_kind_of_method (name);
  m->is_inside = wait_is_inside (name);
  m->name = g_string_chunk_insert_const (c->waits->names, name);
  g_free (name);
  return m;
}

static guint
method_of_node (const struct context *c, guint node)
{
  return g_array_index (c->samples->wait_tree.nodes, struct call_node, node).method;
}

/* The innermost method of a stack outside of the waiting itself; if there is none, the innermost.
 */
static const char *
waiting_method (struct context *c, guint node)
{
  const GArray *nodes = c->samples->wait_tree.nodes;
  const char *innermost = NULL;
  while (node != CALL_TREE_ROOT) {
    const struct method *m = find_method (c, method_of_node (c, node));
    if (!m->is_inside)
      return m->name;
    if (innermost == NULL)
      innermost = m->name;
    node = g_array_index (nodes, struct call_node, node).parent;
  }
  return innermost;
}

/* A method in known code was interrupted there, and waits for a processor. */
static enum wait_kind
kind_of (struct context *c, const struct sample_wait *stack, const char *function)
{
  enum wait_kind kind = WAIT_NONE;
  if (samples_is_managed (c->samples, stack->ip))
    return WAIT_OTHER;
  if (stack->node != CALL_TREE_ROOT)
    kind = find_method (c, method_of_node (c, (guint) stack->node))->kind;
  if (kind == WAIT_NONE)
    kind = wait_kind_of_function (function);
  return kind == WAIT_NONE ? WAIT_OTHER : kind;
}

static void
add (struct context *c, const struct sample_wait *stack, const struct sample_wait_sum *sum)
{
  const char *function = samples_native_name (c->samples, stack->ip);
  const char *method = waiting_method (c, (guint) stack->node);
  if (method == NULL)
    method = function != NULL ? function : "[unknown]";
  const struct wait wait = { .kind = kind_of (c, stack, function),
                             .method = g_string_chunk_insert_const (c->waits->names, method),
                             .thread = stack->thread };
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (c->found, &wait));
  if (place == 0) {
    g_array_append_val (c->waits->all, wait);
    place = c->waits->all->len;
    g_hash_table_insert (c->found, g_memdup2 (&wait, sizeof wait), GUINT_TO_POINTER (place));
  }
  struct wait *all = &g_array_index (c->waits->all, struct wait, place - 1);
  all->ns += sum->ns;
  all->count += sum->hits;
}

static guint
hash_wait (gconstpointer wait)
{
  const struct wait *w = wait;
  return g_direct_hash (w->method) * 31 + g_int64_hash (&w->thread) + w->kind;
}

static gboolean
is_same_wait (gconstpointer a, gconstpointer b)
{
  const struct wait *x = a, *y = b;
  return x->kind == y->kind && x->method == y->method && x->thread == y->thread;
}

void
waits_init (struct waits *w, const struct summary *s)
{
  *w = (struct waits){ .all = g_array_new (FALSE, FALSE, sizeof (struct wait)),
                       .names = g_string_chunk_new (1024) };
  struct context c = { .samples = &s->samples,
                       .symbols = &s->symbols,
                       .waits = w,
                       .methods = g_array_new (FALSE, TRUE, sizeof (struct method)),
                       .found = g_hash_table_new_full (hash_wait, is_same_wait, g_free, NULL) };
  GHashTableIter iter;
  gpointer stack, sum;
  g_hash_table_iter_init (&iter, s->samples.waits);
  while (g_hash_table_iter_next (&iter, &stack, &sum))
    add (&c, stack, sum);
  g_array_free (c.methods, TRUE);
  g_hash_table_destroy (c.found);
}

void
waits_clear (struct waits *w)
{
  g_array_free (w->all, TRUE);
  g_string_chunk_free (w->names);
}
