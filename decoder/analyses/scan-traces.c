/* scan-traces.c -- see scan-traces.h. */
#include "decoder/analyses/scan-traces.h"
#include "config.h"
#include <string.h>

#define RECENT_BITS 12

/* Bytes of backtraces that are kept before all are forgotten. */
#define BYTES_MAX (1u << 20)

struct recent_trace {
  uint64_t base;
  uint64_t last; /* address of the last frame */
  guint at;      /* of its bytes */
  guint length;  /* 0: none */
  guint trace;
};

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

static inline uint64_t
load_word (const uint8_t *bytes)
{
  uint64_t word;
  memcpy (&word, bytes, sizeof word);
  return word;
}

/* Two chains, which processors work on at the same time; the last words overlap. */
static inline guint
hash_bytes (uint64_t base, const uint8_t *bytes, size_t length)
{
  enum { WORD = sizeof (uint64_t) };
  uint64_t a = base ^ length, b = 0;
  if (length >= 2 * WORD) {
    for (size_t at = 0; at < length - 2 * WORD; at += 2 * WORD) {
      a = (a ^ load_word (bytes + at)) * UINT64_C (0x9E3779B97F4A7C15);
      b = (b ^ load_word (bytes + at + WORD)) * UINT64_C (0xC2B2AE3D27D4EB4F);
    }
    a = (a ^ load_word (bytes + length - 2 * WORD)) * UINT64_C (0x9E3779B97F4A7C15);
    b ^= load_word (bytes + length - WORD);
  } else {
    for (size_t i = 0; i < length; i++)
      b = (b << 8 | b >> 56) ^ bytes[i];
  }
  b *= UINT64_C (0xC2B2AE3D27D4EB4F);
  return (guint) ((a ^ b >> 32) * UINT64_C (0x9E3779B97F4A7C15) >> (64 - RECENT_BITS));
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
  return traces_add (&s->traces, methods, t->count);
}

/* Puts it where another is that is met less recently. */
static void
keep (struct recent_traces *r, struct recent_trace *slot, const struct passed_trace *t, guint trace,
      uint64_t last)
{
  if (t->length > BYTES_MAX)
    return;
  if (r->bytes->len + t->length > BYTES_MAX)
    recent_traces_forget (r);
  *slot = (struct recent_trace){
    .base = t->base, .last = last, .at = r->bytes->len, .length = (guint) t->length, .trace = trace
  };
  g_byte_array_append (r->bytes, t->bytes, (guint) t->length);
}

uint64_t
scan_keep_passed_trace (struct scan *s, guint type, const struct passed_trace *t,
                        struct type_sum weight)
{
  struct recent_traces *r = &s->recent_traces;
  if (r->slots == NULL) {
    r->slots = g_new0 (struct recent_trace, (size_t) 1 << RECENT_BITS);
    r->bytes = g_byte_array_new ();
  }
  struct recent_trace *slot = &r->slots[hash_bytes (t->base, t->bytes, t->length)];
  if (slot->base != t->base || slot->length != t->length || t->length == 0
      || memcmp (r->bytes->data + slot->at, t->bytes, t->length) != 0) {
    uint64_t last;
    const guint trace = decode_trace (s, t, &last);
    trace_sums_add (&s->trace_sums, type, trace, weight.objects, weight.bytes);
    keep (r, slot, t, trace, last);
    return last;
  }
  trace_sums_add (&s->trace_sums, type, slot->trace, weight.objects, weight.bytes);
  return slot->last;
}

void
scan_keep_trace (struct scan *s, guint type, struct mlpd_list list, struct type_sum weight)
{
  guint *const methods = methods_room (s, list.count);
  for (size_t i = 0; i < list.count; i++)
    methods[i] = method_at (s, list.items[i]);
  const guint trace = list.count != 0 ? traces_add (&s->traces, methods, list.count) : TRACE_NONE;
  trace_sums_add (&s->trace_sums, type, trace, weight.objects, weight.bytes);
}
