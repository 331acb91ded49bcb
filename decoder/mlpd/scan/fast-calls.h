/* fast-calls.h -- the loops of scan-block.c, which includes this, for calls.
 *
 * All their data are in variables, except those that most calls do not need.
 */
#ifndef PROFLOG_FAST_CALLS_H
#define PROFLOG_FAST_CALLS_H

/* A call that needs more than a frame and its method. */
struct slow_call {
  uint8_t byte; /* 0: none */
  uint64_t method;
  uint64_t time;
};

/* Calls in one go, for which there is room on the stack. */
#define CALLS_MAX 512
#define CALL_BYTES_MIN 3

/* The longest call of which the leave has a time of two bytes. */
#define LEAF_NS_MAX (1u << 14)

/* The state of scan_calls: it is in variables, and no function is called in the loop. */
struct call_loop {
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
  bool has_times;
  struct call_times *stack_times; /* if it has */
  bool has_bins;
  uint64_t bin_begin, bin_end; /* if it has */
  uint64_t *stack_self_ns;     /* of the bin */
  /* Data that most calls do not need, not in variables, but in `all`. */
  struct call_loop *all;
  struct scan_total *total; /* the next of the thread's; there is room */
  struct slow_call slow;
};

static inline __attribute__ ((always_inline)) void
defer_slow_call (struct call_loop *r, uint8_t byte, uint64_t method, uint64_t time)
{
  r->all->slow = (struct slow_call){ byte, method, time };
}

/* The time of an outermost frame. */
static inline __attribute__ ((always_inline)) void
calls_add_total (struct call_loop *r, struct scan_method *m, size_t place, uint64_t ns)
{
  if (G_UNLIKELY (m->level != r->level)) {
#ifdef __GNUC__
    __asm__("" : "+m"(m->level)); /* it is inspected in memory */
#endif
    r->all->total = scan_flush_total (m, (guint) (place / SCAN_PLACE), r->level, r->all->total);
  }
#ifdef __GNUC__
  /* It is added to in memory: else the compiler loads it, for scan_flush_total too, before the
   * test.
   */
  __asm__("" : "+m"(m->total_ns));
#endif
  m->total_ns += ns;
}

/* The leave of the method that was entered right before and called nothing: its difference to that
 * is 0. */
static inline __attribute__ ((always_inline)) void
calls_leave_leaf (struct call_loop *r, struct scan_method *m, size_t place, guint stack,
                  uint64_t word, unsigned len_hints)
{
  struct cursor c = cursor_in_word (r->at, r->at, word, len_hints);
  struct mlpd_bases b = r->bases;
  struct mlpd_method_leave e;
  mlpd_get_method_leave (&b, NULL, &c, BYTE_LEAVE, &e);
  const uint64_t ns = e.time - r->bases.time; /* a number of so few bytes is not below 0 */
  m->self_ns += ns;
  if (m->active == 0)
    calls_add_total (r, m, place, ns);
  m->calls++;
  r->top->callees_ns += ns;
  if (r->has_times)
    call_times_add (&r->stack_times[stack], r->bases.time, ns);
  if (r->has_bins && r->has_stacks)
    r->stack_self_ns[stack] += ns;
  r->scan->kinds[MLPD_METHOD_LEAVE].of_size[c.at - r->at]++;
  r->bases.time = e.time;
  r->at = c.at;
}

/* Handles an enter; false: no more.  `usual`: see scan_calls. */
static inline __attribute__ ((always_inline)) bool
calls_enter (struct call_loop *r, struct cursor c, unsigned usual)
{
  const uint64_t time = r->bases.time, method = r->bases.method;
  struct mlpd_method_enter e;
  mlpd_get_method_enter (&r->bases, NULL, &c, BYTE_ENTER, &e);
  const size_t size = (size_t) (c.at - r->at);
  if (G_UNLIKELY (size >= SCAN_SIZES) || (r->has_bins && G_UNLIKELY (e.time >= r->bin_end))) {
    r->bases.time = time;
    r->bases.method = method;
    return false;
  }
  r->scan->kinds[MLPD_METHOD_ENTER].of_size[size]++;
  r->at = c.at;
  r->enters++;
  const struct scan_slot *slot = scan_symbols_near (&r->symbols, e.method);
  if (G_UNLIKELY (slot->address != e.method)) {
    defer_slow_call (r, BYTE_ENTER, e.method, e.time);
    return false;
  }
  guint stack = SCAN_STACK_NONE;
  if (r->has_stacks) {
    const uint64_t key = scan_stack_key (r->top->stack, slot->place);
    const struct scan_slot *const found = scan_symbols_near (&r->stacks, key);
    if (G_UNLIKELY (found->address != key)) {
      defer_slow_call (r, BYTE_ENTER, e.method, e.time);
      return false;
    }
    stack = found->number;
    r->stack_calls[stack]++;
  }
  struct scan_method *const m = scan_method_at (r->methods, slot->place);
  const uint64_t word = cursor_peek_at (r->at);
  const unsigned other = 3 - usual;
  /* One that may be left in another bin is no leaf. */
  const bool may_be_leaf = !r->has_bins || r->bin_end - e.time > LEAF_NS_MAX;
  if ((word & PAIR_MASK (usual)) == HEAD (BYTE_LEAVE, usual) && may_be_leaf) {
    calls_leave_leaf (r, m, slot->place, stack, word, 0x10 | usual);
    return true;
  }
  if ((word & PAIR_MASK (other)) == HEAD (BYTE_LEAVE, other) && may_be_leaf) {
    calls_leave_leaf (r, m, slot->place, stack, word, 0x10 | other);
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
  if (r->has_bins && r->has_stacks)
    r->top->spent = 0;
  return true;
}

static inline __attribute__ ((always_inline)) bool
calls_leave (struct call_loop *r, struct cursor c)
{
  const uint64_t time = r->bases.time, method = r->bases.method;
  struct mlpd_method_leave e;
  mlpd_get_method_leave (&r->bases, NULL, &c, BYTE_LEAVE, &e);
  const size_t size = (size_t) (c.at - r->at);
  if (G_UNLIKELY (size >= SCAN_SIZES) || (r->has_bins && G_UNLIKELY (e.time >= r->bin_end))) {
    r->bases.time = time;
    r->bases.method = method;
    return false;
  }
  r->scan->kinds[MLPD_METHOD_LEAVE].of_size[size]++;
  r->at = c.at;
  struct scan_frame *const top = r->top;
  struct scan_method *const m = scan_method_at (r->methods, top->place);
  if (G_UNLIKELY (top == r->first || top->address != e.method)) {
    defer_slow_call (r, BYTE_LEAVE, e.method, e.time);
    return false;
  }
  const uint64_t ns = e.time - top->start, self_ns = ns - top->callees_ns;
  if (G_UNLIKELY ((int64_t) self_ns < 0) /* times went back between buffers */
      || (r->has_bins && r->has_stacks && G_UNLIKELY (top->start < r->bin_begin))) {
    defer_slow_call (r, BYTE_LEAVE, e.method, e.time);
    return false;
  }
  if (r->has_bins && r->has_stacks)
    r->stack_self_ns[top->stack] += self_ns;
  m->self_ns += self_ns;
  if (--m->active == 0)
    calls_add_total (r, m, top->place, ns);
  if (r->has_times)
    call_times_add (&r->stack_times[top->stack], top->start, ns);
  r->top--;
  r->top->callees_ns += ns;
  return true;
}

/* Calls come by the thousand with nothing between them: this reads as many as there are and stops
 * before anything else, after a call that is slower, or at a number of many bytes.  Times are most
 * often of one length in a log, `usual`: two bytes in those of the stock profiler, one in ours.  A
 * test of the event byte and that length at once leaves a processor less to predict. */
static inline __attribute__ ((always_inline)) void
scan_calls (struct call_loop *all, const uint8_t *end, uint64_t address_mask, unsigned usual,
            bool has_stacks, bool has_times, bool has_bins)
{
  const unsigned other = 3 - usual;
  struct call_loop r = *all; /* in registers, as far as they go */
  r.all = all;
  r.bases.address_mask = address_mask;
  r.has_stacks = has_stacks;
  r.has_times = has_times;
  r.has_bins = has_bins;
  while (r.at < end) {
    const struct cursor c = { .at = r.at + 1, .end = end, .unchecked = true };
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
scan_calls_64 (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, UINT64_MAX, 2, false, false, false);
}

static __attribute__ ((noinline)) void
scan_short_calls_64 (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, UINT64_MAX, 1, false, false, false);
}

static __attribute__ ((noinline)) void
scan_calls_32 (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, UINT32_MAX, 2, false, false, false);
}

static __attribute__ ((noinline)) void
scan_calls_stacks (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 2, true, false, false);
}

static __attribute__ ((noinline)) void
scan_short_calls_stacks (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 1, true, false, false);
}

static __attribute__ ((noinline)) void
scan_calls_times (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 2, true, true, false);
}

static __attribute__ ((noinline)) void
scan_short_calls_times (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 1, true, true, false);
}

static __attribute__ ((noinline)) void
scan_calls_bins (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 2, true, true, true);
}

static __attribute__ ((noinline)) void
scan_short_calls_bins (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 1, true, true, true);
}

static __attribute__ ((noinline)) void
scan_counted_calls (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 2, false, false, true);
}

static __attribute__ ((noinline)) void
scan_short_counted_calls (struct call_loop *all, const uint8_t *end)
{
  scan_calls (all, end, all->bases.address_mask, 1, false, false, true);
}

/* Calls, of which only the time is used.  An enter and a leave have the same numbers. */
static __attribute__ ((noinline)) const uint8_t *
skip_calls (const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases)
{
  struct mlpd_bases b = *bases;
  uint64_t time = b.time;
  while (at < end) {
    const uint64_t word = cursor_peek_at (at);
    struct cursor c = { .at = at + 1, .end = end, .unchecked = true };
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
  if (s->options.query != NULL)
    return skip_calls (at, end, bases);
  for (;;) {
    struct scan_thread *t = scan_current_thread (s);
    /* Backtraces have numbers for methods that were not called yet. */
    if (t->n_methods < s->symbols[SCAN_METHOD].all->len)
      scan_grow_methods (s, t, s->symbols[SCAN_METHOD].all->len);
    if (t->retains_calls || t->n_frames == 0 || t->n_methods == 0)
      return at;
    while (t->room - t->n_frames < CALLS_MAX)
      scan_grow_frames (s, t);
    scan_grow_totals (t, CALLS_MAX + 1);
    const uint8_t *const stop
        = end - at > CALLS_MAX * CALL_BYTES_MIN ? at + CALLS_MAX * CALL_BYTES_MIN : end;
    struct call_loop r = { .scan = s,
                           .at = at,
                           .bases = *bases,
                           .methods = t->methods,
                           .symbols = s->symbols[SCAN_METHOD],
                           .level = scan_current_level (t),
                           .first = t->frames,
                           .top = &t->frames[t->n_frames - 1],
                           .total = &t->totals[t->n_totals] };
    if (s->options.bins != NULL) {
      r.bin_begin = s->bins.begin;
      r.bin_end = s->bins.begin + s->bins.span;
    }
    if (scan_has_stacks (s)) {
      r.stacks = s->stacks.keys;
      r.stack_calls = (guint *) (void *) s->stacks.calls->data;
      r.stack_times = (struct call_times *) (void *) s->stacks.times->data;
      if (s->options.bins != NULL) {
        r.stack_self_ns = (uint64_t *) (void *) s->bins.self_ns->data;
        (at[1] < 0x80 ? scan_short_calls_bins : scan_calls_bins) (&r, stop);
      } else if (scan_has_stack_times (s))
        (at[1] < 0x80 ? scan_short_calls_times : scan_calls_times) (&r, stop);
      else
        (at[1] < 0x80 ? scan_short_calls_stacks : scan_calls_stacks) (&r, stop);
    } else if (s->options.bins != NULL)
      (at[1] < 0x80 ? scan_short_counted_calls : scan_counted_calls) (&r, stop);
    else if (bases->address_mask != UINT64_MAX)
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

/* The end of a buffer, where cursors are not unchecked, with zeros after it. */
struct tail {
  uint8_t bytes[2 * UNCHECKED_ROOM];
  const uint8_t *of; /* the original; NULL: none yet */
};

/* The same for calls there.  NULL if they do not end where the buffer does: then the scan holds
 * wrong events. */
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
  const uint8_t *const after
      = scan_all_calls (s, tail->bytes + (at - tail->of), stop, bases, n_events);
  return after > stop ? NULL : tail->of + (after - tail->bytes);
}

#endif
