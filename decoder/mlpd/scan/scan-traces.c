/* scan-traces.c -- decodes the backtraces of allocations and adds up objects and bytes by them. */
#include "config.h"

#include "decoder/mlpd/scan/scan-traces.h"

static guint *
methods_room (struct scan *s, size_t n)
{
  if (s->trace_methods->len < n)
    g_array_set_size (s->trace_methods, (guint) n);
  return (guint *) (void *) s->trace_methods->data;
}

static guint
method_at (struct scan *s, uint64_t address)
{
  return scan_symbols_use (&s->symbols[SCAN_METHOD], address, s->events->len);
}

static guint
add_trace (struct scan *s, const guint *methods, size_t n)
{
  const guint n_before = s->traces.all->len;
  const guint trace = traces_add (&s->traces, methods, n);
  if (s->traces.all->len != n_before) /* with where it adds up */
    s->retained += n * sizeof *methods + sizeof (struct trace_slot) + sizeof (struct trace_sum);
  return trace;
}

/* The trace, by its numbers; the address of its last frame goes to *last. */
static guint
decode_trace (struct scan *s, const struct skipped_trace *t, uint64_t *last)
{
  guint *const methods = methods_room (s, t->count);
  const uint64_t mask = s->decoder.bases.address_mask;
  struct cursor c = cursor_over (t->bytes, t->length);
  uint64_t base = t->base;
  size_t n = 0;
  *last = base;
  if (t->is_chained)
    methods[n++] = method_at (s, base);
  for (; n < t->count; n++) {
    *last = (base + (uint64_t) cursor_sleb (&c)) & mask;
    methods[n] = method_at (s, *last);
    if (t->is_chained)
      base = *last;
  }
  return add_trace (s, methods, t->count);
}

uint64_t
scan_add_new_trace (struct scan *s, struct recent_trace *slot, guint type,
                    const struct skipped_trace *t, struct type_sum weight)
{
  uint64_t last;
  const guint sum = trace_sums_place (&s->trace_sums, type, decode_trace (s, t, &last));
  scan_add_at_trace (s, sum, &weight);
  recent_traces_store (&s->recent_traces, slot, t, type, sum, last);
  return last;
}

void
scan_add_trace (struct scan *s, guint type, struct mlpd_list list, struct type_sum weight)
{
  if (list.count == 0)
    return;
  guint *const methods = methods_room (s, list.count);
  for (size_t i = 0; i < list.count; i++)
    methods[i] = method_at (s, list.items[i]);
  const guint trace = add_trace (s, methods, list.count);
  scan_add_at_trace (s, trace_sums_place (&s->trace_sums, type, trace), &weight);
}
