/* scan-block.c -- scans whole buffers: the loops that all events of a log go through.
 *
 * This file is compiled twice: scan-block-bmi2.c is the same for processors that have more.
 *
 * Events that come in bulk have loops of their own, in which decoding and adding up are one.
 */
#ifdef __GNUC__
/* Sums that lie side by side are not to be added to in one: each would wait for the one before to
 * be stored.  A value that is computed once for several branches costs all of them a register.  And
 * the place of a loop in a cache line is not to depend on the code before it. */
#pragma GCC optimize("no-tree-slp-vectorize", "no-gcse", "align-functions=64")
#endif
#include "config.h"

#include "decoder/mlpd/scan/scan-block.h"

#include "decoder/mlpd/mlpd-fields.h"
#include "decoder/mlpd/scan/scan-bulk.h"
#include "decoder/mlpd/scan/scan-event.h"

/* This many bytes hold the event byte and the numbers of the events that are read by unchecked
 * cursors.
 */
#define UNCHECKED_ROOM ((size_t) 1 + 6 * CURSOR_ROOM)
/* Then the size of an event concerns a number that was not read. */
G_STATIC_ASSERT (SCAN_SIZES <= CURSOR_OVERRUN);

/* Instructions that find where several numbers end. */
#if defined __AVX2__ && defined __BMI2__
#define SCAN_BATCHES
#endif

enum {
  BYTE_ENTER = MLPD_TYPE_METHOD | 0x20,
  BYTE_LEAVE = MLPD_TYPE_METHOD | 0x10,
  BYTE_ALLOC_TRACE = MLPD_TYPE_ALLOC | 0x10,
  BYTE_HEAP_OBJECT = MLPD_TYPE_HEAP | 0x20,
  BYTE_GC_MOVE = MLPD_TYPE_GC | 0x30,
};

/* The bits of the next 8 bytes that are the event byte and show that this many bytes, one or two,
 * are the number after it; and that another after that is 0. */
#define HEAD_MASK(bytes) ((UINT64_C (0x808080) >> (16 - 8 * (bytes)) & ~UINT64_C (0xff)) | 0xff)
#define HEAD(byte, bytes) ((byte) | ((bytes) == 2 ? UINT64_C (0x8000) : 0))
#define PAIR_MASK(bytes) (HEAD_MASK (bytes) | UINT64_C (0xff) << (8 + 8 * (bytes)))

/* Numbers after an event byte, in a word from that byte on. */
static inline __attribute__ ((always_inline)) struct cursor
cursor_in_word (const uint8_t *at, const uint8_t *end, uint64_t word, unsigned len_hints)
{
  return (struct cursor){
    .at = at + 1, .end = end, .unchecked = true, .len_hints = len_hints, .shift = 8, .word = word
  };
}

#include "decoder/mlpd/scan/fast-calls.h"
#include "decoder/mlpd/scan/fast-objects.h"

/* Every event by itself. */
static bool
scan_block_generic (struct scan *s, struct cursor *c, uint64_t offset)
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

/* The decoding of these events must be the same in all versions from MLPD_VERSION_BULK on: else
 * raising MLPD_VERSION_LAST needs loops for one version more. */
#define LATEST MLPD_LATEST
#define ALWAYS true
#define FLAG(mask) true
#define EXINFO_IS(value) true
#define VERSIONS(since, until)                                                                     \
  ((since) <= MLPD_VERSION_BULK && ((until) == LATEST || (until) < MLPD_VERSION_BULK))
#define WHEN(since, until, mask, value) VERSIONS (since, until)
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  enum { is_alike_##id = VERSIONS (since, until)
#define FIELD(id, field, wire, unit, when, doc) &&(when)
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;
#include <proflog/mlpd-events.def>
#undef LATEST
#undef ALWAYS
#undef FLAG
#undef EXINFO_IS
#undef VERSIONS
#undef WHEN
G_STATIC_ASSERT (is_alike_method_enter &&is_alike_method_leave &&is_alike_alloc
                     &&is_alike_heap_object &&is_alike_gc_move);
G_STATIC_ASSERT (MLPD_VERSION_CHANGES_END - 1 <= MLPD_VERSION_BULK
                 && MLPD_VERSION_BULK <= MLPD_VERSION_LAST);

/* One event each: returns where the next one begins; NULL if it is damaged. */

static inline __attribute__ ((always_inline)) const uint8_t *
scan_one_alloc (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *b)
{
  struct cursor c = { .at = at + 1, .end = end };
  struct mlpd_alloc e;
  mlpd_get_alloc (b, NULL, &c, *at, &e);
  if (G_UNLIKELY (c.error != CURSOR_OK))
    return NULL;
  struct type_sum weight;
  scan_pass_time (s, b->time);
  const guint type = scan_alloc (s, &e, &weight);
  if (s->options.traces)
    add_skipped_trace (s, b, &e, c.at, type, weight);
  scan_count (s, MLPD_ALLOC, (uint64_t) (c.at - at));
  return c.at;
}

/* `lists` NULL: the references are not requested. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_one_heap_object (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *b,
                      struct mlpd_lists *lists)
{
  struct cursor c = { .at = at + 1, .end = end };
  struct mlpd_heap_object e;
  mlpd_get_heap_object (b, lists, &c, BYTE_HEAP_OBJECT, &e);
  if (G_UNLIKELY (c.error != CURSOR_OK))
    return NULL;
  scan_pass_time (s, b->time);
  scan_heap_object (s, &e);
  scan_count (s, MLPD_HEAP_OBJECT, (uint64_t) (c.at - at));
  return c.at;
}

static inline __attribute__ ((always_inline)) const uint8_t *
scan_one_move (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *b)
{
  struct cursor c = { .at = at + 1, .end = end };
  struct mlpd_gc_move e;
  mlpd_get_gc_move (b, NULL, &c, BYTE_GC_MOVE, &e);
  if (G_UNLIKELY (c.error != CURSOR_OK))
    return NULL;
  scan_pass_time (s, b->time);
  scan_moves (s, &e);
  scan_count (s, MLPD_GC_MOVE, (uint64_t) (c.at - at));
  return c.at;
}

/* The loop for events that begin with this byte; NULL: they are added up one by one. */
static inline __attribute__ ((always_inline)) bulk_loop *
loop_of_byte (const struct scan *s, uint8_t byte, unsigned version)
{
  if (byte == MLPD_TYPE_ALLOC || byte == BYTE_ALLOC_TRACE)
    return allocs_scan (s, byte, version);
  return byte == BYTE_HEAP_OBJECT ? heap_objects_scan (s, version) : NULL;
}

/* Events of the present thread, of times from the first to the last. */
static void
add_events (struct scan *s, uint64_t events, uint64_t first, uint64_t last)
{
  struct scan_thread *t = scan_current_thread (s);
  t->start = t->events == 0 ? first : MIN (t->start, first);
  t->end = MAX (t->end, last);
  t->events += events;
}

static inline __attribute__ ((always_inline)) void
begin_bases (struct scan *s, struct mlpd_bases *b, const uint8_t *bytes, size_t length,
             unsigned version)
{
  b->version = version;
  b->has_byte_objects = false;
  b->skipped = &s->skipped;
  b->skipped->bytes = bytes;
  b->skipped->length = length;
  b->skipped->n = 0;
}

/* The events that come in bulk are decoded and added up in one go, with the bases in registers.
 */
static inline __attribute__ ((always_inline)) bool
scan_block_fast (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset,
                 unsigned version)
{
  struct mlpd_bases b = s->decoder.bases;
  struct cursor c = cursor_over (bytes, length);
  const uint8_t *before_end = bytes; /* of the last event that was added by itself */
  uint64_t events = 0, hits = 0, first = UINT64_MAX, last = 0, latest = 0;
  const bool has_bins = s->options.bins != NULL;
  uint64_t own
      = scan_current_thread (s)->latest; /* of events that are no samples, if bins are requested */
  bool has_time = false;
  struct tail tail;
  tail.of = NULL;
  begin_bases (s, &b, bytes, length, version);
  const uint8_t *const unchecked_end = length > UNCHECKED_ROOM ? c.end - UNCHECKED_ROOM : bytes;
  struct mlpd_lists *const unless_traces = s->options.traces ? &s->decoder.lists : NULL;
  struct mlpd_lists *const unless_graphs
      = s->options.graphs != NULL ? &s->decoder.lists : unless_traces;
  const bool plain = scan_block_loop_version (version) != 0 && b.address_mask == UINT64_MAX
                     && s->alloc_sampling == 0 && !has_bins
                     && (!s->options.replay[MLPD_ALLOC] || s->options.query != NULL)
                     && !s->options.replay[MLPD_HEAP_OBJECT];
  const bool *const replay = s->options.replay;
  while (c.at < c.end) {
    const uint8_t *start = c.at;
    if ((*start == BYTE_ENTER || *start == BYTE_LEAVE) && has_time) {
      mlpd_resolve_method (&b);
      c.at = start < unchecked_end ? scan_all_calls (s, start, unchecked_end, &b, &events)
                                   : scan_tail_calls (s, &tail, start, c.end, &b, &events);
      if (G_UNLIKELY (c.at == NULL))
        return false;
      last = b.time;
      own = has_bins ? MAX (own, last) : 0;
    } else if (plain && start < unchecked_end && has_time) {
      bulk_loop *const loop = loop_of_byte (s, *start, version);
      if (loop != NULL)
        c.at = loop (s, start, unchecked_end, &b, &events);
      last = b.time;
    }
    if (c.at == c.end)
      break;
    start = c.at;
    const uint8_t byte = *start;
    uint64_t sampled = 0;
    bool is_others = false, is_hit = false;
    if (has_bins)
      scan_pass_prepare (s, own, scan_current_thread (s)->events + events - hits);
    if ((byte & 0xef) == MLPD_TYPE_ALLOC && !replay[MLPD_ALLOC])
      c.at = scan_one_alloc (s, start, c.end, &b);
    else if (byte == BYTE_HEAP_OBJECT && !replay[MLPD_HEAP_OBJECT])
      c.at = scan_one_heap_object (s, start, c.end, &b, unless_graphs);
    else if (byte == BYTE_GC_MOVE && !replay[MLPD_GC_MOVE])
      c.at = scan_one_move (s, start, c.end, &b);
    else {
      enum mlpd_kind kind;
      if (mlpd_event_has_methods (&s->decoder, byte))
        mlpd_resolve_method (&b);
      s->decoder.bases.time = b.time;
      s->decoder.bases.method = b.method;
      if (mlpd_decode_event (&s->decoder, &c, &kind) != MLPD_DECODED)
        return false;
      b.time = s->decoder.bases.time;
      b.method = s->decoder.bases.method;
      if (start != before_end)
        scan_forget_before (s);
      is_others = scan_add_event (s, kind, &s->decoder.payload, offset + (uint64_t) (start - bytes),
                                  (uint64_t) (c.at - start));
      before_end = c.at;
      is_hit = kind == MLPD_SAMPLE_HIT;
      if (kind == MLPD_SAMPLE_HIT && version < MLPD_VERSION_NO_FLAGS)
        sampled = s->decoder.payload.sample_hit.sampled_at;
    }
    if (G_UNLIKELY (c.at == NULL))
      return false;
    events++;
    own = is_hit || is_others ? own : MAX (own, b.time);
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
  if (events != hits)
    add_events (s, events - hits, first, MAX (latest, last));
  if (has_bins)
    scan_pass_end (s, first, own);
  s->n_events += events;
  scan_count_block (s);
  return true;
}

bool
scan_block_plain (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset)
{
  if (s->use == BUFFER_INSPECT || s->decoder.bases.has_byte_objects) {
    struct cursor c = cursor_over (bytes, length);
    return scan_block_generic (s, &c, offset);
  }
  switch (scan_block_loop_version (s->version)) {
  case 1:
    return scan_block_fast (s, bytes, length, offset, 1);
  case MLPD_VERSION_LAST:
    return scan_block_fast (s, bytes, length, offset, MLPD_VERSION_LAST);
  default:
    return scan_block_fast (s, bytes, length, offset, s->version);
  }
}
