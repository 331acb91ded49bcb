/* scan-block.c -- scans whole buffers: the loops that all events of a log go through.
 *
 * This file is compiled twice: scan-block-bmi2.c is the same for processors that have more.
 *
 * What comes in masses has loops of its own, in which decoding and adding up are one.
 */
#include "config.h"
#ifdef __GNUC__
/* Sums that lie side by side are not to be added to in one: each would wait for the one before to
 * be stored.  And what is worked out once for several branches takes a register from all. */
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

/* The backtrace of an allocation, which was passed over and ends here. */
static inline __attribute__ ((always_inline)) void
take_trace (struct scan *s, struct mlpd_bases *b, const struct mlpd_alloc *e, const uint8_t *end,
            guint type, struct type_sum weight)
{
  struct passed_trace t = { .base = b->ptr_base, .count = e->backtrace.count };
  if (t.count == 0)
    return;
  struct cursor c = { .at = b->passed->last, .end = end };
  t.is_chained = b->version >= MLPD_VERSION_NO_FLAGS;
  if (t.is_chained) {
    b->passed->n = 0; /* the last method is known below */
    t.base = mlpd_get_method (b, &c);
  }
  t.bytes = c.at;
  t.length = (size_t) (end - c.at);
  const uint64_t last = scan_keep_passed_trace (s, type, &t, weight);
  if (t.is_chained)
    b->method = last;
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

/* A call that takes more than a frame and its method. */
struct slow_call {
  uint8_t byte; /* 0: none */
  uint64_t method;
  uint64_t time;
};

/* Calls in one go, for which there is room on the stack. */
#define CALLS_MAX 512
#define CALL_BYTES_MIN 3

/* Where scan_calls is: what it works on is in variables, and no function is called in it. */
struct calls {
  struct scan *scan;
  const uint8_t *at;
  struct mlpd_bases bases;
  struct scan_method *methods;
  struct scan_symbols symbols;
  guint level;
  const struct scan_frame *first;
  struct scan_frame *top;
  uint64_t enters;
  bool has_stacks;
  struct scan_symbols stacks; /* if it has */
  guint *stack_calls;
  /* What most calls do not need, which is not in variables, but in `all`. */
  struct calls *all;
  struct scan_total *total; /* the next of the thread's; there is room */
  struct slow_call slow;
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

static inline __attribute__ ((always_inline)) void
calls_be_slow (struct calls *r, uint8_t byte, uint64_t method, uint64_t time)
{
  r->all->slow = (struct slow_call){ byte, method, time };
}

/* The time of an outermost frame. */
static inline __attribute__ ((always_inline)) void
calls_add_total (struct calls *r, struct scan_method *m, size_t place, uint64_t ns)
{
  if (G_UNLIKELY (m->level != r->level)) {
#ifdef __GNUC__
    __asm__("" : "+m"(m->level)); /* it is looked at in memory */
#endif
    r->all->total = scan_settle (m, (guint) (place / SCAN_PLACE), r->level, r->all->total);
  }
#ifdef __GNUC__
  /* It is added to in memory: else the compiler loads it, for scan_settle too, before it asks. */
  __asm__("" : "+m"(m->total_ns));
#endif
  m->total_ns += ns;
}

/* The leave of the method that was entered right before and called nothing: its difference to that
 * is 0. */
static inline __attribute__ ((always_inline)) void
calls_leave_leaf (struct calls *r, struct scan_method *m, size_t place, uint64_t word,
                  unsigned known)
{
  struct cursor c = cursor_in_word (r->at, r->at, word, known);
  struct mlpd_bases b = r->bases;
  struct mlpd_method_leave e;
  mlpd_get_method_leave (&b, NULL, &c, BYTE_LEAVE, &e);
  const uint64_t ns = e.time - r->bases.time; /* a number of so few bytes is not below 0 */
  m->self_ns += ns;
  if (m->active == 0)
    calls_add_total (r, m, place, ns);
  m->calls++;
  r->top->callees_ns += ns;
  r->scan->kinds[MLPD_METHOD_LEAVE].of_size[c.at - r->at]++;
  r->bases.time = e.time;
  r->at = c.at;
}

/* Takes an enter; false: no more.  `usual`: see scan_calls. */
static inline __attribute__ ((always_inline)) bool
calls_enter (struct calls *r, struct cursor c, unsigned usual)
{
  const uint64_t time = r->bases.time, method = r->bases.method;
  struct mlpd_method_enter e;
  mlpd_get_method_enter (&r->bases, NULL, &c, BYTE_ENTER, &e);
  const size_t size = (size_t) (c.at - r->at);
  if (G_UNLIKELY (size >= SCAN_SIZES)) {
    r->bases.time = time;
    r->bases.method = method;
    return false;
  }
  r->scan->kinds[MLPD_METHOD_ENTER].of_size[size]++;
  r->at = c.at;
  r->enters++;
  const struct scan_slot *slot = scan_symbols_near (&r->symbols, e.method);
  if (G_UNLIKELY (slot->address != e.method)) {
    calls_be_slow (r, BYTE_ENTER, e.method, e.time);
    return false;
  }
  guint stack = SCAN_STACK_NONE;
  if (r->has_stacks) {
    const uint64_t key = scan_stack_key (r->top->stack, slot->place);
    const struct scan_slot *const found = scan_symbols_near (&r->stacks, key);
    if (G_UNLIKELY (found->address != key)) {
      calls_be_slow (r, BYTE_ENTER, e.method, e.time);
      return false;
    }
    stack = found->number;
    r->stack_calls[stack]++;
  }
  struct scan_method *const m = scan_method_at (r->methods, slot->place);
  const uint64_t word = cursor_peek_at (r->at);
  const unsigned other = 3 - usual;
  if ((word & PAIR_MASK (usual)) == HEAD (BYTE_LEAVE, usual)) {
    calls_leave_leaf (r, m, slot->place, word, 0x10 | usual);
    return true;
  }
  if ((word & PAIR_MASK (other)) == HEAD (BYTE_LEAVE, other)) {
    calls_leave_leaf (r, m, slot->place, word, 0x10 | other);
    return true;
  }
  m->active++;
  m->calls++;
  r->top++;
  r->top->address = e.method;
  r->top->start = e.time;
  r->top->callees_ns = 0;
  r->top->place = slot->place;
  if (r->has_stacks)
    r->top->stack = stack;
  return true;
}

static inline __attribute__ ((always_inline)) bool
calls_leave (struct calls *r, struct cursor c)
{
  const uint64_t time = r->bases.time, method = r->bases.method;
  struct mlpd_method_leave e;
  mlpd_get_method_leave (&r->bases, NULL, &c, BYTE_LEAVE, &e);
  const size_t size = (size_t) (c.at - r->at);
  if (G_UNLIKELY (size >= SCAN_SIZES)) {
    r->bases.time = time;
    r->bases.method = method;
    return false;
  }
  r->scan->kinds[MLPD_METHOD_LEAVE].of_size[size]++;
  r->at = c.at;
  struct scan_frame *const top = r->top;
  struct scan_method *const m = scan_method_at (r->methods, top->place);
  if (G_UNLIKELY (top == r->first || top->address != e.method)) {
    calls_be_slow (r, BYTE_LEAVE, e.method, e.time);
    return false;
  }
  const uint64_t ns = e.time - top->start, self_ns = ns - top->callees_ns;
  if (G_UNLIKELY ((int64_t) self_ns < 0)) { /* times went back between buffers */
    calls_be_slow (r, BYTE_LEAVE, e.method, e.time);
    return false;
  }
  m->self_ns += self_ns;
  if (--m->active == 0)
    calls_add_total (r, m, top->place, ns);
  r->top--;
  r->top->callees_ns += ns;
  return true;
}

/* Calls come by the thousand with nothing between them: this reads as many as there are and stops
 * before anything else, behind a call that takes longer, or at a number of many bytes.  Times are
 * most often of one length in a log, `usual`: two bytes in those of the stock profiler, one in
 * ours. Looking at the event byte and that length at once leaves a processor less to foresee. */
static inline __attribute__ ((always_inline)) void
scan_calls (struct calls *all, const uint8_t *end, uint64_t address_mask, unsigned usual,
            bool has_stacks)
{
  const unsigned other = 3 - usual;
  struct calls r = *all; /* in registers, as far as they go */
  r.all = all;
  r.bases.address_mask = address_mask;
  r.has_stacks = has_stacks;
  while (r.at < end) {
    const struct cursor c = { .at = r.at + 1, .end = end, .roomy = true };
    const uint64_t word = cursor_peek_at (r.at);
    if ((word & HEAD_MASK (usual)) == HEAD (BYTE_ENTER, usual)) {
      if (!calls_enter (&r, cursor_in_word (r.at, end, word, usual), usual))
        break;
    } else if ((word & HEAD_MASK (usual)) == HEAD (BYTE_LEAVE, usual)) {
      if (!calls_leave (&r, cursor_in_word (r.at, end, word, usual)))
        break;
    } else if ((word & HEAD_MASK (other)) == HEAD (BYTE_ENTER, other)) {
      if (!calls_enter (&r, cursor_in_word (r.at, end, word, other), usual))
        break;
    } else if ((word & HEAD_MASK (other)) == HEAD (BYTE_LEAVE, other)) {
      if (!calls_leave (&r, cursor_in_word (r.at, end, word, other)))
        break;
    } else if (*r.at == BYTE_ENTER) {
      if (!calls_enter (&r, c, usual))
        break;
    } else if (*r.at == BYTE_LEAVE) {
      if (!calls_leave (&r, c))
        break;
    } else {
      break;
    }
  }
  all->at = r.at;
  all->bases.time = r.bases.time;
  all->bases.method = r.bases.method;
  all->top = r.top;
  all->enters = r.enters;
}

static __attribute__ ((noinline)) void
scan_calls_64 (struct calls *all, const uint8_t *end)
{
  scan_calls (all, end, UINT64_MAX, 2, false);
}

static __attribute__ ((noinline)) void
scan_short_calls_64 (struct calls *all, const uint8_t *end)
{
  scan_calls (all, end, UINT64_MAX, 1, false);
}

static __attribute__ ((noinline)) void
scan_calls_32 (struct calls *all, const uint8_t *end)
{
  scan_calls (all, end, UINT32_MAX, 2, false);
}

static __attribute__ ((noinline)) void
scan_calls_stacks (struct calls *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 2, true);
}

static __attribute__ ((noinline)) void
scan_short_calls_stacks (struct calls *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 1, true);
}

/* Calls, of which no more is taken than what time it is.  An enter and a leave have the same
 * numbers. */
static __attribute__ ((noinline)) const uint8_t *
pass_calls (const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases)
{
  struct mlpd_bases b = *bases;
  uint64_t time = b.time;
  while (at < end) {
    const uint64_t word = cursor_peek_at (at);
    struct cursor c = { .at = at + 1, .end = end, .roomy = true };
    struct mlpd_method_enter e;
    if ((uint8_t) word != BYTE_ENTER && (uint8_t) word != BYTE_LEAVE)
      break;
    if ((word & (HEAD_MASK (2) ^ 0xff)) == HEAD (0, 2))
      c = cursor_in_word (at, end, word, 2);
    else if ((word & (HEAD_MASK (1) ^ 0xff)) == HEAD (0, 1))
      c = cursor_in_word (at, end, word, 1);
    mlpd_get_method_enter (&b, NULL, &c, BYTE_ENTER, &e);
    if (G_UNLIKELY (c.at - at >= SCAN_SIZES))
      break;
    at = c.at;
    time = b.time;
  }
  bases->time = time;
  return at;
}

/* All calls up to anything else, or to a number of many bytes. */
static const uint8_t *
scan_all_calls (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
                uint64_t *n_events)
{
  if (s->options.sought != NULL)
    return pass_calls (at, end, bases);
  for (;;) {
    struct scan_thread *t = scan_thread_now (s);
    /* Backtraces have numbers for methods that were not called yet. */
    if (t->n_methods < s->symbols[SCAN_METHOD].all->len)
      scan_make_methods (s, t, s->symbols[SCAN_METHOD].all->len);
    if (t->keeps_calls || t->n_frames == 0 || t->n_methods == 0)
      return at;
    while (t->room - t->n_frames < CALLS_MAX)
      scan_make_room (s, t);
    scan_make_totals_room (t, CALLS_MAX + 1);
    const uint8_t *const stop
        = end - at > CALLS_MAX * CALL_BYTES_MIN ? at + CALLS_MAX * CALL_BYTES_MIN : end;
    struct calls r = { .scan = s,
                       .at = at,
                       .bases = *bases,
                       .methods = t->methods,
                       .symbols = s->symbols[SCAN_METHOD],
                       .level = scan_level_now (t),
                       .first = t->frames,
                       .top = &t->frames[t->n_frames - 1],
                       .total = &t->totals[t->n_totals] };
    if (scan_has_stacks (s)) {
      r.stacks = s->stacks.keys;
      r.stack_calls = (guint *) (void *) s->stacks.calls->data;
      (at[1] < 0x80 ? scan_short_calls_stacks : scan_calls_stacks) (&r, stop);
    } else if (bases->address_mask != UINT64_MAX)
      scan_calls_32 (&r, stop);
    else if (at[1] < 0x80)
      scan_short_calls_64 (&r, stop);
    else
      scan_calls_64 (&r, stop);
    const struct slow_call *const slow = &r.slow;
    t->n_totals = (guint) (r.total - t->totals);
    const guint n_frames = (guint) (r.top - r.first) + 1;
    /* Each frame that was made has been left or is there; so leaves need not be counted. */
    const uint64_t made = r.enters - (slow->byte == BYTE_ENTER);
    const uint64_t left = made + t->n_frames - n_frames + (slow->byte == BYTE_LEAVE);
    *n_events += r.enters + left;
    t->n_frames = n_frames;
    bases->time = r.bases.time;
    bases->method = r.bases.method;
    const bool came_no_further = r.at == at;
    at = r.at;
    if (slow->byte == BYTE_ENTER)
      scan_enter (s, slow->method, slow->time);
    else if (slow->byte == BYTE_LEAVE)
      scan_leave (s, slow->method, slow->time);
    else if (at < stop || came_no_further || at >= end)
      return at;
  }
}

/* The end of a buffer, where cursors are not roomy, with zeros behind it. */
struct tail {
  uint8_t bytes[2 * ROOMY];
  const uint8_t *of; /* what it is a copy of; NULL: of nothing yet */
};

/* The same for calls there.  NULL if they do not end where the buffer does: then the scan holds
 * what it should not. */
static __attribute__ ((noinline)) const uint8_t *
scan_tail_calls (struct scan *s, struct tail *tail, const uint8_t *at, const uint8_t *end,
                 struct mlpd_bases *bases, uint64_t *n_events)
{
  if (tail->of == NULL) {
    memset (tail->bytes, 0, sizeof tail->bytes);
    memcpy (tail->bytes, at, (size_t) (end - at));
    tail->of = at;
  }
  const uint8_t *const stop = tail->bytes + (end - tail->of);
  const uint8_t *const behind
      = scan_all_calls (s, tail->bytes + (at - tail->of), stop, bases, n_events);
  return behind > stop ? NULL : tail->of + (behind - tail->bytes);
}

/* Where scan_allocs is. */
struct allocs {
  struct scan *scan;
  const uint8_t *at;
  struct mlpd_bases bases;
  struct scan_type *types;
  struct scan_symbols symbols;
  const struct sought_objects *sought;
  bool has_vtables;
  bool traces; /* are wanted */
};

/* Takes an allocation; false if it is of a type that was not met before, damaged, or looked for. */
static inline __attribute__ ((always_inline)) bool
allocs_take (struct allocs *r, struct cursor *c, uint8_t byte)
{
  const uint64_t time = r->bases.time;
  const size_t passed = byte == MLPD_TYPE_ALLOC ? 0 : r->bases.passed->n;
  struct mlpd_alloc e;
  mlpd_get_alloc (&r->bases, NULL, c, byte, &e);
  const uint64_t type = r->has_vtables ? e.vtable : e.klass;
  const struct scan_slot *slot = scan_symbols_near (&r->symbols, type);
  const size_t size = (size_t) (c->at - r->at);
  const bool is_bad = c->windowed               ? false
                      : byte == MLPD_TYPE_ALLOC ? size >= SCAN_SIZES
                                                : c->error != CURSOR_OK;
  if (G_UNLIKELY (is_bad) || G_UNLIKELY (slot->address != type)
      || G_UNLIKELY (r->sought != NULL && sought_objects_may_have (r->sought, e.object))) {
    r->bases.time = time;
    if (byte != MLPD_TYPE_ALLOC)
      r->bases.passed->n = passed;
    return false;
  }
  r->types[slot->number].objects++;
  r->types[slot->number].bytes += e.size;
  if (byte == MLPD_TYPE_ALLOC)
    r->scan->kinds[MLPD_ALLOC].of_size[size]++;
  else
    scan_count (r->scan, MLPD_ALLOC, size);
  if (byte != MLPD_TYPE_ALLOC && r->traces)
    take_trace (r->scan, &r->bases, &e, c->at, slot->number, (struct type_sum){ 1, e.size });
  r->at = c->at;
  return true;
}

#ifdef SCAN_WINDOWS
/* The event byte of an allocation without a backtrace, and its numbers; all but the byte are of 8
 * bytes at most in a window. */
#define ALLOC_NUMBERS 5
G_STATIC_ASSERT (1 + 8 * (ALLOC_NUMBERS - 1) < SCAN_SIZES);

/* Allocations that most windows have; a number that varies is one more that is not foreseen. */
#define ALLOC_WINDOW 4

/* Allocations without backtraces, a window of bytes after the other: where the numbers of several
 * end is found at once, so that the addresses of types, of any length, do not wait for each other.
 * Stops before what is none, or is for the loop of one by one.  Returns how many it took. */
static inline __attribute__ ((always_inline)) uint64_t
allocs_take_windows (struct allocs *all, const uint8_t *end, unsigned version)
{
  /* All that is needed, in registers. */
  struct allocs r = { .scan = all->scan,
                      .at = all->at,
                      .bases = all->bases,
                      .types = all->types,
                      .symbols = all->symbols,
                      .has_vtables = version >= MLPD_VERSION_ROOT_ADDRESSES };
  r.bases.version = version;
  r.bases.address_mask = UINT64_MAX;
  uint64_t events = 0;
  while (r.at < end) {
    struct cursor c = { .at = r.at, .windowed = true, .window = r.at };
    c.ends = cursor_window_ends (c.at);
    const uint64_t last = _pdep_u64 (UINT64_C (1) << (ALLOC_WINDOW * ALLOC_NUMBERS - 1), c.ends);
    if (G_UNLIKELY (cursor_has_long (c.ends) || last == 0))
      break;
    /* The next window need not wait for what is in this one. */
    const uint8_t *const next = r.at + __builtin_ctzll (last) + 1;
    unsigned n = 0;
#pragma GCC unroll 4
    for (; n < ALLOC_WINDOW; n++) {
      if (*c.at != MLPD_TYPE_ALLOC)
        break;
      c.begin++;
      c.ends &= c.ends - 1;
      if (!allocs_take (&r, &c, MLPD_TYPE_ALLOC))
        break;
    }
    events += n;
    if (n < ALLOC_WINDOW)
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
  return allocs_take_windows (all, end, 1);
}

static __attribute__ ((noinline)) uint64_t
alloc_windows_last (struct allocs *all, const uint8_t *end)
{
  return allocs_take_windows (all, end, MLPD_VERSION_LAST);
}
#endif

/* The same for allocations of types that were met before: with backtraces, which are passed over
 * unless `traces` are wanted, or (`byte`) without.  Each has a loop of its own: backtraces call
 * functions. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_allocs (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
             uint8_t byte, bool some_sought, bool traces, unsigned version, uint64_t address_mask,
             uint64_t *n_events)
{
  const bool has_vtables = version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct scan_symbols *symbols = &s->symbols[has_vtables ? SCAN_VTABLE : SCAN_CLASS];
  if (s->types->len < symbols->all->len) /* those that were met elsewhere */
    scan_add_type (s, symbols->all->len - 1);
  struct allocs r = { .scan = s,
                      .at = at,
                      .bases = *bases,
                      .types = (struct scan_type *) (void *) s->types->data,
                      .symbols = *symbols,
                      .sought = some_sought ? s->options.sought : NULL,
                      .has_vtables = has_vtables,
                      .traces = traces };
  r.bases.version = version;
  r.bases.address_mask = address_mask;
  uint64_t events = 0;
  for (; r.at < end; events++) {
#ifdef SCAN_WINDOWS
    if (byte == MLPD_TYPE_ALLOC && !some_sought) {
      events += (version == 1 ? alloc_windows_1 : alloc_windows_last) (&r, end);
      if (r.at >= end)
        break;
    }
#endif
    struct cursor c = { .at = r.at + 1, .end = end + ROOMY, .roomy = true };
    const uint64_t word = cursor_peek_at (r.at);
    if ((word & HEAD_MASK (2)) == HEAD (byte, 2)) {
      c = cursor_in_word (r.at, end + ROOMY, word, 2);
      if (!allocs_take (&r, &c, byte))
        break;
    } else if (*r.at != byte || !allocs_take (&r, &c, byte)) {
      break;
    }
  }
  *n_events += events;
  bases->time = r.bases.time;
  bases->method = r.bases.method;
  return r.at;
}

/* ... and for objects of heap shots, of which the references are kept if there are `lists`, or else
 * not looked at. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_heap_objects (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
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
  b.address_mask = address_mask;
  while (at < end && *at == BYTE_HEAP_OBJECT) {
    struct cursor c = { .at = at + 1, .end = end + ROOMY, .roomy = true };
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
      scan_keep_references (s, heap, slot->number, &e);
    scan_count (s, MLPD_HEAP_OBJECT, (uint64_t) (c.at - at));
    events++;
    at = c.at;
  }
  heap->rare = s->events->len;
  heap->records += events;
  heap->objects += objects;
  heap->bytes += bytes;
  heap->references += references;
  *n_events += events;
  bases->time = b.time;
  return at;
}

/* These are worth it for what is read most: logs of the newest version, and those of the module of
 * this project, of 64 bits. */
#define MASSES(name, what, ...)                                                                    \
  static __attribute__ ((noinline)) const uint8_t *name (                                          \
      struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,             \
      uint64_t *n_events)                                                                          \
  {                                                                                                \
    return what (s, at, end, bases, __VA_ARGS__, UINT64_MAX, n_events);                            \
  }
MASSES (scan_allocs_1, scan_allocs, MLPD_TYPE_ALLOC, false, false, 1)
MASSES (scan_allocs_last, scan_allocs, MLPD_TYPE_ALLOC, false, false, MLPD_VERSION_LAST)
MASSES (scan_traced_allocs_1, scan_allocs, BYTE_ALLOC_TRACE, false, false, 1)
MASSES (scan_traced_allocs_last, scan_allocs, BYTE_ALLOC_TRACE, false, false, MLPD_VERSION_LAST)
MASSES (seek_allocs_1, scan_allocs, MLPD_TYPE_ALLOC, true, false, 1)
MASSES (seek_allocs_last, scan_allocs, MLPD_TYPE_ALLOC, true, false, MLPD_VERSION_LAST)
MASSES (seek_traced_allocs_1, scan_allocs, BYTE_ALLOC_TRACE, true, false, 1)
MASSES (seek_traced_allocs_last, scan_allocs, BYTE_ALLOC_TRACE, true, false, MLPD_VERSION_LAST)
MASSES (keep_allocs_1, scan_allocs, BYTE_ALLOC_TRACE, false, true, 1)
MASSES (keep_allocs_last, scan_allocs, BYTE_ALLOC_TRACE, false, true, MLPD_VERSION_LAST)
MASSES (scan_heap_objects_1, scan_heap_objects, NULL, 1)
MASSES (scan_heap_objects_last, scan_heap_objects, NULL, MLPD_VERSION_LAST)
MASSES (keep_heap_objects_1, scan_heap_objects, &s->decoder.lists, 1)
MASSES (keep_heap_objects_last, scan_heap_objects, &s->decoder.lists, MLPD_VERSION_LAST)

typedef const uint8_t *scan_masses (struct scan *, const uint8_t *, const uint8_t *,
                                    struct mlpd_bases *, uint64_t *);

/* Allocations are looked for or not; with backtraces or not; of the first version or the last. */
static scan_masses *const allocs_scans[2][2][2]
    = { { { scan_allocs_last, scan_allocs_1 }, { scan_traced_allocs_last, scan_traced_allocs_1 } },
        { { seek_allocs_last, seek_allocs_1 },
          { seek_traced_allocs_last, seek_traced_allocs_1 } } };

/* How allocations are scanned that begin with this byte; NULL: one by one. */
static inline scan_masses *
allocs_scan (const struct scan *s, uint8_t byte, unsigned version)
{
  const bool has_trace = byte == BYTE_ALLOC_TRACE, some_sought = s->options.sought != NULL;
  if (!s->options.traces || !has_trace)
    return allocs_scans[some_sought][has_trace][version == 1];
  if (some_sought)
    return NULL;
  return version == 1 ? keep_allocs_1 : keep_allocs_last;
}

/* The same for objects of heap shots. */
static inline scan_masses *
heap_objects_scan (const struct scan *s, unsigned version)
{
  if (!s->heap_is_open || s->options.graphs != NULL)
    return NULL;
  if (s->options.traces)
    return version == 1 ? keep_heap_objects_1 : keep_heap_objects_last;
  return version == 1 ? scan_heap_objects_1 : scan_heap_objects_last;
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
