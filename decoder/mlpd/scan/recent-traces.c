/* recent-traces.c -- the slots and bytes of recent backtraces. */
#include "config.h"

#include "decoder/mlpd/scan/recent-traces.h"

/* Bytes of backtraces that are retained before all are forgotten. */
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

void
recent_traces_store (struct recent_traces *r, struct recent_trace *slot,
                     const struct skipped_trace *t, guint type, guint sum, uint64_t last)
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
