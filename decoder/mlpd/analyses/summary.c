/* summary.c -- runs the analyses of analyses.def on the scans of a log, in file order. */
#include "config.h"

#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/mlpd-origin.h"

/* ---- which analyses handle which kinds of events ---- */

static void
add (struct dispatch_handler *of_kind, analysis_handler *handle, void *state)
{
  guint n = 0;
  if (handle == NULL)
    return;
  while (of_kind[n].handle != NULL)
    n++;
  g_assert (n < DISPATCH_MAX); /* a list of ours, not of a log */
  of_kind[n] = (struct dispatch_handler){ handle, state };
}

/* Adds the handlers of an analysis; of one that `names_only` leaves out those of names alone, which
 * then handle all events.  `dispatch` is all zeros at first. */
static void
dispatch_add (struct dispatch *d, const struct analysis *analysis, void *state, bool names_only)
{
  for (guint i = 0; i < analysis->n_handlers; i++) {
    const struct analysis_handlers *h = &analysis->handlers[i];
    add (d->events[h->kind], names_only ? h->name : h->event, state);
    add (d->names[h->kind], h->name, state);
  }
}

/* ---- the merge of a scan ---- */

/* A scan numbers addresses and threads at their first use and notes how many events it had retained
 * by then.  So before each of these events, the numbers up to it are searched in the model: they
 * mean the announcements before that event, and the event may change the meaning of later ones. */

/* How far a merge has come. */
struct merge_context {
  struct analysis_scan *m;
  guint n_symbols[SCAN_SYMBOL_KINDS];
  guint n_threads;
  guint n_heaps;
};

static const enum symbol_kind kinds[SCAN_SYMBOL_KINDS] = {
  [SCAN_CLASS] = SYMBOL_CLASS,
  [SCAN_METHOD] = SYMBOL_METHOD,
  [SCAN_VTABLE] = SYMBOL_VTABLE,
};

static enum scan_symbol_kind
type_symbol_kind (const struct scan *scan)
{
  return scan->version < MLPD_VERSION_ROOT_ADDRESSES ? SCAN_CLASS : SCAN_VTABLE;
}

static void
advance_symbols (struct merge_context *c, int kind, guint deferred_index)
{
  struct analysis_scan *m = c->m;
  const GArray *all = m->scan->symbols[kind].all;
  const bool is_type = kind == (int) type_symbol_kind (m->scan);
  for (guint *n = &c->n_symbols[kind]; *n < all->len; ++*n) {
    const struct scan_symbol *symbol = &g_array_index (all, struct scan_symbol, *n);
    if (symbol->deferred_index > deferred_index)
      break;
    const guint index = symbols_use (m->model->symbols, kinds[kind], symbol->address);
    m->symbols[kind][*n] = index;
    if (is_type)
      m->types[*n] = kind == SCAN_VTABLE ? index | TYPE_IS_VTABLE : index;
  }
}

static void
advance_threads (struct merge_context *c, guint deferred_index)
{
  struct analysis_scan *m = c->m;
  for (; c->n_threads < m->scan->threads->len; c->n_threads++) {
    const struct scan_thread *t
        = &g_array_index (m->scan->threads, struct scan_thread, c->n_threads);
    if (t->deferred_index > deferred_index)
      break;
    struct thread *thread = threads_get (m->model->threads, t->id);
    if (thread->offset == 0)
      thread->offset = t->offset;
    m->threads[c->n_threads] = thread;
  }
}

static void
advance_heaps (struct merge_context *c, guint deferred_index)
{
  struct analysis_scan *m = c->m;
  for (; c->n_heaps < m->scan->heaps->len; c->n_heaps++) {
    const struct scan_heap *heap = &g_array_index (m->scan->heaps, struct scan_heap, c->n_heaps);
    if (heap->deferred_index > deferred_index)
      break;
    struct thread *thread = m->threads[heap->thread];
    heapshots_merge (m->model->heapshots, thread, heap, m->types);
    heap_builder_merge (m->model->heap_builder, thread->shot, heap, m->types,
                        c->n_symbols[type_symbol_kind (m->scan)]);
  }
}

/* Goes on up to where the scan had retained `deferred_index` events. */
static void
advance (struct merge_context *c, guint deferred_index)
{
  for (int kind = 0; kind < SCAN_SYMBOL_KINDS; kind++)
    advance_symbols (c, kind, deferred_index);
  advance_threads (c, deferred_index);
  advance_heaps (c, deferred_index);
}

/* Begins the merge of a scan: its addresses and thread ids get the meaning that they have in the
 * model when the scan sees them, and the events that it has retained go to the analyses one by one.
 * Then `scan` is complete, until merge_end. */
static void
merge_begin (struct analysis_scan *m, const struct analysis_model *model,
             const struct dispatch *dispatch, const struct scan *scan)
{
  struct merge_context c = { .m = m };
  *m = (struct analysis_scan){ .model = model, .scan = scan };
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    m->symbols[i] = g_new (guint, scan->symbols[i].all->len + 1);
  m->types = g_new (guint, scan->symbols[type_symbol_kind (scan)].all->len + 1);
  m->threads = g_new (struct thread *, scan->threads->len + 1);
  struct analysis_event event = { .model = model, .version = scan->version };
  for (guint i = 0; i < scan->events->len; i++) {
    const struct scan_event *retained = &g_array_index (scan->events, struct scan_event, i);
    advance (&c, i);
    event.thread = m->threads[retained->thread];
    event.kind = retained->kind;
    event.payload = &retained->payload;
    event.time = retained->time;
    event.offset = retained->offset;
    event.follows_class = retained->follows_class;
    event.repeated = retained->repeated;
    event.usage = retained->usage;
    dispatch_event (dispatch, &event, retained->name_only);
  }
  advance (&c, scan->events->len);
}

static void
merge_end (struct analysis_scan *m)
{
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    g_free (m->symbols[i]);
  g_free (m->types);
  g_free (m->threads);
}

/* ---- the summary ---- */

/* Items are merged when they come to this many bytes. */
#define ITEMS_BYTES_MAX ((uint64_t) 1 << 20)

/* ---- the analyses ---- */

#define ANALYSIS(name) extern const struct analysis name##_analysis;
#include "decoder/mlpd/analyses/analyses.def"

static const struct analysis *const analyses[] = {
#define ANALYSIS(name) &name##_analysis,
#include "decoder/mlpd/analyses/analyses.def"
};

void *
summary_state (const struct summary *s, const struct analysis *analysis)
{
  guint i = 0;
  while (analyses[i] != analysis)
    g_assert (++i < G_N_ELEMENTS (analyses)); /* a list of ours, not of a log */
  return s->states[i];
}

static bool
is_needed (const struct analysis *analysis, const struct scan_options *options)
{
  return analysis->is_needed == NULL || analysis->is_needed (options);
}

static void
init_analyses (struct summary *s)
{
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    if (is_needed (analyses[i], &s->options) && analyses[i]->request != NULL)
      analyses[i]->request (&s->options);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++) {
    const struct analysis *a = analyses[i];
    if (a->init != NULL)
      a->init (s->states[i], &s->options);
    if (is_needed (a, &s->options))
      dispatch_add (&s->dispatch, a, s->states[i], s->options.bounded && !a->is_bounded);
  }
}

/* ---- beginning ---- */

void
summary_init (struct summary *s, const struct scan_options *options)
{
  *s = (struct summary){ 0 };
  if (options != NULL)
    s->options = *options;
  log_init (&s->log);
  symbols_init (&s->symbols);
  threads_init (&s->threads);
  traces_init (&s->traces);
  pending_types_init (&s->pending_types);
  allocations_init (&s->allocations);
  type_traces_init (&s->allocation_traces);
  s->states = g_new (void *, G_N_ELEMENTS (analyses));
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    s->states[i] = g_malloc0 (analyses[i]->state_bytes);
  s->model = (struct analysis_model){ .options = &s->options,
                                      .log = &s->log,
                                      .symbols = &s->symbols,
                                      .threads = &s->threads,
                                      .traces = &s->traces,
                                      .pending_types = &s->pending_types,
                                      .allocations = &s->allocations,
                                      .allocation_traces = &s->allocation_traces,
                                      .heapshots = SUMMARY_STATE (s, heapshots),
                                      .heap_builder = SUMMARY_STATE (s, heap_builder),
                                      .roots = SUMMARY_STATE (s, roots) };
  init_analyses (s);
}

static void
free_items (struct summary *s)
{
  if (s->items != NULL)
    scan_clear (s->items);
  g_clear_pointer (&s->items, g_free);
}

void
summary_clear (struct summary *s)
{
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++) {
    if (analyses[i]->clear != NULL)
      analyses[i]->clear (s->states[i]);
    g_free (s->states[i]);
  }
  g_free (s->states);
  log_clear (&s->log);
  symbols_clear (&s->symbols);
  threads_clear (&s->threads);
  traces_clear (&s->traces);
  pending_types_clear (&s->pending_types);
  allocations_clear (&s->allocations);
  type_traces_clear (&s->allocation_traces);
  free_items (s);
}

void
summary_begin_part (struct summary *s, struct buffer_filter *filter)
{
  s->options.filter = filter;
  s->log.is_part = true;
}

void
summary_end_part (struct summary *s)
{
  s->options.filter = NULL;
}

/* ---- merging ---- */

static void
merge_threads (struct summary *s, const struct analysis_scan *merged)
{
  for (guint i = 0; i < merged->scan->threads->len; i++) {
    const struct scan_thread *scanned
        = &g_array_index (merged->scan->threads, struct scan_thread, i);
    struct thread *t = merged->threads[i];
    if (scanned->events == 0)
      continue;
    t->start = t->events == 0 ? scanned->start : MIN (t->start, scanned->start);
    t->end = t->events == 0 ? scanned->end : MAX (t->end, scanned->end);
    t->events += scanned->events;
    s->log.last_time = MAX (s->log.last_time, scanned->end);
  }
}

void
summary_merge (struct summary *s, const struct scan *scan, uint64_t end)
{
  struct analysis_scan merged;
  log_merge (&s->log, scan, end);
  merge_begin (&merged, &s->model, &s->dispatch, scan);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    if (analyses[i]->merge != NULL)
      analyses[i]->merge (s->states[i], &merged);
  merge_threads (s, &merged);
  merge_end (&merged);
}

/* ---- items ---- */

void
summary_merge_items (struct summary *s)
{
  if (s->items == NULL || s->items_bytes == 0)
    return;
  scan_finish (s->items);
  summary_merge (s, s->items, s->log.bytes);
  scan_start (s->items, NULL, 0);
  s->items_bytes = 0;
}

static struct scan *
items_scan (struct summary *s)
{
  if (s->items == NULL) {
    s->items = g_new (struct scan, 1);
    scan_init (s->items, &s->options);
    scan_start (s->items, NULL, 0);
  }
  return s->items;
}

bool
summary_skips (const struct summary *s, const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_BUFFER
         && scan_buffer_use (&s->options, item->buffer, item->offset) == BUFFER_SKIP;
}

void
summary_item (struct summary *s, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    summary_merge_items (s);
    scan_start (items_scan (s), item->header, mlpd_header_alloc_sampling (item->header));
    break;
  case MLPD_ITEM_BUFFER:
    if (s->items_bytes > ITEMS_BYTES_MAX)
      summary_merge_items (s);
    if (summary_skips (s, item))
      scan_skip (s->items, item->buffer);
    else
      scan_buffer (s->items, item->buffer, item->offset);
    break;
  case MLPD_ITEM_EVENT:
    scan_event (s->items, item->kind, item->payload, item->offset, item->size);
    break;
  case MLPD_ITEM_DAMAGE:
    summary_merge_items (s);
    break;
  }
  s->items_bytes
      += item->type == MLPD_ITEM_BUFFER || item->type == MLPD_ITEM_EVENT ? item->size : 0;
  log_item (&s->log, item);
}

void
summary_finish (struct summary *s)
{
  summary_merge_items (s);
  free_items (s);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    if (analyses[i]->finish != NULL)
      analyses[i]->finish (s->states[i], &s->model);
  threads_finish (&s->threads);
}

struct heap_graph *
summary_build_heap (struct summary *s, guint index)
{
  return heap_builder_build (SUMMARY_STATE (s, heap_builder), &s->symbols, &s->threads, index);
}
