/* fast-objects.h -- the loops of scan-block.c, which includes this, for allocations and the
 * objects of heap snapshots.
 */
#ifndef PROFLOG_FAST_OBJECTS_H
#define PROFLOG_FAST_OBJECTS_H

/* The backtrace of an allocation, which was skipped and ends here. */
static inline __attribute__ ((always_inline)) void
add_skipped_trace (struct scan *s, struct mlpd_bases *b, const struct mlpd_alloc *e,
                   const uint8_t *end, guint type, struct type_sum weight)
{
  struct skipped_trace t = { .base = b->ptr_base, .count = e->backtrace.count };
  if (t.count == 0)
    return;
  struct cursor c = { .at = b->skipped->last, .end = end };
  t.is_chained = b->version >= MLPD_VERSION_NO_FLAGS;
  if (t.is_chained) {
    b->skipped->n = 0; /* the last method is known below */
    t.base = mlpd_get_method (b, &c);
  }
  t.bytes = c.at;
  t.length = (size_t) (end - c.at);
  const uint64_t last = scan_add_skipped_trace (s, type, &t, weight);
  if (t.is_chained)
    b->method = last;
}

/* Where allocs_loop is. */
struct allocs {
  struct scan *scan;
  const uint8_t *at;
  struct mlpd_bases bases;
  struct scan_type *types;
  struct scan_symbols symbols;
  const struct address_query *query;
  bool has_vtables;
  bool traces; /* are requested */
};

/* Handles an allocation; false if it is of a type that was not seen before, damaged, or searched
 * for.
 */
static inline __attribute__ ((always_inline)) bool
allocs_consume (struct allocs *r, struct cursor *c, uint8_t byte)
{
  const uint64_t time = r->bases.time;
  const size_t skipped = byte == MLPD_TYPE_ALLOC ? 0 : r->bases.skipped->n;
  struct mlpd_alloc e;
  mlpd_get_alloc (&r->bases, NULL, c, byte, &e);
  const uint64_t type = r->has_vtables ? e.vtable : e.klass;
  const struct scan_slot *slot = scan_symbols_near (&r->symbols, type);
  const size_t size = (size_t) (c->at - r->at);
  const bool is_bad = c->batched                ? false
                      : byte == MLPD_TYPE_ALLOC ? size >= SCAN_SIZES
                                                : c->error != CURSOR_OK;
  if (G_UNLIKELY (is_bad) || G_UNLIKELY (slot->address != type)
      || G_UNLIKELY (r->query != NULL && address_query_may_have (r->query, e.object))) {
    r->bases.time = time;
    if (byte != MLPD_TYPE_ALLOC)
      r->bases.skipped->n = skipped;
    return false;
  }
  r->types[slot->number].objects++;
  r->types[slot->number].bytes += e.size;
  if (byte == MLPD_TYPE_ALLOC)
    r->scan->kinds[MLPD_ALLOC].of_size[size]++;
  else
    scan_count (r->scan, MLPD_ALLOC, size);
  if (byte != MLPD_TYPE_ALLOC && r->traces)
    add_skipped_trace (r->scan, &r->bases, &e, c->at, slot->number, (struct type_sum){ 1, e.size });
  r->at = c->at;
  return true;
}

#ifdef SCAN_BATCHES
/* The event byte of an allocation without a backtrace, and its numbers; all but the byte are of 8
 * bytes at most in a window. */
#define ALLOC_NUMBERS 5
G_STATIC_ASSERT (MLPD_SIZE_BITS == 7 * 7);
G_STATIC_ASSERT (1 + 8 * (ALLOC_NUMBERS - 1) < SCAN_SIZES);

/* Allocations that most windows have; a number that varies is one more that is not foreseen. */
#define ALLOC_BATCH 4

/* Allocations without backtraces, a window of bytes after the other: where the numbers of several
 * end is found at once, so that the addresses of types, of any length, do not wait for each other.
 * Stops before an event that is none, or is for the loop of one by one.  Returns how many it
 * handled. */
static inline __attribute__ ((always_inline)) uint64_t
allocs_consume_batches (struct allocs *all, const uint8_t *end, unsigned version)
{
  /* All that is needed, in registers. */
  struct allocs r = { .scan = all->scan,
                      .at = all->at,
                      .bases = all->bases,
                      .types = all->types,
                      .symbols = all->symbols,
                      .has_vtables = version >= MLPD_VERSION_ROOT_ADDRESSES };
  r.bases.version = version;
  r.bases.has_byte_objects = false;
  r.bases.address_mask = UINT64_MAX;
  uint64_t events = 0;
  while (r.at < end) {
    struct cursor c = { .at = r.at, .batched = true, .batch = r.at };
    c.ends = cursor_batch_ends (c.at);
    const uint64_t last = _pdep_u64 (UINT64_C (1) << (ALLOC_BATCH * ALLOC_NUMBERS - 1), c.ends);
    /* A number that is no size has more bytes. */
    if (G_UNLIKELY (cursor_has_longer (c.ends, 7) || last == 0))
      break;
    /* The next window need not wait for the contents of this one. */
    const uint8_t *const next = r.at + __builtin_ctzll (last) + 1;
    unsigned n = 0;
#pragma GCC unroll 4
    for (; n < ALLOC_BATCH; n++) {
      if (*c.at != MLPD_TYPE_ALLOC)
        break;
      c.begin++;
      c.ends &= c.ends - 1;
      if (!allocs_consume (&r, &c, MLPD_TYPE_ALLOC))
        break;
    }
    events += n;
    if (n < ALLOC_BATCH)
      break;
    r.at = next;
  }
  all->at = r.at;
  all->bases.time = r.bases.time;
  return events;
}

static __attribute__ ((noinline)) uint64_t
alloc_windows_1 (struct allocs *all, const uint8_t *end)
{
  return allocs_consume_batches (all, end, 1);
}

static __attribute__ ((noinline)) uint64_t
alloc_windows_last (struct allocs *all, const uint8_t *end)
{
  return allocs_consume_batches (all, end, MLPD_VERSION_LAST);
}
#endif

/* The same for allocations of types that were seen before: with backtraces, which are skipped
 * unless `traces` are requested, or (`byte`) without.  Each has a loop of its own: backtraces call
 * functions. */
static inline __attribute__ ((always_inline)) const uint8_t *
allocs_loop (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
             uint8_t byte, bool some_sought, bool traces, unsigned version, uint64_t address_mask,
             uint64_t *n_events)
{
  const bool has_vtables = version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct scan_symbols *symbols = &s->symbols[has_vtables ? SCAN_VTABLE : SCAN_CLASS];
  if (s->types->len < symbols->all->len) /* those that were seen elsewhere */
    scan_add_type (s, symbols->all->len - 1);
  struct allocs r = { .scan = s,
                      .at = at,
                      .bases = *bases,
                      .types = (struct scan_type *) (void *) s->types->data,
                      .symbols = *symbols,
                      .query = some_sought ? s->options.query : NULL,
                      .has_vtables = has_vtables,
                      .traces = traces };
  r.bases.version = version;
  r.bases.has_byte_objects = false;
  r.bases.address_mask = address_mask;
  uint64_t events = 0;
  for (; r.at < end; events++) {
#ifdef SCAN_BATCHES
    if (byte == MLPD_TYPE_ALLOC && !some_sought) {
      events += (version == 1 ? alloc_windows_1 : alloc_windows_last) (&r, end);
      if (r.at >= end)
        break;
    }
#endif
    struct cursor c = { .at = r.at + 1, .end = end + UNCHECKED_ROOM, .unchecked = true };
    const uint64_t word = cursor_peek_at (r.at);
    if ((word & HEAD_MASK (2)) == HEAD (byte, 2)) {
      c = cursor_in_word (r.at, end + UNCHECKED_ROOM, word, 2);
      if (!allocs_consume (&r, &c, byte))
        break;
    } else if (*r.at != byte || !allocs_consume (&r, &c, byte)) {
      break;
    }
  }
  *n_events += events;
  bases->time = r.bases.time;
  bases->method = r.bases.method;
  return r.at;
}

/* The same for objects of heap snapshots, of which the references are retained if there are
 * `lists`, or else not inspected. */
static inline __attribute__ ((always_inline)) const uint8_t *
heap_objects_loop (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
                   struct mlpd_lists *lists, unsigned version, uint64_t address_mask,
                   uint64_t *n_events)
{
  const bool has_vtables = version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct scan_symbols symbols = s->symbols[has_vtables ? SCAN_VTABLE : SCAN_CLASS];
  struct scan_heap *const heap = &g_array_index (s->heaps, struct scan_heap, s->heaps->len - 1);
  if (heap->types->len < symbols.all->len)
    g_array_set_size (heap->types, symbols.all->len);
  struct scan_type *const types = (struct scan_type *) (void *) heap->types->data;
  struct mlpd_bases b = *bases;
  uint64_t events = 0, objects = 0, bytes = 0, references = 0;
  b.version = version;
  b.has_byte_objects = false;
  b.address_mask = address_mask;
  while (at < end && *at == BYTE_HEAP_OBJECT) {
    struct cursor c = { .at = at + 1, .end = end + UNCHECKED_ROOM, .unchecked = true };
    const uint64_t time = b.time;
    struct mlpd_heap_object e;
    mlpd_get_heap_object (&b, lists, &c, BYTE_HEAP_OBJECT, &e);
    const uint64_t type = has_vtables ? e.vtable : e.klass;
    const struct scan_slot *slot = scan_symbols_near (&symbols, type);
    if (G_UNLIKELY (c.error != CURSOR_OK || slot->address != type)) {
      b.time = time;
      break;
    }
    types[slot->number].objects += e.size != 0;
    types[slot->number].bytes += e.size;
    objects += e.size != 0;
    bytes += e.size;
    references += e.references.count;
    if (lists != NULL)
      scan_retain_references (s, heap, slot->number, &e);
    scan_count (s, MLPD_HEAP_OBJECT, (uint64_t) (c.at - at));
    events++;
    at = c.at;
  }
  heap->deferred_index = s->events->len;
  heap->records += events;
  heap->objects += objects;
  heap->bytes += bytes;
  heap->references += references;
  *n_events += events;
  bases->time = b.time;
  return at;
}

/* Functions NAME_1 and NAME_last, which are a loop compiled for these arguments, 64-bit addresses
 * and one of the versions of scan_block_loop_version: those are read most. */
#define BULK_LOOP(name, loop, version, ...)                                                        \
  static __attribute__ ((noinline)) const uint8_t *name (                                          \
      struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,             \
      uint64_t *n_events)                                                                          \
  {                                                                                                \
    return loop (s, at, end, bases, __VA_ARGS__, version, UINT64_MAX, n_events);                   \
  }
#define BULK_LOOPS(name, loop, ...)                                                                \
  BULK_LOOP (name##_1, loop, 1, __VA_ARGS__)                                                       \
  BULK_LOOP (name##_last, loop, MLPD_VERSION_LAST, __VA_ARGS__)

/* The event byte; whether addresses are queried; whether backtraces are requested. */
BULK_LOOPS (scan_allocs, allocs_loop, MLPD_TYPE_ALLOC, false, false)
BULK_LOOPS (scan_traced_allocs, allocs_loop, BYTE_ALLOC_TRACE, false, false)
BULK_LOOPS (query_allocs, allocs_loop, MLPD_TYPE_ALLOC, true, false)
BULK_LOOPS (query_traced_allocs, allocs_loop, BYTE_ALLOC_TRACE, true, false)
BULK_LOOPS (scan_allocs_with_traces, allocs_loop, BYTE_ALLOC_TRACE, false, true)
/* Where references go to. */
BULK_LOOPS (scan_heap_objects, heap_objects_loop, NULL)
BULK_LOOPS (scan_heap_objects_with_references, heap_objects_loop, &s->decoder.lists)

typedef const uint8_t *bulk_loop (struct scan *, const uint8_t *, const uint8_t *,
                                  struct mlpd_bases *, uint64_t *);

/* Allocations are searched for or not; with backtraces or not; of the first version or the last. */
static bulk_loop *const allocs_scans[2][2][2]
    = { { { scan_allocs_last, scan_allocs_1 }, { scan_traced_allocs_last, scan_traced_allocs_1 } },
        { { query_allocs_last, query_allocs_1 },
          { query_traced_allocs_last, query_traced_allocs_1 } } };

/* How allocations are scanned that begin with this byte; NULL: one by one. */
static inline bulk_loop *
allocs_scan (const struct scan *s, uint8_t byte, unsigned version)
{
  const bool has_trace = byte == BYTE_ALLOC_TRACE, some_sought = s->options.query != NULL;
  if (s->options.alloc_groups)
    return NULL;
  if (!s->options.traces || !has_trace)
    return allocs_scans[some_sought][has_trace][version == 1];
  if (some_sought)
    return NULL;
  return version == 1 ? scan_allocs_with_traces_1 : scan_allocs_with_traces_last;
}

/* The same for objects of heap snapshots. */
static inline bulk_loop *
heap_objects_scan (const struct scan *s, unsigned version)
{
  if (!s->heap_is_open || s->options.graphs != NULL)
    return NULL;
  if (s->options.traces)
    return version == 1 ? scan_heap_objects_with_references_1
                        : scan_heap_objects_with_references_last;
  return version == 1 ? scan_heap_objects_1 : scan_heap_objects_last;
}

#endif
