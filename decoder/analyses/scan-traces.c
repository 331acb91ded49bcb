/* scan-traces.c -- see scan-traces.h. */
#include "decoder/analyses/scan-traces.h"
#include "config.h"

/* Bytes of backtraces that are kept before all are forgotten. */
#define BYTES_MAX (1u << 20)
#define BYTES_FIRST (1u << 12)

void
recent_traces_init (struct recent_traces *r)
{
  r->slots = g_new0 (struct recent_trace, (size_t) 1 << RECENT_BITS);
  r->bytes = g_byte_array_sized_new (BYTES_FIRST); /* some: no bytes are compared, too */
}

void
recent_traces_clear (struct recent_traces *r)
{
  g_free (r->slots);
  if (r->bytes != NULL)
    g_byte_array_unref (r->bytes);
}

void
recent_traces_forget (struct recent_traces *r)
{
  if (r->slots == NULL)
    return;
  memset (r->slots, 0, sizeof *r->slots << RECENT_BITS);
  g_byte_array_set_size (r->bytes, 0);
}

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
  const guint known = s->traces.all->len;
  const guint trace = traces_add (&s->traces, methods, n);
  if (s->traces.all->len != known) /* with where it adds up */
    s->kept += n * sizeof *methods + sizeof (struct trace_slot) + sizeof (struct trace_sum);
  return trace;
}

/* The trace, by its numbers; the address of its last frame goes to *last. */
static guint
decode_trace (struct scan *s, const struct passed_trace *t, uint64_t *last)
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

/* Puts it where another is that is met less recently. */
static void
keep (struct recent_traces *r, struct recent_trace *slot, const struct passed_trace *t, guint type,
      guint sum, uint64_t last)
{
  if (t->length > BYTES_MAX)
    return;
  if (r->bytes->len + t->length > BYTES_MAX)
    recent_traces_forget (r);
  *slot = (struct recent_trace){ .base = t->base,
                                 .last = last,
                                 .at = r->bytes->len,
                                 .size = (guint) t->length + 1,
                                 .type = type,
                                 .sum = sum };
  g_byte_array_append (r->bytes, t->bytes, (guint) t->length);
}

uint64_t
scan_keep_other_trace (struct scan *s, struct recent_trace *slot, guint type,
                       const struct passed_trace *t, struct type_sum weight)
{
  uint64_t last;
  const guint sum = trace_sums_place (&s->trace_sums, type, decode_trace (s, t, &last));
  trace_sums_add_at (&s->trace_sums, sum, weight.objects, weight.bytes);
  keep (&s->recent_traces, slot, t, type, sum, last);
  return last;
}

void
scan_keep_trace (struct scan *s, guint type, struct mlpd_list list, struct type_sum weight)
{
  if (list.count == 0)
    return;
  guint *const methods = methods_room (s, list.count);
  for (size_t i = 0; i < list.count; i++)
    methods[i] = method_at (s, list.items[i]);
  const guint trace = add_trace (s, methods, list.count);
  trace_sums_add (&s->trace_sums, type, trace, weight.objects, weight.bytes);
}
