/* recent-traces.h -- the backtraces that were seen most recently, found by their encoded bytes, so
 * that an equal one is not decoded again.
 */
#ifndef PROFLOG_RECENT_TRACES_H
#define PROFLOG_RECENT_TRACES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A backtrace in the bytes of a buffer: equal ones have equal bytes and the same base. */
struct skipped_trace {
  bool is_chained; /* each frame counts from the one before; else all from the base */
  uint64_t base;   /* chained: the address of the first frame, and the bytes are of the others */
  const uint8_t *bytes;
  size_t length;
  size_t count; /* frames, not 0 */
};

/* One that was seen, of objects of a type. */
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
recent_trace_hash (const struct skipped_trace *t, guint type)
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

struct recent_traces {
  struct recent_trace *slots; /* by hash; NULL: traces are not requested */
  GByteArray *bytes;          /* of those that are in slots, or were */
};

void recent_traces_init (struct recent_traces *recent);
void recent_traces_clear (struct recent_traces *recent);

/* Addresses of methods mean something else from now on, or traces have other numbers. */
void recent_traces_forget (struct recent_traces *recent);

/* Stores a backtrace with the address of its last frame and its sum, in place of the one in its
 * slot. */
void recent_traces_store (struct recent_traces *recent, struct recent_trace *slot,
                          const struct skipped_trace *trace, guint type, guint sum, uint64_t last);

#endif
