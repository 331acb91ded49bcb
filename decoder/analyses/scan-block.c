/* scan-block.c -- scans whole buffers: the loops that all events of a log go through.
 *
 * This file is compiled twice: scan-block-bmi2.c is the same for processors that have more.
 *
 * What comes in masses has loops of its own, in which decoding and adding up are one.
 */
#include "config.h"
#ifdef __GNUC__
/* Sums that lie side by side are not to be added to in one: each would wait for the one before to
 * be stored.  What is worked out once for several branches takes a register from all.  And where a
 * loop begins in a cache line is not to depend on what is before it. */
#pragma GCC optimize("no-tree-slp-vectorize", "no-gcse", "align-functions=64")
#endif
#include "decoder/analyses/scan-masses.h"
#include "decoder/formats/mlpd-wires.h"

/* So many bytes hold the event byte and the numbers of the events that are read by roomy cursors.
 */
#define ROOMY ((size_t) 1 + 6 * CURSOR_ROOM)
/* Then the size of an event tells of a number that was not read. */
G_STATIC_ASSERT (SCAN_SIZES <= CURSOR_TOO_FAR);

/* Instructions that find where several numbers end. */
#if defined __AVX2__ && defined __BMI2__
#define SCAN_WINDOWS
#endif

enum {
  BYTE_ENTER = MLPD_TYPE_METHOD | 0x20,
  BYTE_LEAVE = MLPD_TYPE_METHOD | 0x10,
  BYTE_ALLOC_TRACE = MLPD_TYPE_ALLOC | 0x10,
  BYTE_HEAP_OBJECT = MLPD_TYPE_HEAP | 0x20,
};

/* The bits of the next 8 bytes that are the event byte and tell that so many bytes, one or two, are
 * the number behind it; and that another behind that is 0. */
#define HEAD_MASK(bytes) ((UINT64_C (0x808080) >> (16 - 8 * (bytes)) & ~UINT64_C (0xff)) | 0xff)
#define HEAD(byte, bytes) ((byte) | ((bytes) == 2 ? UINT64_C (0x8000) : 0))
#define PAIR_MASK(bytes) (HEAD_MASK (bytes) | UINT64_C (0xff) << (8 + 8 * (bytes)))

/* Numbers behind an event byte, in a word from that byte on. */
static inline __attribute__ ((always_inline)) struct cursor
cursor_in_word (const uint8_t *at, const uint8_t *end, uint64_t word, unsigned known)
{
  return (struct cursor){
    .at = at + 1, .end = end, .roomy = true, .known = known, .shift = 8, .word = word
  };
}

#include "decoder/analyses/scan-block-calls.h"
#include "decoder/analyses/scan-block-objects.h"

/* Every event by itself. */
static bool
scan_block_slowly (struct scan *s, struct cursor *c, uint64_t offset)
{
  const uint8_t *const bytes = c->at;
  while (c->at < c->end) {
    const uint8_t *const start = c->at;
    enum mlpd_kind kind;
    if (mlpd_decode_event (&s->decoder, c, &kind) != MLPD_DECODED)
      return false;
    scan_event (s, kind, &s->decoder.payload, offset + (uint64_t) (start - bytes),
                (uint64_t) (c->at - start));
  }
  return true;
}

#define TAKE(kind, name, lists, take)                                                              \
  {                                                                                                \
    struct cursor checked = { .at = start + 1, .end = c.end };                                     \
    struct mlpd_##name e;                                                                          \
    mlpd_get_##name (&b, lists, &checked, byte, &e);                                               \
    if (G_UNLIKELY (checked.error != CURSOR_OK))                                                   \
      return false;                                                                                \
    take;                                                                                          \
    c.at = checked.at;                                                                             \
    scan_count (s, kind, (uint64_t) (c.at - start));                                               \
  }

/* An allocation, the backtrace of which was passed over and ends here. */
static inline __attribute__ ((always_inline)) void
take_alloc (struct scan *s, struct mlpd_bases *b, const struct mlpd_alloc *e, const uint8_t *end)
{
  struct type_sum weight;
  const guint type = scan_alloc (s, e, &weight);
  if (s->options.traces)
    take_trace (s, b, e, end, type, weight);
}

/* The events that come in masses are decoded and added up in one go, with the bases in registers.
 */
static inline __attribute__ ((always_inline)) bool
scan_block_fast (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset,
                 unsigned version)
{
  struct mlpd_bases b = s->decoder.bases;
  struct cursor c = cursor_over (bytes, length);
  struct scan_thread *t = scan_thread_now (s);
  const uint8_t *class_end = NULL;
  uint64_t events = 0, hits = 0, first = UINT64_MAX, last = 0, latest = 0;
  bool has_time = false;
  struct tail tail;
  tail.of = NULL;
  b.version = version;
  b.passed = &s->passed;
  b.passed->bytes = bytes;
  b.passed->length = length;
  b.passed->n = 0;
  const uint8_t *const roomy_end = length > ROOMY ? c.end - ROOMY : bytes;
  struct mlpd_lists *const unless_traces = s->options.traces ? &s->decoder.lists : NULL;
  struct mlpd_lists *const unless_graphs
      = s->options.graphs != NULL ? &s->decoder.lists : unless_traces;
  const bool plain = (version == 1 || version == MLPD_VERSION_LAST) && b.address_mask == UINT64_MAX
                     && s->alloc_sampling == 0
                     && (!s->options.replay[MLPD_ALLOC] || s->options.sought != NULL)
                     && !s->options.replay[MLPD_HEAP_OBJECT];
  const bool *const replay = s->options.replay;
  while (c.at < c.end) {
    const uint8_t *start = c.at;
    if ((*start == BYTE_ENTER || *start == BYTE_LEAVE) && has_time) {
      mlpd_settle_methods (&b);
      c.at = start < roomy_end ? scan_all_calls (s, start, roomy_end, &b, &events)
                               : scan_tail_calls (s, &tail, start, c.end, &b, &events);
      if (G_UNLIKELY (c.at == NULL))
        return false;
      last = b.time;
    } else if (plain && start < roomy_end && has_time) {
      scan_masses *scan = NULL;
      if (*start == MLPD_TYPE_ALLOC || *start == BYTE_ALLOC_TRACE)
        scan = allocs_scan (s, *start, version);
      else if (*start == BYTE_HEAP_OBJECT)
        scan = heap_objects_scan (s, version);
      if (scan != NULL)
        c.at = scan (s, start, roomy_end, &b, &events);
      last = b.time;
    }
    if (c.at == c.end)
      break;
    start = c.at;
    const uint8_t byte = *start;
    uint64_t sampled = 0;
    bool is_others = false;
    if ((byte & 0xef) == MLPD_TYPE_ALLOC && !replay[MLPD_ALLOC])
      TAKE (MLPD_ALLOC, alloc, NULL, take_alloc (s, &b, &e, checked.at))
    else if (byte == BYTE_HEAP_OBJECT && !replay[MLPD_HEAP_OBJECT])
      TAKE (MLPD_HEAP_OBJECT, heap_object, unless_graphs, scan_heap_object (s, &e))
    else if (byte == (MLPD_TYPE_GC | 0x30) && !replay[MLPD_GC_MOVE])
      TAKE (MLPD_GC_MOVE, gc_move, NULL, scan_moves (s, &e))
    else {
      enum mlpd_kind kind;
      if (mlpd_event_has_methods (&s->decoder, byte))
        mlpd_settle_methods (&b);
      s->decoder.bases.time = b.time;
      s->decoder.bases.method = b.method;
      if (mlpd_decode_event (&s->decoder, &c, &kind) != MLPD_DECODED)
        return false;
      b.time = s->decoder.bases.time;
      b.method = s->decoder.bases.method;
      s->after_class = start == class_end;
      scan_take_event (s, kind, &s->decoder.payload, offset + (uint64_t) (start - bytes),
                       (uint64_t) (c.at - start));
      if (s->after_class)
        class_end = c.at;
      if (kind == MLPD_SAMPLE_HIT && version < MLPD_VERSION_NO_FLAGS)
        sampled = s->decoder.payload.sample_hit.sampled_at;
      is_others = kind == MLPD_SAMPLE_HIT && version >= MLPD_VERSION_SAMPLED_THREADS;
    }
    events++;
    if (G_UNLIKELY (is_others)) { /* the merge finds whose it is */
      hits++;
      continue;
    }
    if (G_UNLIKELY (sampled != 0)) { /* a time by itself */
      latest = MAX (latest, sampled);
      first = MIN (first, sampled);
      continue;
    }
    if (G_UNLIKELY (b.time < last)) {
      latest = MAX (latest, last);
      first = MIN (first, b.time);
    }
    if (!has_time)
      first = MIN (first, b.time);
    has_time = true;
    last = b.time;
  }
  if (events == 0)
    return true;
  if (events != hits) {
    t = scan_thread_now (s);
    t->start = t->events == 0 ? first : MIN (t->start, first);
    t->end = MAX (t->end, MAX (latest, last));
    t->events += events - hits;
  }
  s->n_events += events;
  scan_count_block (s);
  return true;
}

bool
scan_block_plain (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset)
{
  if (s->use == BUFFER_LOOK) {
    struct cursor c = cursor_over (bytes, length);
    return scan_block_slowly (s, &c, offset);
  }
  switch (s->version) {
  case 1:
    return scan_block_fast (s, bytes, length, offset, 1);
  case MLPD_VERSION_LAST:
    return scan_block_fast (s, bytes, length, offset, MLPD_VERSION_LAST);
  default:
    return scan_block_fast (s, bytes, length, offset, s->version);
  }
}
