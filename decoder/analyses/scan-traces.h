/* scan-traces.h -- backtraces of allocations, most of which were met before: those are known by
 * their bytes, and are not decoded again.
 */
#ifndef PROFLOG_SCAN_TRACES_H
#define PROFLOG_SCAN_TRACES_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/scan.h"

#include <string.h>

/* A backtrace in the bytes of a buffer: equal ones have equal bytes and the same base. */
struct passed_trace {
  bool is_chained; /* each frame counts from the one before; else all from the base */
  uint64_t base;   /* chained: the address of the first frame, and the bytes are of the others */
  const uint8_t *bytes;
  size_t length;
  size_t count; /* frames, not 0 */
};

/* The same for addresses of frames, if any.  What has no backtrace is the rest of its type. */
void scan_keep_trace (struct scan *scan, guint type, struct mlpd_list frames,
                      struct type_sum weight);

/* One that was met, of objects of a type. */
struct recent_trace {
  uint64_t base;
  uint64_t last; /* address of the last frame */
  guint at;      /* of its bytes */
  guint size;    /* 1 more than these; 0: none */
  guint type;
  guint sum; /* of both, in the scan's sums */
};

#define RECENT_BITS 13

static inline uint64_t
recent_trace_word (const uint8_t *bytes)
{
  uint64_t word;
  memcpy (&word, bytes, sizeof word);
  return word;
}

/* Two chains, which processors work on at the same time; the last words overlap. */
static inline size_t
recent_trace_hash (const struct passed_trace *t, guint type)
{
  enum { WORD = sizeof (uint64_t) };
  const size_t length = t->length;
  uint64_t a = t->base ^ length, b = type;
  if (G_LIKELY (length >= 2 * WORD)) {
    for (size_t at = 0; at < length - 2 * WORD; at += 2 * WORD) {
      a = (a ^ recent_trace_word (t->bytes + at)) * UINT64_C (0x9E3779B97F4A7C15);
      b = (b ^ recent_trace_word (t->bytes + at + WORD)) * UINT64_C (0xC2B2AE3D27D4EB4F);
    }
    a = (a ^ recent_trace_word (t->bytes + length - 2 * WORD)) * UINT64_C (0x9E3779B97F4A7C15);
    b ^= recent_trace_word (t->bytes + length - WORD);
  } else {
    for (size_t i = 0; i < length; i++)
      b = (b << 8 | b >> 56) ^ t->bytes[i];
  }
  b *= UINT64_C (0xC2B2AE3D27D4EB4F);
  return (a ^ b >> 32) * UINT64_C (0x9E3779B97F4A7C15) >> (64 - RECENT_BITS);
}

/* The slow part of scan_keep_passed_trace: it is not in the slot. */
uint64_t scan_keep_other_trace (struct scan *scan, struct recent_trace *slot, guint type,
                                const struct passed_trace *trace, struct type_sum weight);

/* Adds it up; returns the address of its last frame.  Its numbers are known to end where it ends.
 */
static inline __attribute__ ((always_inline)) uint64_t
scan_keep_passed_trace (struct scan *s, guint type, const struct passed_trace *t,
                        struct type_sum weight)
{
  const struct recent_traces *r = &s->recent_traces;
  struct recent_trace *slot = &r->slots[recent_trace_hash (t, type)];
  if (G_UNLIKELY (slot->type != type || slot->base != t->base || slot->size != t->length + 1
                  || memcmp (r->bytes->data + slot->at, t->bytes, t->length) != 0))
    return scan_keep_other_trace (s, slot, type, t, weight);
  trace_sums_add_at (&s->trace_sums, slot->sum, weight.objects, weight.bytes);
  return slot->last;
}

void recent_traces_init (struct recent_traces *recent);
void recent_traces_clear (struct recent_traces *recent);

/* Addresses of methods mean something else from now on, or traces have other numbers. */
void recent_traces_forget (struct recent_traces *recent);

#endif
