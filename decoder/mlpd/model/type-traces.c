/* type-traces.c -- adds backtraces up by type. */
#include "config.h"

#include "decoder/mlpd/model/type-traces.h"
#define FRAMES_AT_ONCE 64

void
type_traces_init (struct type_traces *t)
{
  trace_sums_init (&t->classes);
  trace_sums_init (&t->vtables);
  trace_sums_init (&t->unknown);
}

void
type_traces_clear (struct type_traces *t)
{
  trace_sums_clear (&t->classes);
  trace_sums_clear (&t->vtables);
  trace_sums_clear (&t->unknown);
}

static struct trace_sums *
sums_of (struct type_traces *t, guint type)
{
  return (type & TYPE_IS_VTABLE) != 0 ? &t->vtables : &t->classes;
}

void
type_traces_add (struct type_traces *t, guint type, guint trace, uint64_t count, uint64_t bytes)
{
  trace_sums_add (sums_of (t, type), type & ~TYPE_IS_VTABLE, trace, count, bytes);
}

void
type_traces_add_error (struct type_traces *t, guint type, guint trace,
                       const struct allocation_error *error)
{
  trace_sums_add_error (sums_of (t, type), type & ~TYPE_IS_VTABLE, trace, error);
}

void
type_traces_resolve (struct type_traces *t, struct symbols *symbols)
{
  for (guint i = 0; i < t->vtables.all->len; i++) {
    const struct trace_sum *sum = &g_array_index (t->vtables.all, struct trace_sum, i);
    const guint klass = symbols_class_of_vtable (symbols, sum->key);
    trace_sums_add (&t->classes, klass, sum->trace, sum->count, sum->bytes);
    if (sum->error.objects > 0)
      trace_sums_add_error (&t->classes, klass, sum->trace, &sum->error);
  }
  trace_sums_start (&t->vtables);
  t->classes.has_traces |= t->unknown.has_traces;
  t->unknown.has_traces = t->classes.has_traces;
}

void
type_traces_round (struct type_traces *t)
{
  for (guint i = 0; i < t->classes.all->len; i++) {
    struct trace_sum *sum = &g_array_index (t->classes.all, struct trace_sum, i);
    sum->count = allocation_whole_objects (sum->count);
  }
}

guint
traces_add_addresses (struct traces *traces, struct symbols *symbols, struct mlpd_list list)
{
  guint few[FRAMES_AT_ONCE];
  if (list.count == 0)
    return TRACE_NONE;
  guint *methods = list.count > FRAMES_AT_ONCE ? g_new (guint, list.count) : few;
  for (size_t i = 0; i < list.count; i++)
    methods[i] = symbols_use (symbols, SYMBOL_METHOD, list.items[i]);
  const guint trace = traces_add (traces, methods, list.count);
  if (methods != few)
    g_free (methods);
  return trace;
}
