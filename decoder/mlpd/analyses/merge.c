/* merge.c -- replays what a scan has retained, in the order in which the log has it.
 *
 * A scan numbers addresses and threads at their first use and notes how many events it had retained
 * by then.  So before each of these events, the numbers up to it are searched in the model: they
 * mean what was announced before that event, and the event may change what later ones mean.
 */
#include "config.h"

#include "decoder/mlpd/analyses/merge.h"
#include "decoder/mlpd/analyses/heap-builder.h"

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

void
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

void
merge_end (struct analysis_scan *m)
{
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    g_free (m->symbols[i]);
  g_free (m->types);
  g_free (m->threads);
}
