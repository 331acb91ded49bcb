/* report-stacks.c -- adds the stacks of the same method or the same shown frames up to a row. */
#include "config.h"

#include "decoder/views/mlpd/report-parts.h"

struct stack_groups {
  const struct report *r;
  bool (*is_inside) (const char *method);
  bool by_stack;
  struct traces shown; /* frames as far as they are shown, by the first method of each name */
  GHashTable *places;  /* type and shown trace, or method -> place in sums + 1 */
  GArray *sums;        /* of struct stack_sum; their traces have the whole frames */
  GArray *methods;     /* of guint: by method, the symbol of each sum */
  GArray *frames;      /* of the trace that is looked up */
};

struct stack_groups *
stack_groups_new (const struct report *r, bool (*is_inside) (const char *method))
{
  struct stack_groups *g = g_new0 (struct stack_groups, 1);
  g->r = r;
  g->is_inside = is_inside;
  g->by_stack = r->view->by == VIEW_BY_STACK;
  g->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g->sums = g_array_new (FALSE, FALSE, sizeof (struct stack_sum));
  g->methods = g_array_new (FALSE, FALSE, sizeof (guint));
  g->frames = g_array_new (FALSE, FALSE, sizeof (guint));
  traces_init (&g->shown);
  return g;
}

static void
free_groups (struct stack_groups *g)
{
  traces_clear (&g->shown);
  g_hash_table_destroy (g->places);
  g_array_unref (g->sums);
  g_array_unref (g->methods);
  g_array_unref (g->frames);
  g_free (g);
}

static bool
is_inside (const struct stack_groups *g, guint method)
{
  g_autofree char *name = g->is_inside != NULL ? section_method_name (g->r->s, method) : NULL;
  return name != NULL && g->is_inside (name);
}

/* STACK_TYPE_UNKNOWN without a backtrace. */
static guint
method_of (const struct stack_groups *g, guint trace)
{
  guint n = 0;
  const guint *frames = trace != TRACE_NONE ? traces_frames (&g->r->s->traces, trace, &n) : NULL;
  guint outside = n;
  while (outside != 0 && is_inside (g, frames[outside - 1]))
    outside--;
  return n != 0 ? g->r->by_name[frames[(outside != 0 ? outside : n) - 1]] : STACK_TYPE_UNKNOWN;
}

void
stack_groups_add (struct stack_groups *g, const struct stack_sum *sum)
{
  const guint method = g->by_stack ? 0 : method_of (g, sum->trace);
  const guint shown = sum->trace != TRACE_NONE && g->by_stack
                          ? traces_add_shown (g->r, &g->shown, sum->trace, g->frames)
                          : TRACE_NONE;
  const uint64_t key = g->by_stack ? (uint64_t) sum->type << 32 | shown : method;
  const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (g->places, &key));
  if (place == 0) {
    g_array_append_vals (g->sums, sum, 1);
    g_array_append_val (g->methods, method);
    g_hash_table_insert (g->places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (g->sums->len));
    return;
  }
  struct stack_sum *all = &g_array_index (g->sums, struct stack_sum, place - 1);
  all->count += sum->count;
  all->amount += sum->amount;
  all->max = MAX (all->max, sum->max);
  allocation_error_add (&all->error, &sum->error);
}

void
stack_groups_add_traces (struct stack_groups *g, guint type, const struct trace_sums *sums,
                         guint key)
{
  g_autoptr (GPtrArray) found
      = trace_sums_for_key (sums, &g->r->s->traces, &g->r->s->symbols, key, TRACES_BY_COUNT);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    stack_groups_add (g, &(const struct stack_sum){ .type = type,
                                                    .trace = sum->trace,
                                                    .count = sum->count,
                                                    .amount = sum->bytes,
                                                    .error = sum->error });
  }
}

/* ---- rows ---- */

static const struct stack_sum *
sum_at (const struct stack_groups *g, uint64_t id)
{
  return &g_array_index (g->sums, struct stack_sum, id);
}

static char *
name_of_method (const void *groups, uint64_t id)
{
  const struct stack_groups *g = groups;
  const guint method = g_array_index (g->methods, guint, id);
  return method == STACK_TYPE_UNKNOWN ? g_strdup ("(no backtrace)")
                                      : section_method_name (g->r->s, method);
}

char *
stack_type_name (const void *summary, uint64_t type)
{
  return type == STACK_TYPE_UNKNOWN ? g_strdup ("(type not in the log)")
                                    : section_class_name (summary, type);
}

static char *
name_of_type (const void *groups, uint64_t id)
{
  const struct stack_groups *g = groups;
  return stack_type_name (g->r->s, sum_at (g, id)->type);
}

/* Symbols by name; those that are unknown come last. */
static int
compare_symbols (const struct stack_groups *g, enum symbol_kind kind, guint a, guint b)
{
  if (a == STACK_TYPE_UNKNOWN || b == STACK_TYPE_UNKNOWN)
    return (a == STACK_TYPE_UNKNOWN) - (b == STACK_TYPE_UNKNOWN);
  return symbols_compare (&g->r->s->symbols, kind, a, b);
}

static int
compare_methods (const void *groups, uint64_t a, uint64_t b)
{
  const struct stack_groups *g = groups;
  return compare_symbols (g, SYMBOL_METHOD, g_array_index (g->methods, guint, a),
                          g_array_index (g->methods, guint, b));
}

static int
compare_stacks (const void *groups, uint64_t a, uint64_t b)
{
  const struct stack_groups *g = groups;
  const struct stack_sum *x = sum_at (g, a), *y = sum_at (g, b);
  const int order = compare_symbols (g, SYMBOL_CLASS, x->type, y->type);
  return order != 0 ? order
                    : traces_compare (&g->r->s->traces, &g->r->s->symbols, x->trace, y->trace);
}

static void
put_frames (const void *groups, uint64_t id, struct emitter *e)
{
  const struct stack_groups *g = groups;
  traces_put_stack (g->r, sum_at (g, id)->trace, e);
}

void
stack_groups_put (struct stack_groups *g, const struct stack_tables *tables)
{
  struct table *t = section_table (g->r, g->by_stack ? tables->stacks : tables->methods);
  table_set_text (t, "name", g->by_stack ? name_of_type : name_of_method, g);
  table_set_ties (t, g->by_stack ? compare_stacks : compare_methods, g);
  if (g->by_stack)
    table_set_detail (t, put_frames, g);
  for (guint i = 0; i < g->sums->len; i++)
    tables->add_row (t, i, sum_at (g, i));
  table_write (t, g->r->e);
  free_groups (g);
}
