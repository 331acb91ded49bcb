/* summary.c -- merges scans, and hands the events that they kept to the analyses they concern. */
#include "decoder/analyses/summary.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include "decoder/formats/mlpd-origin.h"

/* Items are merged when they come to so many bytes. */
#define ITEMS_BYTES_MAX ((uint64_t) 1 << 20)

void
summary_init (struct summary *s, const struct scan_options *options)
{
  *s = (struct summary){ 0 };
  if (options != NULL)
    s->options = *options;
  s->options.replay[MLPD_GC_MOVE] |= s->options.graphs != NULL || s->options.sought != NULL;
  s->options.replay[MLPD_ALLOC] |= s->options.sought != NULL;
  s->options.replay_calls |= s->options.depth != 0;
  if (s->options.objects != NULL)
    object_filter_kinds (s->options.objects, s->options.replay);
  log_init (&s->log);
  symbols_init (&s->symbols);
  threads_init (&s->threads);
  metadata_init (&s->metadata);
  allocations_init (&s->allocations);
  type_traces_init (&s->allocation_traces);
  calls_init (&s->calls, &s->options);
  exceptions_init (&s->exceptions);
  monitors_init (&s->monitors);
  heapshots_init (&s->heapshots);
  heap_builder_init (&s->heap_builder, s->options.graphs);
  runtime_init (&s->runtime);
  objects_init (&s->objects, s->options.objects);
  if (s->options.traces || s->options.graphs != NULL)
    roots_keep_objects (&s->runtime.roots);
  traces_init (&s->traces);
  s->untyped = g_array_new (FALSE, FALSE, sizeof (struct untyped));
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
  log_clear (&s->log);
  symbols_clear (&s->symbols);
  threads_clear (&s->threads);
  metadata_clear (&s->metadata);
  allocations_clear (&s->allocations);
  type_traces_clear (&s->allocation_traces);
  calls_clear (&s->calls);
  exceptions_clear (&s->exceptions);
  monitors_clear (&s->monitors);
  heapshots_clear (&s->heapshots);
  heap_builder_clear (&s->heap_builder);
  runtime_clear (&s->runtime);
  objects_clear (&s->objects);
  traces_clear (&s->traces);
  g_array_unref (s->untyped);
  free_items (s);
}

/* ---- merging ---- */

/* A merge that is under way: what the numbers of the scan mean, as far as it has come. */
struct merge {
  struct summary *s;
  const struct scan *scan;
  guint *symbols[SCAN_SORTS];
  guint n_symbols[SCAN_SORTS];
  guint *types; /* those of them that are types */
  struct thread **threads;
  guint n_threads;
  guint n_heaps;
};

static const enum symbol_sort sorts[SCAN_SORTS] = {
  [SCAN_CLASS] = SYMBOL_CLASS,
  [SCAN_METHOD] = SYMBOL_METHOD,
  [SCAN_VTABLE] = SYMBOL_VTABLE,
};

static enum scan_sort
type_sort (const struct scan *scan)
{
  return scan->version < MLPD_VERSION_ROOT_ADDRESSES ? SCAN_CLASS : SCAN_VTABLE;
}

static void
begin_merge (struct merge *m, struct summary *s, const struct scan *scan)
{
  *m = (struct merge){ .s = s, .scan = scan };
  for (int i = 0; i < SCAN_SORTS; i++)
    m->symbols[i] = g_new (guint, scan->symbols[i].all->len + 1);
  m->types = g_new (guint, scan->symbols[type_sort (scan)].all->len + 1);
  m->threads = g_new (struct thread *, scan->threads->len + 1);
}

static void
end_merge (struct merge *m)
{
  for (int i = 0; i < SCAN_SORTS; i++)
    g_free (m->symbols[i]);
  g_free (m->types);
  g_free (m->threads);
}

/* Goes on up to where the scan had kept `rare` events: what addresses and thread ids that were
 * met by then mean is what they mean in the summary now. */
static void
advance (struct merge *m, guint rare)
{
  for (int sort = 0; sort < SCAN_SORTS; sort++) {
    const GArray *all = m->scan->symbols[sort].all;
    const bool is_type = sort == (int) type_sort (m->scan);
    for (guint *n = &m->n_symbols[sort]; *n < all->len; ++*n) {
      const struct scan_symbol *symbol = &g_array_index (all, struct scan_symbol, *n);
      if (symbol->rare > rare)
        break;
      const guint index = symbols_use (&m->s->symbols, sorts[sort], symbol->address);
      m->symbols[sort][*n] = index;
      if (is_type)
        m->types[*n] = sort == SCAN_VTABLE ? index | TYPE_IS_VTABLE : index;
    }
  }
  for (; m->n_threads < m->scan->threads->len; m->n_threads++) {
    const struct scan_thread *t
        = &g_array_index (m->scan->threads, struct scan_thread, m->n_threads);
    if (t->rare > rare)
      break;
    struct thread *thread = threads_get (&m->s->threads, t->id);
    if (thread->offset == 0)
      thread->offset = t->offset;
    m->threads[m->n_threads] = thread;
  }
  for (; m->n_heaps < m->scan->heaps->len; m->n_heaps++) {
    const struct scan_heap *heap = &g_array_index (m->scan->heaps, struct scan_heap, m->n_heaps);
    if (heap->rare > rare)
      break;
    heapshots_merge (&m->s->heapshots, m->threads[heap->thread], heap, m->types);
    heap_builder_merge (&m->s->heap_builder, m->threads[heap->thread]->shot, heap, m->types,
                        m->n_symbols[type_sort (m->scan)]);
  }
}

/* The type of the object of an event: from the type mark right before, else it is looked for later.
 */
static struct object_typing
type_of (const struct merge *m, const struct scan_event *event, uint64_t time)
{
  const struct thread *t = m->threads[event->thread];
  if (event->follows_class && t->mark_time == time)
    return (struct object_typing){ .known = true, .type = t->mark_class };
  return (
      struct object_typing){ .asked = m->s->options.types, .time = time, .offset = event->offset };
}

static guint
alloc_type (const struct merge *m, const struct mlpd_alloc *event)
{
  return type_sort (m->scan) == SCAN_CLASS
             ? symbols_use (&m->s->symbols, SYMBOL_CLASS, event->klass)
             : symbols_use (&m->s->symbols, SYMBOL_VTABLE, event->vtable) | TYPE_IS_VTABLE;
}

static void
count_typed (struct summary *s, const struct untyped *u)
{
  if (u->event == UNTYPED_THROW)
    exceptions_throw (&s->exceptions, u->typing.known, u->typing.type, u->trace);
  else
    monitors_add (&s->monitors, u->object, u->typing.known, u->typing.type, u->event, u->wait_ns,
                  u->trace);
}

/* An event counts at once, or when its type was looked for. */
static void
take_typed (struct summary *s, struct untyped u)
{
  if (u.typing.asked && s->untyped->len == UNTYPED_MAX) {
    s->untyped_left_out++;
    u.typing.asked = false;
  }
  if (!u.typing.asked) {
    count_typed (s, &u);
    return;
  }
  u.place = (struct sought_place){ .object = u.object,
                                   .time = u.typing.time,
                                   .offset = u.typing.offset };
  g_array_append_val (s->untyped, u);
}

static void
count_untyped (struct summary *s)
{
  for (guint i = 0; i < s->untyped->len; i++)
    count_typed (s, &g_array_index (s->untyped, struct untyped, i));
  g_array_set_size (s->untyped, 0);
}

static guint
trace_of (struct summary *s, struct mlpd_list backtrace)
{
  return s->options.traces ? traces_add_addresses (&s->traces, &s->symbols, backtrace) : TRACE_NONE;
}

static void
take_throw (const struct merge *m, const struct scan_event *event)
{
  const struct mlpd_exception_throw *e = &event->payload.exception_throw;
  take_typed (m->s, (struct untyped){ .event = UNTYPED_THROW,
                                      .object = e->object,
                                      .thread = m->threads[event->thread]->id,
                                      .trace = trace_of (m->s, e->backtrace),
                                      .typing = type_of (m, event, e->time) });
}

/* The end of a wait is about the lock that was waited for, which is said at the beginning only. */
static void
take_monitor (const struct merge *m, const struct scan_event *event)
{
  const struct mlpd_monitor *e = &event->payload.monitor;
  struct thread *t = m->threads[event->thread];
  const bool ends_wait
      = t->waiting && e->event != MLPD_MONITOR_EVENT_CONTENTION && t->wait_object == e->object;
  struct object_typing typing = type_of (m, event, e->time);
  if (ends_wait && !typing.known)
    typing = t->wait_of;
  t->wait_object = e->object;
  t->wait_of = typing;
  const uint64_t wait_ns = monitors_event (&m->s->monitors, t, e);
  take_typed (m->s, (struct untyped){ .event = e->event,
                                      .object = e->object,
                                      .thread = t->id,
                                      .wait_ns = wait_ns,
                                      .trace = trace_of (m->s, e->backtrace),
                                      .typing = typing });
}

/* Only data version 1 tells classes again, as marks of types.  Later, one that comes again is
 * another one, in the place of a class that was unloaded. */
static void
take_class (struct summary *s, struct thread *t, const struct mlpd_metadata_class *e,
            unsigned version, uint64_t offset)
{
  metadata_load (&s->metadata, s->metadata.classes, version == 1 ? e->klass : offset, e->action);
  t->mark_class = symbols_announce_class (&s->symbols, e->klass, e->name, e->image);
  t->mark_time = e->time;
}

static bool
is_own_metadata (const struct merge *m, const struct scan_event *event)
{
  const struct scan_thread *logging
      = &g_array_index (m->scan->threads, struct scan_thread, event->thread);
  return logging->id == event->payload.metadata_thread.thread;
}

/* Who logs a hit need not be whom it is of. */
static void
take_hit (struct merge *m, const struct scan_event *event)
{
  const struct mlpd_sample_hit *hit = &event->payload.sample_hit;
  uint64_t time = event->time;
  if (m->scan->version < MLPD_VERSION_SAMPLED_THREADS)
    return;
  mlpd_event_time (MLPD_SAMPLE_HIT, &event->payload, &time);
  threads_sampled (&m->s->threads, hit->thread, time);
  m->s->log.last_time = MAX (m->s->log.last_time, time);
}

/* An event that does not count. */
static void
replay_name (struct merge *m, const struct scan_event *event)
{
  struct summary *s = m->s;
  const union mlpd_payload *p = &event->payload;
  switch (event->kind) {
  case MLPD_METADATA_CLASS:
    symbols_announce_class (&s->symbols, p->metadata_class.klass, p->metadata_class.name,
                            p->metadata_class.image);
    break;
  case MLPD_METADATA_IMAGE:
    symbols_announce (&s->symbols, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    break;
  case MLPD_METADATA_VTABLE:
    symbols_announce_vtable (&s->symbols, p->metadata_vtable.vtable,
                             symbols_use (&s->symbols, SYMBOL_CLASS, p->metadata_vtable.klass));
    break;
  case MLPD_METADATA_THREAD:
    log_thread (&s->log, &p->metadata_thread);
    threads_name (&s->threads, &p->metadata_thread, is_own_metadata (m, event));
    break;
  case MLPD_METHOD_JIT:
    symbols_announce (&s->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
    break;
  case MLPD_HEAP_START:
    heapshots_pass (&s->heapshots);
    break;
  default:
    break;
  }
  runtime_name (&s->runtime, &s->symbols, event->kind, p);
}

static void
cut_shot (struct summary *s, struct thread *t)
{
  heap_builder_end (&s->heap_builder, t->shot, HEAPSHOT_CUT, &s->runtime.roots, &s->symbols);
  heapshots_cut (t);
}

static void
start_shot (struct summary *s, struct thread *t, uint64_t time, unsigned version)
{
  cut_shot (s, t);
  heapshots_start (&s->heapshots, t, time, s->log.damages);
  heap_builder_start (&s->heap_builder, t->shot, version, &s->runtime.roots, &s->symbols);
}

static void
end_shot (struct summary *s, struct thread *t)
{
  struct heapshot *shot = t->shot;
  heapshots_end (t, s->log.damages, s->runtime.roots.objects);
  if (shot == NULL)
    return;
  heap_builder_end (&s->heap_builder, shot, shot->state, &s->runtime.roots, &s->symbols);
  shot->roots = roots_shot_ends (&s->runtime.roots);
}

/* The objects that are asked for. */
static void
replay_objects (struct merge *m, const struct scan_event *event)
{
  struct summary *s = m->s;
  const struct object_place place = { .version = m->scan->version,
                                      .time = event->time,
                                      .offset = event->offset,
                                      .thread = m->threads[event->thread]->id,
                                      .shots = s->heapshots.begun,
                                      .damages = s->log.damages };
  objects_event (&s->objects, &s->symbols, s->options.traces ? &s->traces : NULL, &s->runtime.roots,
                 &place, event->kind, &event->payload);
}

static void
replay (struct merge *m, const struct scan_event *event)
{
  m->s->has_domains |= metadata_tells_domains (event->kind, &event->payload);
  if (event->name_only) {
    replay_name (m, event);
    return;
  }
  struct summary *s = m->s;
  const union mlpd_payload *p = &event->payload;
  struct thread *t = m->threads[event->thread];
  switch (event->kind) {
  case MLPD_GC_EVENT:
    gc_event (&s->gc, t, &p->gc_event);
    if (s->options.sought != NULL)
      sought_objects_collection (s->options.sought, &p->gc_event);
    /* A shot is taken while the world is stopped. */
    if (p->gc_event.event == MLPD_GC_EVENT_PRE_STOP_WORLD)
      cut_shot (s, t);
    break;
  case MLPD_GC_RESIZE:
    gc_resize (&s->gc, &p->gc_resize);
    break;
  case MLPD_METADATA_CLASS:
    take_class (s, t, &p->metadata_class, m->scan->version, event->offset);
    break;
  case MLPD_METADATA_IMAGE:
    metadata_load (&s->metadata, s->metadata.images, p->metadata_image.image,
                   p->metadata_image.action);
    symbols_announce (&s->symbols, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    break;
  case MLPD_METADATA_ASSEMBLY:
    metadata_load (&s->metadata, s->metadata.assemblies, p->metadata_assembly.assembly,
                   p->metadata_assembly.action);
    break;
  case MLPD_METADATA_DOMAIN:
    metadata_load (&s->metadata, s->metadata.domains, p->metadata_domain.domain,
                   p->metadata_domain.action);
    break;
  case MLPD_METADATA_THREAD:
    log_thread (&s->log, &p->metadata_thread);
    threads_metadata (&s->threads, &p->metadata_thread, is_own_metadata (m, event));
    break;
  case MLPD_METADATA_VTABLE:
    symbols_announce_vtable (&s->symbols, p->metadata_vtable.vtable,
                             symbols_use (&s->symbols, SYMBOL_CLASS, p->metadata_vtable.klass));
    break;
  case MLPD_METHOD_JIT:
    metadata_jit (&s->metadata, &p->method_jit);
    symbols_announce (&s->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
    break;
  case MLPD_EXCEPTION_THROW:
    take_throw (m, event);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    exceptions_clause (&s->exceptions, &p->exception_clause);
    break;
  case MLPD_MONITOR:
    take_monitor (m, event);
    break;
  case MLPD_SAMPLE_HIT:
    take_hit (m, event);
    break;
  case MLPD_HEAP_START:
    start_shot (s, t, p->heap_start.time, m->scan->version);
    break;
  case MLPD_GC_MOVE:
    if (s->options.sought != NULL)
      sought_objects_moved (s->options.sought, &p->gc_move, event->offset);
    roots_moved (&s->runtime.roots, p->gc_move.objects);
    heap_builder_moved (&s->heap_builder, p->gc_move.objects);
    break;
  case MLPD_ALLOC:
    if (s->options.sought != NULL)
      sought_objects_allocated (s->options.sought, &p->alloc, event->offset, t->id,
                                alloc_type (m, &p->alloc));
    break;
  case MLPD_HEAP_END:
    end_shot (s, t);
    break;
  default:
    break;
  }
  const struct runtime_place place
      = { .version = m->scan->version, .start = s->log.first_time, .thread = t->id };
  runtime_event (&s->runtime, &s->symbols, s->options.traces ? &s->traces : NULL, &place,
                 event->kind, p);
  if (s->objects.filter != NULL)
    replay_objects (m, event);
}

static void
merge_threads (struct merge *m)
{
  struct summary *s = m->s;
  const struct scan_thread *threads = (const struct scan_thread *) (void *) m->scan->threads->data;
  const guint *methods = m->symbols[SCAN_METHOD];
  guint *nodes = scan_has_stacks (m->scan) ? g_new0 (guint, m->scan->stacks.calls->len) : NULL;
  for (guint i = 0; i < m->scan->threads->len; i++)
    calls_merge_levels (&s->calls, m->threads[i], &threads[i], methods, nodes);
  if (nodes != NULL)
    calls_merge_stacks (&s->calls, m->scan, methods, nodes);
  for (guint i = 0; i < m->scan->threads->len; i++) {
    const struct scan_thread *scanned = &threads[i];
    struct thread *t = m->threads[i];
    calls_merge_frames (&s->calls, t, scanned, methods, nodes);
    calls_pause_thread (t);
    if (scanned->events == 0)
      continue;
    t->start = t->events == 0 ? scanned->start : MIN (t->start, scanned->start);
    t->end = t->events == 0 ? scanned->end : MAX (t->end, scanned->end);
    t->events += scanned->events;
    s->log.last_time = MAX (s->log.last_time, scanned->end);
  }
  g_free (nodes);
}

/* The scan's backtraces of allocations. */
static void
merge_traces (struct merge *m)
{
  const struct scan *scan = m->scan;
  guint *traces = g_new (guint, scan->traces.all->len + 1);
  GArray *methods = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < scan->traces.all->len; i++) {
    guint n;
    const guint *frames = traces_frames (&scan->traces, i, &n);
    g_array_set_size (methods, n);
    for (guint j = 0; j < n; j++)
      g_array_index (methods, guint, j) = m->symbols[SCAN_METHOD][frames[j]];
    traces[i] = traces_add (&m->s->traces, (const guint *) (const void *) methods->data, n);
  }
  struct type_sum *traced = g_new0 (struct type_sum, scan->types->len);
  for (guint i = 0; i < scan->trace_sums.all->len; i++) {
    const struct trace_sum *sum = &g_array_index (scan->trace_sums.all, struct trace_sum, i);
    type_traces_add (&m->s->allocation_traces, m->types[sum->key], traces[sum->trace], sum->count,
                     sum->bytes);
    traced[sum->key].objects += sum->count;
    traced[sum->key].bytes += sum->bytes;
  }
  for (guint i = 0; i < scan->types->len; i++) { /* the rest has none */
    const struct scan_type *type = &g_array_index (scan->types, struct scan_type, i);
    if (type->objects != traced[i].objects)
      type_traces_add (&m->s->allocation_traces, m->types[i], TRACE_NONE,
                       type->objects - traced[i].objects, type->bytes - traced[i].bytes);
  }
  g_array_free (methods, TRUE);
  g_free (traces);
  g_free (traced);
}

static void
merge_masses (struct merge *m)
{
  struct summary *s = m->s;
  const struct scan *scan = m->scan;
  for (guint i = 0; i < scan->types->len; i++) {
    const struct scan_type *type = &g_array_index (scan->types, struct scan_type, i);
    if (type->objects != 0)
      allocations_add (&s->allocations, m->types[i], type->objects, type->bytes);
  }
  s->allocations.samples += scan->alloc_samples;
  if (scan->options.traces)
    merge_traces (m);
  s->gc.moves += scan->moves;
}

void
summary_merge (struct summary *s, const struct scan *scan, uint64_t end)
{
  struct merge m;
  log_merge (&s->log, scan, end);
  begin_merge (&m, s, scan);
  for (guint i = 0; i < scan->events->len; i++) {
    advance (&m, i);
    replay (&m, &g_array_index (scan->events, struct scan_event, i));
  }
  advance (&m, scan->events->len);
  calls_merge_methods (&s->calls, scan, m.symbols[SCAN_METHOD]);
  merge_threads (&m);
  merge_masses (&m);
  end_merge (&m);
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
summary_passes (const struct summary *s, const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_BUFFER
         && scan_use (&s->options, item->buffer, item->offset) == BUFFER_PASS;
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
    if (summary_passes (s, item))
      scan_pass (s->items, item->buffer);
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
  for (guint i = 0; i < s->threads.all->len; i++) {
    struct thread *t = g_ptr_array_index (s->threads.all, i);
    calls_end_thread (&s->calls, t);
    cut_shot (s, t);
  }
  threads_finish (&s->threads);
  calls_resolve (&s->calls, s->options.frames, &s->traces);
  type_sums_resolve (&s->allocations.types, &s->symbols);
  type_traces_resolve (&s->allocation_traces, &s->symbols);
  if (s->allocations.samples != 0) {
    s->allocations.sampling = mlpd_header_alloc_sampling (&s->log.header);
    allocations_round (&s->allocations);
    type_traces_round (&s->allocation_traces);
  }
  count_untyped (s);
  type_sums_resolve (&s->exceptions.types, &s->symbols);
  type_traces_resolve (&s->exceptions.traces, &s->symbols);
  heapshots_resolve (&s->heapshots, &s->symbols);
  runtime_finish (&s->runtime);
  metadata_finish (&s->metadata, &s->symbols, s->log.header.data_version);
  objects_resolve (&s->objects, &s->symbols);
  s->log.lost_events = counters_lost_events (&s->runtime.counters);
  if (s->log.lost_events != 0) {
    char *message = g_strdup_printf ("the profiler dropped %" G_GUINT64_FORMAT
                                     " events, as they could not be written in time",
                                     s->log.lost_events);
    log_damage (&s->log, false, message);
    g_free (message);
  }
  if (s->heapshots.stray_objects != 0) {
    char *message = g_strdup_printf (
        "not counted, because outside of any heap shot: %" G_GUINT64_FORMAT " records of objects",
        s->heapshots.stray_objects);
    log_damage (&s->log, false, message);
    g_free (message);
  }
}
