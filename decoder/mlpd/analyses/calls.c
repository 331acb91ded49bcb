/* calls.c -- follows the stack of each thread. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/core/cursor.h"
#include "decoder/core/timeline-cells.h"
#include <proflog/mlpd-encode.h>
#include <string.h>

/* ---- cells ---- */

struct call_cells {
  const struct scan_bin_spec *spec; /* borrowed */
  struct timeline_cells sums;       /* their rows are nodes of the tree */
};

static struct call_cells *
cells_new (const struct scan_bin_spec *spec)
{
  struct call_cells *cells = g_new (struct call_cells, 1);
  cells->spec = spec;
  timeline_cells_init (&cells->sums);
  return cells;
}

static void
cells_free (struct call_cells *cells)
{
  timeline_cells_clear (&cells->sums);
  g_free (cells);
}

static void
add_cell (struct call_cells *cells, guint node, guint begin, guint end, uint64_t calls,
          uint64_t self_ns)
{
  const struct timeline_cell cell = {
    .row = node, .begin = (uint16_t) begin, .end = (uint16_t) end, .count = calls, .amount = self_ns
  };
  timeline_cells_add (&cells->sums, &cell);
}

struct timeline_cells *
calls_cells (struct calls *c)
{
  if (c->cells == NULL)
    return NULL;
  timeline_cells_pack (&c->cells->sums);
  return &c->cells->sums;
}

/* ---- the state ---- */

void
calls_init (struct calls *c, const struct scan_options *options)
{
  *c = (struct calls){ .methods = g_array_new (FALSE, TRUE, sizeof (struct method_sum)),
                       .depth = options->depth,
                       .has_callers = options->callers,
                       .has_stacks = options->callers || options->call_times };
  if (c->has_stacks) {
    call_tree_init (&c->tree, options->call_times ? CALL_TIMES_CALLS : CALL_TIMES_NONE);
    trace_sums_init (&c->callers);
  }
  if (options->bins != NULL && options->bins->has_stacks)
    c->cells = cells_new (options->bins);
}

void
calls_clear (struct calls *c)
{
  g_array_free (c->methods, TRUE);
  if (c->has_stacks) {
    call_tree_clear (&c->tree);
    trace_sums_clear (&c->callers);
  }
  if (c->cells != NULL)
    cells_free (c->cells);
}

static struct method_sum *
find_sum (struct calls *c, guint method)
{
  if (method >= c->methods->len)
    g_array_set_size (c->methods, method + 1);
  return &g_array_index (c->methods, struct method_sum, method);
}

/* Open frames of a method on a thread. */
static guint32 *
active_calls (struct thread *t, guint method)
{
  if (method >= t->active->len)
    g_array_set_size (t->active, method + 1);
  return &g_array_index (t->active, guint32, method);
}

/* ---- the stack ---- */

/* Programs have few frames open at once.  A log of nothing but enters has one for every three
 * bytes: the outer ones are packed, a part at a time, into not much more than they were in the log.
 */
#define FRAMES_MAX 65536
#define PART_FRAMES (FRAMES_MAX / 2)
/* Two numbers of 32 bits, three of 64. */
#define PACKED_FRAME_MAX (2 * 5 + 3 * MLPD_LEB128_MAX)

static void
pack_outer (struct thread *t)
{
  if (t->outer == NULL) {
    t->outer = g_byte_array_new ();
    t->outer_parts = g_array_new (FALSE, FALSE, sizeof (guint));
  }
  uint64_t start = 0;
  guint8 *const bytes = g_malloc (PART_FRAMES * PACKED_FRAME_MAX), *end = bytes;
  for (guint i = 0; i < PART_FRAMES; i++) {
    const struct call_frame *frame = &g_array_index (t->frames, struct call_frame, i);
    end = mlpd_put_uleb (end, frame->method);
    end = mlpd_put_uleb (end, frame->node);
    end = mlpd_put_sleb (end, (int64_t) (frame->start - start));
    end = mlpd_put_uleb (end, frame->callees_ns);
    end = mlpd_put_uleb (end, frame->spent);
    start = frame->start;
  }
  const guint at = t->outer->len;
  g_array_append_val (t->outer_parts, at);
  g_byte_array_append (t->outer, bytes, (guint) (end - bytes));
  g_free (bytes);
  g_array_remove_range (t->frames, 0, PART_FRAMES);
}

/* The last part of the outer frames becomes the stack that is at hand. */
static void
unpack_outer (struct thread *t)
{
  const guint part = t->outer_parts->len - 1, at = g_array_index (t->outer_parts, guint, part);
  struct cursor c = cursor_over (t->outer->data + at, t->outer->len - at);
  uint64_t start = 0;
  g_array_set_size (t->frames, PART_FRAMES);
  for (guint i = 0; i < PART_FRAMES; i++) {
    struct call_frame *frame = &g_array_index (t->frames, struct call_frame, i);
    frame->method = (guint) cursor_uleb (&c);
    frame->node = (guint) cursor_uleb (&c);
    frame->start = start += (uint64_t) cursor_sleb (&c);
    frame->callees_ns = cursor_uleb (&c);
    frame->spent = cursor_uleb (&c);
  }
  g_array_set_size (t->outer_parts, part);
  g_byte_array_set_size (t->outer, at);
}

guint
calls_depth (const struct thread *t)
{
  const guint parts = t->outer_parts != NULL ? t->outer_parts->len : 0;
  return t->frames != NULL ? parts * PART_FRAMES + t->frames->len : 0;
}

const struct call_frame *
calls_top (const struct thread *t)
{
  return t->frames != NULL && t->frames->len > 0
             ? &g_array_index (t->frames, struct call_frame, t->frames->len - 1)
             : NULL;
}

static void
push (struct thread *t, struct call_frame frame)
{
  if (t->frames == NULL) {
    t->frames = g_array_new (FALSE, FALSE, sizeof (struct call_frame));
    t->active = g_array_new (FALSE, TRUE, sizeof (guint32));
  }
  if (t->frames->len == FRAMES_MAX)
    pack_outer (t);
  g_array_append_val (t->frames, frame);
  ++*active_calls (t, frame.method);
}

static guint
node_now (const struct thread *t)
{
  const struct call_frame *top = calls_top (t);
  return top != NULL ? top->node : CALL_TREE_ROOT;
}

/* ---- self time of open frames ---- */

/* A frame has spent this much more self time in a bin. */
static void
spend (struct calls *c, struct call_frame *frame, guint bin, uint64_t ns)
{
  if (ns == 0)
    return;
  add_cell (c->cells, frame->node, scan_bin_of (c->cells->spec, frame->start), bin, 0, ns);
  frame->spent += ns;
}

static void
spend_until (struct calls *c, struct call_frame *frame, guint bin, uint64_t time)
{
  const uint64_t ns = span_ns (frame->start, time), self_ns = ns - MIN (ns, frame->callees_ns);
  spend (c, frame, bin, self_ns - MIN (self_ns, frame->spent));
}

/* The time of the open frames up to the thread's latest event.  Those below one that was open the
 * last time have spent nothing since. */
static void
spend_all (struct calls *c, struct thread *t)
{
  uint64_t end = t->bin_latest;
  for (guint i = t->frames != NULL ? t->frames->len : 0; i-- > 0;) {
    struct call_frame *frame = &g_array_index (t->frames, struct call_frame, i);
    spend_until (c, frame, t->bin, end);
    end = frame->start;
    if (end < t->bin_spent)
      break;
  }
  t->bin_spent = t->bin_latest;
}

/* An event of the thread comes. */
static void
pass_time (struct calls *c, struct thread *t, uint64_t time)
{
  const guint bin = scan_bin_of (c->cells->spec, time);
  if (t->bin_latest != 0 && bin != t->bin)
    spend_all (c, t);
  t->bin = bin;
  t->bin_latest = MAX (t->bin_latest, time);
}

/* ---- calls ---- */

void
calls_enter (struct calls *c, struct thread *t, guint method, uint64_t time)
{
  struct call_frame frame = { .method = method, .start = time };
  const guint depth = calls_depth (t);
  if (c->cells != NULL)
    pass_time (c, t, time);
  if (c->depth != 0 && depth >= c->depth) {
    push (t, frame);
    return;
  }
  if (c->has_stacks)
    frame.node = call_tree_enter (&c->tree, node_now (t), method, 1);
  if (c->cells != NULL)
    add_cell (c->cells, frame.node, t->bin, t->bin, 1, 0);
  push (t, frame);
  c->total++;
  find_sum (c, method)->calls++;
}

static void
leave_top (struct calls *c, struct thread *t, uint64_t time)
{
  struct call_frame frame = g_array_index (t->frames, struct call_frame, t->frames->len - 1);
  t->frames->len--; /* g_array_set_size is a call each */
  if (t->frames->len == 0 && t->outer_parts != NULL && t->outer_parts->len > 0)
    unpack_outer (t);
  const uint64_t ns = span_ns (frame.start, time);
  const bool is_outermost = --*active_calls (t, frame.method) == 0;
  if (c->depth != 0 && calls_depth (t) >= c->depth)
    return; /* it counts for its caller */
  struct method_sum *sum = find_sum (c, frame.method);
  const uint64_t self_ns = ns - MIN (ns, frame.callees_ns);
  if (c->cells != NULL)
    spend (c, &frame, t->bin, self_ns - MIN (self_ns, frame.spent));
  sum->self_ns += self_ns;
  if (is_outermost)
    sum->total_ns += ns;
  if (c->left != NULL)
    c->left (c->left_data,
             &(struct left_call){ t, frame.method, frame.start, ns, self_ns, is_outermost });
  if (c->has_stacks && c->tree.times != NULL)
    call_times_add (call_tree_times (&c->tree, frame.node), frame.start, ns);
  if (t->frames->len > 0)
    g_array_index (t->frames, struct call_frame, t->frames->len - 1).callees_ns += ns;
}

void
calls_leave (struct calls *c, struct thread *t, guint method, uint64_t time)
{
  if (c->cells != NULL)
    pass_time (c, t, time);
  if (t->frames == NULL || *active_calls (t, method) == 0) {
    c->unmatched_leaves++;
    return;
  }
  while (g_array_index (t->frames, struct call_frame, t->frames->len - 1).method != method)
    leave_top (c, t, time);
  leave_top (c, t, time);
}

/* ---- merging ---- */

/* The totals in order of levels.  The caller's. */
static struct scan_total *
sort_totals (const struct scan_total *totals, guint n, guint levels)
{
  guint *first = g_new0 (guint, levels + 2);
  struct scan_total *sorted = g_new (struct scan_total, n);
  for (guint i = 0; i < n; i++)
    first[totals[i].level + 1]++;
  for (guint i = 0; i < levels; i++)
    first[i + 1] += first[i];
  for (guint i = 0; i < n; i++)
    sorted[first[totals[i].level]++] = totals[i];
  g_free (first);
  return sorted;
}

/* The totals of one level: a method that is active below had its time counted there.  Returns the
 * first of the next level. */
static guint
add_totals (struct calls *c, struct thread *t, const struct scan_total *totals, guint n, guint i,
            guint level, const guint *methods)
{
  for (; i < n; i++) {
    const struct scan_total *total = &totals[i];
    const guint method = methods[total->method];
    if (total->level != level)
      break;
    if (t->frames == NULL || *active_calls (t, method) == 0)
      find_sum (c, method)->total_ns += total->ns;
  }
  return i;
}

static void
add_callees (struct thread *t, uint64_t ns)
{
  if (t->frames != NULL && t->frames->len > 0)
    g_array_index (t->frames, struct call_frame, t->frames->len - 1).callees_ns += ns;
}

/* The time of frames of earlier scans in bins of this one: by their stacks in the scan, lists of
 * its binned calls. */
struct base_cells {
  const struct scan *scan;
  guint *first, *next; /* + 1; 0: none */
};

static void
list_base_cells (struct base_cells *b, const struct scan *scan)
{
  const GArray *calls = scan->bins.calls;
  *b = (struct base_cells){ scan, g_new0 (guint, scan->stacks.calls->len),
                            g_new0 (guint, calls->len) };
  for (guint i = calls->len; i-- > 0;) {
    const struct scan_binned_calls *of = &g_array_index (calls, struct scan_binned_calls, i);
    if (of->begin != SCAN_BIN_NONE)
      continue;
    b->next[i] = b->first[of->stack];
    b->first[of->stack] = i + 1;
  }
}

static void
clear_base_cells (struct base_cells *b)
{
  g_free (b->first);
  g_free (b->next);
}

static struct call_frame *
top_frame (struct thread *t)
{
  return t->frames != NULL && t->frames->len > 0
             ? &g_array_index (t->frames, struct call_frame, t->frames->len - 1)
             : NULL;
}

/* They are those of the frame on top, up to this time. */
static void
merge_base_cells (struct calls *c, struct thread *t, const struct base_cells *b, guint stack,
                  uint64_t time)
{
  struct call_frame *top = top_frame (t);
  for (guint i = b->first[stack]; i != 0 && top != NULL; i = b->next[i - 1]) {
    const struct scan_binned_calls *of
        = &g_array_index (b->scan->bins.calls, struct scan_binned_calls, i - 1);
    spend (c, top, of->end, of->self_ns);
  }
  t->bin = scan_bin_of (c->cells->spec, time);
  t->bin_latest = MAX (t->bin_latest, time);
}

/* The thread's first event in the scan.  The time since its last one is of this event's bin. */
static void
begin_bins (struct calls *c, struct thread *t, uint64_t first)
{
  struct call_frame *top = top_frame (t);
  if (t->bin_latest != 0)
    spend_all (c, t);
  t->bin = scan_bin_of (c->cells->spec, first);
  if (top != NULL && t->bin_latest != 0)
    spend (c, top, t->bin, span_ns (t->bin_latest, first));
  t->bin_latest = MAX (t->bin_latest, first);
}

/* A scan's sums of the calls of a thread are merged in two parts; `methods` translates its methods
 * to symbols.  In between, of all threads, the stacks that methods were called from, if the scan
 * has them: they become nodes of the tree, which are in `nodes` by the scan's numbers.  Else
 * `nodes` is NULL. */
static void
merge_levels (struct calls *c, struct thread *t, const struct scan_thread *scanned,
              const guint *methods, guint *nodes, const struct base_cells *base)
{
  const guint levels = scanned->levels != NULL ? scanned->levels->len : 0;
  guint next = 0;
  const guint n = scanned->n_totals;
  struct scan_total *totals = sort_totals (scanned->totals, n, levels);
  const bool has_bins = c->cells != NULL && scanned->bin != SCAN_BIN_NONE;
  if (has_bins)
    begin_bins (c, t, scanned->first);
  for (guint i = 0; i < levels; i++) {
    const struct scan_open_return *level
        = &g_array_index (scanned->levels, struct scan_open_return, i);
    next = add_totals (c, t, totals, n, next, i, methods);
    if (nodes != NULL)
      nodes[level->stack] = node_now (t);
    add_callees (t, level->callees_ns);
    if (has_bins && nodes != NULL)
      merge_base_cells (c, t, base, level->stack, level->time);
    calls_leave (c, t, methods[level->method], level->time);
  }
  add_totals (c, t, totals, n, next, levels, methods);
  g_free (totals);
  if (scanned->n_frames == 0)
    return;
  if (nodes != NULL)
    nodes[scanned->frames[0].stack] = node_now (t);
  add_callees (t, scanned->frames[0].callees_ns);
  if (has_bins && nodes != NULL)
    merge_base_cells (c, t, base, scanned->frames[0].stack, t->bin_latest);
}

static void
merge_stacks (struct calls *c, const struct scan *scan, const guint *methods, guint *nodes)
{
  const GArray *keys = scan->stacks.keys.all;
  for (guint i = 0; i < keys->len; i++) {
    const uint64_t key = g_array_index (keys, struct scan_symbol, i).address;
    const guint below = scan_stack_below (key);
    if (below == SCAN_STACK_NONE)
      continue;
    nodes[i] = call_tree_enter (&c->tree, nodes[below], methods[scan_stack_method (key)],
                                g_array_index (scan->stacks.calls, guint, i));
    if (c->tree.times != NULL)
      call_tree_add_times (&c->tree, nodes[i],
                           &g_array_index (scan->stacks.times, struct call_times, i));
  }
}

static void
merge_cells (struct calls *c, const struct scan *scan, const guint *nodes)
{
  for (guint i = 0; i < scan->bins.calls->len; i++) {
    const struct scan_binned_calls *of
        = &g_array_index (scan->bins.calls, struct scan_binned_calls, i);
    if (of->begin != SCAN_BIN_NONE)
      add_cell (c->cells, nodes[of->stack], of->begin, of->end, of->calls, of->self_ns);
  }
}

/* The thread's state after the scan, or where its calls were retained. */
static void
end_bins (const struct calls *c, struct thread *t, const struct scan_thread *scanned)
{
  const GArray *calls = scanned->calls;
  const uint64_t time
      = calls != NULL ? g_array_index (calls, struct scan_call, 0).time : scanned->latest;
  t->bin = scan_bin_of (c->cells->spec, time);
  t->bin_latest = MAX (t->bin_latest, time);
}

/* The second part. */
static void
merge_frames (struct calls *c, struct thread *t, const struct scan_thread *scanned,
              const guint *methods, const guint *nodes)
{
  for (guint i = 1; i < scanned->n_frames; i++) {
    const struct scan_frame *frame = &scanned->frames[i];
    push (t, (struct call_frame){ .method = methods[scan_frame_method (frame)],
                                  .node = nodes != NULL ? nodes[frame->stack] : 0,
                                  .start = frame->start,
                                  .callees_ns = frame->callees_ns,
                                  .spent = frame->spent });
  }
  if (c->cells != NULL && scanned->bin != SCAN_BIN_NONE)
    end_bins (c, t, scanned);
  for (guint i = 0; scanned->calls != NULL && i < scanned->calls->len; i++) {
    const struct scan_call *call = &g_array_index (scanned->calls, struct scan_call, i);
    if (call->type == SCAN_CALL_PASS)
      pass_time (c, t, call->time);
    else if (call->type == SCAN_CALL_ENTER)
      calls_enter (c, t, methods[call->method], call->time);
    else
      calls_leave (c, t, methods[call->method], call->time);
  }
}

/* The calls of each method, in all threads. */
static void
merge_methods (struct calls *c, const struct scan *scan, const guint *methods)
{
  for (guint i = 0; i < scan->methods->len; i++) {
    const struct scan_method_sum *scanned
        = &g_array_index (scan->methods, struct scan_method_sum, i);
    struct method_sum *sum = find_sum (c, methods[i]);
    sum->calls += scanned->calls;
    sum->self_ns += scanned->self_ns;
    c->total += scanned->calls;
  }
}

/* When a thread's buffers are done for now: no memory is retained for a thread that is in no call,
 * as are all that ended. */
static void
pause_thread (struct thread *t)
{
  if (t->frames == NULL || t->frames->len > 0)
    return;
  g_array_free (t->frames, TRUE);
  g_array_free (t->active, TRUE);
  t->frames = t->active = NULL;
  if (t->outer != NULL) {
    g_byte_array_unref (t->outer);
    g_array_unref (t->outer_parts);
    t->outer = NULL;
    t->outer_parts = NULL;
  }
}

/* After the last call: the callers of each method, this many frames of them. */
static void
resolve_callers (struct calls *c, guint frames, struct traces *traces)
{
  if (c->has_callers)
    call_tree_callers (&c->tree, frames, traces, &c->callers);
}

void
calls_end_thread (struct calls *c, struct thread *t)
{
  while (t->frames != NULL && t->frames->len > 0)
    leave_top (c, t, t->end);
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  calls_init (state, options);
}

static void
clear (void *state)
{
  calls_clear (state);
}

/* How deep a call is shows only when whole stacks are merged. */
static void
request (struct scan_options *options)
{
  options->call_times |= options->bins != NULL && options->bins->has_stacks;
  options->replay_calls |= options->depth != 0;
}

static void
merge (void *state, const struct analysis_scan *m)
{
  struct calls *c = state;
  const struct scan_thread *threads = (const struct scan_thread *) (void *) m->scan->threads->data;
  const guint n_threads = m->scan->threads->len;
  const guint *methods = m->symbols[SCAN_METHOD];
  guint *nodes = scan_has_stacks (m->scan) ? g_new0 (guint, m->scan->stacks.calls->len) : NULL;
  struct base_cells base = { .scan = NULL };
  const bool has_cells = c->cells != NULL && nodes != NULL;
  if (has_cells)
    list_base_cells (&base, m->scan);
  merge_methods (c, m->scan, methods);
  for (guint i = 0; i < n_threads; i++)
    merge_levels (c, m->threads[i], &threads[i], methods, nodes, &base);
  if (nodes != NULL)
    merge_stacks (c, m->scan, methods, nodes);
  if (has_cells)
    merge_cells (c, m->scan, nodes);
  clear_base_cells (&base);
  for (guint i = 0; i < n_threads; i++) {
    merge_frames (c, m->threads[i], &threads[i], methods, nodes);
    pause_thread (m->threads[i]);
  }
  g_free (nodes);
}

/* The number of calls that are not recorded. */
static void
handle_counters (void *state, const struct analysis_event *e)
{
  struct calls *c = state;
  const struct mlpd_counter_values *values = &e->payload->sample_counters.values;
  for (size_t i = 0; i < values->count; i++)
    if (values->items[i].index == MLPD_SKIPPED_CALLS_INDEX) {
      c->skipped += values->items[i].number;
      e->thread->skipped_calls += values->items[i].number;
    }
}

static void
finish (void *state, const struct analysis_model *m)
{
  for (guint i = 0; i < m->threads->all->len; i++)
    calls_end_thread (state, g_ptr_array_index (m->threads->all, i));
  resolve_callers (state, m->options->frames, m->traces);
}

static const struct analysis_handlers handlers[]
    = { { MLPD_SAMPLE_COUNTERS, handle_counters, NULL } };

const struct analysis calls_analysis = { .state_bytes = sizeof (struct calls),
                                         .is_bounded = true,
                                         .request = request,
                                         .init = init,
                                         .clear = clear,
                                         .merge = merge,
                                         .finish = finish,
                                         ANALYSIS_HANDLERS (handlers) };
