/* scan-pass.c -- ends bins: the sums of each, and the time of open calls in it. */
#include "config.h"

#include "decoder/mlpd/scan/scan-pass.h"
#include "decoder/mlpd/model/threads.h"
#include "decoder/mlpd/scan/scan-defer.h"

/* ---- buffers ---- */

static void
end_buffer (struct scan_bins *b, uint64_t next)
{
  b->buffer.end = MIN (b->buffer.end, next);
  if (b->buffer.has_rest || b->is_wanted)
    g_array_append_val (b->buffers, b->buffer);
  b->buffer.has_rest = b->is_wanted = false;
}

void
scan_pass_buffer (struct scan_bins *b, const struct mlpd_buffer_header *header, uint64_t offset,
                  bool is_wanted)
{
  end_buffer (b, offset);
  b->buffer = (struct scan_binned_buffer){ .offset = offset,
                                           .end = offset + MLPD_BUFFER_HEADER_SIZE + header->length,
                                           .begin = header->time_base };
  b->is_wanted = is_wanted;
  b->first_offset = MIN (b->first_offset, offset);
  b->span = 0;
}

/* ---- calls ---- */

static void
add_calls (struct scan *s, struct scan_binned_calls calls)
{
  g_array_append_val (s->bins.calls, calls);
  s->retained += sizeof calls;
}

/* A frame has spent this much self time in a bin, which the others do not have. */
static void
add_spent (struct scan *s, const struct scan_frame *frame, bool is_base, guint bin, uint64_t ns)
{
  const guint begin = is_base ? SCAN_BIN_NONE : scan_bin_of (s->options.bins, frame->start);
  if (ns != 0)
    add_calls (s, (struct scan_binned_calls){ .stack = frame->stack,
                                              .begin = (uint16_t) begin,
                                              .end = (uint16_t) bin,
                                              .self_ns = ns });
}

/* The frame's time up to now is the bin's. */
static void
spend (struct scan *s, struct scan_frame *frame, bool is_base, guint bin, uint64_t time)
{
  const uint64_t ns = span_ns (frame->start, time), self_ns = ns - MIN (ns, frame->callees_ns);
  if (self_ns <= frame->spent)
    return;
  add_spent (s, frame, is_base, bin, self_ns - frame->spent);
  frame->spent = self_ns;
}

void
scan_pass_leave (struct scan *s, const struct scan_frame *frame, uint64_t self_ns)
{
  const struct scan_bins *b = &s->bins;
  const uint64_t ns = self_ns - MIN (self_ns, frame->spent);
  if (!scan_has_stacks (s))
    return;
  if (frame->start - b->begin < b->span)
    g_array_index (b->self_ns, uint64_t, frame->stack) += ns;
  else
    add_spent (s, frame, false, b->bin, ns);
}

/* The time of all open frames up to the thread's latest event.  Those below one that was open the
 * last time have spent nothing since.  Where calls are retained, the merge does that. */
static void
spend_all (struct scan *s, struct scan_thread *t, uint64_t latest)
{
  uint64_t end = latest;
  if (!s->options.bins->has_stacks)
    return;
  if (t->calls != NULL) {
    scan_defer_pass (s, t, latest);
    return;
  }
  for (guint i = t->n_frames; i-- > 0;) {
    spend (s, &t->frames[i], i == 0, t->bin, end);
    end = t->frames[i].start;
    if (end < t->spent_until)
      break;
  }
  t->spent_until = latest;
}

/* The calls of the bin that is added up. */
static void
end_calls (struct scan *s)
{
  struct scan_bins *b = &s->bins;
  const guint n = s->stacks.calls->len;
  g_array_set_size (b->calls_before, n);
  g_array_set_size (b->self_ns, n);
  for (guint i = 0; i < n; i++) {
    const guint calls = g_array_index (s->stacks.calls, guint, i);
    guint *const before = &g_array_index (b->calls_before, guint, i);
    uint64_t *const ns = &g_array_index (b->self_ns, uint64_t, i);
    if (calls == *before && *ns == 0)
      continue;
    add_calls (s, (struct scan_binned_calls){ .stack = i,
                                              .begin = (uint16_t) b->bin,
                                              .end = (uint16_t) b->bin,
                                              .calls = calls - *before,
                                              .self_ns = *ns });
    *before = calls;
    *ns = 0;
  }
}

static void
end_enters (struct scan *s)
{
  struct scan_bins *b = &s->bins;
  const struct scan_kind *kind = &s->kinds[MLPD_METHOD_ENTER];
  uint64_t enters = kind->larger;
  for (guint i = 0; i < SCAN_SIZES; i++)
    enters += kind->of_size[i];
  const struct scan_binned_enters of = { .bin = b->bin, .calls = enters - b->enters_before };
  if (of.calls != 0)
    g_array_append_val (b->enters, of);
  b->enters_before = enters;
}

/* ---- allocations ---- */

static void
end_types (struct scan *s)
{
  struct scan_bins *b = &s->bins;
  g_array_set_size (b->types_before, s->types->len);
  for (guint i = 0; i < s->types->len; i++) {
    const struct scan_type *now = &g_array_index (s->types, struct scan_type, i);
    struct type_sum *const before = &g_array_index (b->types_before, struct type_sum, i);
    const struct scan_binned_type type
        = { .type = i,
            .bin = b->bin,
            .sum = { now->objects - before->objects, now->bytes - before->bytes } };
    if (type.sum.objects == 0)
      continue;
    g_array_append_val (b->types, type);
    s->retained += sizeof type;
    *before = (struct type_sum){ now->objects, now->bytes };
  }
}

/* ---- threads ---- */

static void
end_bin (struct scan *s)
{
  if (s->bins.bin == SCAN_BIN_NONE)
    return;
  if (scan_has_stacks (s))
    end_calls (s);
  end_enters (s);
  end_types (s);
}

static void
set_bin (struct scan *s, guint bin)
{
  const struct scan_bin_spec *const spec = s->options.bins;
  struct scan_bins *b = &s->bins;
  const bool is_last = bin + 1 == spec->count;
  b->bin = bin;
  b->begin = bin != 0 ? spec->zero + bin * spec->width : 0;
  b->span = (is_last ? UINT64_MAX : spec->zero + (bin + 1) * spec->width) - b->begin;
}

static void
add_events (struct scan *s, struct scan_thread *t, guint number, uint64_t events)
{
  const struct scan_binned_thread thread
      = { .thread = number, .bin = t->bin, .events = events - t->binned };
  if (thread.events != 0)
    g_array_append_val (s->bins.threads, thread);
  t->binned = events;
}

void
scan_pass_bin (struct scan *s, uint64_t time)
{
  struct scan_thread *t = scan_current_thread (s);
  const guint bin = scan_bin_of (s->options.bins, time);
  if (t->bin == SCAN_BIN_NONE) {
    t->first = t->frames[0].start = time;
    t->bin = bin;
  } else if (t->bin != bin) {
    spend_all (s, t, s->bins.latest);
    add_events (s, t, s->thread, s->bins.events);
    t->bin = bin;
  }
  if (s->bins.bin != bin)
    end_bin (s);
  set_bin (s, bin);
}

void
scan_pass_finish (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    if (t->bin == SCAN_BIN_NONE)
      continue;
    spend_all (s, t, t->latest);
    add_events (s, t, i, t->events - t->hits);
  }
  end_bin (s);
  end_buffer (&s->bins, UINT64_MAX);
}
